import { describe, expect, it } from 'vitest'
import { bully, lcr, peterson } from '../algorithms/index.ts'
import { check } from './check.ts'

describe('an exploration', () => {
  it('says that all properties hold in every run', () => {
    const result = check(lcr, { ids: [3, 1, 2, 4] })
    expect(result).toMatchObject({
      holds: true,
      algorithm: 'lcr',
      topology: 'ring:4',
      mode: 'untimed',
      order: 'any',
      wake: 'any',
      exhausted: true,
      violated: null,
    })
    expect(result).not.toHaveProperty('faults')
  })

  it('explores the weakest world in which the algorithm must be right', () => {
    const { mode, holds, faults } = check(bully, { n: 3, crashes: 1 })
    expect([mode, holds, faults?.crashes]).toEqual(['clocked:2', true, 1])
    expect(check('time-slice', { n: 2 })).toMatchObject({ mode: 'clocked:1', wake: 'all' })
    expect(check('bully', { n: 2, mode: 'untimed' }).mode).toBe('untimed')
    expect(check('bully', { n: 2, mode: { clocked: 1 } }).mode).toBe('clocked:1')
  })

  it('has a shortest counterexample', () => {
    const { holds, violated } = check(peterson, { n: 4, order: 'any', allowWeaker: true })
    expect(holds).toBe(false)
    expect(violated).toMatchObject({ property: 'exactly one leader at the end', shortest: true })
    expect(violated?.trace.at(-1)?.text).toMatch(/\.$/)
  })

  it('tells the number of crashes from the nodes that are down', () => {
    expect(() => check(lcr, { n: 3, crash: 1 as never })).toThrow(
      'crash: expected the nodes that are down from the beginning, got 1. ' +
        'Write crash: [1], or crashes: 1 for crashes at any time.',
    )
    expect(check(lcr, { n: 3, crash: [1] }).topology).toBe('ring:3')
  })

  it('that is stopped decides nothing', () => {
    const { holds, exhausted, reason } = check(lcr, { n: 4, crashes: 1, states: 100 })
    expect([holds, exhausted]).toEqual([null, false])
    expect(reason).toContain('100 states')
    const cut = check('itai-rodeh', { n: 2, draws: 2 })
    expect([cut.holds, cut.draws?.enough]).toEqual([null, false])
    const walked = check(lcr, { n: 4, crashes: 1, states: 100, walk: 5 })
    expect(walked.walk?.walks).toBe(5)
  })

  it('of an aggregation looks at its exchanges', () => {
    const { holds, algorithm } = check('gossip-max', { n: 2 })
    expect([holds, algorithm]).toEqual([true, 'gossip-max'])
  })

  it('looks at properties of the caller, on typed states', () => {
    const { violated } = check('franklin', {
      ids: [3, 1, 2],
      wake: 'all',
      properties: [
        {
          name: 'position 0 hears nothing',
          when: 'always',
          broken: ({ state }) => (state(0).heard === null ? null : 'it hears'),
        },
      ],
    })
    expect(violated?.property).toBe('position 0 hears nothing')
  })

  it('refuses what cannot be, and names the option', () => {
    // @ts-expect-error Delays belong to the mode.
    expect(() => check(lcr, { delay: 'unit' })).toThrow('delay: there is no option of this name.')
    expect(() => check(lcr, { crash: '1@3' })).toThrow('crash: ')
    expect(() => check(lcr, { crashes: -1 })).toThrow('crashes: ')
    expect(() => check(lcr, { wake: '0@2' })).toThrow('wake: ')
    expect(() => check('time-slice', { mode: 'untimed' })).toThrow('mode: time-slice needs')
    expect(() => check('time-slice', { wake: 'any' })).toThrow('wake: ')
    expect(() => check(lcr, { seconds: 0 })).toThrow('seconds: ')
    expect(() => check(lcr, { walk: -1 })).toThrow('walk: ')
  })
})
