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

/** The lectures and reports that the catalogue starts from; docs/conventions.md has details. */
export const sourceTexts = {
  '000': 'the lecture "Leader Election in the MPS model"',
  '001': 'Albano (2022)',
  '002': 'Burman',
  '003': 'Liu, Li and Huang',
  '004': 'Zambonelli (2023)',
} as const

export type SourceText = keyof typeof sourceTexts

/** What is known about an algorithm, as data. */
export interface Theory {
  readonly authors: string
  /** The source texts that it is taken from, by their numbers in `sourceTexts`. */
  readonly texts?: readonly SourceText[]
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
