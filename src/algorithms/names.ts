import { UsageError } from '../core/index.ts'
import { comparableName, enumerated, quoted } from '../core/text-format.ts'

/** What can be found by its names. */
export interface Nameable {
  readonly name: string
  /** The names under which the literature knows it: its title and others. */
  readonly others: readonly string[]
  /** The network that it is made for, or `aggregations`. */
  readonly family: string
}

/** `leased:bully`: an election of the catalogue that proposes who leads by a lease. */
const LEASED = 'leased:'

/** What a name means: an entry, perhaps under a lease. */
export interface Meant<E extends Nameable> {
  readonly name: string
  readonly entry: E
  readonly leased: boolean
}

/** Finds algorithms by their own names, their titles, and other names of the literature. */
export class NameIndex<E extends Nameable> {
  /** By their comparable names: the entries of that name, else those also known by it. */
  private index: ReadonlyMap<string, readonly E[]> | null = null

  constructor(private readonly entries: () => readonly E[]) {}

  /** What the name means, if it means anything. A name of several entries names none. */
  find(name: unknown): Meant<E> | undefined {
    if (typeof name !== 'string') return undefined
    const leased = name.startsWith(LEASED)
    const [entry, ...more] = this.knownAs(leased ? name.slice(LEASED.length) : name)
    if (entry === undefined || more.length > 0) return undefined
    if (leased && entry.family === 'aggregations') return undefined
    return { name: leased ? `${LEASED}${entry.name}` : entry.name, entry, leased }
  }

  /** What the name means; the error suggests similar names. */
  named(name: unknown, where = 'algorithm'): Meant<E> {
    const found = this.find(name)
    if (found !== undefined) return found
    const known = typeof name === 'string' ? this.knownAs(name) : []
    if (known.length > 1)
      throw new UsageError(
        where,
        `${quoted(name)} is another name of ${enumerated(known.map((one) => one.name))}.`,
        'Choose one of them.',
      )
    const names = this.entries().map((one) => one.name)
    const error = new UsageError(
      where,
      name === undefined ? 'no algorithm is given.' : `there is no algorithm ${quoted(name)}.`,
      `The algorithms are ${names.join(', ')}.`,
    )
    const suggested = error.withCandidates(name, names)
    if (suggested !== error) throw suggested
    throw error.withCandidates(
      name,
      this.entries().flatMap(({ others }) => others),
    )
  }

  private knownAs(name: string): readonly E[] {
    this.index ??= indexed(this.entries())
    return this.index.get(comparableName(name)) ?? []
  }
}

function indexed<E extends Nameable>(entries: readonly E[]): ReadonlyMap<string, readonly E[]> {
  const byName = entries.map((one): [string, E[]] => [comparableName(one.name), [one]])
  const byOther = new Map<string, E[]>()
  for (const one of entries)
    for (const other of new Set(one.others.map(comparableName)))
      byOther.set(other, [...(byOther.get(other) ?? []), one])
  return new Map([...byOther, ...byName])
}
