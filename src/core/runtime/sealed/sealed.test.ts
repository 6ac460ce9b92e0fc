import { describe, expect, it } from 'vitest'
import {
  BELL,
  ELECTION,
  LIST,
  mine,
  mistake,
  simulated,
  type Untyped,
} from '../../../../test/support/own-definitions.ts'
import { preparation } from '../../../../test/support/random-worlds.ts'
import { type CheckOptions, checkWorld } from '../../../check/index.ts'
import { simulationOf } from '../../../sim/index.ts'
import { left, UsageError } from '../../index.ts'
import { sealed } from './sealed.ts'

describe('a handler that is not deterministic', () => {
  const hint =
    'Handlers must depend only on my, the message and net: no Math.random, Date.now or variables outside of the state.'

  it('is found by executing it twice', () => {
    let calls = 0
    const start = (my: Untyped) => {
      my.count = calls++
    }
    const error = mistake(() => simulated(mine({ start })))
    expect(error.problem).toBe(
      'the handler start is not deterministic: two executions on equal states differ (state field count: 0 and 1).',
    )
    expect(error.hint).toBe(hint)
  })

  it.each<[string, (my: Untyped, net: Untyped, calls: number) => void]>([
    [
      'net.send(0, ELECTION, {"id":0}) and net.send(0, ELECTION, {"id":1})',
      (_, net, calls) => net.send(left, ELECTION, { id: calls }),
    ],
    ['net.lead() and net.stop()', (_, net, calls) => (calls === 0 ? net.lead() : net.stop())],
    ['net.lead() and nothing more', (_, net, calls) => calls === 0 && net.lead()],
    ['nothing more and net.lead()', (_, net, calls) => calls > 0 && net.lead()],
    ['net.choose(1) and net.choose(2)', (_, net, calls) => net.choose(calls + 1)],
    ['net.after(0) and net.after(1)', (_, net, calls) => net.after(calls, BELL)],
    ['state field seen: {0} and {1}', (my, _, calls) => my.seen.add(calls)],
    [
      'the second one threw "again"',
      (_, __, calls) => {
        if (calls > 0) throw new Error('again')
      },
    ],
  ])('differs in %s', (difference, act) => {
    let calls = 0
    const start = (my: Untyped, net: Untyped) => act(my, net, calls++)
    const error = mistake(() => simulated(mine({ start, needs: { coins: true } })))
    expect(error.problem).toContain(`(${difference})`)
  })

  it('is found when it depends on what other events have left behind', () => {
    const box = { laps: 0 }
    const definition = mine({
      start(my, net) {
        box.laps = my.id
        net.send(left, ELECTION, { id: my.id })
      },
      election(my, { id }, net) {
        my.count = box.laps
        if (id !== my.id) net.send(left, ELECTION, { id })
      },
    })
    const error = mistake(() => {
      simulated(definition)
      simulated(definition, { ids: '4,5,6' })
    })
    expect(error.problem).toContain('is not deterministic')
  })

  it('may keep what it has computed once', () => {
    const cache = new Map<number, number>()
    const start = (my: Untyped) => {
      if (!cache.has(my.id)) cache.set(my.id, my.id ** 2)
      my.count = cache.get(my.id)
    }
    expect(() => simulated(mine({ start }))).not.toThrow()
  })
})

describe('what a handler is given', () => {
  it('can be spread, listed, written as JSON and shown', () => {
    const seen: unknown[] = []
    const start = (my: Untyped, net: Untyped) => {
      const { id, ...rest } = my
      seen.push(Object.keys({ id, ...rest }), JSON.parse(JSON.stringify(my)).id, `${typeof net}`)
      Object.assign(my, { count: 3, once: true })
      const { send, links } = net
      send(links[0], ELECTION, { id })
    }
    simulated(mine({ start }))
    expect(seen[0]).toEqual(
      expect.arrayContaining(['id', 'status', 'leader', 'stopped', 'patience', 'seen', 'count']),
    )
    expect(seen[1]).toBe(3)
  })

  it('shares no objects with messages, nor with other fields', () => {
    const start = (my: Untyped, net: Untyped) => {
      my.order = [1, 2]
      net.send(left, LIST, { ids: my.order })
    }
    const kept: unknown[] = []
    const definition = mine({
      start,
      more: {
        on: {
          ELECTION() {},
          LIST(my: Untyped, { ids }: Untyped) {
            if (my.count++ > 0) return kept.push([...my.order])
            my.order = ids
            ids.push(9)
          },
        },
      },
    })
    const { world, conditions, properties } = preparation(sealed(definition), {
      ids: '3,1,2',
      duplicate: '1',
    })
    const run = simulationOf(world, conditions, properties)
    run.finish()
    // Each node has received the list twice, and has changed its own copy of the first.
    expect(run.states.all().map(({ order }) => order)).toEqual([
      [1, 2, 9],
      [1, 2, 9],
      [1, 2, 9],
    ])
  })
})

it('a wrong value that faults lead to is a violation, with the run that leads to it', () => {
  const definition = mine({
    start: (my, net) => {
      my.count = 1
      net.send(left, ELECTION, { id: my.id })
    },
    election: (my) => my.count--,
  })
  const { world } = preparation(sealed(definition), { ids: '3,1,2' })
  const options: CheckOptions = {
    ...{ mode: 'untimed' as const, order: 'fifo' as const, wake: 'any' as const },
    ...{ properties: [], limits: { states: 9999 } },
  }
  expect(checkWorld(world, options)).toMatchObject({ violated: null, exhausted: true })
  const { violated } = checkWorld(world, { ...options, faults: { duplicates: 1 } })
  expect(violated?.property).toBe('every value stays within its type')
  expect(violated?.trace.at(-1)?.text).toContain(
    'my.count is -1, but nat must be a whole number from 0 to 2^53 - 1',
  )
})

describe('parameters', () => {
  const computed = (value: (facts: never) => number, needs: object = {}) =>
    mine({ needs, more: { params: { patience: { says: 'how long', value } } } })

  it.each<[string, (facts: Record<string, never>) => number, object]>([
    ["n, which the definition does not declare. Add knows: ['n'] to needs.", ({ n }) => n, {}],
    [
      "largestDelay, which the definition does not declare. Add time: 'bounded delay'",
      ({ largestDelay }) => largestDelay,
      {},
    ],
    ['largestId, which no node knows.', ({ largestId }) => largestId, { knows: ['n'] }],
    ['starters, which no node knows.', ({ starters }) => starters, { knows: ['n'] }],
    ['links, which no node knows.', ({ links }) => links, { topology: 'any', knows: ['n'] }],
  ])('are not computed from %s', (said, value, needs) => {
    const run = () => simulated(computed(value as never, needs))
    expect(run).toThrow(UsageError)
    expect(run).toThrow(`mine: params: patience: its value is computed from ${said}`)
  })

  it.each<[(facts: Record<string, never>) => number, object]>([
    [({ n }) => n, { knows: ['n'] }],
    [({ n }) => n, { topology: 'complete' }],
    [({ links }) => links, { knows: ['n'] }],
    [({ largestDelay }) => largestDelay, { time: 'bounded delay' }],
  ])('may be computed from what is declared (%#)', (value, needs) => {
    expect(() => simulated(computed(value as never, needs))).not.toThrow()
  })
})

it('sealing is done once, and the algorithm stays as it is', () => {
  const definition = mine({})
  expect(sealed(definition)).toBe(sealed(definition))
  expect(sealed(sealed(definition))).toBe(sealed(definition))
  expect(sealed(definition)).not.toBe(definition)
  expect(sealed(definition).schema).toBe(definition.schema)
})
