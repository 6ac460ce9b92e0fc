import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { aggregations, catalogue, definitionNamed } from '../../../src/algorithms/index.ts'
import { Random, type TraceEvent, UsageError } from '../../../src/core/index.ts'
import { flagWords } from '../../../src/scenario/command-line.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { EngineAnswer } from '../../../web/src/engine/protocol.ts'
import { sessionOf } from '../../../web/src/engine/sessions.ts'
import { gallery } from '../../../web/src/panel/gallery.ts'
import { STATUSES } from '../../../web/src/recording/events.ts'
import { RunFrame } from '../../../web/src/recording/frame.ts'
import { RunLog } from '../../../web/src/recording/run-log.ts'
import { campaign, sample } from '../../support/campaign.ts'
import { shell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-page-engine-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface PrintedNode {
  readonly node: number
  readonly id?: number
  readonly status: string
  readonly estimate?: number | null
  readonly leader?: number | null
}

interface Printed extends Readonly<Record<string, unknown>> {
  readonly nodes: readonly PrintedNode[]
  readonly messages: { readonly total: number }
  readonly bits: number
}

/** A run as the page gets it from its worker, or why it is refused. */
function inPage(scenario: ScenarioInput) {
  let log: RunLog | undefined
  let result: object | undefined
  let trace = ''
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log?.append(structuredClone(answer.chunk))
    if (answer.what === 'ended') result = structuredClone(answer.result)
    if (answer.what === 'trace') trace = answer.text
  }
  const request = { scenario, code: null, intervention: null }
  const definition = definitionNamed(scenario.algorithm)
  try {
    for (const _ of sessionOf(definition, { ...request, want: 'run' }, take));
    if (scenario.timing !== 'cycles')
      for (const _ of sessionOf(definition, { ...request, want: 'trace' }, take));
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
  return { log: log!, result: result! as Readonly<Record<string, unknown>>, trace }
}

/** The same by the command line; null where it refuses the scenario. */
async function inTerminal(scenario: ScenarioInput) {
  const file = join(folder, 'trace.jsonl')
  const traced = scenario.timing === 'cycles' ? [] : ['--trace', file]
  const words = ['run', String(scenario.algorithm), ...flagWords(scenario), '--nodes', '--json']
  const { code, out } = await shell(...words, ...traced)
  if (code === 2) return null
  const printed = JSON.parse(out) as Printed
  return { printed, trace: traced.length === 0 ? '' : readFileSync(file, 'utf8') }
}

/** Runs a scenario in both and compares all of it; false where both refuse it. */
async function agree(scenario: ScenarioInput): Promise<boolean> {
  const [page, terminal] = [inPage(scenario), await inTerminal(scenario)]
  const name = JSON.stringify(scenario)
  expect(page === null, name).toBe(terminal === null)
  if (page === null || terminal === null) return false
  const { log, result, trace } = page
  const { printed } = terminal
  expect(trace, name).toBe(terminal.trace)
  for (const field of ['leader', 'leaders', 'messages', 'bits', 'time', 'verdict', 'cycles'])
    if (printed[field] !== undefined && result[field] !== undefined)
      expect(JSON.parse(JSON.stringify(result[field])), `${field} of ${name}`).toEqual(
        printed[field],
      )
  expect(result.messages, name).toBeDefined()
  const frame = new RunFrame(log).seek(log.steps)
  if (log.world.unit !== 'cycle') {
    expect(frame.messages, name).toBe(printed.messages.total)
    expect(frame.bits, name).toBe(printed.bits)
    expect(eventsIn(log), name).toEqual(eventsOf(terminal.trace))
  }
  for (const node of printed.nodes) compareNode(frame, node, name)
  compareStatuses(log)
  return true
}

/** A node at the end of the run as the page shows it, and as the command line prints it. */
function compareNode(frame: RunFrame, printed: PrintedNode, name: string): void {
  const { node, id, status, estimate } = printed
  const shown = STATUSES[frame.status[node]]
  const alive = ['alive', 'asleep', 'unknown']
  if (alive.includes(status)) expect(alive, `status of ${node} in ${name}`).toContain(shown)
  else expect(shown, `status of ${node} in ${name}`).toBe(status)
  if (id !== undefined) expect(frame.idOf(node), `id of ${node} in ${name}`).toBe(id)
  if (estimate === undefined || status === 'dead') return
  const known = Number.isFinite(frame.estimate[node]) ? frame.estimate[node] : null
  expect(known, `estimate of ${node} in ${name}`).toBe(estimate)
}

/** A node is dead from its crash to its recovery, and at no other step. */
function compareStatuses(log: RunLog): void {
  if (log.world.unit === 'cycle') return
  const frame = new RunFrame(log)
  const dead = new Set<number>()
  for (let step = 0; step < log.steps; step++) {
    for (const { kind, node } of log.eventsOf(step)) {
      if (kind === 'crash') dead.add(node)
      if (kind === 'recover') dead.delete(node)
    }
    const node = log.nodeOf(step)
    const shown = frame.seek(step + 1).status[node] === STATUSES.indexOf('dead')
    expect(shown, `step ${step} of node ${node}`).toBe(dead.has(node))
  }
}

function eventsIn(log: RunLog): unknown[] {
  return Array.from({ length: log.at.length }, (_, i) => {
    const { at, kind, node, peer, message, body } = log.event(i)
    return { at, kind, node, peer, message, body: body === '' ? null : JSON.parse(body) }
  })
}

function eventsOf(trace: string): unknown[] {
  const [, ...lines] = trace.trim().split('\n')
  return lines.map((line) => {
    const event = JSON.parse(line) as TraceEvent & Readonly<Record<string, unknown>>
    const { at, event: kind, node, to, from, peer, message = -1, body = null } = event
    return { at, kind, node, peer: to ?? from ?? peer ?? -1, message, body }
  })
}

const TOPOLOGIES = ['ring', 'complete', 'grid:3x3', 'small-world:12:4:0.2', 'tree:9', 'star:7']
const FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  ids: ['random', 'random', 'random', 'increasing', 'decreasing', 'same'],
  timing: ['async', 'async', 'async', 'sync', 'cycles'],
  delay: ['unit', 'uniform:1:3', 'exponential:2', 'constant:2'],
  order: ['fifo', 'fifo', 'any'],
  wake: ['all', 'all', '0', '0,1@3', 'rate:0.5'],
  crash: ['none', 'none', 'none', '1@3', '0@2.5,2@7', '2', '0.3@5'],
  recover: ['none', 'none', '1@20', '0@15,2@30', '1@12:id=99'],
  loss: [0, 0, 0, 0.05, 0.3],
  duplicate: [0, 0, 0, 0.1],
  partition: ['none', 'none', 'none', '0,1/2,3@3..9'],
  cut: ['none', 'none', 'none', '0-1@4', '0-1@2..8'],
  mobility: [undefined, undefined, undefined, 0.02],
  values: [undefined, undefined, 'uniform:0:1', 'index', 'peak'],
}

/** Fields of a scenario drawn at random; many do not fit the algorithm, and are refused. */
function randomScenario(random: Random): ScenarioInput {
  const draw = <T>(from: readonly T[]): T => from[random.below(from.length)]
  const { name, needs } = draw([
    ...catalogue,
    ...aggregations.map((one) => ({ name: one.name, needs: { topology: 'any' } })),
  ])
  const scenario: Record<string, unknown> = {
    algorithm: name,
    ...(needs.topology === 'any' && random.below(2) === 0
      ? { topology: draw(TOPOLOGIES.slice(2)) }
      : { n: 3 + random.below(8) }),
    seed: random.below(1000),
    until: 60,
  }
  for (let i = random.below(4); i > 0; i--) {
    const field = draw(Object.keys(FIELDS))
    const value = draw(FIELDS[field])
    if (value !== undefined) scenario[field] = value
  }
  if (random.below(2) === 0) scenario['allow-weaker'] = true
  return scenario
}

describe('the engine of the page', () => {
  const exhibits = gallery.flatMap((room) => room.exhibits)
  it.each(sample(exhibits, 3))('runs "$title" as the command line does', async ({ scenario }) => {
    expect(await agree(scenario)).toBe(true)
  })

  const scenarios = campaign(400)
  it(`runs ${scenarios} random scenarios as the command line does`, async () => {
    const random = Random.from(18)
    let accepted = 0
    for (let tried = 0; accepted < scenarios; tried++) {
      expect(tried).toBeLessThan(2000)
      if (await agree(randomScenario(random))) accepted++
    }
  }, 120_000)
})
