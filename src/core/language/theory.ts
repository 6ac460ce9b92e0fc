/** What a proven bound may depend on. */
export interface NetworkFacts {
  readonly n: number
  readonly links: number
  readonly smallestId: number
  readonly largestId: number
  /** How many nodes are to start by themselves. */
  readonly starters: number
  /** The smallest id among those that are to start by themselves. */
  readonly smallestStarter: number
  /** Whether all nodes start by themselves, at the same moment. */
  readonly together: boolean
  /** The longest time that a message takes; Infinity where there is none. */
  readonly largestDelay: number
  /** The id of the leader, once there is one. */
  readonly leaderId: number | null
}

export interface Bound {
  readonly of: 'messages' | 'time'
  /**
   * worst: no run exceeds it; best: none stays below; average: over all arrangements of ids, or
   * over the coins; lower: no algorithm for this problem can promise less than some constant times
   * this.
   */
  readonly kind: 'worst' | 'best' | 'average' | 'lower'
  readonly formula: string
  /** In messages without the announcement, or in largest delays since the first start. */
  value(facts: NetworkFacts): number
  /** Where it is proven; everywhere if left out. */
  when?(facts: NetworkFacts): boolean
  /** The same in words. */
  readonly where?: string
}

/** What it costs beside another way to the same end, and the commands to see both. */
export interface TheoryComparison {
  readonly title: string
  readonly says: string
  readonly commands: readonly string[]
}

/** What is known about an algorithm, as data. */
export interface Theory {
  readonly authors: string
  /** Those of the five texts, numbered in docs/conventions.md, that it is taken from. */
  readonly texts?: readonly ('000' | '001' | '002' | '003' | '004')[]
  readonly idea: string
  /** Why it is right, in a few sentences. */
  readonly because: string
  readonly breaks: string
  /** One command to see it at work. */
  readonly example: string
  readonly cost: string
  readonly comparison?: TheoryComparison
  readonly bounds: readonly Bound[]
}
