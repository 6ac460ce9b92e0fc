import { expect, test } from 'vitest'
import { raft } from '../src/algorithms/complete/raft.ts'
import { simulate } from '../test/support/random-worlds.ts'
import { run } from './floor-raft.js'

test('the floor of Raft sends what the engine sends', () => {
  for (const [n, beats] of [
    [3, 1],
    [5, 7],
    [8, 20],
  ]) {
    const coins = Array.from({ length: n }, (_, node) => `${node}:${node === 0 ? 2 : 10}`).join(';')
    const { messages } = simulate(raft, { n, coins, until: 14 + 3 * (beats - 1) + 1 })
    expect(messages.byType).toEqual({ prevote: 0, prevoted: 0, ...run(n, beats) })
  }
})
