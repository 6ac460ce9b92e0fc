import type { Vector } from '../model/state-vector.ts'
import { Fingerprints } from './fingerprint-set.ts'
import { Frontier } from './frontier.ts'
import { VectorSet } from './state-set.ts'

/** Which states were seen, numbered in the order of coming, and which are still to be looked at. */
export interface Memory {
  readonly size: number
  readonly bytes: number
  /** Adds a state unless it is there; returns whether it was not. */
  add(vector: Vector): boolean
  has(vector: Vector): boolean
  /** The number of a state that is there. */
  numberOf(vector: Vector): number
  /** Loads the next one to be looked at. */
  take(vector: Vector): void
}

/** Keeps hashes of states, and states themselves only until they are looked at. */
export class CompactMemory implements Memory {
  readonly seen: Fingerprints
  private readonly frontier: Frontier

  constructor(width: number, numbered: boolean) {
    this.seen = new Fingerprints(numbered)
    this.frontier = new Frontier(width)
  }

  get size(): number {
    return this.seen.size
  }

  get bytes(): number {
    return this.seen.bytes + this.frontier.bytes
  }

  add(vector: Vector): boolean {
    if (!this.seen.add(vector.low, vector.high)) return false
    this.frontier.push(vector)
    return true
  }

  has({ low, high }: Vector): boolean {
    return this.seen.has(low, high)
  }

  numberOf({ low, high }: Vector): number {
    return this.seen.numberOf(low, high)
  }

  take(vector: Vector): void {
    this.frontier.take(vector)
  }
}

/** Keeps every state whole, for ever. */
export class ExactMemory implements Memory {
  private readonly seen: VectorSet
  private taken = 0

  constructor(width: number) {
    this.seen = new VectorSet(width)
  }

  get size(): number {
    return this.seen.size
  }

  get bytes(): number {
    return this.seen.bytes
  }

  add(vector: Vector): boolean {
    if (this.seen.has(vector)) return false
    this.seen.add(vector)
    return true
  }

  has(vector: Vector): boolean {
    return this.seen.has(vector)
  }

  numberOf(vector: Vector): number {
    return this.seen.numberOf(vector)
  }

  take(vector: Vector): void {
    this.seen.load(this.taken++, vector)
  }
}
