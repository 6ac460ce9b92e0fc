import type { StateVector } from '../model/state-vector.ts'
import { FingerprintSet } from './fingerprint-set.ts'
import { Frontier } from './frontier.ts'
import { StateSet } from './state-set.ts'

/** Which states were seen, numbered in the order of coming, and which are still to be looked at. */
export interface VisitedSet {
  readonly size: number
  readonly bytes: number
  /** Adds a state unless it is there; returns whether it was not. */
  add(vector: StateVector): boolean
  has(vector: StateVector): boolean
  /** The number of a state that is there. */
  numberOf(vector: StateVector): number
  /** Loads the next one to be looked at. */
  take(vector: StateVector): void
}

/** Keeps hashes of states, and states themselves only until they are looked at. */
export class FingerprintVisited implements VisitedSet {
  readonly seen: FingerprintSet
  private readonly frontier: Frontier

  constructor(width: number, numbered: boolean) {
    this.seen = new FingerprintSet(numbered)
    this.frontier = new Frontier(width)
  }

  get size(): number {
    return this.seen.size
  }

  get bytes(): number {
    return this.seen.bytes + this.frontier.bytes
  }

  add(vector: StateVector): boolean {
    if (!this.seen.add(vector.low, vector.high)) return false
    this.frontier.push(vector)
    return true
  }

  has({ low, high }: StateVector): boolean {
    return this.seen.has(low, high)
  }

  numberOf({ low, high }: StateVector): number {
    return this.seen.numberOf(low, high)
  }

  take(vector: StateVector): void {
    this.frontier.take(vector)
  }
}

/** Keeps every state whole, for ever. */
export class ExactVisited implements VisitedSet {
  private readonly seen: StateSet
  private taken = 0

  constructor(width: number) {
    this.seen = new StateSet(width)
  }

  get size(): number {
    return this.seen.size
  }

  get bytes(): number {
    return this.seen.bytes
  }

  add(vector: StateVector): boolean {
    if (this.seen.has(vector)) return false
    this.seen.add(vector)
    return true
  }

  has(vector: StateVector): boolean {
    return this.seen.has(vector)
  }

  numberOf(vector: StateVector): number {
    return this.seen.numberOf(vector)
  }

  take(vector: StateVector): void {
    this.seen.load(this.taken++, vector)
  }
}
