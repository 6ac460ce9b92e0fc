import type { Link, State, World } from '../../src/core/index.ts'
import { linksOf } from '../../src/core/language/topology.ts'
import { initialState } from '../../src/core/language/world.ts'
import { Handling } from './reference-handling.ts'
import { type Flight, keyOf, type ReferenceState, textOf } from './reference-state.ts'

/* A second checker, written naively: a state is a text, and nothing is interned. */

export interface ReferenceOptions {
  readonly mode?: 'untimed' | 'patient'
  readonly order?: 'fifo' | 'any'
  readonly wake: 'any' | readonly number[]
  readonly crashes?: number
  readonly losses?: number
  readonly duplicates?: number
  /** Whether neighbours are notified of a crash, each at its own time. */
  readonly detector?: boolean
  /** Which successors of a state are expanded; all if omitted. */
  readonly among?: (
    now: ReferenceState,
    all: readonly ReferenceState[],
    isNew: (next: ReferenceState) => boolean,
  ) => readonly ReferenceState[]
}

/** Breadth-first search; visits the local states, whether the state is quiescent, and all of it. */
export function referenceCheck(
  world: World,
  rules: ReferenceOptions,
  see: (states: readonly State[], quiet: boolean, now: ReferenceState) => void = () => {},
): { states: number; transitions: number } {
  const { topology } = world
  const { mode = 'untimed', order = 'fifo', wake, detector = false } = rules
  const positions = Array.from({ length: topology.n }, (_, node) => node)
  const routes = positions.flatMap((from) =>
    linksOf(topology, from).map((link) => {
      const [to, back] = [topology.neighbor(from, link), topology.back(from, link)]
      return { from, link, to, back, channel: topology.channel(from, link) }
    }),
  )
  const innocent = { timers: [], dead: false, down: [], news: [] }

  /** Every outcome of a handler, complete or interrupted by a crash. */
  function* acts(
    now: ReferenceState,
    node: number,
    act: (handling: Handling) => void,
    down?: Link[],
  ) {
    const todo: number[][] = [[]]
    for (const coins of todo) {
      const before = now.nodes[node]
      const handling = new Handling(world, node, before, down ?? before.down, coins)
      act(handling)
      const { drawn, sends } = handling
      const values = drawn.map(({ value }) => value)
      for (let i = coins.length; i < drawn.length; i++)
        for (let other = 1; other < drawn[i].of; other++) todo.push([...values.slice(0, i), other])
      const after = { ...now, nodes: now.nodes.with(node, handling.outcome) }
      yield sent(after, node, sends)
      for (let some = 1; some < sends.length; some++)
        yield* crashed(sent(after, node, sends.slice(0, some)), node)
    }
  }

  function sent(now: ReferenceState, node: number, sends: Handling['sends']): ReferenceState {
    const flights = [...now.flights]
    for (const { link, flight } of sends)
      if (!now.nodes[topology.neighbor(node, link)].dead) {
        const channel = topology.channel(node, link)
        flights[channel] = [...flights[channel], flight]
        if (order === 'any') flights[channel].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
      }
    return { ...now, flights }
  }

  function* crashed(now: ReferenceState, node: number) {
    const deaths = now.nodes.filter(({ dead }) => dead).length
    if (deaths === (rules.crashes ?? 0) || now.nodes[node].dead) return
    const nodes = now.nodes.with(node, { ...innocent, my: initialState(world, node), dead: true })
    for (const { from, link, to } of routes)
      if (to === node && detector && !nodes[from].dead)
        nodes[from] = { ...nodes[from], news: [...nodes[from].news, link].sort((a, b) => a - b) }
    const gone = new Set(routes.filter(({ to }) => to === node).map(({ channel }) => channel))
    yield { ...now, nodes, flights: now.flights.map((it, i) => (gone.has(i) ? [] : it)) }
  }

  /** Adjacent equal messages in a channel are interchangeable. */
  const distinct = (all: readonly Flight[]) =>
    [...all.keys()].filter((i) => i === 0 || textOf(all[i]) !== textOf(all[i - 1]))

  const still = ({ flights }: ReferenceState) => flights.every(({ length }) => length === 0)

  /** Quiescent: no event is pending except spontaneous starts, and some node has woken. */
  const quiet = (now: ReferenceState) =>
    still(now) &&
    (wake === 'any' || now.started === wake.length) &&
    now.nodes.some(({ my, dead }) => my.status !== 'asleep' && !dead) &&
    now.nodes.every(({ timers, news }) => timers.length + news.length === 0)

  function* moves(now: ReferenceState): Generator<ReferenceState> {
    const { nodes, flights, started, lost, doubled } = now
    for (const node of positions) yield* crashed(now, node)
    for (const [channel, all] of flights.entries())
      for (const i of distinct(all)) {
        const changed = (...instead: Flight[]) =>
          flights.with(channel, all.toSpliced(i, 1, ...instead))
        if (lost < (rules.losses ?? 0)) yield { ...now, flights: changed(), lost: lost + 1 }
        if (doubled < (rules.duplicates ?? 0))
          yield { ...now, flights: changed(all[i], all[i]), doubled: doubled + 1 }
      }
    for (const node of positions)
      for (const link of nodes[node].news) {
        const news = nodes[node].news.filter((other) => other !== link)
        const told = { ...now, nodes: nodes.with(node, { ...nodes[node], news }) }
        const down = [...nodes[node].down, link].sort((a, b) => a - b)
        yield* acts(told, node, (it) => it.tell(link), down)
      }
    if (wake !== 'any' && started < wake.length)
      return yield* acts({ ...now, started: started + 1 }, wake[started], (it) => it.begin())
    for (const [node, { my, dead, timers }] of nodes.entries()) {
      if (wake === 'any' && my.status === 'asleep' && !dead)
        yield* acts(now, node, (it) => it.begin())
      if (mode === 'untimed' || still(now))
        for (const timer of timers) yield* acts(now, node, (it) => it.go(timer))
    }
    for (const { channel, to, back } of routes)
      for (const i of distinct(flights[channel])) {
        if (order === 'fifo' && i > 0) break
        const rest = { ...now, flights: flights.with(channel, flights[channel].toSpliced(i, 1)) }
        yield* acts(rest, to, (it) => it.take(flights[channel][i], back))
      }
  }

  const nodes = positions.map((node) => ({ ...innocent, my: initialState(world, node) }))
  const flights = Array.from({ length: topology.channels }, () => [])
  const todo: ReferenceState[] = [{ nodes, flights, started: 0, lost: 0, doubled: 0 }]
  const seen = new Set([keyOf(todo[0])])
  const isNew = (next: ReferenceState) => !seen.has(keyOf(next))
  let transitions = 0
  for (const now of todo) {
    see(
      now.nodes.map(({ my }) => my),
      quiet(now),
      now,
    )
    const all = [...moves(now)]
    for (const next of rules.among?.(now, all, isNew) ?? all) {
      transitions++
      if (!isNew(next)) continue
      seen.add(keyOf(next))
      todo.push(next)
    }
  }
  return { states: todo.length, transitions }
}
