import { describe, expect, it } from 'vitest'
import { play, type Staging } from '../../../test/support/simulation-fixture.ts'
import { algorithm } from '../../core/language/algorithm.ts'
import { message, timer } from '../../core/language/message.ts'
import { left, type Net } from '../../core/language/net.ts'
import { nat, stable } from '../../core/language/value-types.ts'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { cutLink, type FaultEvent, partition } from './faults.ts'

const PING = message({ number: nat })
const TICK = timer()
const TOCK = timer()

interface My {
  readonly id: number
  kept: number
  lost: number
}
type Act = (my: My, net: Net<'ring' | 'liveness'>) => void
interface Script {
  readonly start?: Readonly<Record<number, Act>>
  readonly ping?: Act
  readonly tick?: Act
  readonly tock?: Act
  readonly recover?: Act
  readonly down?: Act
}

function scripted({ start, ping, tick, tock, recover, down }: Script) {
  return algorithm({
    name: 'scripted',
    needs: { topology: 'any', ids: 'numbers', knows: ['liveness'], time: 'clocks' },
    messages: { PING },
    timers: { TICK, TOCK },
    state: { kept: stable(nat), lost: nat },
    wakes: false,
    start: (my, net) => start?.[my.id]?.(my, net as never),
    recover: (my, net) => recover?.(my, net as never),
    on: { PING: (my, _, net) => ping?.(my, net as never) },
    timeout: {
      TICK: (my, net) => tick?.(my, net as never),
      TOCK: (my, net) => tock?.(my, net as never),
    },
    down: (my, _, net) => down?.(my, net as never),
  })
}

/** Events as short words: `1: receive 2`. */
function told(events: readonly TraceEvent[], ...kinds: TraceEvent['event'][]): string[] {
  return events
    .filter(({ event }) => kinds.includes(event))
    .map(({ at, event, node }) => `${at}: ${event} ${node}`)
}

const run = (script: Script, staging: Staging) => play(scripted(script), { n: 4, ...staging })

/** The pause of a node, as a plan has it. */
function pause(node: number, at: number, until: number): FaultEvent[] {
  return [
    { at, what: 'pause', node, until },
    { at: until, what: 'resume', node },
  ]
}

describe('a pause', () => {
  const script: Script = {
    start: {
      0: (_, net) => {
        net.send(left, PING, { number: 1 })
        net.after(4, TICK)
      },
      1: (_, net) => {
        net.after(6, TICK)
        net.after(3, TOCK)
        net.after(20, TICK)
        net.after(5, TICK)
      },
    },
    tick: (my, net) => my.id === 0 && net.send(left, PING, { number: 2 }),
  }

  it('makes messages and timers wait, in their order, and starts too', () => {
    const { events, simulation } = run(script, {
      faults: { events: [...pause(1, 0.5, 10), ...pause(3, 0, 7)].sort((a, b) => a.at - b.at) },
    })
    expect(
      told(
        events.filter(({ node }) => node === 1),
        'receive',
        'timeout',
        'pause',
        'resume',
      ),
    ).toEqual([
      '0.5: pause 1',
      '10: resume 1',
      '10: receive 1',
      '10: receive 1',
      '10: timeout 1',
      '10: timeout 1',
    ])
    expect(
      events.flatMap((event) =>
        event.event === 'timeout' && event.node === 1 ? [event.timer] : [],
      ),
    ).toEqual(['tock', 'tick'])
    expect(told(events, 'wake')).toContain('7: wake 3')
    expect(simulation.lastReceipt).toBe(10)
  })

  it('lets a handler at its end cancel a timer that has waited', () => {
    const { events } = run(
      { ...script, ping: (my, net) => my.id === 1 && net.cancel(TOCK) },
      { faults: { events: pause(1, 0.5, 10) } },
    )
    const timers = events.flatMap((event) =>
      event.event === 'timeout' && event.node === 1 ? [event.timer] : [],
    )
    expect(timers).toEqual(['tick'])
  })

  it('ends with a crash: what has waited is lost', () => {
    const { events, simulation } = run(script, {
      crashes: [[1, 8]],
      faults: { events: pause(1, 0.5, 10) },
    })
    expect(told(events, 'vanish', 'resume')).toEqual(['8: vanish 1', '8: vanish 1'])
    expect(simulation.toDead).toBe(2)
  })

  it('without an end is like a crash that nobody reports', () => {
    const { events } = run(script, {
      faults: { events: [{ at: 0.5, what: 'pause', node: 1, until: Number.POSITIVE_INFINITY }] },
    })
    expect(events.filter(({ node, at }) => node === 1 && at > 0.5)).toEqual([])
  })

  it('does not prolong leadership that is bound to a timer', () => {
    const { events } = run(
      {
        start: {
          1: (_, net) => {
            net.after(5, TICK)
            net.lead({ term: 1, while: TICK })
          },
        },
        tick: (_, net) => net.lead({ term: 1, while: TICK }),
      },
      { faults: { events: pause(1, 1, 50) } },
    )
    expect(told(events, 'lead', 'withdraw', 'timeout')).toEqual([
      '0: lead 1',
      '5: withdraw 1',
      '50: timeout 1',
    ])
  })
})

describe('drift', () => {
  const ticking: Script = {
    start: Object.fromEntries(
      [0, 1, 2, 3].map((id) => [id, (_: My, net: Net) => net.after(1000, TICK)]),
    ),
  }

  it('makes the timers of a node take longer, by a factor of its own', () => {
    const fired = (drift: number, seed = 1) =>
      run(ticking, { seed, faults: { drift } })
        .events.filter(({ event }) => event === 'timeout')
        .map(({ at, node }) => [node, at] as const)
    expect(fired(0).map(([, at]) => at)).toEqual([1000, 1000, 1000, 1000])
    const late = fired(0.05)
    expect(new Set(late.map(([, at]) => at)).size).toBe(4)
    for (const [, at] of late) {
      expect(at).toBeGreaterThanOrEqual(1000)
      expect(at).toBeLessThanOrEqual(1050)
    }
    expect(fired(0.05)).toEqual(late)
    expect(fired(0.05, 2)).not.toEqual(late)
  })

  it('moves the end of bound leadership with its timer', () => {
    const { events } = run(
      {
        start: {
          0: (_, net) => {
            net.after(100, TICK)
            net.lead({ term: 1, while: TICK })
          },
        },
      },
      { faults: { drift: 0.5 } },
    )
    const [expire, timeout] = ['expire', 'timeout'].map(
      (it) => events.find(({ event }) => event === it)!.at,
    )
    expect(expire).toBe(timeout)
    expect(expire).toBeGreaterThan(100)
  })
})

describe('a disk that takes time', () => {
  const disk = { model: 'constant', delay: 3 } as const
  const writing: Script = {
    start: {
      0: (my, net) => {
        my.kept = 1
        net.send(left, PING, { number: 1 })
        net.after(1, TICK)
      },
    },
    tick: (my, net) => {
      my.lost++
      net.send(left, PING, { number: 2 })
    },
  }

  it('holds back what a handler does that has changed stable fields, and all that follows', () => {
    const { events } = run(writing, { faults: { disk } })
    expect(told(events, 'timeout', 'send', 'receive')).toEqual([
      '1: timeout 0',
      '3: send 0',
      '3: send 0',
      '4: receive 1',
      '4: receive 1',
    ])
  })

  it('holds back nothing else', () => {
    const { events } = run(
      { ...writing, start: { 0: (_, net) => net.after(1, TICK) } },
      { faults: { disk } },
    )
    expect(told(events, 'send')).toEqual(['1: send 0'])
  })

  it('writes one commit after the other', () => {
    const { events } = run(
      {
        ...writing,
        tick: (my, net) => {
          my.kept++
          net.send(left, PING, { number: 2 })
        },
      },
      { faults: { disk } },
    )
    expect(told(events, 'send')).toEqual(['3: send 0', '6: send 0'])
  })

  it.each<[string, number, number, number]>([
    ['loses what is not written', 2, 0, 0],
    ['keeps what is written', 4, 1, 1],
  ])('a crash %s', (_, at, kept, sent) => {
    const { events, simulation } = run(
      {
        start: {
          0: (my, net) => {
            my.kept = 1
            net.send(left, PING, { number: 1 })
          },
        },
      },
      {
        crashes: [[0, at]],
        faults: { disk, events: [{ at: 10, what: 'recover', node: 0, id: null }] },
      },
    )
    expect(simulation.states.of(0).kept).toBe(kept)
    expect(told(events, 'send')).toHaveLength(sent)
  })

  it('delays leadership, which does not begin after its end', () => {
    const leading = (lease: number) =>
      told(
        run(
          {
            start: {
              0: (my, net) => {
                my.kept = 1
                net.after(lease, TICK)
                net.lead({ term: 1, while: TICK })
              },
            },
          },
          { faults: { disk } },
        ).events,
        'lead',
        'withdraw',
      )
    expect(leading(5)).toEqual(['3: lead 0', '5: withdraw 0'])
    expect(leading(3)).toEqual(['3: withdraw 0'])
    expect(leading(2)).toEqual(['2: withdraw 0'])
  })

  it('lets a paused node send only when it goes on', () => {
    const { events } = run(writing, { faults: { disk, events: pause(0, 2, 8) } })
    expect(told(events, 'send')).toEqual(['8: send 0', '8: send 0'])
  })
})

describe('a recovery', () => {
  const script: Script = {
    start: {
      0: (my) => {
        my.kept = 5
        my.lost = 6
      },
    },
  }
  const recovered = (amnesia: boolean) =>
    run(script, {
      crashes: [[0, 2]],
      faults: { events: [{ at: 4, what: 'recover', node: 0, id: null, amnesia }] },
    })

  it('keeps stable fields, and without its memory none', () => {
    expect(recovered(false).simulation.states.of(0)).toMatchObject({ kept: 5, lost: 0 })
    expect(recovered(true).simulation.states.of(0)).toMatchObject({ kept: 0, lost: 0 })
    expect(recovered(true).events).toContainEqual({
      at: 4,
      node: 0,
      event: 'recover',
      id: 0,
      amnesia: true,
    })
  })
})

describe('a cut in one direction', () => {
  const talking: Script = {
    start: Object.fromEntries(
      [0, 1].map((id) => [
        id,
        (_: My, net: Net) => {
          net.after(5, TICK)
          net.sendAll(PING, { number: 1 })
        },
      ]),
    ),
    tick: (_, net) => net.sendAll(PING, { number: 2 }),
  }
  const events: FaultEvent[] = [{ at: 2, what: 'cut', partition: cutLink(0, 1, true) }]

  it('loses messages one way only, and the deaf end is told', () => {
    const result = run(talking, { faults: { events, detect: 1 } })
    const received = result.events.flatMap((event) =>
      event.event === 'receive' && event.at > 2 ? [`${event.from} to ${event.node}`] : [],
    )
    expect(received.sort()).toEqual(['0 to 3', '1 to 0', '1 to 2'])
    expect(result.events).toContainEqual({ at: 2, node: 0, event: 'cut', to: 1, oneWay: true })
    expect(told(result.events, 'down')).toEqual(['3: down 1'])
  })

  it('and one back make the link as good as cut', () => {
    const back: FaultEvent = { at: 2, what: 'cut', partition: cutLink(1, 0, true) }
    const one = run(talking, { faults: { events: [...events, back], detect: 1 } })
    const both = run(talking, {
      faults: { events: [{ at: 2, what: 'cut', partition: cutLink(0, 1) }], detect: 1 },
    })
    const received = (all: readonly TraceEvent[]) => told(all, 'receive', 'down').sort()
    expect(received(one.events)).toEqual(received(both.events))
  })
})

it('a partition that no detector reports is silent', () => {
  const events: FaultEvent[] = [{ at: 2, what: 'cut', partition: partition([[0], [1, 2, 3]]) }]
  let reports = 0
  run(
    {
      down: () => {
        reports++
      },
    },
    { faults: { events, detect: null } },
  )
  expect(reports).toBe(0)
  run(
    {
      down: () => {
        reports++
      },
    },
    { faults: { events, detect: 1 }, until: 10 },
  )
  expect(reports).toBe(4)
})
