import { afterEach, describe, expect, it, vi } from 'vitest'
import { pairwise } from '../../algorithms/graph/pairwise.ts'
import { itaiRodeh } from '../../algorithms/ring/itai-rodeh.ts'
import { itaiRodehBit } from '../../algorithms/ring/itai-rodeh-bit.ts'
import { timeSlice } from '../../algorithms/ring/time-slice.ts'
import { algorithm, message, nat, Random } from '../../core/index.ts'
import type { Property } from '../../core/language/problem.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import type { World } from '../../core/language/world.ts'
import { complete } from '../../core/networks/complete.ts'
import { network } from '../../core/networks/network.ts'
import { ring } from '../../core/networks/ring.ts'
import { factorial, permutationAt } from '../../core/numbers.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import { type CheckOptions, checkWorld } from '../index.ts'
import type { FaultState } from '../model/faults/fault-state.ts'
import { TransitionSystem } from '../model/transition-system.ts'
import { BreadthFirstSearch } from '../search/breadth-first.ts'
import { StateOrbits } from './state-orbits.ts'

const RULES = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
const LIMITS = { states: 10_000 }

type Model = Omit<CheckOptions, 'properties' | 'limits'>

function worldOf(
  algorithm: World['algorithm'],
  topology: Topology,
  params: World['params'] = {},
  ids = Array.from({ length: topology.n }, (_, i) => i + 1),
): World {
  return { algorithm, topology, params, ids: Float64Array.from(ids) }
}

/** All permutations of the positions that preserve links and, unless nodes meet, their numbers. */
function motions({ topology, algorithm }: World): number[][] {
  const { n } = topology
  const ends = (node: number) =>
    linksOf(topology, node).map((link) => topology.neighbor(node, link))
  const numbered = (to: number[], node: number) =>
    linksOf(topology, node).every(
      (link) =>
        to[topology.neighbor(node, link)] === topology.neighbor(to[node], link) &&
        topology.back(node, link) === topology.back(to[node], link),
    )
  const joined = (to: number[], node: number) =>
    `${ends(node)
      .map((end) => to[end])
      .toSorted()}` === `${ends(to[node]).toSorted()}`
  const preserves = algorithm.meet === null ? numbered : joined
  return Array.from({ length: factorial(n) }, (_, i) => permutationAt(n, i).map((at) => at - 1))
    .filter((to) => to.every((image, node) => topology.degree(node) === topology.degree(image)))
    .filter((to) => to.every((_, node) => preserves(to, node)))
}

/** The loaded state in words, with the nodes moved: what each node is, and what it has sent. */
function described(system: TransitionSystem, to: readonly number[]): string {
  const { cache, vector, n, stageCell } = system
  const { cells } = vector
  const { topology } = cache.world
  const now = (system.faults as unknown as { current: FaultState } | null)?.current
  const nodes: unknown[] = []
  for (let node = 0; node < n; node++) {
    const { state, timers, drawn } = cache.localStates[node].list[cells[node]]
    const sent = cache.channels.flatMap(({ route, list }, i) =>
      route.from === node && cells[n + i] > 0 ? [[route.out, list[cells[n + i]]]] : [],
    )
    nodes[to[node]] = [state, timers, drawn, sent, faultsAt(node)]
  }
  return JSON.stringify([nodes, cells[stageCell], now?.spent, now?.partitions.map(sides)])

  function faultsAt(node: number) {
    const here = now?.notices.filter((it) => it.node === node) ?? []
    const notices = here.map(({ notice, remaining }) => [notice.event, notice.link, remaining])
    const cut = linksOf(topology, node).filter((link) =>
      now?.cut.includes(topology.channel(node, link)),
    )
    return [now?.dead.includes(node), now?.paused.includes(node), cut, notices]
  }

  function sides({ side, oneWay }: FaultState['partitions'][number]) {
    const inside = (node: number) => side.includes(to.indexOf(node))
    const nodes = to.map((_, node) => (inside(node) === inside(0) ? 'as the first' : 'not'))
    return [nodes, oneWay ? inside(0) : 'both ways']
  }
}

/** The number of orbits of all states, by plain enumeration. */
function orbitsOf(world: World, model: Model): { orbits: number; states: number } {
  const system = new TransitionSystem(world, model)
  const moves = motions(world)
  const identity = moves.find((to) => to.every((image, node) => image === node))!
  const [states, orbits] = [new Set<string>(), new Set<string>()]
  const queue: Uint32Array[] = []
  const add = () => {
    const name = described(system, identity)
    if (states.has(name) || states.size > LIMITS.states) return
    states.add(name)
    const starting = system.vector.cells[system.stageCell] < system.starters.length
    const names = starting ? [name] : moves.map((to) => described(system, to))
    orbits.add(names.toSorted()[0])
    queue.push(system.vector.cells.slice())
  }
  add()
  for (const cells of queue) {
    system.vector.cells.set(cells)
    system.vector.rehash()
    system.successors(add)
  }
  return { orbits: orbits.size, states: states.size }
}

function searched(world: World, model: Model, exact: boolean) {
  const system = new TransitionSystem(world, model)
  const orbits = StateOrbits.of(system, []) as StateOrbits
  const search = new BreadthFirstSearch(system, [], LIMITS, { exact, orbits })
  search.run()
  expect(search.reason).toBe(null)
  return { states: search.states, automorphisms: orbits.automorphisms }
}

const CALL = message({})
/** Calls its next node, and leads if it is told of a failure. */
const omitting = algorithm({
  name: 'omitting',
  needs: { topology: 'complete', knows: ['liveness', 'direction'] },
  messages: { CALL },
  state: { calls: nat },
  wakes: false,
  start: (_, net) => net.send(net.links[0], CALL, {}),
  on: {
    CALL(my) {
      my.calls++
    },
  },
  down: (_, __, net) => net.lead(),
})
const parted = { partitions: 1, oneWay: true, detect: 'off' } as const
const hypercube = network('hypercube:2', { random: Random.from(1) })
const path = network('edges:0-1,1-2,2-3', { random: Random.from(1) })
const [allFour, allFive] = [4, 5].map((n) => ({ ...RULES, wake: [...Array(n).keys()] }))
const inRounds = { ...allFour, mode: { clocked: 1 } }
const clocked = { ...RULES, mode: { clocked: 2 } } as const

describe('orbits of states', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each<[string, World, Model, number]>([
    ['a ring', worldOf(itaiRodehBit, ring(3), { ids: 3 }), RULES, 3],
    ['a larger ring', worldOf(itaiRodehBit, ring(4), { ids: 2 }), RULES, 4],
    ['a limit of choices', worldOf(itaiRodeh, ring(3)), { ...RULES, draws: 2 }, 3],
    ['a clock', worldOf(itaiRodehBit, ring(3), { ids: 2 }), clocked, 3],
    ['all start', worldOf(itaiRodehBit, ring(3), { ids: 2 }), { ...RULES, wake: [0, 1, 2] }, 3],
    ['repeated ids', worldOf(timeSlice, ring(4), {}, [1, 2, 1, 2]), inRounds, 2],
    ['losses', worldOf(omitting, complete(3)), { ...RULES, faults: { losses: 1 } }, 3],
    ['pauses', worldOf(omitting, complete(3)), { ...clocked, faults: { pauses: 1 } }, 3],
    ['reports', worldOf(omitting, complete(3)), { ...RULES, faults: { crashes: 2 } }, 3],
    ['cuts', worldOf(omitting, complete(3)), { ...RULES, faults: { cuts: 2 } }, 3],
    ['partitions', worldOf(omitting, complete(3)), { ...RULES, faults: parted }, 3],
    ['meetings of all', worldOf(pairwise, complete(5), { walk: 'on' }), allFive, 120],
    ['shuffled links', worldOf(pairwise, shuffled(4), { walk: 'off' }), allFour, 24],
    ['meetings on a ring', worldOf(pairwise, ring(5), { walk: 'on' }), allFive, 10],
    ['meetings on a cube', worldOf(pairwise, hypercube, { walk: 'on' }), allFour, 8],
    ['meetings on a path', worldOf(pairwise, path, { walk: 'on' }), allFour, 2],
  ])('are those of a plain enumeration: %s', (_, world, model, automorphisms) => {
    const { orbits, states } = orbitsOf(world, model)
    expect(states).toBeLessThan(LIMITS.states)
    expect(orbits).toBeLessThan(states)
    for (const exact of [false, true])
      expect(searched(world, model, exact)).toEqual({ states: orbits, automorphisms })
  })

  it.each<[string, World, Model]>([
    ['a ring', worldOf(itaiRodehBit, ring(3), { ids: 2 }), RULES],
    ['meetings of all', worldOf(pairwise, complete(5), { walk: 'on' }), allFive],
  ])('have sizes that add up to all states: %s', (_, world, model) => {
    const system = new TransitionSystem(world, model)
    const orbits = StateOrbits.of(system, []) as StateOrbits
    const sizes = new Map<string, number>()
    const queue = [system.vector.cells.slice()]
    for (const cells of queue) {
      system.vector.cells.set(cells)
      system.vector.rehash()
      const name = orbits.load(system.vector).cells.join()
      if (sizes.has(name)) continue
      sizes.set(name, orbits.sizeOf(system.vector))
      system.successors(() => queue.push(system.vector.cells.slice()))
    }
    const sum = [...sizes.values()].reduce((a, b) => a + b)
    expect(sum).toBe(orbitsOf(world, model).states)
  })

  it('would be too many if the canonical state depended on positions', () => {
    const prototype = StateOrbits.prototype as unknown as { hashNodes(): void }
    vi.spyOn(prototype, 'hashNodes').mockImplementation(function (this: { hashes: Int32Array }) {
      for (const node of this.hashes.keys()) this.hashes[node] = node
    })
    const world = worldOf(itaiRodehBit, ring(3), { ids: 2 })
    expect(searched(world, RULES, true).states).toBe(orbitsOf(world, RULES).states)
  })

  it('have channels, too: those with the same number at every node', () => {
    const system = new TransitionSystem(worldOf(itaiRodehBit, ring(3), { ids: 2 }), RULES)
    const orbits = StateOrbits.of(system, []) as StateOrbits
    for (const [i, { route }] of system.cache.channels.entries()) {
      const alike = system.cache.channels.flatMap((other, k) =>
        other.route.out === route.out ? [3 + k] : [],
      )
      expect([...orbits.imagesOf(3 + i)].toSorted((a, b) => a - b)).toEqual(alike)
    }
  })
})

const electoral = leaderElection.properties(false, { ...itaiRodeh })

function detailOf(world: World, more: Partial<CheckOptions> = {}): string {
  const options = { ...RULES, reduction: 'auto', properties: electoral, limits: LIMITS } as const
  return checkWorld(world, { ...options, ...more }).reduction.detail
}

describe('symmetry reduction', () => {
  const world = worldOf(itaiRodehBit, ring(3), { ids: 2 })

  it('is used with the other reductions, and not where it is switched off', () => {
    expect(detailOf(world)).toBe('persistent sets, eager wake-up, symmetry (3 automorphisms)')
    expect(detailOf(world, { reduction: 'off' })).toBe('none (switched off)')
    expect(detailOf(world, clocked)).toBe('stubborn sets, symmetry (3 automorphisms)')
    expect(detailOf(worldOf(pairwise, complete(4), { walk: 'on' }))).toBe(
      'symmetry (all permutations of nodes); no partial order (not applicable where nodes meet)',
    )
  })

  it('is not mentioned where the world has none', () => {
    const none = 'persistent sets, eager wake-up'
    expect(detailOf(worldOf(itaiRodehBit, ring(1), { ids: 2 }))).toBe(none)
    const weights = Float64Array.of(1, 2, 3, 4, 5, 6)
    expect(detailOf({ ...world, weights })).toBe(none)
    expect(detailOf(world, { wake: [0] })).toBe('persistent sets')
    expect(detailOf(worldOf(timeSlice, ring(4)), inRounds)).toBe('stubborn sets')
  })

  it('says why it cannot be used', () => {
    const first: Property = {
      ...{ name: 'the first', when: 'always', sees: 'single nodes' },
      broken: ({ state }) => (state(0).status === 'leader' ? 'it leads' : null),
    }
    expect(detailOf(world, { properties: [first] })).toBe(
      'none (the violation was searched again without it)',
    )
    const never = { ...first, broken: () => null }
    expect(detailOf(world, { properties: [never] })).toBe(
      'persistent sets, eager wake-up; no symmetry ("the first" may tell positions apart)',
    )
    const faults = { crashes: 1, recoveries: 1, detect: 'off' } as const
    expect(detailOf(world, { faults, properties: [] })).toBe(
      'stubborn sets; no symmetry (hand-overs after recoveries name positions)',
    )
  })

  it('finds a violation, and a shortest run to it', () => {
    const properties: Property[] = [
      {
        ...{ name: 'nobody leads', when: 'always', sees: 'leaders', symmetric: true },
        broken: ({ leaders }) => (leaders.length > 0 ? 'a node leads' : null),
      },
    ]
    const [right, found] = (['off', 'auto'] as const).map((reduction) =>
      checkWorld(world, { ...RULES, reduction, properties, limits: LIMITS }),
    )
    expect(found.violated?.trace).toEqual(right.violated?.trace)
    expect(found.violated?.shortest).toBe(true)
  })
})

function shuffled(n: number): Topology {
  return complete(n, { shuffled: Random.from(3) })
}
