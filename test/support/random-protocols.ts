import { checkWorld } from '../../src/check/index.ts'
import {
  type Algorithm,
  algorithm,
  type Link,
  type My,
  maybe,
  message,
  type NetOf,
  nat,
  network,
  Random,
  ring,
  timer,
  type World,
} from '../../src/core/index.ts'
import { complete } from '../../src/core/networks/complete.ts'
import { leaderPerTerm } from '../../src/problems/leader-per-term.ts'

/* Random protocols: tables of the actions of a node in each state on each event. */

const LETTER = message({ kind: nat })
const BELL = timer()

const KINDS = 2
const ACTIONS = ['none', 'none', 'none', 'lead', 'follow', 'withdraw', 'stop'] as const

/** What a node does at an event. */
interface Row {
  readonly next: number
  readonly sends: readonly { readonly link: number; readonly kind: number }[]
  readonly action: (typeof ACTIONS)[number]
  readonly bell: 'set' | 'cancel' | 'leave'
}

/** The possible actions, by the outcome of a random choice. */
type Ways = readonly Row[]

interface Taste {
  /** How many states a node has, apart from its fuel. */
  readonly states: number
  /** How many times a node may send; null: without a limit, one message for each received. */
  readonly fuel: number | null
  readonly timers: boolean
  readonly coins: boolean
  /** Leaders are elected term by term; the checker may keep the order of time. */
  readonly terms: 'none' | 'any order' | 'in order'
}

const needs = { topology: 'any', ids: 'numbers', coins: true } as const
const state = { place: nat, fuel: nat }
type Me = My<typeof needs, typeof state>
type Here = NetOf<typeof needs>

function rowOf(random: Random, taste: Taste, degree: number, most: number): Row {
  const sends = Array.from({ length: random.below(most + 1) }, () => ({
    link: random.below(degree),
    kind: random.below(KINDS),
  }))
  return {
    next: random.below(taste.states),
    sends,
    action: ACTIONS[random.below(ACTIONS.length)],
    bell: taste.timers ? (['set', 'cancel', 'leave'] as const)[random.below(3)] : 'leave',
  }
}

function waysOf(random: Random, taste: Taste, degree: number, most: number): Ways {
  const ways = taste.coins && random.below(4) === 0 ? 2 : 1
  return Array.from({ length: ways }, () => rowOf(random, taste, degree, most))
}

function algorithmOf(
  random: Random,
  /** Draws what nodes do at a notice of the failure detector. */
  alarmed: Random,
  taste: Taste,
  degree: number,
): Algorithm {
  const tables = new Map<string, Ways>()
  /** Rows are drawn in a fixed order, whatever the checker does first. */
  const most = taste.fuel === null ? 1 : 2
  for (const role of [0, 1]) {
    tables.set(`start ${role}`, waysOf(random, taste, degree, 2))
    for (let place = 0; place < taste.states; place++) {
      for (const notice of ['down', 'up'])
        tables.set(`${notice} ${role} ${place}`, waysOf(alarmed, taste, degree, 1))
      tables.set(
        `bell ${role} ${place}`,
        waysOf(random, taste, degree, taste.fuel === null ? 0 : 1),
      )
      for (let kind = 0; kind < KINDS; kind++)
        for (let link = 0; link < degree; link++)
          tables.set(`${role} ${place} ${kind} ${link}`, waysOf(random, taste, degree, most))
    }
  }
  const act = (my: Me, event: string, net: Here) => {
    const ways = tables.get(event)!
    const row = ways.length === 1 ? ways[0] : ways[net.choose(ways.length)]
    my.place = row.next
    if (row.sends.length > 0 && (taste.fuel === null || my.fuel < taste.fuel)) {
      if (taste.fuel !== null) my.fuel++
      for (const { link, kind } of row.sends) net.send(net.links[link], LETTER, { kind })
    }
    if (row.bell === 'set') net.after(1, BELL)
    if (row.bell === 'cancel') net.cancel(BELL)
    if (row.action === 'lead') net.lead(...(taste.terms === 'none' ? [] : [{ term: my.place }]))
    if (row.action === 'withdraw' || row.action === 'stop') net[row.action]()
    if (row.action === 'follow') net.follow(my.id)
  }
  const linkOf = (link: Link, net: Here) => net.links.indexOf(link)
  return algorithm({
    name: 'random-protocol',
    needs,
    ...(taste.terms === 'any order' && { problem: leaderPerTerm }),
    ...(taste.terms === 'in order' && { problem: { ...leaderPerTerm, ordered: true } }),
    messages: { LETTER },
    timers: { BELL },
    state,
    wakes: random.below(2) === 0,
    start: (my, net) => act(my, `start ${my.id % 2}`, net),
    on: {
      LETTER: (my, { kind }, net) =>
        act(my, `${my.id % 2} ${my.place} ${kind} ${linkOf(net.from, net)}`, net),
    },
    down: (my, _, net) => act(my, `down ${my.id % 2} ${my.place}`, net),
    up: (my, _, net) => act(my, `up ${my.id % 2} ${my.place}`, net),
    timeout: { BELL: (my, net) => act(my, `bell ${my.id % 2} ${my.place}`, net) },
  })
}

/** In two components, events in one must not hide events in the other. */
function networkOf(n: number, random: Random): World['topology'] {
  if (n === 4 && random.below(3) === 0) return inParts('edges:0-1,2-3', random)
  return random.below(2) === 0 ? ring(n) : complete(n)
}

/** The protocol of a number, on a ring or a complete network of three or four nodes. */
function randomProtocol(seed: number, inTerms: boolean): World {
  const random = Random.from(seed).split('protocol')
  const n = random.below(4) === 0 ? 4 : 3
  const topology = networkOf(n, random)
  const taste: Taste = {
    states: 2 + random.below(2),
    fuel: random.below(5) === 0 ? null : 1 + random.below(n === 3 ? 2 : 1),
    timers: random.below(3) === 0,
    coins: random.below(3) === 0,
    terms: !inTerms ? 'none' : seed % 3 === 0 ? 'in order' : 'any order',
  }
  return {
    algorithm: algorithmOf(random, Random.from(seed).split('alarms'), taste, topology.degree(0)),
    topology,
    ids: Float64Array.from({ length: n }, (_, node) => node),
    params: {},
  }
}

/** The protocol of a number on nodes that are alike, or of two kinds in turn. */
function alike(seed: number): World {
  const world = randomProtocol(seed, false)
  const kinds = world.topology.n === 4 && seed % 2 === 0 ? 2 : 1
  return { ...world, ids: world.ids.map((_, node) => (node + seed) % kinds) }
}

/**
 * The first `count` protocols with at most `states` states, from a seed on; the nodes have
 * different ids, or they are alike.
 */
export function* randomProtocols(
  count: number,
  states: number,
  firstSeed = 1,
  kind: 'different nodes' | 'nodes alike' | 'in terms' = 'different nodes',
): Generator<{ readonly seed: number; readonly world: World }> {
  const rules = { reduction: 'off', mode: 'untimed', order: 'fifo', wake: 'any' } as const
  for (let [seed, found] = [firstSeed, 0]; found < count; seed++) {
    const world = kind === 'nodes alike' ? alike(seed) : randomProtocol(seed, kind === 'in terms')
    if (!checkWorld(world, { ...rules, properties: [], limits: { states } }).exhausted) continue
    found++
    yield { seed, world }
  }
}

/** Two nodes pass a message to and fro forever, out of reach of two others that only wake. */
export function pendulum(): World {
  return {
    algorithm: algorithm({
      name: 'pendulum',
      needs: { topology: 'any', ids: 'numbers' },
      messages: { LETTER },
      state: {},
      wakes: false,
      start(my, net) {
        if (my.id === 0) net.sendAll(LETTER, { kind: 0 })
      },
      on: { LETTER: (_, { kind }, net) => net.send(net.from, LETTER, { kind }) },
    }),
    topology: inParts('edges:0-1,2-3', Random.from(1)),
    ids: Float64Array.of(0, 1, 2, 3),
    params: {},
  }
}

/**
 * Two nodes pass a message to and fro forever, and remember whether it was an odd time. Out of
 * their reach, a node sends two letters to another, which remembers the first that arrives: the
 * second one only where the other is lost.
 */
export function pendulumAndLetters(): { readonly world: World; readonly wake: readonly number[] } {
  const world: World = {
    ...pendulum(),
    algorithm: algorithm({
      name: 'pendulum-and-letters',
      needs: { topology: 'any', ids: 'numbers' },
      messages: { LETTER },
      state: { first: maybe(nat) },
      wakes: false,
      start(my, net) {
        for (const kind of my.id === 0 ? [0] : [0, 1]) net.sendAll(LETTER, { kind })
      },
      on: {
        LETTER(my, { kind }, net) {
          if (my.id > 1) my.first ??= kind
          else {
            my.first = my.first === 1 ? 0 : 1
            net.send(net.from, LETTER, { kind })
          }
        },
      },
    }),
  }
  return { world, wake: [0, 2] }
}

/** Two nodes out of each other's reach, each of which leads once its timer has fired. */
export function timersApart(): { readonly world: World; readonly wake: readonly number[] } {
  const world: World = {
    algorithm: algorithm({
      name: 'timers-apart',
      needs: { topology: 'any', ids: 'unique' },
      messages: { LETTER },
      timers: { BELL },
      state: {},
      wakes: false,
      start: (_, net) => net.after(1, BELL),
      on: { LETTER: () => {} },
      timeout: { BELL: (_, net) => net.lead() },
    }),
    topology: inParts('edges:0-2,1-3', Random.from(1)),
    ids: Float64Array.of(0, 1, 2, 3),
    params: {},
  }
  return { world, wake: [0, 1] }
}

function inParts(edges: string, random: Random): World['topology'] {
  return network(edges, { random, allowComponents: true })
}
