import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { consoleBlocks, expectPasted, wordsOf } from '../../support/console-blocks.ts'
import { type Answer, shell } from '../../support/run-command.ts'

const path = fileURLToPath(new URL('../../../docs/breaking-bully.md', import.meta.url))

/** What the page says of each warning, as the exit codes of its commands: 1 is a broken promise. */
const WARNINGS = [
  ['Breaking the bully', [0]],
  ['A deadline that is too tight', [1, 1]],
  ['An id that reappears', [1, 0, 1]],
  ['A system that is not synchronous', [1, 1]],
  ['Messages out of order', [0, 0]],
] as const

/** The page by its headings. */
const sections = readFileSync(path, 'utf8')
  .split(/^#+ /m)
  .slice(1)
  .map((text) => ({ title: text.split('\n')[0], blocks: consoleBlocks(text) }))

describe('docs/breaking-bully.md', () => {
  it('has the four warnings of Albano, and commands for each', () => {
    expect(sections.map(({ title, blocks }) => [title, blocks.length])).toEqual(
      WARNINGS.map(([title, codes]) => [title, codes.length]),
    )
  })

  describe.each(sections.map((it) => [it.title, it.blocks] as const))('%s', (title, blocks) => {
    let answers: Answer[] = []
    beforeAll(async () => {
      answers = []
      for (const block of blocks) answers.push(await shell(...wordsOf(block)))
    })

    it.each(blocks.map((block, i) => [block.command, block, i] as const))('%s', (_, block, i) => {
      expect(answers[i].err).toBe('')
      expectPasted(path, block, answers[i].out)
    })

    it('breaks what the page says it breaks, and nothing else', () => {
      const codes = new Map<string, readonly number[]>(WARNINGS)
      expect(answers.map(({ code }) => code)).toEqual(codes.get(title))
    })

    it('has every interleaving of what it calls harmless', () => {
      const harmless = answers.filter(({ code }) => code === 0)
      expect(harmless.filter(({ out }) => !out.startsWith('Every interleaving'))).toEqual([])
    })
  })
})
