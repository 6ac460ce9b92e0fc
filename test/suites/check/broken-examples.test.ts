import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckReport } from '../../../src/cli/check/explore.ts'
import { type Answer, builtShell } from '../../support/run-command.ts'

const folder = fileURLToPath(new URL('../../../examples/broken/', import.meta.url))

interface BrokenCode {
  readonly file: string
  readonly flags: string
  /** The expected violation and the length of its shortest counterexample. */
  readonly property: string
  readonly steps: number
  /** The line of the file that is the text's mistake, and what would be right. */
  readonly mistake: string
  readonly right: string
}

const CODES: readonly BrokenCode[] = [
  {
    file: 'slow-fast.ts',
    flags: '--ids 1,2',
    property: 'exactly one leader at the end',
    // Both start; a round; both read, and put that aside; a round; the slow id is due.
    steps: 9,
    mistake: 'const looks = !my.active || my.reading',
    right: 'const looks = true',
  },
  {
    file: 'hirschberg-sinclair.ts',
    flags: '--ids 1,2',
    property: 'exactly one leader at the end',
    // The smaller one starts, and the larger one swallows what comes from either side.
    steps: 3,
    mistake: 'wakes: false',
    right: 'wakes: true',
  },
  {
    file: 'bully.ts',
    flags: '--ids 0,1',
    property: 'at most one leader',
    // Four rounds of two nodes, with the four votes that are read in them, less what is idle.
    steps: 13,
    mistake: '    net.after(1, END_OF_ROUND)\n  },\n\n  on:',
    right: '    net.after(2, END_OF_ROUND)\n  },\n\n  on:',
  },
  {
    file: 'singh.ts',
    flags: '--ids 1,2,3,4',
    property: 'exactly one leader at the end',
    // Two start, and each tells the other.
    steps: 4,
    mistake: 'level <= net.n / spacing(net.n)',
    right: 'level >= comb(net.n).length',
  },
]

const run = (path: string, flags: string, ...more: string[]): Promise<Answer> =>
  builtShell('check', path, ...flags.split(' '), ...more)

describe('the broken codes of the source texts', () => {
  let mended: string
  beforeAll(() => {
    mended = mkdtempSync(join(tmpdir(), 'conclave-mended-'))
  })
  afterAll(() => rmSync(mended, { recursive: true, force: true }))

  it('are all here', () => {
    expect(readdirSync(folder).toSorted()).toEqual(CODES.map(({ file }) => file).toSorted())
  })

  describe.each(CODES)('$file', ({ file, flags, property, steps, mistake, right }) => {
    const source = readFileSync(join(folder, file), 'utf8')

    it('opens with the source, what is wrong, and the command that shows it', () => {
      const [opening] = /^\/\*[\s\S]*?\*\//.exec(source)!
      expect(opening).toMatch(/MPS lecture|Albano|Liu, Li and Huang/)
      expect(opening).toContain(`conclave check examples/broken/${file} ${flags}\n`)
    })

    it(`breaks "${property}" in ${steps} steps`, async () => {
      const { code, out, err } = await run(join(folder, file), flags, '--json')
      expect({ code, err }).toEqual({ code: 1, err: '' })
      const { violated } = JSON.parse(out) as CheckReport
      expect(violated?.property).toBe(property)
      expect(violated?.trace).toHaveLength(steps)
    })

    it('is right but for that line', async () => {
      expect(source.split(mistake)).toHaveLength(2)
      const path = join(mended, file)
      writeFileSync(path, source.replace(mistake, right))
      const { code, out } = await run(path, flags)
      expect(out).toMatch(/^Every interleaving explored/)
      expect(code).toBe(0)
    })
  })
})
