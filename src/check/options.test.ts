import { describe, expect, it } from 'vitest'
import { raft } from '../algorithms/index.ts'
import { algorithm } from '../core/index.ts'
import type { Needs } from '../core/language/algorithm.ts'
import { boundedDelay, defaultOptions } from './options.ts'

const theory = { authors: '', idea: '', because: '', breaks: '', example: '', cost: '', bounds: [] }

function needing(needs: Partial<Needs>) {
  return algorithm({
    name: 'idle',
    needs: { topology: 'ring', ...needs },
    messages: {},
    state: {},
    wakes: true,
    start: () => {},
    on: {},
    theory,
  })
}

describe('default options', () => {
  it('let any node start at any time and links reorder messages, without a clock', () => {
    const options = { mode: 'untimed', order: 'any', wake: 'any' }
    expect(defaultOptions(needing({}), [0, 1])).toEqual(options)
  })

  it('keep the order of messages only where the algorithm or its rounds need it', () => {
    for (const needs of [{ order: 'fifo' }, { time: 'rounds' }] as const)
      expect(defaultOptions(needing(needs), []).order).toBe('fifo')
    expect(defaultOptions(needing({ time: 'bounded delay' }), []).order).toBe('any')
  })

  it('bound terms, which have no end', () => {
    expect(defaultOptions(raft, []).bounds).toEqual({ term: 2 })
  })

  it('let all nodes start together where the algorithm needs it', () => {
    expect(defaultOptions(needing({ start: 'together' }), [0, 1]).wake).toEqual([0, 1])
  })

  it('have a clock for rounds and bounded delays; bounded delays differ', () => {
    const rounds = needing({ time: 'rounds' })
    expect(defaultOptions(rounds, []).mode).toEqual({ clocked: 1 })
    expect(boundedDelay(rounds, { clocked: 1 })).toEqual({})
    const bounded = needing({ time: 'bounded delay' })
    expect(defaultOptions(bounded, []).mode).toEqual({ clocked: 2 })
    expect(boundedDelay(bounded, { clocked: 2 })).toEqual({ delay: 'uniform:1:2' })
    expect(boundedDelay(bounded, 'untimed')).toEqual({})
  })
})
