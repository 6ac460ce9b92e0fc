import { describe, expect, it } from 'vitest'
import { lcr } from '../../algorithms/ring/lcr.ts'
import {
  type Algorithm,
  algorithm,
  left,
  maybe,
  message,
  nat,
  type Property,
  set,
  type TraceEvent,
  timer,
  uid,
} from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { ring } from '../../core/networks/ring.ts'
import { type CheckOptions, checkWorld, type ExplainedRun } from '../index.ts'

const NUMBER = message({ value: nat })

/** Sends everything twice in both directions for a while: many equal messages in flight. */
const chatter = algorithm({
  name: 'chatter',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { NUMBER },
  state: { heard: nat },
  wakes: true,
  start(_, net) {
    for (const value of [1, 1]) net.sendAll(NUMBER, { value })
  },
  on: {
    NUMBER(my, { value }, net) {
      my.heard += value
      if (my.heard > 3) net.lead()
      if (my.heard > 5) net.follow(my.id)
      net.send(net.onward, NUMBER, { value: value + 1 })
    },
  },
  theory: lcr.theory,
})

function storyOf(n: number, changes: Partial<CheckOptions>): { world: World; story: ExplainedRun } {
  const ids = Float64Array.from({ length: n }, (_, node) => 10 + node)
  const world = { algorithm: chatter, topology: ring(n), ids, params: {} }
  const { violated } = checkWorld(world, {
    mode: 'untimed',
    order: 'fifo',
    wake: 'any',
    limits: { states: 100_000 },
    properties: [
      {
        name: 'no node hears much',
        says: 'No node hears more than seven.',
        when: 'always',
        broken: ({ state }) => ((state(0).heard as number) > 7 ? 'much' : null),
      },
    ],
    ...changes,
  })
  return { world, story: violated! }
}

type Of<E> = Extract<TraceEvent, { event: E }>

describe('an explained counterexample', () => {
  const modes: CheckOptions['mode'][] = ['untimed', 'patient', { clocked: 1 }, { clocked: 2 }]
  const cases = [1, 2, 3].flatMap((n) =>
    modes.flatMap((mode) => (['fifo', 'any'] as const).map((order) => ({ n, mode, order }))),
  )

  it.each(cases)('is a run that can happen ($n nodes, $mode, $order)', ({ n, mode, order }) => {
    const { world, story } = storyOf(n, { mode, order })
    const { topology } = world
    const inFlight = new Map<number, Of<'send'>>()
    const lastOn = new Map<number, number>()
    let now = 0
    for (const event of story.events) {
      expect(event.at).toBeGreaterThanOrEqual(now)
      now = event.at
      if (event.event === 'send') {
        expect(inFlight.has(event.message)).toBe(false)
        expect(event.to).toBe(topology.neighbor(event.node, event.link))
        inFlight.set(event.message, event)
      }
      if (event.event !== 'receive') continue
      const sent = inFlight.get(event.message)!
      inFlight.delete(event.message)
      expect(sent).toMatchObject({ node: event.from, to: event.node, type: event.type })
      expect(sent.body).toEqual(event.body)
      expect(topology.back(sent.node, sent.link)).toBe(event.link)
      expect(event.at).toBeGreaterThan(sent.at)
      if (typeof mode !== 'string') expect(event.at - sent.at).toBeLessThanOrEqual(mode.clocked)
      const channel = topology.channel(sent.node, sent.link)
      if (order === 'fifo') expect(event.message).toBeGreaterThan(lastOn.get(channel) ?? -1)
      lastOn.set(channel, event.message)
    }
  })

  it('has the same steps as events', () => {
    const { unit, trace, events } = storyOf(2, {}).story
    expect(unit).toBe('step')
    const causes = events.filter(({ event }) => event === 'wake' || event === 'receive')
    expect(trace.map(({ at, event, node }) => [at, event, node])).toEqual(
      causes.map(({ event, node }, i) => [i + 1, event, node]),
    )
    const sends = events.filter(({ event }) => event === 'send') as Of<'send'>[]
    expect(trace.flatMap(({ sends }) => sends)).toEqual(
      sends.map(({ to, type, body }) => ({ to, type, body })),
    )
  })

  it('says how much time passes', () => {
    const texts = (clocked: number) =>
      storyOf(1, { mode: { clocked } }).story.trace.map(({ text }) => text)
    expect(texts(1)).toContain('One round passes.')
    expect(texts(2)).toContain('One unit of time passes.')
  })
})

describe('the steps', () => {
  const toTheEnd = (
    definition: Algorithm,
    ids: readonly number[],
    names?: ReadonlyMap<number, number>,
  ) => {
    const topology = ring(ids.length)
    const world = {
      algorithm: definition,
      topology,
      ids: Float64Array.from(ids),
      params: {},
      ...(names && { names }),
    }
    const endless: Property = {
      name: 'no end',
      says: 'It goes on.',
      when: 'at the end',
      broken: () => 'it ended',
    }
    return checkWorld(world, {
      mode: 'untimed',
      order: 'fifo',
      wake: ids.map((_, node) => node),
      limits: { states: 1000 },
      properties: [endless],
    }).violated!
  }

  it('have their outcomes', () => {
    const { trace } = toTheEnd(lcr, [1, 2])
    expect(trace).toMatchObject([
      { node: 0, event: 'wake', sends: [{ to: 1, type: 'election', body: { id: 1 } }] },
      { node: 1, event: 'wake', sends: [{ to: 0, type: 'election', body: { id: 2 } }] },
      { event: 'receive' },
      { event: 'receive' },
      { node: 1, from: 0, type: 'election', becomes: 'leader' },
      { node: 0, from: 1, type: 'leader', becomes: 'lost', stops: true },
      { node: 1, from: 0, type: 'leader', body: { id: 2 }, stops: true, sends: [] },
    ])
    expect(trace[5].text).toBe(
      'Position 0 (id 1) receives leader(id 2) from position 1, follows id 2, ' +
        'sends leader(id 2) to position 1 and stops.',
    )
  })

  it('have what changed in the state of the node, with ids for keys', () => {
    const NEWS = message({ id: uid })
    const PAUSE = timer()
    const curious = algorithm({
      name: 'curious',
      needs: { topology: 'ring', ids: 'unique' },
      messages: { NEWS },
      timers: { PAUSE },
      wakes: true,
      state: { best: maybe(uid), seen: set(uid) },
      start(my, net) {
        my.best = my.id
        net.after(3, PAUSE)
        net.send(left, NEWS, { id: my.id })
      },
      on: {
        NEWS(my, { id }, net) {
          my.seen.add(id)
          net.cancel(PAUSE)
          if (id > my.best!) my.best = id
        },
      },
      timeout: { PAUSE: (_, net) => net.stop() },
      theory: lcr.theory,
    })
    const { trace } = toTheEnd(
      curious,
      [1, 2],
      new Map([
        [1, 70],
        [2, 50],
      ]),
    )
    expect(trace.map(({ text }) => text)).toEqual([
      'Position 0 (id 70) wakes and sends news(id 70) to position 1; best: - -> 70; it sets timer pause.',
      'Position 1 (id 50) wakes and sends news(id 50) to position 0; best: - -> 50; it sets timer pause.',
      'Position 1 (id 50) receives news(id 70) from position 0; seen: + 70; it cancels timer pause.',
      'Position 0 (id 70) receives news(id 50) from position 1; best: 70 -> 50, seen: + 50; it cancels timer pause.',
    ])
    expect(trace[3]).toMatchObject({
      changes: [
        { field: 'best', from: 70, to: 50 },
        { field: 'seen', from: [], to: [50] },
      ],
      cancels: ['pause'],
    })
    expect(trace[0].sets).toEqual([{ timer: 'pause' }])
  })

  it('show when a message is ignored', () => {
    const hasty = algorithm({
      name: 'hasty',
      needs: { topology: 'ring' },
      messages: { NUMBER },
      state: {},
      wakes: true,
      start: (_, net) => net.sendAll(NUMBER, { value: 1 }),
      on: { NUMBER: (_, __, net) => net.stop() },
      theory: lcr.theory,
    })
    const { trace, events } = toTheEnd(hasty, [0])
    expect(trace.map(({ text }) => text)).toEqual([
      'Position 0 wakes and sends number(value 1) to position 0 twice.',
      'Position 0 receives number(value 1) from position 0 and stops.',
      'Position 0 has stopped and ignores number(value 1) from position 0.',
    ])
    expect(events.at(-1)).toMatchObject({ event: 'receive', ignored: true })
  })
})
