import type { Property } from '../../core/language/problem.ts'
import { factorial } from '../../core/numbers.ts'
import { mixLow, StateVector } from '../model/state-vector.ts'
import type { TransitionSystem } from '../model/transition-system.ts'
import { automorphisms, type NodeMap, unnumberedAutomorphisms } from './symmetry.ts'

/** An automorphism, as it moves states. */
interface StateMap {
  readonly nodes: NodeMap
  /** By cell of a node or a channel: its image. */
  readonly cells: Int32Array
  /** By fault state: its image, as far as it was needed. */
  readonly faultStates: number[]
}

/** All permutations of nodes that meet in a complete network, or a list of automorphisms. */
type Group = 'all permutations of nodes' | readonly NodeMap[]

/** With more automorphisms it takes longer to find the canonical state than is saved. */
const AUTOMORPHISMS_MAX = 200

/**
 * Symmetry reduction within one search (Ip and Dill 1996): states that an automorphism of the
 * transition system maps onto each other form an orbit, and one of them is explored. The search
 * keeps the state that it came upon, so that its paths are runs. Only the states by which it
 * remembers what it has visited are canonical: the same for the whole orbit.
 *
 * Why that is sound, and where it is not, is in the README.
 */
export class StateOrbits {
  /** The canonical state of the orbit that `load` was called for. */
  readonly canonical: StateVector
  private readonly next: Uint32Array
  /** By node: the automorphisms that map it to the first node. */
  private readonly maps: readonly (readonly StateMap[])[]
  /** By cell: the node it belongs to, and the same cell of the first node. */
  private readonly owner: Int32Array
  private readonly twin: Int32Array
  private readonly hashes: Int32Array

  private constructor(
    private readonly system: TransitionSystem,
    readonly group: Group,
  ) {
    const { n, stageCell, vector, cache } = system
    this.canonical = new StateVector(vector.width)
    this.next = new Uint32Array(vector.width)
    this.hashes = new Int32Array(n)
    const listed = group === 'all permutations of nodes' ? [] : group
    const stateMaps = listed.map((to) => stateMap(system, to))
    this.maps = Array.from({ length: n }, (_, node) =>
      stateMaps.filter(({ nodes }) => nodes[node] === 0),
    )
    const routes = cache.channels.map(({ route }) => route.from)
    this.owner = Int32Array.from([...Array(n).keys(), ...routes])
    this.twin = Int32Array.from({ length: stageCell }, (_, cell) => {
      const maps = this.maps[this.owner[cell]] ?? []
      return maps.length === 0 ? -1 : maps[0].cells[cell]
    })
  }

  /** The orbits of a system, or why they are not used; null where all are single states. */
  static of(
    system: TransitionSystem,
    properties: readonly Property[],
  ): StateOrbits | string | null {
    const group = groupOf(system)
    if (group.length <= 1) return null
    const { faults, terms, bindable } = system
    if (faults?.recoverable) return 'hand-overs after recoveries name positions'
    if (terms !== null) return 'the history of terms names positions'
    if (bindable) return 'leaderships that end at one moment do so in the order of positions'
    const other = properties.find(({ symmetric }) => symmetric !== true)
    if (other !== undefined) return `"${other.name}" may tell positions apart`
    return new StateOrbits(system, group)
  }

  /** The number of automorphisms, with the identity, or the largest safe integer. */
  get automorphisms(): number {
    const { group, system } = this
    const number = group === 'all permutations of nodes' ? factorial(system.n) : group.length
    return Math.min(number, Number.MAX_SAFE_INTEGER)
  }

  /** The cells that automorphisms map a cell to, each once. */
  imagesOf(cell: number): ReadonlySet<number> {
    return new Set(this.maps.flat().map((map) => map.cells[cell]))
  }

  /** The number of states in the orbit of a state. */
  sizeOf({ cells }: StateVector): number {
    const { system, group } = this
    if (cells[system.stageCell] < system.starters.length) return 1
    if (group === 'all permutations of nodes') return arrangements(cells.subarray(0, system.n))
    const images = this.maps.flat().map((map) => {
      this.move(cells, map, this.next)
      return this.next.join()
    })
    return new Set(images).size
  }

  /** Computes the canonical state of the orbit of a state. */
  load({ cells }: StateVector): StateVector {
    const { system, canonical, group } = this
    // As long as the given starters start in their order, nodes are not alike.
    if (cells[system.stageCell] < system.starters.length) canonical.cells.set(cells)
    else if (group === 'all permutations of nodes') this.sort(cells)
    else this.choose(cells)
    canonical.rehash()
    return canonical
  }

  /** Channels stay empty where nodes meet. */
  private sort(cells: Uint32Array): void {
    const { canonical, system } = this
    canonical.cells.set(cells)
    canonical.cells.subarray(0, system.n).sort()
  }

  /**
   * The node with the smallest hash becomes the first, in each possible way; of these states the
   * smallest is canonical. The hash of a node moves with it, so that all states of the orbit have
   * the same candidates.
   */
  private choose(cells: Uint32Array): void {
    const { maps, hashes, canonical } = this
    this.hashNodes(cells)
    let least = 0
    for (let node = 1; node < hashes.length; node++)
      if (maps[node].length > 0 && hashes[node] < hashes[least]) least = node
    let found = false
    for (let node = least; node < hashes.length; node++) {
      if (hashes[node] !== hashes[least]) continue
      for (const map of maps[node]) {
        if (!found) this.move(cells, map, canonical.cells)
        else this.keepSmaller(cells, map)
        found = true
      }
    }
  }

  private hashNodes(cells: Uint32Array): void {
    const { hashes, owner, twin } = this
    hashes.fill(0)
    for (let cell = 0; cell < twin.length; cell++)
      if (cells[cell] !== 0 && twin[cell] >= 0)
        hashes[owner[cell]] = (hashes[owner[cell]] + mixLow(twin[cell], cells[cell])) | 0
  }

  /** The cells from the stage on belong to no node. */
  private move(cells: Uint32Array, map: StateMap, into: Uint32Array): void {
    const { cells: images, faultStates, nodes } = map
    const { faults } = this.system
    for (let cell = 0; cell < images.length; cell++) into[images[cell]] = cells[cell]
    for (let cell = images.length; cell < cells.length; cell++) into[cell] = cells[cell]
    if (faults === null) return
    const before = cells[faults.cell]
    faultStates[before] ??= faults.moved(before, nodes)
    into[faults.cell] = faultStates[before]
  }

  private keepSmaller(cells: Uint32Array, map: StateMap): void {
    const { next, canonical } = this
    this.move(cells, map, next)
    let cell = 0
    while (cell < next.length && next[cell] === canonical.cells[cell]) cell++
    if (cell < next.length && next[cell] < canonical.cells[cell]) canonical.cells.set(next)
  }
}

/** In how many different orders these values can stand. */
function arrangements(values: Uint32Array): number {
  const counts = new Map<number, number>()
  let orders = 1
  for (const [i, value] of values.entries()) {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    orders = (orders * (i + 1)) / count
  }
  return orders
}

function stateMap(system: TransitionSystem, to: NodeMap): StateMap {
  const { n, meetings, cache } = system
  const routes = cache.channels.map(({ route }) => route)
  const name = (from: number, out: number, end: number) => `${from} ${out} ${end}`
  const cells = new Map(routes.map(({ from, out, to: end }, i) => [name(from, out, end), n + i]))
  // Where nodes meet channels stay empty, and their numbers mean nothing.
  const images = routes.map(({ from, out, to: end }, i) =>
    from < 0 || meetings !== null ? n + i : cells.get(name(to[from], out, to[end]))!,
  )
  return { nodes: to, cells: Int32Array.from([...to, ...images]), faultStates: [] }
}

/** The automorphisms of the network that preserve all that nodes begin with and can read. */
function groupOf(system: TransitionSystem): Group {
  const { topology } = system.cache.world
  const { kind, n } = topology
  const preserved = (maps: readonly NodeMap[]) => maps.filter((to) => preserves(system, to))
  if (system.meetings === null) return preserved(automorphisms(topology))
  if (kind !== 'complete')
    return preserved(unnumberedAutomorphisms(topology, AUTOMORPHISMS_MAX) ?? [])
  const rotation = Array.from({ length: n }, (_, node) => (node + 1) % n)
  return n > 1 && preserves(system, rotation) ? 'all permutations of nodes' : []
}

function preserves(system: TransitionSystem, to: NodeMap): boolean {
  const { cache, vector, anyWake, starters, faults } = system
  const { localStates, channels, world } = cache
  const { ids, weights = [], algorithm } = world
  system.reset()
  const { cells } = vector
  const { cells: map } = stateMap(system, to)
  const peers = algorithm.needs.knows?.includes('peers') === true
  const tables = [...localStates, ...channels]
  return (
    to.every((image, node) => !peers || ids[image] === ids[node]) &&
    (anyWake || starters.every((node) => starters.includes(to[node]))) &&
    map.every((image, cell) => tables[image].list === tables[cell].list) &&
    map.every((image, cell) => cells[image] === cells[cell]) &&
    (faults === null || faults.moved(cells[faults.cell], to) === cells[faults.cell]) &&
    map.subarray(to.length).every((image, i) => weights[image - to.length] === weights[i])
  )
}
