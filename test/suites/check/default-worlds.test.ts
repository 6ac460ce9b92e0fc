import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Aggregation,
  aggregations,
  catalogue,
  definitionNamed,
} from '../../../src/algorithms/index.ts'
import { check, type ExplorationResult } from '../../../src/api/check.ts'
import { overallVerdict } from '../../../src/check/index.ts'
import { referencedDefinition } from '../../../src/cli/input/user-algorithm.ts'
import type { Algorithm } from '../../../src/core/index.ts'
import { prepare } from '../../../src/scenario/index.ts'
import { derivedSettings } from '../../../web/src/checker/check-settings.ts'
import { definitionEntry } from '../../../web/src/engine/algorithm-settings.ts'
import { exploreSession } from '../../../web/src/engine/checker/explore-session.ts'
import type { CheckerAnswer } from '../../../web/src/engine/checker/protocol.ts'
import { shell } from '../../support/run-command.ts'

/*
 * What is explored where nothing is said: the same by command, library and lab, every arrangement
 * of the ids, and an answer within seconds.
 */

const LONG = process.env.LONG_TESTS !== undefined

/** docs/checking.md says why these do not end, and which smaller worlds of them do. */
const ENDLESS: Readonly<Record<string, readonly string[]>> = {
  'itai-rodeh': ['itai-rodeh -n 4 --draws 2'],
  'quorum-lease': [
    'quorum-lease --wake all --bound number=4 age=3 --timeouts 2 --set lease=4 --set drift=0',
  ],
  raft: ['raft --links lossy'],
  sublinear: ['sublinear -n 2'],
}
const ENDING = catalogue.filter(({ name }) => ENDLESS[name] === undefined)

/** The part of a result that depends on the defaults. */
type Outcome = Pick<
  ExplorationResult,
  'ids' | 'arrangements' | 'order' | 'mode' | 'explored' | 'topology' | 'states' | 'holds'
> & { readonly violated: string | null }

function outcome(result: Omit<Outcome, 'violated'> & Pick<ExplorationResult, 'violated'>): Outcome {
  const { ids, arrangements, order, mode, explored, topology, states, holds, violated } = result
  const broken = violated && `${violated.property} with ${violated.ids}`
  return { ids, arrangements, order, mode, explored, topology, states, holds, violated: broken }
}

/** The defaults of the command, the library and the lab, with a limit of states for all of them. */
async function byAll(name: string, definition: Algorithm | Aggregation, states: number) {
  const { out } = await shell('check', name, '--states', String(states), '--json')
  const command = outcome(JSON.parse(out))
  const library = outcome(check(definition as Algorithm, { states }))
  return { command, library, lab: inLab(definition, states) }
}

function inLab(definition: Algorithm | Aggregation, states: number): Partial<Outcome> {
  const { checked, time } = definitionEntry(definition)
  // The stage has the network of a run, which is larger.
  const whole = prepare({}, definition, String).scenario
  const { settings } = derivedSettings({
    ...{ algorithm: definition.name, fields: { algorithm: definition.name }, n: 8, ring: false },
    ...{ timing: whole.timing, time, checked },
  })
  const answers: CheckerAnswer[] = []
  const request = { want: 'explore', settings, code: null, states, worst: null } as const
  for (const _ of exploreSession(definition, request, (answer) => answers.push(answer)));
  const last = answers.at(-1)!
  if (last.what !== 'explored') throw new Error(last.what)
  const { ids, arrangements, states: found, violated } = last.result
  return {
    ...{ ids, arrangements, states: found, topology: last.world.topology },
    holds: overallVerdict(last.result),
    violated: violated && `${violated.property} with ${violated.ids}`,
  }
}

describe('by default', () => {
  // The limit makes the large ones stop at the same state everywhere.
  const few = LONG ? 100_000 : 3000
  it.each(catalogue.map((definition) => [definition.name, definition] as const))(
    '%s is explored in the same world by command, library and lab',
    async (name, definition) => {
      const { command, library, lab } = await byAll(name, definition, few)
      expect(library).toEqual(command)
      expect(command).toMatchObject(lab)
      expect(command.ids).toEqual(definition.needs.ids === undefined ? [] : 'all')
    },
  )

  it.each(aggregations.map(({ name }) => name))(
    '%s is explored in the same world by command, library and lab, or refused',
    async (name) => {
      const { code, err } = await shell('check', name, '--states', '1', '--json')
      const aggregation = definitionNamed(name) as Aggregation
      if (code === 2) {
        expect(() => check(aggregation, { states: 1 })).toThrow(err.split(': ').at(-1)!.trim())
        return
      }
      const { command, library, lab } = await byAll(name, aggregation, few)
      expect(library).toEqual(command)
      expect(command).toMatchObject(lab)
    },
  )

  it.each(LONG ? ENDING.map(({ name }) => name) : [])('%s holds, by the command', async (name) => {
    expect(await shell('check', name)).toMatchObject({ code: 0 })
  })

  it.each(ENDING.map(({ name }) => name))('%s holds', (name) => {
    const result = check(definitionNamed(name) as Algorithm)
    expect(result).toMatchObject({ holds: true, exhausted: true, violated: null })
  })

  it.each(LONG ? Object.keys(ENDLESS) : [])('%s stops, and says what is open', async (name) => {
    const { code, out } = await shell('check', name)
    expect(code).toBe(3)
    expect(out).toMatch(/^Not exhausted: the limit of 2,000,000 states was reached/)
    expect(check(definitionNamed(name) as Algorithm)).toMatchObject({ holds: null })
  })

  it.each(LONG ? Object.values(ENDLESS).flat() : [])('but %s is exhausted', async (line) => {
    const { out } = await shell('check', ...line.split(' '), '--json')
    expect(JSON.parse(out)).toMatchObject({ exhausted: true, violated: null })
  })
})

/** Right only with the ids in some orders, or only while links keep the order of messages. */
const OWN: Readonly<Record<string, string>> = {
  // Whoever sees its right neighbour's smaller id leads: wrong unless ids fall once around.
  descent: `start(my, net) { net.send(right, ID, { id: my.id }) },
  on: { ID(my, { id }, net) { if (my.id > id) net.lead(); net.stop() } },`,
  lcr: `start(my, net) { net.send(right, ID, { id: my.id }) },
  on: { ID(my, { id }, net) {
    if (id === my.id) net.lead()
    else if (id > my.id) net.send(right, ID, { id })
  } },`,
}

function written(name: string, code: string, needs: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'defaults-')), `${name}.js`)
  writeFileSync(
    path,
    `import { algorithm, message, right, uid } from 'conclave'
const ID = message({ id: uid })
export default algorithm({ name: '${name}', needs: { topology: 'ring', ids: 'unique'${needs} },
  state: {}, messages: { ID }, wakes: true,
  ${code}
})
`,
  )
  return path
}

describe('an own definition', () => {
  const cases = Object.entries(OWN).flatMap(([name, code]) =>
    ['', ", order: 'fifo'", ", time: 'rounds'", ", time: 'bounded delay'"].map(
      (needs) => [`${name}${needs}`, name, code, needs] as const,
    ),
  )
  it.each(cases)('%s is explored in the world that it needs', async (_, name, code, needs) => {
    const path = written(name, code, needs)
    const definition = await referencedDefinition(path)
    const { command, library, lab } = await byAll(path, definition as Algorithm, 10_000)
    expect(library).toEqual(command)
    expect(command).toMatchObject({ ...lab, ids: 'all', topology: 'ring:4' })
    expect(command.order).toBe(/fifo|rounds/.test(needs) ? 'fifo' : 'any')
    const mode = { rounds: 'clocked:1', 'bounded delay': 'clocked:2' }
    const [, time = ''] = /time: '([^']*)'/.exec(needs) ?? []
    expect(command.mode).toBe(mode[time as keyof typeof mode] ?? 'untimed')
  })

  it('is violated if one arrangement of the ids violates a property, and names it', async () => {
    const path = written('descent', OWN.descent, '')
    const { code, out } = await shell('check', path, '--json')
    const { violated, ids, arrangements } = JSON.parse(out)
    expect([code, ids]).toEqual([1, 'all'])
    expect(arrangements).toBeGreaterThan(0)
    const again = await shell('check', path, '--ids', violated.ids.join(), '--json')
    expect(JSON.parse(again.out)).toMatchObject({
      ids: violated.ids,
      violated: { property: violated.property, ids: violated.ids },
    })
  })
})
