/** The facts about a world that a proven bound may depend on. */
export interface NetworkFacts {
  readonly n: number
  readonly links: number
  readonly smallestId: number
  readonly largestId: number
  /** The number of initiators: nodes that start spontaneously. */
  readonly starters: number
  /** The smallest id of an initiator. */
  readonly smallestStarter: number
  /** Whether all nodes start spontaneously at the same moment. */
  readonly together: boolean
  /** The largest delay of a message; Infinity where there is no bound. */
  readonly largestDelay: number
  /** The diameter of the network, as nodes are told; NaN unless the algorithm knows it. */
  readonly diameter: number
  /** Whether nodes act in synchronous rounds; left out where that is not known. */
  readonly rounds?: boolean
  /** The diameter of the network, or a bound on it; computed when it is asked for. */
  readonly networkDiameter?: () => number
  /** The id of the leader; null before the election. */
  readonly leaderId: number | null
  /** The ids by position; left out where they are not known. */
  readonly ids?: ArrayLike<number>
  /** The values of parameters; left out where they are not known. */
  readonly settings?: Readonly<Record<string, number | string>>
}

/** A proven bound on what a run costs. */
export interface Bound {
  readonly of: 'messages' | 'time' | 'stability' | 'interactions'
  /**
   * worst: no run exceeds it, and some run attains it; upper: no run exceeds it, and none is known
   * that attains it; best: no run stays below it; average: over all permutations of ids,
   * or over the random choices; lower: no algorithm for this problem guarantees less than some
   * constant times this.
   */
  readonly kind: 'worst' | 'upper' | 'best' | 'average' | 'lower'
  readonly formula: string
  /**
   * In messages without the announcement; in largest delays from the first start to the election;
   * for stability the round or the time from which on the outcome is stable; or in meetings until
   * it is.
   */
  value(facts: NetworkFacts): number
  /** The standard deviation of an average, where it is known. */
  deviation?(facts: NetworkFacts): number
  /** Whether it is proven for these facts; always if left out. */
  when?(facts: NetworkFacts): boolean
  /** The same condition in words. */
  readonly where?: string
}

/** What each kind says, for a reader. */
export const boundWords: Readonly<Record<Bound['kind'], string>> = {
  worst: 'worst',
  upper: 'at most',
  best: 'best',
  average: 'average',
  lower: 'lower',
}

/** Whether no run exceeds it. */
export function isUpperBound({ kind }: Pick<Bound, 'kind'>): boolean {
  return kind === 'worst' || kind === 'upper'
}

/** A comparison of costs with another method, and the commands to see both. */
export interface TheoryComparison {
  readonly title: string
  readonly says: string
  readonly commands: readonly string[]
}

/** The lectures and reports that the catalogue starts from; docs/conventions.md has details. */
export const sourceTexts = {
  '000': 'the lecture "Leader Election in the MPS model"',
  '001': 'Albano (2022)',
  '002': 'Burman',
  '003': 'Liu, Li and Huang',
  '004': 'Zambonelli (2023)',
} as const

export type SourceText = keyof typeof sourceTexts

/** The theory of an algorithm, as data. */
export interface Theory {
  /** Its name as people write it: "Hirschberg-Sinclair". Left out: the name of the definition. */
  readonly title?: string
  /** Other names in the literature. */
  readonly also?: readonly string[]
  readonly authors: string
  /** The source texts that it is taken from, by their numbers in `sourceTexts`. */
  readonly texts?: readonly SourceText[]
  readonly idea: string
  /** Why it is correct, in a few sentences. */
  readonly because: string
  readonly breaks: string
  /** A command that shows it. */
  readonly example: string
  readonly cost: string
  readonly comparison?: TheoryComparison
  readonly bounds: readonly Bound[]
  /** The chance that a run elects nobody or several; left out where that never happens. */
  readonly fails?: (facts: NetworkFacts) => number
}
