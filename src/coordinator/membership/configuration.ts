import type { ConfigurationVersion } from '../../cluster/mesh/peer.ts'
import { type ByteReader, type ByteWriter, MalformedBytes } from '../../core/runtime/bytes.ts'

/** Both vote; a witness never leads. */
export type MemberKind = 'voter' | 'witness'

/** A member of a configuration. */
export interface MemberEntry {
  readonly name: string
  /** Its number, which no other member of this cluster ever gets. */
  readonly id: number
  /** Where to dial it: `host:port`, or the name of an SRV record. */
  readonly address: string
  readonly kind: MemberKind
  /** Names the storage with which it became a member. A member with another one has no memory. */
  readonly store: string
}

/** Who votes. While a change is under way it is joint: every lease needs majorities of two sets. */
export interface Configuration {
  /** Drawn when the cluster first started. Another mark is another cluster, of the same name. */
  readonly mark: string
  readonly version: ConfigurationVersion
  /** The members; in a joint configuration those after the change. By name. */
  readonly members: readonly MemberEntry[]
  /** In a joint configuration the members before the change; null in a stable one. */
  readonly old: readonly MemberEntry[] | null
  /** The number of the next member that is added. */
  readonly nextId: number
  /** For each role the highest term that may have been granted before this configuration. */
  readonly floors: ReadonlyMap<string, number>
}

/** More voters make every grant slower, and survive no more than three failures anyway. */
export const MOST_VOTERS = 7

export function compareVersions(one: ConfigurationVersion, other: ConfigurationVersion): number {
  return one.term - other.term || one.number - other.number
}

export function versionText({ term, number }: ConfigurationVersion): string {
  return `${term}.${number}`
}

/** Its version and who votes, for people. */
export function configurationText({ version, members, old }: Configuration): string {
  const names = (list: readonly MemberEntry[]) => list.map(({ name }) => name).join(', ')
  const change = old === null ? '' : `${names(old)}, changing to `
  return `${versionText(version)}: ${change}${names(members)}`
}

/** Whether these members are a majority of the voters; of both sets in a joint configuration. */
export function isMajority(
  { members, old }: Pick<Configuration, 'members' | 'old'>,
  names: ReadonlySet<string>,
): boolean {
  return mostOf(members, names) && (old === null || mostOf(old, names))
}

export function mostOf(members: readonly MemberEntry[], names: ReadonlySet<string>): boolean {
  const present = members.filter(({ name }) => names.has(name)).length
  return 2 * present > members.length
}

/** Everybody in it: during a change those who leave, too. By name. */
export function everybodyIn({ members, old }: Configuration): MemberEntry[] {
  const all = new Map([...(old ?? []), ...members].map((member) => [member.name, member]))
  return [...all.values()].sort(byName)
}

/** The entry of a member; the one after the change in a joint configuration. */
export function entryOf(configuration: Configuration, name: string): MemberEntry | undefined {
  const same = (member: MemberEntry) => member.name === name
  return configuration.members.find(same) ?? configuration.old?.find(same)
}

export function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}

/** For each role the larger of two terms. */
export function highestTerms(...all: ReadonlyMap<string, number>[]): Map<string, number> {
  const highest = new Map<string, number>()
  for (const terms of all)
    for (const [role, term] of terms) highest.set(role, Math.max(term, highest.get(role) ?? 0))
  return highest
}

/** Larger lists come only from peers that are at fault. */
export const MOST_MEMBERS = 64
const MOST_ROLES = 10_000

export function writeVersion(out: ByteWriter, { term, number }: ConfigurationVersion): void {
  out.nat(term)
  out.nat(number)
}

export function readVersion(input: ByteReader): ConfigurationVersion {
  return { term: input.nat(), number: input.nat() }
}

export function writeTerms(out: ByteWriter, terms: ReadonlyMap<string, number>): void {
  out.nat(terms.size)
  for (const [role, term] of [...terms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    out.text(role)
    out.nat(term)
  }
}

export function readTerms(input: ByteReader): Map<string, number> {
  return new Map(readList(input, MOST_ROLES, () => [input.text(), input.nat()] as const))
}

export function readList<T>(input: ByteReader, most: number, read: () => T): T[] {
  const length = input.nat()
  if (length > most) throw new MalformedBytes(`a list of ${length}`)
  return Array.from({ length }, read)
}

function writeMembers(out: ByteWriter, members: readonly MemberEntry[]): void {
  out.nat(members.length)
  for (const { name, id, address, kind, store } of members) {
    out.text(name)
    out.nat(id)
    out.text(address)
    out.byte(kind === 'witness' ? 1 : 0)
    out.text(store)
  }
}

function readMembers(input: ByteReader): MemberEntry[] {
  const members = readList(input, MOST_MEMBERS, () => ({
    name: input.text(),
    id: input.nat(),
    address: input.text(),
    kind: (input.byte() === 1 ? 'witness' : 'voter') as MemberKind,
    store: input.text(),
  }))
  if (new Set(members.map(({ name }) => name)).size < members.length)
    throw new MalformedBytes('a member stands twice in a configuration')
  return members.sort(byName)
}

export function writeConfiguration(out: ByteWriter, configuration: Configuration): void {
  const { mark, version, members, old, nextId, floors } = configuration
  out.text(mark)
  writeVersion(out, version)
  writeMembers(out, members)
  out.byte(old === null ? 0 : 1)
  if (old !== null) writeMembers(out, old)
  out.nat(nextId)
  writeTerms(out, floors)
}

export function readConfiguration(input: ByteReader): Configuration {
  const mark = input.text()
  const version = readVersion(input)
  const members = readMembers(input)
  if (members.length === 0) throw new MalformedBytes('a configuration without members')
  const old = input.byte() === 1 ? readMembers(input) : null
  return { mark, version, members, old, nextId: input.nat(), floors: readTerms(input) }
}
