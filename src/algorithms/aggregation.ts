import type { Algorithm, Theory } from '../core/index.ts'
import type { Aggregate } from '../core/language/aggregate.ts'

/** A setting of an aggregation and its default. */
export interface AggregationSetting {
  readonly says: string
  readonly otherwise: number
  /** The domain in words, and whether a number is in it. */
  readonly needed: string
  accepts(value: number): boolean
}

/** A setting that is a word, and its default. */
export interface WordSetting {
  readonly says: string
  readonly otherwise: string
  /** The default on networks that are not complete, whose nodes can tell all their neighbours. */
  readonly elsewhere?: string
  /** The words that it may be; examples where `accepts` decides. */
  readonly words: readonly string[]
  accepts?(word: string): boolean
  /** What it accepts, in words. */
  readonly needed?: string
}

/** What is set, and `n`, the number of nodes. */
export type AggregationSettings = Readonly<Record<string, number | string>>

/** A function of the values of all nodes that gossip computes. */
export interface Aggregation<Name extends string = string> {
  readonly name: Name
  readonly settings: Readonly<Record<string, AggregationSetting | WordSetting>>
  /** The position that holds the 1, if there is one; it is drawn if left out. */
  readonly holder?: number
  aggregate(settings: AggregationSettings): Aggregate
  readonly theory: Theory
  /** The algorithm that computes it by messages. */
  algorithm(settings: AggregationSettings): Algorithm
  /** It has handlers of its own, which take part by messages only, not in cycles. */
  readonly only?: 'async'
}

/** The defaults of the settings. */
export function defaultsOf(settings: Aggregation['settings']): AggregationSettings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { otherwise }]) => [name, otherwise]),
  )
}
