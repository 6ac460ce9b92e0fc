import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { consoleBlocks, expectPasted, wordsOf } from '../../support/console-blocks.ts'
import { type Answer, builtShell } from '../../support/run-command.ts'

const path = fileURLToPath(new URL('../../../docs/checking.md', import.meta.url))
const page = readFileSync(path, 'utf8')
const blocks = consoleBlocks(page)

describe('docs/checking.md', () => {
  let answers: Answer[] = []
  beforeAll(async () => {
    answers = []
    for (const block of blocks) answers.push(await builtShell(...wordsOf(block)))
  })

  it('shows the four broken codes', () => {
    const codes = blocks.map(({ command }) => /examples\/broken\/([\w-]+)\.ts/.exec(command)?.[1])
    expect(codes).toEqual(['slow-fast', 'hirschberg-sinclair', 'bully', 'singh'])
  })

  it.each(blocks.map((block, i) => [block.command, block, i] as const))('%s', (_, block, i) => {
    expect(answers[i]).toMatchObject({ code: 1, err: '' })
    expectPasted(path, block, answers[i].out)
  })

  it('has the expected number of collisions that follows from the size of the hash', () => {
    const [, bits] = /hash of (\d+) bits/.exec(page)!
    expect(page).toContain(`s^2 / 2^${Number(bits) + 1}`)
    const misses = (10_000_000 * (10_000_000 - 1)) / 2 / 2 ** Number(bits)
    expect(misses).toBeLessThan(1 / 100_000)
  })
})
