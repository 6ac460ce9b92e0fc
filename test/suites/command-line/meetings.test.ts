import { describe, expect, it } from 'vitest'
import { expectUsageError, shell, shellJson } from '../../support/run-command.ts'

const MEETS = 'the nodes of pairwise meet'

describe('an election by meetings on the command line', () => {
  it('reports who leads since when, and what was to be expected', async () => {
    const { code, out } = await shell('run', 'pairwise', '--topology', 'complete:10')
    expect(code).toBe(0)
    expect(out).toMatch(/position \d is leader;\n +stable since interaction \d+, parallel time/)
    expect(out).toContain('expected: (n-1)^2 = 81 interactions, standard deviation 47.6')
  })

  it('has interactions as its unit of time', async () => {
    const { scenario, time } = await shellJson<{
      scenario: Record<string, unknown>
      time: Record<string, number | string>
    }>('run', 'pairwise', '--topology', 'complete:10', '--timing', 'pairs', '--seed', '4')
    expect(scenario).toMatchObject({ timing: 'pairs' })
    expect(scenario).not.toHaveProperty('delay')
    expect(time.unit).toBe('interaction')
    expect(time.parallel).toBe(Number(time.stable) / 10)
    expect(time.expected).toMatchObject({ value: 81 })
  })

  it('is checked over every directed link', async () => {
    const { code, out } = await shell('check', 'pairwise', '--topology', 'ring:5')
    expect(code).toBe(0)
    expect(out).toContain('pairwise on ring:5; nodes meet in pairs; start: all')
    const broken = await shell('check', 'pairwise', '--topology', 'path:3', '--set', 'walk=off')
    expect(broken.code).toBe(1)
    expect(broken.out).toContain('meets position 1; position 1 does not lead any more.')
  })

  it.each([
    [['run', 'pairwise', '--timing', 'async'], '--timing', MEETS],
    [['run', 'pairwise', '--timing', 'sync'], '--timing', MEETS],
    [['run', 'lcr', '--timing', 'pairs'], '--timing', 'the nodes of lcr send messages'],
    [['run', 'pairwise', '--loss', '0.1'], '--loss', MEETS],
    [['run', 'pairwise', '--crash', '1@3'], '--crash', MEETS],
    [['run', 'pairwise', '--delay', 'unit'], '--delay', MEETS],
    [['run', 'pairwise', '--order', 'any'], '--order', MEETS],
    [['run', 'pairwise', '--wake', '0'], '--wake', MEETS],
    [['run', 'pairwise', '--partition', '0/1@3..5'], '--partition', MEETS],
    [['run', 'pairwise', '--until', '2.5'], '--until', 'a number of interactions'],
    [['check', 'pairwise', '-n', '3', '--crashes', '1'], '--crashes', MEETS],
    [['check', 'pairwise', '-n', '3', '--links', 'lossy'], '--links', MEETS],
    [['check', 'pairwise', '-n', '3', '--mode', 'clocked:1'], '--mode', MEETS],
    [['check', 'pairwise', '-n', '3', '--worst', 'time'], 'check pairwise', 'nodes that meet'],
    [['cluster', 'pairwise', '-n', '3'], 'algorithm', MEETS],
    [['run', 'leased:pairwise', '-n', '3'], 'leased:pairwise', 'cannot propose a leader'],
  ])('%j is refused with the remedy', async (words, where, says) => {
    await expectUsageError(words, where, says)
  })
})
