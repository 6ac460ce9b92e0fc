import { describe, expect, it } from 'vitest'
import { simulate } from '../../test/support/random-worlds.ts'
import { omega } from '../algorithms/complete/omega.ts'
import { raft } from '../algorithms/complete/raft.ts'
import type { Property } from '../core/index.ts'
import { exploredProperties, propertiesOf } from './algorithm-properties.ts'

const [, onlyLeaderSends] = propertiesOf(omega, false)

describe('who sends in the long run', () => {
  it('are the nodes that sent later than one period after the outcome was stable', () => {
    expect(simulate(raft, { n: 4, until: 300 }).senders).toEqual([0, 1, 2, 3])
    expect(simulate(omega, { n: 4, ids: '1,2,4,3', until: 300 }).senders).toEqual([2])
  })

  it('is not known where the run ends too early, and then nothing is decided', () => {
    const { senders, verdict } = simulate(omega, { n: 4, until: 12 })
    expect(senders).toBe(null)
    const [, only] = verdict.properties
    expect(only).toMatchObject({ name: 'only the leader sends', holds: null })
  })

  it('is a violation where others send, too', () => {
    const demanding = { ...raft, demands: [onlyLeaderSends] }
    const { verdict } = simulate(demanding, { n: 3, until: 300 })
    const only = verdict.properties.find(({ name }) => name === 'only the leader sends')
    expect(only?.holds).toBe(false)
    expect(only?.detail).toMatch(/^nodes .* do, too$/)
  })

  it('is judged in runs only', () => {
    const explored = exploredProperties(omega, true, propertiesOf(omega, true))
    expect(explored.map(({ when }: Property) => when)).toEqual(['from some time on'])
  })
})
