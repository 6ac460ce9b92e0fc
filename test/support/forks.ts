import fc from 'fast-check'
import type { Algorithm, TraceEvent } from '../../src/core/index.ts'
import { linksOf, type Topology } from '../../src/core/language/topology.ts'
import { neededNetworks } from '../../src/core/language/validation/needed-networks.ts'
import type { Intervention } from '../../src/scenario/index.ts'
import { possibleSize } from './random-worlds.ts'

/** Runs in which something may have gone wrong already; every limit is low. */
export function runsOf({ needs }: Algorithm): fc.Arbitrary<Record<string, unknown>> {
  return fc.integer({ min: 2, max: 6 }).chain((most) => {
    const n = possibleSize({ needs }, most)
    const position = fc.nat(n - 1)
    const moment = fc.integer({ min: 1, max: 8 })
    const plan = fc.uniqueArray(fc.tuple(position, moment), {
      minLength: 1,
      maxLength: n,
      selector: ([node]) => node,
    })
    const timed = plan.map((entries) => entries.map(([node, at]) => `${node}@${at}`).join())
    const delays = ['unit', 'constant:0.3', 'constant:2', 'uniform:1:5', 'exponential:1.5']
    const async = fc.record({
      timing: fc.constant('async'),
      delay: fc.constantFrom(...delays),
      order: fc.constantFrom('fifo', 'fifo', 'any'),
    })
    const sync = fc.constant({ timing: 'sync' })
    const faults = fc.oneof(
      { arbitrary: fc.constant({}), weight: 4 },
      timed.map((crash) => ({ crash })),
      position.map((node) => ({ crash: String(node) })),
      fc.constant({ crash: '0.5@4' }),
      fc.constant({ loss: 0.1 }),
      fc.constant({ duplicate: 0.3 }),
      fc.tuple(fc.nat(9), moment).map(([number, at]) => ({ tamper: `arrive:${number}@${at + 4}` })),
      fc.constant({ partition: '0/1@2..5' }),
      fc.constant({ again: 3 }),
      fc.constant({ suspect: '1@2..4' }),
      fc.constant({ crash: '1@2', recover: '1@6' }),
    )
    const network =
      needs.topology === 'any' ? `random:${n}:0.7` : neededNetworks[needs.topology].sized(n)!
    return fc
      .record({
        world: needs.time === 'rounds' ? sync : fc.oneof(sync, async),
        wake: fc.oneof(fc.constant('all'), timed, fc.constant('rate:0.5'), fc.constant('0')),
        detect: fc.constantFrom<(number | 'off')[]>(0, 1, 3, 'off'),
        faults,
        seed: fc.nat(1000),
      })
      .map(({ world, faults, ...rest }) => ({
        topology: network,
        ...world,
        ...rest,
        ...faults,
        ...(needs.time === 'bounded delay' && { set: { patience: 4 } }),
        'max-messages': 500,
        'allow-weaker': true,
      }))
  })
}

/** What is drawn for an intervention before the run is known. */
export interface Wish {
  readonly what: Intervention['what']
  readonly when: number
  readonly between: boolean
  readonly whom: number
  readonly later: number
}

export const wishes: fc.Arbitrary<Wish> = fc.record({
  what: fc.constantFrom<Intervention['what'][]>(
    ...(['crash', 'recover', 'wake', 'drop', 'drop', 'arrive', 'arrive', 'arrive'] as const),
    ...(['cut', 'mend', 'partition', 'heal'] as const),
  ),
  when: fc.double({ min: 0, max: 1, noNaN: true }),
  between: fc.boolean(),
  whom: fc.nat(1000),
  later: fc.nat(6),
})

/** A moment of the run, or between two of them, and something to do then. */
export function granted(
  wish: Wish,
  events: readonly TraceEvent[],
  topology: Topology,
  synchronous: boolean,
): Intervention {
  const moments = [...new Set(events.map(({ at }) => at)), (events.at(-1)?.at ?? 0) + 1]
  const place = Math.floor(wish.when * (moments.length - 1))
  const middle = (moments[place] + moments[Math.min(place + 1, moments.length - 1)]) / 2
  const at = synchronous ? Math.max(1, moments[place]) : wish.between ? middle : moments[place]
  const { whom, what } = wish
  const node = whom % topology.n
  switch (what) {
    case 'crash':
    case 'recover':
    case 'wake':
      return { what, at, node }
    case 'drop':
    case 'arrive': {
      const mail = [...underWay(events, at).keys()]
      const message = mail.length > 0 ? mail[whom % mail.length] : whom % 10
      const to = at + (synchronous ? wish.later : wish.later / 2)
      return what === 'drop' ? { what, at, message } : { what, at, message, to }
    }
    case 'cut':
    case 'mend': {
      const links = linksOf(topology, node)
      return { what, at, link: [node, topology.neighbor(node, links[whom % links.length])] }
    }
    case 'partition':
      return { what, at, groups: [[node], [(node + 1) % topology.n]] }
    case 'heal':
      return { what, at }
  }
}

type Sending = Extract<TraceEvent, { event: 'send' }>

/** Messages that were sent before a moment and had not ended their way by then. */
function underWay(events: readonly TraceEvent[], at: number): Map<number, Sending> {
  const copies = new Map<number, number>()
  const sent = new Map<number, Sending>()
  for (const event of events) {
    if (event.at >= at || !('message' in event)) continue
    const change = event.event === 'send' || event.event === 'double' ? 1 : -1
    copies.set(event.message, (copies.get(event.message) ?? 0) + change)
    if (event.event === 'send') sent.set(event.message, event)
  }
  return new Map([...sent].filter(([message]) => copies.get(message)! > 0))
}

/** Whether something can be done, as far as what happened before tells. */
export function makesSense(
  intervention: Intervention,
  events: readonly TraceEvent[],
  { fifo, again }: { readonly fifo: boolean; readonly again: unknown },
): boolean | null {
  const past = events.filter(({ at }) => at < intervention.at)
  const about = (node: number, ...names: string[]) =>
    past.filter((event) => event.node === node && names.includes(event.event))
  const alive = (node: number) => about(node, 'crash', 'recover').at(-1)?.event !== 'crash'
  switch (intervention.what) {
    case 'crash': {
      // A node does not crash twice at the same time; of a share of the nodes another may be drawn.
      const twice = events.some(
        ({ event, node, at }) =>
          event === 'crash' && node === intervention.node && at === intervention.at,
      )
      return twice ? null : alive(intervention.node)
    }
    case 'recover':
      return !alive(intervention.node)
    case 'wake':
      return (
        again === 'never' &&
        alive(intervention.node) &&
        about(intervention.node, 'wake', 'receive', 'recover').length === 0
      )
    case 'drop':
      return underWay(events, intervention.at).has(intervention.message)
    case 'arrive': {
      const own = underWay(events, intervention.at).get(intervention.message)
      const then = underWay(
        events.filter(({ at }) => at <= intervention.to),
        Number.POSITIVE_INFINITY,
      )
      const blocked = [...then.values()].some(
        (other) =>
          other.message < intervention.message &&
          other.node === own?.node &&
          other.link === own?.link,
      )
      const halved = past.some(
        (event) =>
          /receive|vanish/.test(event.event) &&
          'message' in event &&
          event.message === intervention.message,
      )
      return own !== undefined && !halved && !(fifo && blocked)
    }
    default:
      return null
  }
}

/** Sent first over a link, but ended its way after another; undefined where no order is broken. */
export function overtaken(events: readonly TraceEvent[]): Sending | undefined {
  const sent = new Map<number, Sending>()
  const last = new Map<string, number>()
  for (const event of events) {
    if (event.event === 'send') sent.set(event.message, event)
    if (event.event !== 'receive' && event.event !== 'vanish') continue
    const sending = sent.get(event.message)!
    const way = `${sending.node}/${sending.link}`
    if ((last.get(way) ?? 0) > event.message) return sending
    last.set(way, event.message)
  }
  return undefined
}
