import type { AggregateSource, Member } from '../../cluster/index.ts'
import type { World } from '../../core/index.ts'

/** What a process does among others, whatever they find out together. */
export interface NodeProgram {
  readonly world: World
  /** Whether it starts by itself. */
  readonly starter: boolean
  readonly brings?: AggregateSource
  /** What it says of itself, as JSON has it. */
  report(member: Member): object
  /** Tells its news as they come, for people or as lines of JSON, until the result is called. */
  follow(member: Member, tell: (line: string) => void, json: boolean): () => void
  /** Its last words to people. */
  ending(member: Member): string
  /** Whether it has found out what it was to. */
  succeeded(member: Member): boolean
}

/** How many messages of each type. */
export function typesText(byType: Readonly<Record<string, number>>): string {
  return Object.entries(byType)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ')
}
