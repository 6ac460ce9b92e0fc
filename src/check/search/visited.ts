import { GrowableArray } from '../../core/runtime/growable-array.ts'
import { StateVector } from '../model/state-vector.ts'
import type { StateOrbits } from '../reduction/state-orbits.ts'
import { FingerprintSet, MARKED } from './fingerprint-set.ts'
import { Frontier } from './frontier.ts'
import { StateSet } from './state-set.ts'

/** The visited set and the BFS queue. States are numbered in order of discovery. */
export interface VisitedSet {
  readonly size: number
  readonly bytes: number
  /** Adds a state; returns whether it was new. */
  add(vector: StateVector): boolean
  has(vector: StateVector): boolean
  /** Whether a visited state was taken; only if the set was told to remember it. */
  wasTaken(vector: StateVector): boolean
  /** Loads the next state to expand. */
  take(vector: StateVector): void
}

/** Stores fingerprints (hash compaction), and whole states only until they are expanded. */
export class FingerprintVisited implements VisitedSet {
  readonly fingerprints: FingerprintSet
  private readonly frontier: Frontier

  constructor(
    width: number,
    private readonly remembers: boolean,
  ) {
    this.fingerprints = new FingerprintSet(remembers)
    this.frontier = new Frontier(width)
  }

  get size(): number {
    return this.fingerprints.size
  }

  get bytes(): number {
    return this.fingerprints.bytes + this.frontier.bytes
  }

  add(vector: StateVector): boolean {
    if (!this.fingerprints.add(vector.low, vector.high)) return false
    this.frontier.push(vector)
    return true
  }

  has({ low, high }: StateVector): boolean {
    return this.fingerprints.has(low, high)
  }

  wasTaken({ low, high }: StateVector): boolean {
    return this.fingerprints.look(low, high) === MARKED
  }

  take(vector: StateVector): void {
    const rows = this.frontier.take(vector)
    if (!this.remembers) return
    if (rows !== null) this.fingerprints.prefetch(rows, rows.length, 2)
    this.fingerprints.mark(vector.low, vector.high)
  }
}

/** Stores every state whole. */
export class ExactVisited implements VisitedSet {
  private readonly states: StateSet
  private taken = 0

  constructor(width: number) {
    this.states = new StateSet(width)
  }

  get size(): number {
    return this.states.size
  }

  get bytes(): number {
    return this.states.bytes
  }

  add(vector: StateVector): boolean {
    if (this.states.has(vector)) return false
    this.states.add(vector)
    return true
  }

  has(vector: StateVector): boolean {
    return this.states.has(vector)
  }

  wasTaken(vector: StateVector): boolean {
    return this.states.numberOf(vector) < this.taken
  }

  take(vector: StateVector): void {
    this.states.load(this.taken++, vector)
  }
}

/** Remembers one canonical state of each orbit, and keeps the states that were discovered. */
export class OrbitsVisited implements VisitedSet {
  private readonly frontier: Frontier
  private readonly taken: StateVector

  constructor(
    /** The canonical states. */
    private readonly known: VisitedSet,
    private readonly orbits: StateOrbits,
    width: number,
  ) {
    this.frontier = new Frontier(width)
    this.taken = new StateVector(width)
  }

  get size(): number {
    return this.known.size
  }

  get bytes(): number {
    return this.known.bytes + this.frontier.bytes
  }

  add(vector: StateVector): boolean {
    if (!this.known.add(this.orbits.load(vector))) return false
    this.frontier.push(vector)
    return true
  }

  has(vector: StateVector): boolean {
    return this.known.has(this.orbits.load(vector))
  }

  wasTaken(vector: StateVector): boolean {
    return this.known.wasTaken(this.orbits.load(vector))
  }

  take(vector: StateVector): void {
    this.known.take(this.taken)
    this.frontier.take(vector)
  }
}

const CHUNK_BITS = 12
const CHUNK = 1 << CHUNK_BITS
/** The predecessor is stored whole once in so many states. */
const SAMPLE_BITS = 8
const SAMPLE = 1 << SAMPLE_BITS

/** Marks a number that does not fit into a byte. */
const LARGE = 255

/**
 * Parent pointers: for each state its predecessor and the index of the transition taken there, so
 * that the path to a state can be re-executed from the initial state. In breadth-first search the
 * predecessors of consecutive states never decrease, so that a byte holds the difference.
 */
export class ParentPointers {
  private size = 0
  /** Pairs of the difference to the last predecessor, and of the index. */
  private readonly chunks: Uint8Array[] = []
  private last = new Uint8Array(0)
  private readonly samples = new GrowableArray()
  /** The numbers that do not fit, by the number of their byte. */
  private readonly large = new Map<number, number>()
  private lastParent = 0

  /** The memory used so far. */
  get bytes(): number {
    return this.chunks.length * CHUNK * 2 + this.samples.bytes + this.large.size * 40
  }

  /** Adds the next state in order of discovery, after those of earlier predecessors. */
  push(parent: number, ordinal: number): void {
    const state = this.size++
    const row = 2 * (state & (CHUNK - 1))
    if (row === 0) {
      this.last = new Uint8Array(2 * CHUNK)
      this.chunks.push(this.last)
    }
    if ((state & (SAMPLE - 1)) === 0) this.samples.push(parent)
    const step = parent - this.lastParent
    this.lastParent = parent
    this.last[row] = Math.min(step, LARGE)
    if (step >= LARGE) this.large.set(2 * state, step)
    this.last[row + 1] = Math.min(ordinal, LARGE)
    if (ordinal >= LARGE) this.large.set(2 * state + 1, ordinal)
  }

  /** The path from the initial state to one, as indices into the enabled transitions. */
  pathTo(state: number): number[] {
    const path: number[] = []
    for (let at = state; at > 0; at = this.parentOf(at)) path.push(this.numberAt(2 * at + 1))
    return path.reverse()
  }

  private parentOf(state: number): number {
    const sample = state >>> SAMPLE_BITS
    let parent = this.samples.at(sample)
    for (let next = (sample << SAMPLE_BITS) + 1; next <= state; next++)
      parent += this.numberAt(2 * next)
    return parent
  }

  private numberAt(byte: number): number {
    const value = this.chunks[byte >>> (CHUNK_BITS + 1)][byte & (2 * CHUNK - 1)]
    return value === LARGE ? this.large.get(byte)! : value
  }
}
