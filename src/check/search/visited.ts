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
