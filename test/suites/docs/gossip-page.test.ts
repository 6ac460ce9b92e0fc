import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { convergenceFactor } from '../../../src/algorithms/gossip/convergence.ts'
import {
  consoleBlocks,
  expectPasted,
  picturesIn,
  update,
  wordsOf,
} from '../../support/console-blocks.ts'
import { type Answer, shell, shellJson } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const path = `${root}docs/gossip.md`
const page = readFileSync(path, 'utf8')
const blocks = consoleBlocks(page)

/** What the page derives, worked out here: by how much a cycle multiplies the variance. */
const loss = 0.2
const DERIVED = [
  1 / (2 * Math.sqrt(Math.E)),
  // The same for few nodes; a suite of its own compares these with all cycles that can happen.
  ...[3, 4, 8, 100].map((n) => convergenceFactor({ n, complete: true, order: 'fresh', loss: 0 })!),
  1 / Math.E,
  1 / 4,
  (1 - (1 - loss) / 2) * Math.exp(-(1 - loss) / 2),
  // Cycles, and messages for each node, until the estimates have one more digit.
  Math.log(100) / Math.log(2 * Math.sqrt(Math.E)),
  (2 * Math.log(100)) / Math.log(2 * Math.sqrt(Math.E)),
  // What four cycles of evaporation leave.
  (1 - 0.1) ** 4,
  1 - 0.1,
  // What a round of Metropolis weights leaves of the variance on a ring of eight nodes.
  (1 - (2 - 2 * Math.cos(Math.PI / 4)) / 3) ** 2,
  // The relative errors of sketches, and the cycles of a stage for each unit of ln(2n).
  1 / Math.sqrt(100 - 2),
  1.04,
  1.04 / Math.sqrt(1024),
  1.7,
]

/** Commands that end with a broken promise. */
const BREAKING = /check gossip-average-naive|--crash 0\.5@2 |tree-aggregate .*--loss/

describe('docs/gossip.md', () => {
  let answers: Answer[] = []
  beforeAll(async () => {
    answers = []
    for (const block of blocks) answers.push(await shell(...wordsOf(block)))
  })

  it.each(blocks.map((block, i) => [block.command, block, i] as const))('%s', (_, block, i) => {
    expect(answers[i].err).toBe('')
    expectPasted(path, block, answers[i].out)
    expect(answers[i].code).toBe(BREAKING.test(block.command) ? 1 : 0)
  })

  it('has no number in its text that no command printed and that it has not derived', () => {
    const text = page.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`|\]\([^)]*\)/g, '')
    const numbers = text.match(/\d[\d,]*\.\d+|\d{1,3}(,\d{3})+/g)!
    const printed = new Set(blocks.flatMap(({ output }) => output.match(/-?\d[\d,.]*\d/g) ?? []))
    const derived = (number: string) => {
      const digits = number.split('.')[1]?.length ?? 0
      return DERIVED.some((value) => value.toFixed(digits) === number)
    }
    expect(numbers.length).toBeGreaterThan(20)
    expect(numbers.filter((number) => !printed.has(number) && !derived(number))).toEqual([])
  })

  it.each(picturesIn(page))('shows the picture that the tool draws: $file', async (picture) => {
    const { words, file } = picture
    expect(page).toContain(`](${file.replace('docs/', '')})`)
    const folder = mkdtempSync(join(tmpdir(), 'conclave-'))
    const drawn = update ? `${root}${file}` : join(folder, 'drawn.svg')
    expect((await shell(...words, '--svg', drawn)).err).toBe('')
    expect(readFileSync(`${root}${file}`, 'utf8')).toBe(readFileSync(drawn, 'utf8'))
    rmSync(folder, { recursive: true })
  })

  it('is right that the naive form may lose or gain', async () => {
    const line = 'run gossip-average-naive -n 1000 --values peak --delay constant:1 --until 20'
    const means = [1, 5].map(async (seed) => {
      const words = [...line.split(' '), '--seed', `${seed}`]
      const { cycles } = await shellJson<{ cycles: { mean: number }[] }>(...words)
      return cycles.at(-1)!.mean
    })
    const [lost, gained] = await Promise.all(means)
    expect(lost).toBeLessThan(0.99)
    expect(gained).toBeGreaterThan(1.01)
  })

  it('has pictures', () => {
    expect(picturesIn(page).length).toBe(2)
  })
})

it.each(['README.md', 'docs/algorithms.md'])('%s leads to the page', (name) => {
  expect(readFileSync(`${root}${name}`, 'utf8')).toMatch(/\]\((docs\/)?gossip\.md\)/)
})
