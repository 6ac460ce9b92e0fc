import type { Link, State, World } from '../../src/core/index.ts'
import { linksOf } from '../../src/core/language/topology.ts'
import { initialState } from '../../src/core/language/world.ts'
import { Handling } from './reference-handling.ts'
import { type Flight, textOf } from './reference-state.ts'

/*
 * Liveness decided naively, for comparison: a state is a text, and where a fair run can stay is
 * found by removing what must be left, again and again. It shares no code with the checker.
 */

export interface FairRules {
  /** The largest delay of a message; null: no clock. */
  readonly delay: number | null
  /** Without a clock: whether timers fire only when nothing is in flight. */
  readonly patient: boolean
  readonly fifo: boolean
  /** The nodes that start at the beginning; any: each at any time, or never. */
  readonly wake: 'any' | readonly number[]
  readonly losses: number
}

interface Armed {
  readonly timer: number
  readonly left: number
}

interface Sent extends Flight {
  readonly age: number
}

interface Moment {
  readonly nodes: readonly { readonly my: State; readonly timers: readonly Armed[] }[]
  readonly flights: readonly (readonly Sent[])[]
  readonly started: number
  readonly lost: number
}

/** Something that can happen; where a coin is tossed it has several outcomes. */
interface Step {
  /** What is owed if it can happen from some time on; null for what need not happen. */
  readonly owed: string | null
  readonly outcomes: readonly Moment[]
  /** The timers that it sets. */
  readonly sets: readonly string[]
}

/** Keeps the delays of timers, too. */
class TimedHandling extends Handling {
  readonly delays = new Map<number, number>()

  protected override setTimer(timer: number, delay = 0): void {
    super.setTimer(timer)
    this.delays.set(timer, delay)
  }
}

/** Everything that can happen in a world. */
class Steps {
  private readonly routes
  constructor(
    private readonly world: World,
    private readonly rules: FairRules,
  ) {
    const { topology } = world
    this.routes = Array.from({ length: topology.n }, (_, from) =>
      linksOf(topology, from).map((link) => ({
        to: topology.neighbor(from, link),
        back: topology.back(from, link),
        channel: topology.channel(from, link),
      })),
    ).flat()
  }

  get first(): Moment {
    const { topology } = this.world
    return {
      nodes: Array.from({ length: topology.n }, (_, node) => ({
        my: initialState(this.world, node),
        timers: [],
      })),
      flights: Array.from({ length: topology.channels }, () => []),
      started: 0,
      lost: 0,
    }
  }

  from(now: Moment): Step[] {
    const { delay, patient, fifo, wake, losses } = this.rules
    const { nodes, flights, started, lost } = now
    if (wake !== 'any' && started < wake.length)
      return [
        this.act({ ...now, started: started + 1 }, wake[started], 'start', (it) => it.begin()),
      ]
    const steps: Step[] = []
    const overdue = delay !== null && flights.flat().some(({ age }) => age >= delay)
    const due = nodes.some(({ timers }) => timers.some(({ left }) => left <= 0))
    const quiet = flights.every(({ length }) => length === 0)
    for (const { to, back, channel } of this.routes)
      for (const [i, flight] of flights[channel].entries()) {
        const rest = flights.with(channel, flights[channel].toSpliced(i, 1))
        if (lost < losses)
          steps.push({
            owed: null,
            outcomes: [{ ...now, flights: rest, lost: lost + 1 }],
            sets: [],
          })
        if ((fifo && i > 0) || (delay !== null && flight.age === 0)) continue
        const owed = `channel ${channel} ${fifo ? '' : textOf([flight.kind, flight.body])}`
        steps.push(this.act({ ...now, flights: rest }, to, owed, (it) => it.take(flight, back)))
      }
    for (const [node, { my, timers }] of nodes.entries()) {
      if (wake === 'any' && my.status === 'asleep')
        steps.push({ ...this.act(now, node, '', (it) => it.begin()), owed: null })
      for (const { timer, left } of timers)
        if (delay === null ? !patient || quiet : left <= 0 && !overdue)
          steps.push(this.act(now, node, `timer ${node} ${timer}`, (it) => it.go(timer)))
    }
    if (
      delay !== null &&
      !overdue &&
      !due &&
      !(quiet && nodes.every((it) => it.timers.length === 0))
    )
      steps.push({ owed: 'clock', outcomes: [later(now)], sets: [] })
    return steps
  }

  private act(now: Moment, node: number, owed: string, run: (it: TimedHandling) => void): Step {
    const { topology } = this.world
    const { my, timers } = now.nodes[node]
    const outcomes: Moment[] = []
    const sets = new Set<string>()
    const todo: number[][] = [[]]
    for (const coins of todo) {
      const before = { my, timers: timers.map((it) => it.timer), dead: false, down: [], news: [] }
      const handling = new TimedHandling(this.world, node, before, [], coins)
      run(handling)
      const values = handling.drawn.map(({ value }) => value)
      for (let i = coins.length; i < values.length; i++)
        for (let other = 1; other < handling.drawn[i].of; other++)
          todo.push([...values.slice(0, i), other])
      const { delays, outcome } = handling
      for (const timer of delays.keys()) sets.add(`timer ${node} ${timer}`)
      const left = (timer: number) =>
        delays.get(timer) ?? timers.find((it) => it.timer === timer)!.left
      const armed = outcome.timers.map((timer) => ({
        timer,
        left: this.rules.delay === null ? 0 : left(timer),
      }))
      const flights = [...now.flights]
      for (const { link, flight } of handling.sends) {
        const channel = topology.channel(node, link as Link)
        flights[channel] = [...flights[channel], { ...flight, age: 0 }]
      }
      outcomes.push({
        ...now,
        flights,
        nodes: now.nodes.with(node, { my: outcome.my, timers: armed }),
      })
    }
    return { owed, outcomes, sets: [...sets] }
  }
}

function later(now: Moment): Moment {
  return {
    ...now,
    nodes: now.nodes.map(({ my, timers }) => ({
      my,
      timers: timers.map(({ timer, left }) => ({ timer, left: left - 1 })),
    })),
    flights: now.flights.map((all) => all.map((it) => ({ ...it, age: it.age + 1 }))),
  }
}

interface Choice {
  readonly owed: string | null
  readonly to: readonly number[]
  readonly sets: readonly string[]
}

export interface FairGraph {
  readonly choices: readonly (readonly Choice[])[]
  readonly leads: readonly boolean[]
  /** Where a run may end. */
  readonly ends: readonly boolean[]
}

/** The graph of all states of a world. */
export function fairGraph(world: World, rules: FairRules, most = 5000): FairGraph {
  const steps = new Steps(world, rules)
  const numbers = new Map<string, number>()
  const moments: Moment[] = []
  const numberOf = (moment: Moment) => {
    const key = textOf(moment)
    if (!numbers.has(key)) numbers.set(key, moments.push(moment) - 1)
    return numbers.get(key)!
  }
  numberOf(steps.first)
  const choices: Choice[][] = []
  for (const moment of moments) {
    if (moments.length > most) throw new Error(`more than ${most} states`)
    choices.push(
      steps
        .from(moment)
        .map(({ owed, outcomes, sets }) => ({ owed, sets, to: outcomes.map(numberOf) })),
    )
  }
  const isEnd = ({ nodes }: Moment, i: number) =>
    choices[i].every(({ owed }) => owed === null) && nodes.some(({ my }) => my.status !== 'asleep')
  return {
    choices,
    leads: moments.map(({ nodes }) => nodes.some(({ my }) => my.status === 'leader')),
    ends: moments.map(isEnd),
  }
}

/** Where a scheduler can keep a run for ever: states, and the choices that stay among them. */
interface Stay {
  readonly states: ReadonlySet<number>
  choices(state: number): readonly Choice[]
}

/** The largest sets of these states in which a run can stay, going everywhere again and again. */
function staysAmong({ choices }: FairGraph, some: ReadonlySet<number>): Stay[] {
  const within = (states: ReadonlySet<number>, state: number) =>
    choices[state].filter(({ to }) => to.every((next) => states.has(next)))
  const reached = (states: ReadonlySet<number>, from: number) => {
    const found = new Set<number>()
    const todo = within(states, from).flatMap(({ to }) => to)
    for (const state of todo) {
      if (found.has(state)) continue
      found.add(state)
      todo.push(...within(states, state).flatMap(({ to }) => to))
    }
    return found
  }
  const [first] = some
  if (first === undefined) return []
  // Forth and back from one state: together its component; the others are looked at by themselves.
  const forth = reached(some, first)
  const component = new Set([...forth].filter((state) => reached(some, state).has(first)))
  const rest = new Set(some)
  if (!component.has(first)) {
    rest.delete(first)
    return staysAmong({ choices } as FairGraph, rest)
  }
  for (const state of component) rest.delete(state)
  const closed = [...component].every((state) => within(component, state).length > 0)
  const whole =
    closed && [...component].every((state) => reached(component, state).size === component.size)
  const stays = whole
    ? [{ states: component, choices: (state: number) => within(component, state) }]
    : staysAmong(
        { choices } as FairGraph,
        new Set([...component].filter((state) => within(component, state).length > 0)),
      )
  return [...stays, ...staysAmong({ choices } as FairGraph, rest)]
}

/** What setting a timer anew means: the same timer is owed, or another one. */
type Reading = 'timer' | 'setting'

function isFair({ choices: all }: FairGraph, stay: Stay, reading: Reading): boolean {
  const states = [...stay.states]
  const [first] = states
  return all[first].every(({ owed }) => {
    if (owed === null) return true
    const inside = states.flatMap((state) => stay.choices(state))
    if (inside.some((choice) => choice.owed === owed)) return true
    if (reading === 'setting' && inside.some(({ sets }) => sets.includes(owed))) return true
    return !states.every((state) => all[state].some((choice) => choice.owed === owed))
  })
}

function verdictBy(graph: FairGraph, property: string, reading: Reading): boolean {
  const { choices, leads, ends } = graph
  const all = new Set(choices.keys())
  const fair = (some: ReadonlySet<number>) =>
    staysAmong(graph, some).filter((stay) => isFair(graph, stay, reading))
  if (property === 'every fair run ends') return fair(all).length === 0
  if (property === 'eventually a leader') {
    // As far as nobody has led.
    const before = new Set(leads[0] ? [] : [0])
    for (const state of before)
      for (const { to } of choices[state]) for (const next of to) if (!leads[next]) before.add(next)
    return ![...before].some((state) => ends[state]) && fair(before).length === 0
  }
  const broken = (state: number) => !leads[state]
  if ([...all].some((state) => ends[state] && broken(state))) return false
  return !fair(all).some(({ states }) => [...states].some(broken))
}

/** Whether a property holds; null if that depends on what setting a timer anew means. */
export function fairVerdict(graph: FairGraph, property: string): boolean | null {
  const [byTimer, bySetting] = (['timer', 'setting'] as const).map((reading) =>
    verdictBy(graph, property, reading),
  )
  return byTimer === bySetting ? byTimer : null
}
