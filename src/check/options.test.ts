import { describe, expect, it } from 'vitest'
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
  it('let any node start at any time, without a clock', () => {
    const options = { mode: 'untimed', order: 'fifo', wake: 'any' }
    expect(defaultOptions(needing({}), [0, 1])).toEqual(options)
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
