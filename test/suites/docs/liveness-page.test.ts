import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import type { Algorithm, World } from '../../../src/core/index.ts'
import { complete } from '../../../src/core/networks/complete.ts'
import * as conclave from '../../../src/index.ts'
import { codeBlocks, folderOf, wordsOf } from '../../support/console-blocks.ts'
import { type FairGraph, type FairRules, fairGraph, fairVerdict } from '../../support/fair-stays.ts'
import { builtShell } from '../../support/run-command.ts'

const path = fileURLToPath(new URL('../../../docs/liveness.md', import.meta.url))
const page = readFileSync(path, 'utf8')

/** A command of the page, and what it says of some properties: `✓ name: how the detail begins`. */
interface Claim {
  readonly title: string
  readonly command: string
  readonly says: readonly string[]
}

const SIGNS = new Map([
  [true, '✓'],
  [false, '✗'],
  [null, '?'],
])

const sections = page.split(/^## /m).slice(1)
const claims = sections.flatMap((section): Claim[] => {
  const [title] = section.split('\n')
  const [, ...parts] = section.split(/^- `(?=npx conclave check)/m)
  return parts.map((part) => {
    const says = [...part.matchAll(/^- ([✓✗?] .*)$/gm)].map(([, text]) => text)
    return { title, command: part.slice(0, part.indexOf('`')), says }
  })
})

/** The definition of a model, read with the sources of this program. */
function definitionOf(model: string): Algorithm {
  const code = (name: string) => codeBlocks(page).find((block) => block.name === name)!.code
  const load = (name: string): Record<string, unknown> => {
    const module = { exports: {} as Record<string, unknown> }
    const text = transformSync(code(name), { loader: 'ts', format: 'cjs' }).code
    const find = (path: string) => (path === 'conclave' ? conclave : load(path.slice(2)))
    new Function('require', 'module', 'exports', text)(find, module, module.exports)
    return module.exports
  }
  return load(model).default as Algorithm
}

/** The flags of a command, as the analysis of the test knows them. */
function modelOf(command: string): { world: World; rules: FairRules } {
  const words = wordsOf({ command })
  const flag = (name: string) => words[words.indexOf(name, 1) + 1]
  const has = (name: string) => words.includes(name)
  const algorithm = definitionOf(words[1])
  const ids = has('--ids') ? flag('--ids').split(',').map(Number) : [0, 0]
  const [, spread] = has('--set') ? flag('--set').split('=') : []
  const mode = has('--mode') ? flag('--mode') : 'untimed'
  const rounds = algorithm.needs.time === 'rounds'
  const wake = has('--wake') ? flag('--wake') : 'any'
  const everybody = ids.map((_, node) => node)
  return {
    world: {
      algorithm,
      topology: complete(ids.length),
      ids: Float64Array.from(ids),
      params: { spread: Number(spread ?? 0) },
    },
    rules: {
      delay: rounds ? 1 : mode.startsWith('clocked') ? Number(mode.split(':')[1]) : null,
      patient: mode === 'patient',
      fifo: !has('--order'),
      wake: wake === 'any' ? wake : wake === 'all' ? everybody : wake.split(',').map(Number),
      losses: has('--losses') ? Number(flag('--losses')) : 0,
    },
  }
}

/** Two bits and whether somebody leads: who begins flips its bit, or leads if both are 1. */
function meetingsGraph(): FairGraph {
  const next = (state: number, node: number) =>
    state === 3 ? 4 : state < 4 ? state ^ (1 << node) : 4
  const states = [0, 1, 2, 3, 4]
  // A pair that is drawn at random: one choice with two outcomes.
  const choices = states.map((s) => [{ owed: 'meet', to: [next(s, 0), next(s, 1)], sets: [] }])
  return { choices, leads: states.map((state) => state === 4), ends: states.map(() => false) }
}

describe('docs/liveness.md', () => {
  let folder: string

  beforeAll(() => {
    folder = folderOf(page)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it('has twenty models in at most 25 KB, each with a definition and a claim', () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(25 * 1024)
    expect(sections).toHaveLength(20)
    for (const section of sections) {
      expect(codeBlocks(section)).toHaveLength(1)
      const [title] = section.split('\n')
      expect(
        claims.some((claim) => claim.title === title),
        title,
      ).toBe(true)
    }
    for (const { command, says } of claims) expect(says, command).not.toHaveLength(0)
  })

  it.each(claims)('$title: $command', async ({ command, says }) => {
    const here = process.cwd()
    process.chdir(folder)
    try {
      const { out, err } = await builtShell(...wordsOf({ command }), '--json')
      expect(err).toBe('')
      const { properties }: CheckReport = JSON.parse(out)
      const found = says.map((text) => {
        const [, name, detail] = /^. ([^:]*)(?:: (.*))?$/.exec(text)!
        const verdict = properties.find((property) => property.name === name)
        const shown = verdict && `${SIGNS.get(verdict.holds)} ${name}`
        return detail && verdict?.detail.startsWith(detail) ? `${shown}: ${detail}` : shown
      })
      expect(found).toEqual(says)
    } finally {
      process.chdir(here)
    }
  })

  // Of links that lose without limit it depends on what they owe.
  const analysed = claims.filter(({ command }) => !command.includes('--links lossy'))

  it.each(analysed)('$title, by an analysis of its own: $command', ({ title, command, says }) => {
    const graph = title.includes('Meetings') ? meetingsGraph() : graphOf(command)
    const found = says.map((text) => {
      const [, name] = /^. ([^:]*)/.exec(text)!
      return `${SIGNS.get(fairVerdict(graph, name))} ${name}`
    })
    expect(found).toEqual(says.map((text) => text.replace(/:.*/, '')))
  })
})

function graphOf(command: string): FairGraph {
  const { world, rules } = modelOf(command)
  return fairGraph(world, rules)
}
