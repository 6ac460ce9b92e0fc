import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sample } from '../../support/campaign.ts'
import { codeBlocks } from '../../support/console-blocks.ts'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const right = readFileSync(join(root, 'examples/smallest-first.ts'), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'conclave-grade-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Grades the example with a piece of it replaced. */
async function graded(piece: string, by: string, ...more: string[]) {
  const path = join(scratch, 'mine.ts')
  expect(right).toContain(piece)
  writeFileSync(path, right.replace(piece, by))
  const { code, out, err } = await builtShell('grade', path, ...more)
  return { code, out: out.replaceAll(path, 'mine.ts'), err }
}

/** The grade of the only file. */
function fileIn(out: string) {
  const { files } = JSON.parse(out)
  expect(files).toHaveLength(1)
  return files[0]
}

/** What takes seconds: daily half of it. Right and endless files are among the cheats, too. */
const LENGTHY = sample(['right', 'late', 'endless', 'timed'], 2)

it.runIf(LENGTHY.includes('right'))('a right file is right, with its growth', async () => {
  const { code, out } = await graded('', '', '--json', '--reference', 'lcr')
  expect(code).toBe(0)
  const { verdict, counterexample, explored, simulated, sizes, measured } = fileIn(out)
  expect([verdict, counterexample, simulated]).toEqual(['no error found', null, 500])
  expect(sizes).toEqual({ every: 256, larger: [], left: [] })
  // (n-1)! permutations of a ring, turned so that the largest stands first, and sparse ids: as many
  // up to n = 3, then two.
  expect(explored.map(({ worlds }: { worlds: number }) => worlds)).toEqual([2, 2, 4, 8])
  expect(explored.every(({ exhausted }: { exhausted: boolean }) => exhausted)).toBe(true)
  const growth = measured.map(
    (one: { measure: string; on: string; growth: { growth: string } }) => [
      one.measure,
      one.on,
      one.growth.growth,
    ],
  )
  expect(growth).toEqual([
    ['cost', 'random', 'n log2 n'],
    ['cost', 'worst', 'n^2'],
    ['time', 'random', 'n'],
    ['time', 'worst', 'n'],
  ])
})

it('a definition for hypercubes is graded on cubes, of sizes that there are', async () => {
  const page = readFileSync(join(root, 'docs/language.md'), 'utf8')
  const cubes = codeBlocks(page).find(({ name }) => name === 'by-coordinates.ts')!
  const path = join(scratch, 'by-coordinates.ts')
  writeFileSync(path, cubes.code)
  const { code, out } = await builtShell('grade', path, '--json')
  const { counterexample, explored, simulated, world } = fileIn(out)
  expect([code, counterexample, simulated, world.network]).toEqual([0, null, 500, 'hypercube'])
  expect(explored.map(({ n }: { n: number }) => n)).toEqual([1, 2, 4])
})

it('a wrong comparison is found in the smallest ring that shows it, step by step', async () => {
  const { code, out } = await graded('if (id === my.id) {', 'if (id <= my.id) {', '--json')
  expect(code).toBe(1)
  const { broken } = fileIn(out)
  const { n, steps, replay } = broken.find(
    ({ property }: { property: string }) => property === 'at most one leader',
  )
  expect(n).toBe(2)
  expect(steps.length).toBeGreaterThan(1)
  expect(replay).toMatch(
    /^conclave check .*mine.ts --topology ring:2 --ids 2,1 --wake any --order fifo --mode untimed$/,
  )
})

const MISTAKES = [
  ['a forgotten announcement', 'net.send(left, LEADER, { id })', ''],
  ['an election that is never won', 'net.lead()', ''],
  ['what it throws', 'net.lead()', 'net.crown()'],
]

it.each(sample(MISTAKES, 3))('%s is found', async (_, piece, by) => {
  expect((await graded(piece, by)).code).toBe(1)
})

it('a handler that never ends is stopped, and told with its line', async () => {
  const { code, out } = await graded('net.stop()', 'for (;;) {}', '--json')
  expect(code).toBe(1)
  const [{ property, detail }] = fileIn(out).broken
  expect(property).toBe('runs without an error')
  expect(detail).toMatch(/^mine\.ts:\d+:\d+: the handler LEADER did not return/)
})

it.runIf(LENGTHY.includes('late'))('what was found in time is not forgotten', async () => {
  // Two leaders at n = 2, and handlers that are too slow for larger worlds.
  const slow = 'for (let i = 0, s = 0; i < 1e6; i++) s += i; if (id <= my.id) {'
  const asked = ['--json', '--seconds', '2']
  const { code, out } = await graded('if (id === my.id) {', slow, ...asked)
  const { verdict, reason } = fileIn(out)
  expect([code, verdict]).toEqual([1, 'wrong'])
  expect(reason).toMatch(/at most one leader.*; not finished after 2 s/)
})

it.runIf(LENGTHY.includes('endless'))('an endless election is wrong, within seconds', async () => {
  const asked = ['--json', '--seconds', '30']
  // Of 500 simulated worlds nearly every one would go on to the limit of its messages.
  const { code, out } = await graded('if (id < my.id)', 'if (id <= my.id) return', ...asked)
  expect(code).toBe(1)
  const { broken } = fileIn(out)
  const ends = broken.find(
    ({ property }: { property: string }) => property === 'every fair run ends',
  )
  expect([ends.n, ends.loop]).toEqual([1, 2])
})

const WRONG_FILES = [
  ['start(my, net) {', 'start(my, net {', 'mine.ts:16:17: syntax error: '],
  ['LEADER(my,', 'LEAD(my,', 'mine.ts:28:5: "LEAD" is not known here.'],
  ['export const', 'const', 'mine.ts: the file exports no algorithm.'],
  [right, '', 'mine.ts: the file exports no algorithm.'],
]

it.each(sample(WRONG_FILES, 2))('%s -> %s is a wrong file', async (piece, by, complaint) => {
  const { code, out, err } = await graded(piece, by)
  expect([code, err]).toEqual([1, ''])
  expect(out).toContain('Wrong: it cannot be graded')
  expect(out).toContain(complaint)
})

describe('an algorithm that knows how long a message may take', () => {
  const bully = readFileSync(join(root, 'src/algorithms/complete/bully.ts'), 'utf8').replace(
    '../../core/index.ts',
    'conclave',
  )
  const path = join(scratch, 'bully.ts')
  const gradedBully = async (piece: string, by: string) => {
    expect(bully).toContain(piece)
    writeFileSync(path, bully.replace(piece, by))
    const { code, out } = await builtShell('grade', path, '--json')
    return { code, ...fileIn(out) }
  }

  it.runIf(process.env.LONG_TESTS)('is right where our own is copied word for word', async () => {
    const { code, counterexample, explored, simulated } = await gradedBully('', '')
    expect([code, counterexample, simulated]).toEqual([0, null, 500])
    const holds = explored.filter(({ exhausted }: { exhausted: boolean }) => exhausted)
    expect(holds.map(({ n }: { n: number }) => n)).toEqual([1, 2, 3])
  })

  it.runIf(LENGTHY.includes('timed'))(
    'is wrong where it waits too short, as the command shows',
    async () => {
      const { code, counterexample } = await gradedBully('=> 2 * largestDelay', '=> largestDelay')
      expect([code, counterexample.n]).toEqual([1, 2])
      expect(counterexample.broken).toBe('at most one leader')
      expect(counterexample.replay).toMatch(
        / --topology complete:2 --ids \S+ --wake any --order fifo --mode clocked:2$/,
      )
      const { code: again, out } = await builtShell(...counterexample.replay.split(' ').slice(1))
      expect(again).toBe(1)
      const text = out.replace(/\s+/g, ' ')
      for (const step of counterexample.steps) expect(text).toContain(step)
    },
  )
})
