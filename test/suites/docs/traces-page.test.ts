import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  consoleBlocks,
  expectPasted,
  STARTED_BY_NPX,
  wordsOf,
} from '../../support/console-blocks.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const path = `${root}docs/traces.md`
const page = readFileSync(path, 'utf8')
const blocks = consoleBlocks(page)
const folder = mkdtempSync(join(tmpdir(), 'conclave-traces-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('docs/traces.md', () => {
  const answers: string[] = []
  const codes: number[] = []

  beforeAll(() => {
    symlinkSync(`${root}examples`, join(folder, 'examples'))
    for (const block of blocks) {
      try {
        const words = [`${root}dist/cli/bin.js`, ...wordsOf(block)]
        answers.push(
          execFileSync(process.execPath, words, {
            cwd: folder,
            encoding: 'utf8',
            env: STARTED_BY_NPX,
          }),
        )
        codes.push(0)
      } catch (error) {
        const { stdout, stderr, status } = error as Record<string, string | number>
        if (stderr !== '') throw error
        answers.push(String(stdout))
        codes.push(Number(status))
      }
    }
  })

  it.each(blocks.map((block, i) => [block.command, block, i] as const))('%s', (_, block, i) => {
    expectPasted(path, block, answers[i])
  })

  it('has a counterexample and a step that come again, and a sample that holds', () => {
    expect(codes).toEqual([1, 1, 3, 1, 0, 0])
  })

  it('names every event that a trace can have', () => {
    const source = readFileSync(`${root}src/core/trace/trace-event.ts`, 'utf8')
    const events = [...source.matchAll(/event: ([^;}\n]*)/g)].flatMap(([, names]) =>
      [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name),
    )
    expect(events.length).toBeGreaterThan(15)
    for (const event of events) expect(page).toContain(`\`${event}\``)
  })
})
