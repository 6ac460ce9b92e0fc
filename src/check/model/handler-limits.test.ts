import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Algorithm, algorithm, left, message, nat, timer } from '../../core/index.ts'
import type { Property } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { leaderPerTerm, oneLeaderPerTerm } from '../../problems/leader-per-term.ts'
import { type CheckOptions, checkWorld } from '../index.ts'

const WORD = message({ said: nat })
const TICK = timer()

const options: CheckOptions = {
  mode: 'untimed',
  order: 'fifo',
  wake: 'any',
  limits: { states: 20_000 },
  properties: [],
}

function on(definition: Algorithm, n: number): World {
  const ids = Float64Array.from({ length: n }, (_, i) => i + 1)
  return { algorithm: definition, topology: ring(n), ids, params: {} }
}

/** Counts for ever. */
const counting = algorithm({
  name: 'counting',
  needs: { topology: 'ring' },
  messages: { WORD },
  timers: { TICK },
  state: { count: nat },
  wakes: false,
  start: (_, net) => net.after(1, TICK),
  on: { WORD() {} },
  timeout: {
    TICK(my, net) {
      my.count++
      net.after(1, TICK)
    },
  },
})

describe('the bound of a state field', () => {
  it('makes an infinite exploration finite, and says that runs are cut', () => {
    const free = checkWorld(on(counting, 1), { ...options, limits: { states: 50 } })
    expect(free.exhausted).toBe(false)
    const { states, exhausted, bounds } = checkWorld(on(counting, 1), {
      ...options,
      bounds: { count: 3 },
    })
    // Asleep, then the counts 0 to 3.
    expect({ states, exhausted, bounds }).toEqual({
      states: 5,
      exhausted: true,
      bounds: { of: { count: 3 }, enough: false },
    })
  })

  it('is enough where no run exceeds it, and then changes nothing', () => {
    const free = checkWorld(on(waiting(5), 2), options)
    const { bounds, ...rest } = checkWorld(on(waiting(5), 2), { ...options, bounds: { count: 1 } })
    expect(rest).toEqual(free)
    expect(bounds).toEqual({ of: { count: 1 }, enough: true })
  })

  it('is refused for a field that is none', () => {
    const wrong = { ...options, bounds: { counts: 3 } }
    expect(() => checkWorld(on(counting, 1), wrong)).toThrow(
      'check counting: counting has no state field counts that holds a number.',
    )
    expect(() => checkWorld(on(counting, 1), { ...options, bounds: { count: -1 } })).toThrow(
      'from 0',
    )
  })
})

/** Waits for a random time, then tells the neighbour; `count` shows which timers have fired. */
function waiting(delay: { from: number; to: number } | number) {
  return algorithm({
    name: 'waiting',
    needs: { topology: 'ring', coins: true },
    messages: { WORD },
    timers: { TICK },
    state: { count: nat },
    wakes: false,
    start: (_, net) => net.after(delay as never, TICK),
    on: {
      WORD(my, { said }) {
        my.count += said
      },
    },
    timeout: { TICK: (_, net) => net.send(left, WORD, { said: 1 }) },
  })
}

describe('a random delay', () => {
  it('is not drawn without a clock: the order of timers is explored instead', () => {
    for (const mode of ['untimed', 'patient'] as const) {
      const fixed = checkWorld(on(waiting(5), 3), { ...options, mode })
      const random = checkWorld(on(waiting({ from: 5, to: 500 }), 3), { ...options, mode })
      expect(random).toEqual(fixed)
      expect(random.states).toBeGreaterThan(10)
    }
  })

  it('has every whole value with a clock, or a few that are spread over its range', () => {
    const delaysWith = (timeouts?: number) =>
      checkWorld(on(waiting({ from: 10, to: 20 }), 1), {
        ...{ ...options, mode: { clocked: 1 }, wake: [0] },
        ...(timeouts !== undefined && { timeouts }),
      })
    // One state for each delay, besides asleep; each then fires, sends and receives.
    const all = delaysWith()
    const three = delaysWith(3)
    expect(all.timeouts).toBeUndefined()
    expect(three.timeouts).toEqual({ most: 3, enough: false })
    expect(delaysWith(11).timeouts).toEqual({ most: 11, enough: true })
    expect(delaysWith(11).states).toBe(all.states)
    expect(three.states).toBe(all.states - 8)
    expect(delaysWith(1).states).toBe(all.states - 10)
  })

  it('needs coins and a range', () => {
    const without = waiting({ from: 1, to: 2 })
    const { coins: _, ...needs } = without.needs
    expect(() => checkWorld(on({ ...without, needs }, 1), options)).toThrow(
      'Add coins: true to needs.',
    )
    expect(() => checkWorld(on(waiting({ from: 3, to: 2 }), 1), options)).toThrow('0 <= from <= to')
  })
})

describe('lossy links', () => {
  /** Sends `said` from 1 to `words`; the receiver keeps a digit for each that it hears. */
  const talking = (words: number, most: number) =>
    algorithm({
      name: 'talking',
      needs: { topology: 'ring' },
      messages: { WORD },
      state: { heard: nat },
      wakes: false,
      start(_, net) {
        for (let said = 1; said <= words; said++) net.send(left, WORD, { said })
      },
      on: {
        WORD(my, { said }) {
          my.heard = Math.min(my.heard * 10 + said, most)
        },
      },
    })

  /** Which sequences node 1 may have heard, with these options. */
  function heard(changes: Partial<CheckOptions>, most: number): Set<number> {
    const seen = new Set<number>()
    const look: Property = {
      name: 'look',
      when: 'always',
      broken({ state }) {
        seen.add(state(1).heard as number)
        return null
      },
    }
    checkWorld(on(talking(2, most), 2), { ...options, wake: [0], properties: [look], ...changes })
    return seen
  }

  it('deliver what was sent never, once or often, in any order', () => {
    // Every sequence of the digits 1 and 2 below 1000, and the empty one.
    const all = Array.from({ length: 1000 }, (_, i) => i).filter((i) =>
      /^[12]*$/.test(`${i || ''}`),
    )
    expect(
      [...heard({ order: 'lossy' }, 1000)].filter((i) => i < 1000).sort((a, b) => a - b),
    ).toEqual(all)
    expect([...heard({}, 1000)].sort((a, b) => a - b)).toEqual([0, 1, 12])
  })

  it('allow all that reliable links with losses and duplicates do', () => {
    fc.assert(
      fc.property(
        fc.nat(2),
        fc.nat(2),
        fc.constantFrom('fifo', 'any'),
        (losses, duplicates, order) => {
          const lossy = heard({ order: 'lossy' }, 100_000)
          const some = heard(
            { order, faults: { losses, duplicates } } as Partial<CheckOptions>,
            100_000,
          )
          for (const sequence of some) expect(lossy).toContain(sequence)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('are refused with a clock, and with losses of their own', () => {
    const world = on(talking(1, 10), 2)
    expect(() => checkWorld(world, { ...options, order: 'lossy', mode: 'patient' })).toThrow(
      'untimed',
    )
    expect(() => checkWorld(world, { ...options, order: 'lossy', faults: { losses: 1 } })).toThrow(
      'Omit losses and duplicates.',
    )
  })
})

describe('the history of terms', () => {
  /** Each node leads in its term once, and steps down at once. */
  const brief = (term: (id: number) => number) =>
    algorithm({
      name: 'brief',
      needs: { topology: 'ring', ids: 'numbers' },
      messages: { WORD },
      state: {},
      wakes: false,
      problem: leaderPerTerm,
      start(my, net) {
        net.lead({ term: term(my.id as number) })
        net.withdraw()
      },
      on: { WORD() {} },
    })

  it('keeps leaders that were deposed within one step', () => {
    const properties = [oneLeaderPerTerm]
    const { violated, properties: verdicts } = checkWorld(
      on(
        brief(() => 7),
        2,
      ),
      { ...options, properties },
    )
    expect(violated?.trace).toHaveLength(2)
    expect(verdicts[0].detail).toBe('nodes 1 (position 0) and 2 (position 1) both led in term 7')
    expect(violated?.trace[1].text).toContain('becomes leader in term 7')
    const own = checkWorld(
      on(
        brief((id) => id),
        2,
      ),
      { ...options, properties },
    )
    expect(own.violated).toBeNull()
    // Asleep or not, for each node: the history adds nothing else here.
    expect(own.states).toBe(4)
  })

  it('keeps leaders that have crashed', () => {
    const faults = { crashes: 1 }
    const properties = [oneLeaderPerTerm]
    expect(
      checkWorld(
        on(
          brief(() => 7),
          2,
        ),
        { ...options, properties, faults },
      ).violated,
    ).not.toBeNull()
  })

  it('needs a term of every leader', () => {
    const without = { ...brief((id) => id), start: (_: unknown, net: never) => lead(net) }
    expect(() => checkWorld(on(without as Algorithm, 1), options)).toThrow(
      'the problem "leader per term" needs the term of a leader, but net.lead() has none.',
    )
    expect(() =>
      checkWorld(
        on(
          brief(() => 0.5),
          1,
        ),
        options,
      ),
    ).toThrow('0.5 was given')
  })
})

function lead(net: never): void {
  ;(net as { lead(): void }).lead()
}
