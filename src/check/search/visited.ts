import type { StateVector } from '../model/state-vector.ts'
import { FingerprintSet } from './fingerprint-set.ts'
import { Frontier } from './frontier.ts'
import { StateSet } from './state-set.ts'

/** The visited set and the BFS queue. States are numbered in order of discovery. */
export interface VisitedSet {
  readonly size: number
  readonly bytes: number
  /** Adds a state; returns whether it was new. */
  add(vector: StateVector): boolean
  has(vector: StateVector): boolean
  /** The number of a visited state. */
  numberOf(vector: StateVector): number
  /** Loads the next state to expand. */
  take(vector: StateVector): void
}

/** Stores fingerprints (hash compaction), and whole states only until they are expanded. */
export class FingerprintVisited implements VisitedSet {
  readonly fingerprints: FingerprintSet
  private readonly frontier: Frontier

  constructor(width: number, numbered: boolean) {
    this.fingerprints = new FingerprintSet(numbered)
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

  numberOf({ low, high }: StateVector): number {
    return this.fingerprints.numberOf(low, high)
  }

  take(vector: StateVector): void {
    this.frontier.take(vector)
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

  numberOf(vector: StateVector): number {
    return this.states.numberOf(vector)
  }

  take(vector: StateVector): void {
    this.states.load(this.taken++, vector)
  }
}
