import { describe, expect, it } from 'vitest'
import { play, type Staging, stage } from '../../test/support/simulation-fixture.ts'
import { algorithm } from '../core/language/algorithm.ts'
import { message, timer } from '../core/language/message.ts'
import { left, type Net, right } from '../core/language/net.ts'
import type { Property } from '../core/language/problem.ts'
import type { Theory } from '../core/language/theory.ts'
import { nat } from '../core/language/value-types.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'

const PING = message({ number: nat })
const EARLY = timer()
const LATE = timer()
const theory: Theory = {
  ...{ authors: '', idea: '', because: '', breaks: '', example: '', cost: '' },
  bounds: [],
}

type Action = (net: Net<'ring'>, number: number) => void

/** What each node does, by its id, when it starts, gets a message, or its timer fires. */
interface Script {
  readonly start?: Readonly<Record<number, Action>>
  readonly ping?: Readonly<Record<number, Action>>
  readonly early?: Readonly<Record<number, Action>>
  readonly late?: Readonly<Record<number, Action>>
  readonly wakes?: boolean
}

function scripted({ start, ping, early, late, wakes = false }: Script) {
  return algorithm({
    name: 'scripted',
    needs: { topology: 'ring', ids: 'numbers' },
    messages: { PING },
    timers: { EARLY, LATE },
    state: {},
    wakes,
    start: (my, net) => start?.[my.id]?.(net, 0),
    on: { PING: (my, { number }, net) => ping?.[my.id]?.(net, number) },
    timeout: {
      EARLY: (my, net) => early?.[my.id]?.(net, 0),
      LATE: (my, net) => late?.[my.id]?.(net, 0),
    },
    theory,
  })
}

const ping = (net: Net<'ring'>, number = 0) => net.send(left, PING, { number })

/** Events as short words: `1: receive 2`. */
function told(events: readonly TraceEvent[], ...kinds: TraceEvent['event'][]): string[] {
  return events
    .filter(({ event }) => kinds.length === 0 || kinds.includes(event))
    .map(({ at, event, node }) => `${at}: ${event} ${node}`)
}

describe('the order of what happens at one moment', () => {
  const script: Script = {
    start: {
      0: (net) => {
        ping(net)
        net.after(1, LATE)
      },
      2: (net) => net.after(0, EARLY),
      5: (net) => {
        net.after(1, EARLY)
        ping(net)
      },
    },
  }
  const staging: Staging = {
    n: 6,
    starts: [
      [0, 0],
      [5, 0],
      [1, 1],
      [2, 1],
      [3, 1],
    ],
    crashes: [[3, 1]],
  }
  const expected = (moment: number) => [
    `${moment}: crash 3`,
    `${moment}: receive 1`,
    `${moment}: receive 0`,
    `${moment}: wake 2`,
    `${moment}: timeout 0`,
    `${moment}: timeout 5`,
    `${moment}: timeout 2`,
  ]

  it('is crashes, deliveries, starts, timers; sequence decides inside a group', () => {
    const { events } = play(scripted(script), staging)
    expect(told(events).filter((line) => line.startsWith('1: '))).toEqual(expected(1))
  })

  it('is the same in a synchronous round', () => {
    const { events } = play(scripted(script), { ...staging, synchronous: true })
    expect(told(events).filter((line) => line.startsWith('2: '))).toEqual(expected(2))
  })

  it('lets the message win over the start of the same moment', () => {
    const { events } = play(scripted({ ...script, wakes: true }), staging)
    expect(events.filter(({ node }) => node === 1)).toMatchObject([
      { at: 1, event: 'receive', woken: true },
    ])
  })

  it('holds at the very first moment too', () => {
    const { events } = play(scripted({ start: { 1: (net) => ping(net) } }), {
      n: 3,
      crashes: [[1, 0]],
    })
    expect(told(events)).toEqual(['0: crash 1', '0: wake 0', '0: wake 2'])
  })

  it('delivers in order of sending, from any sender', () => {
    const both = (net: Net<'ring'>) => net.sendAll(PING, { number: 0 })
    const { events } = play(scripted({ start: { 0: both, 1: both, 2: both } }), { n: 3 })
    const numbers = events.flatMap((event) => (event.event === 'receive' ? [event.message] : []))
    expect(numbers).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('timers', () => {
  it('set again fire once, at the later time', () => {
    const { events } = play(
      scripted({
        start: {
          0: (net) => net.after(5, EARLY),
          1: (net) => net.send(right, PING, { number: 0 }),
        },
        ping: { 0: (net) => net.after(3, EARLY) },
      }),
      { n: 2 },
    )
    expect(told(events, 'timeout')).toEqual(['4: timeout 0'])
  })

  it('are of several kinds at a node, each its own', () => {
    const start = {
      0: (net: Net<'ring'>) => {
        net.after(2, LATE)
        net.after(1, EARLY)
      },
    }
    const { events } = play(scripted({ start }), { n: 1 })
    const timers = events.flatMap((event) => (event.event === 'timeout' ? [event.timer] : []))
    expect(timers).toEqual(['early', 'late'])
  })

  it('can be cancelled by a message of the moment in which they are due', () => {
    const { events } = play(
      scripted({
        start: { 0: ping, 1: (net) => net.after(1, EARLY) },
        ping: { 1: (net) => net.cancel(EARLY) },
      }),
      { n: 2 },
    )
    expect(told(events, 'timeout')).toEqual([])
  })

  it('with delay 0 fire at the same moment, after those that were set before', () => {
    let left = 3
    const { events } = play(
      scripted({
        start: { 0: (net) => net.after(0, EARLY), 1: (net) => net.after(0, LATE) },
        early: {
          0: (net) => {
            if (--left > 0) net.after(0, EARLY)
          },
        },
      }),
      { n: 2 },
    )
    expect(told(events, 'timeout')).toEqual([
      '0: timeout 0',
      '0: timeout 1',
      '0: timeout 0',
      '0: timeout 0',
    ])
  })

  it('that keep setting each other end at the limit', () => {
    const again = (net: Net<'ring'>) => net.after(0, EARLY)
    const { ending } = play(scripted({ start: { 0: again }, early: { 0: again } }), {
      n: 1,
      maxMessages: 50,
    })
    expect(ending).toBe('limit')
  })

  it('do not fire at a node that has stopped', () => {
    const start = {
      0: (net: Net<'ring'>) => {
        net.after(1, EARLY)
        net.stop()
        net.after(2, LATE)
      },
    }
    const { events, ending } = play(scripted({ start }), { n: 1 })
    expect([told(events, 'timeout'), ending]).toEqual([[], 'quiet'])
  })

  it('far ahead cost nothing on the way', () => {
    const start = { 0: (net: Net<'ring'>) => net.after(2 ** 52, EARLY) }
    const { simulation, events } = stage(scripted({ start, early: { 0: ping } }), { n: 2 })
    expect(simulation.run(20)).toBe('quiet')
    expect(told(events).slice(2)).toEqual([
      `${2 ** 52}: timeout 0`,
      `${2 ** 52}: send 0`,
      `${2 ** 52 + 1}: receive 1`,
    ])
  })

  it('are set no more once they are stopped', () => {
    const start = { 0: (net: Net<'ring'>) => net.after(1, EARLY) }
    const early = { 0: ping }
    const answer = { 1: (net: Net<'ring'>) => net.after(1, LATE) }
    const { simulation, events } = stage(scripted({ start, early, ping: answer }), { n: 2 })
    simulation.finishUntil(1)
    simulation.stopTimers()
    expect(simulation.finishUntil(10)).toBe('quiet')
    expect(told(events, 'timeout', 'receive')).toEqual(['1: timeout 0', '2: receive 1'])
  })

  it('beyond 2^53 never fire, and the run ends', () => {
    const start = { 0: (net: Net<'ring'>) => net.after(2 ** 60, EARLY) }
    const { events, ending } = play(scripted({ start }), { n: 1 })
    expect([told(events, 'timeout'), ending]).toEqual([[], 'quiet'])
  })
})

describe('crashes', () => {
  it('what was sent before still arrives', () => {
    const { events, simulation } = play(scripted({ start: { 0: ping } }), {
      n: 2,
      delay: { model: 'constant', delay: 5 },
      crashes: [[0, 1]],
    })
    expect(told(events, 'crash', 'receive')).toEqual(['1: crash 0', '5: receive 1'])
    expect([simulation.toDead, simulation.lastReceipt]).toEqual([0, 5])
  })

  it('messages to a crashed node are lost, from the moment of the crash on', () => {
    const handled: number[] = []
    const { events, simulation, ending } = play(
      scripted({
        start: {
          0: (net) => {
            for (const number of [1, 2]) ping(net, number)
          },
        },
        ping: { 1: (_, number) => handled.push(number) },
      }),
      { n: 2, crashes: [[1, 1]] },
    )
    expect(told(events, 'crash', 'receive', 'vanish')).toEqual([
      '1: crash 1',
      '1: vanish 1',
      '1: vanish 1',
    ])
    expect({ handled, ending }).toEqual({ handled: [], ending: 'quiet' })
    expect([simulation.toDead, simulation.lastReceipt]).toEqual([2, -1])
  })

  it('timers of a crashed node do not fire', () => {
    const { events } = play(scripted({ start: { 0: (net) => net.after(9, EARLY) } }), {
      n: 2,
      crashes: [[0, 4]],
    })
    expect(told(events, 'crash', 'timeout')).toEqual(['4: crash 0'])
  })

  it('crashed nodes do not wake, whether they were ever up or not', () => {
    const { events } = play(scripted({ start: {} }), {
      n: 3,
      starts: [
        [0, 3],
        [1, 3],
        [2, 3],
      ],
      crashes: [
        [0, -1],
        [1, 2],
      ],
    })
    expect(told(events, 'wake')).toEqual(['3: wake 2'])
  })

  it('a leader that crashes no longer leads, and was not deposed', () => {
    const seen: { leaders: number[]; deposed: number[] }[] = []
    const property: Property = {
      name: 'watch',
      says: '',
      when: 'always',
      sees: 'leaders',
      broken: ({ leaders, deposed }) => {
        seen.push({ leaders: [...leaders], deposed: [...deposed] })
        return null
      },
    }
    const { simulation } = play(scripted({ start: { 0: (net) => net.lead() } }), {
      n: 2,
      crashes: [[0, 5]],
      properties: [property],
    })
    expect(seen).toEqual([
      { leaders: [0], deposed: [] },
      { leaders: [], deposed: [] },
    ])
    expect(simulation.monitor).toMatchObject({ leaders: [], leaderHistory: [0], elected: 0 })
  })
})

describe('a node that has stopped', () => {
  it('still receives, and nothing happens', () => {
    const handled: number[] = []
    const { events, simulation } = play(
      scripted({
        start: { 0: (net) => ping(net, 7), 1: (net) => net.stop() },
        ping: { 1: (_, number) => handled.push(number) },
      }),
      { n: 2 },
    )
    expect(events.at(-1)).toMatchObject({ event: 'receive', node: 1, ignored: true })
    expect({ handled, last: simulation.lastReceipt }).toEqual({ handled: [], last: 1 })
  })
})

describe('limits', () => {
  const endless: Script = { start: { 0: ping }, ping: { 0: ping, 1: ping } }

  it('until is the last moment that happens', () => {
    const { events, ending } = play(scripted(endless), { n: 2, starts: [[0, 0]], until: 6 })
    expect(ending).toBe('limit')
    expect(events.at(-1)).toMatchObject({ at: 6, event: 'send' })
    expect(play(scripted({ start: { 0: ping } }), { n: 2, until: 1 }).ending).toBe('quiet')
  })

  it('no message is sent beyond the limit', () => {
    const { simulation, events, ending } = play(scripted(endless), { n: 2, maxMessages: 9 })
    expect([ending, simulation.counters.total, told(events, 'send').length]).toEqual([
      'limit',
      9,
      9,
    ])
  })
})

describe('a run', () => {
  const busy: Script = {
    start: { 0: ping, 2: (net) => net.after(3, EARLY) },
    ping: { 0: (net) => net.lead(), 1: ping, 2: ping, 3: ping },
    early: { 2: (net) => net.sendAll(PING, { number: 1 }) },
  }
  const staging: Staging = { starts: [[0, 0]], crashes: [[3, 6]] }

  it('is the same in slices of any size', () => {
    const whole = play(scripted(busy), staging)
    for (const slice of [1, 2, 7]) {
      const { simulation, events } = stage(scripted(busy), staging)
      let ending = null
      while (ending === null) ending = simulation.run(slice)
      expect({ events, ending }).toEqual({ events: whole.events, ending: whole.ending })
    }
  })

  it('with no one to start is quiet at once', () => {
    const { ending, events } = play(scripted({}), { starts: [] })
    expect({ ending, events }).toEqual({ ending: 'quiet', events: [] })
  })

  it('spoils bodies on request, which exposes algorithms that keep one', () => {
    const kept: { number: number }[] = []
    const keeper = algorithm({
      name: 'keeper',
      needs: { topology: 'ring' },
      messages: { PING },
      state: {},
      wakes: false,
      start: (_, net) => net.send(left, PING, { number: 4 }),
      on: { PING: (_, body) => void kept.push(body) },
      theory,
    })
    play(keeper, { n: 1 })
    expect(typeof kept[0].number).toBe('symbol')
  })
})
