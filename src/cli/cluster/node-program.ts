import type { AggregateSource, Member, MessageCounts } from '../../cluster/index.ts'
import type { World } from '../../core/index.ts'
import { counted } from '../../core/text-format.ts'

/** The work of one process: an election or an aggregation. */
export interface NodeProgram {
  readonly world: World
  /** Whether it starts the algorithm, or waits for a message. */
  readonly starts: boolean
  readonly aggregateSource?: AggregateSource
  /** Its state, for JSON. */
  report(member: Member): object
  /** Prints changes as text or as lines of JSON, until the returned function is called. */
  reportChanges(member: Member, print: (line: string) => void, json: boolean): () => void
  /** The last line of its text output. */
  finalLine(member: Member): string
  /** Whether it has a result. */
  succeeded(member: Member): boolean
  /** What is missing where it has none. */
  readonly failure: string
}

/** `sent 15 messages (12 election, 3 leader)`. */
export function sentText({ total, byType }: Pick<MessageCounts, 'total' | 'byType'>): string {
  return `sent ${counted(total, 'message')} (${messageTypesText(byType)})`
}

/** The number of messages of each type: `12 election, 3 leader`. */
export function messageTypesText(byType: Readonly<Record<string, number>>): string {
  return Object.entries(byType)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ')
}
