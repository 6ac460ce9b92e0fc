import { isPeerName } from '../../cluster/mesh/handshake.ts'
import { quoted } from '../../core/text-format.ts'
import { UsageError } from '../../core/usage-error.ts'
import { checkMemberAddress } from '../member-address.ts'
import { type Configuration, type MemberEntry, MOST_VOTERS } from './configuration.ts'
import type { GivenMember, MembershipChange } from './host.ts'

/** A change as it travels. */
export interface RequestedChange {
  readonly add: ReadonlyMap<string, GivenMember>
  readonly remove: readonly string[]
}

/** A change as it was given, checked as far as that is possible without the others. */
export function requestedChange(
  { add = {}, remove = [] }: MembershipChange,
  configuration: Configuration | null,
  byName = false,
): RequestedChange {
  const added = new Map(
    Object.entries(add).map(([name, member]): [string, GivenMember] => [
      name,
      typeof member === 'string' ? { address: member, kind: 'voter' } : member,
    ]),
  )
  for (const [name, { address }] of added) {
    if (!isPeerName(name))
      throw new UsageError(
        'add',
        `${quoted(name)} is not a name.`,
        'Use 1 to 64 letters, digits, hyphens, underscores and dots.',
      )
    checkMemberAddress('add', address, byName ? name : undefined)
  }
  const both = remove.find((name) => added.has(name))
  if (both !== undefined)
    throw new UsageError(
      'change',
      `${both} is both added and removed.`,
      'Remove it first; when that change has ended, add it again.',
    )
  const stranger = remove.find((name) => !configuration?.members.some((one) => one.name === name))
  if (stranger !== undefined)
    throw new UsageError('remove', `${stranger} is not a member.`, membersHint(configuration))
  if (added.size + remove.length === 0)
    throw new UsageError('change', 'Nothing is added or removed.', 'Name at least one member.')
  const change = { add: added, remove }
  if (configuration !== null) membersAfter(configuration, change)
  return change
}

function membersHint(configuration: Configuration | null): string {
  if (configuration === null) return 'This member has no configuration yet.'
  return `Members are ${configuration.members.map(({ name }) => name).join(', ')}.`
}

/** Who stays and who is added; null if everything is as wanted. */
export function membersAfter(
  { members }: Configuration,
  { add, remove }: RequestedChange,
): { readonly kept: MemberEntry[]; readonly added: Map<string, GivenMember> } | null {
  const added = new Map(add)
  for (const { name, address, kind } of members) {
    const again = added.get(name)
    if (again === undefined) continue
    if (again.address !== address || again.kind !== kind)
      throw new UsageError(
        'add',
        `${name} is a member already, ${kind} at ${address}.`,
        'A new address needs no change: start it there. Another kind: remove it first.',
      )
    added.delete(name)
  }
  const kept = members.filter(({ name }) => !remove.includes(name))
  if (added.size === 0 && kept.length === members.length) return null
  checkVoters([...kept, ...added.values()], 'change')
  return { kept, added }
}

/** Whether nothing of a change is left to do. */
export function isDone({ members, old }: Configuration, { add, remove }: RequestedChange): boolean {
  const names = new Set(members.map(({ name }) => name))
  const added = [...add.keys()].every((name) => names.has(name))
  return old === null && added && !remove.some((name) => names.has(name))
}

/** Refuses sets of members that cannot work. */
export function checkVoters(
  members: readonly { readonly kind: 'voter' | 'witness' }[],
  where: string,
): void {
  if (members.length > MOST_VOTERS)
    throw new UsageError(
      where,
      `${members.length} members would vote; more than ${MOST_VOTERS} are refused.`,
      'Each lease waits for a majority: more voters make it slower, and seven survive three ' +
        'failures. Start the others as observers.',
    )
  if (!members.some(({ kind }) => kind === 'voter'))
    throw new UsageError(
      where,
      members.length === 0
        ? 'nobody would be left.'
        : 'only witnesses would vote, and none of them leads.',
      'Keep at least one voter.',
    )
}

/** What should be known about a number of voters; null where there is nothing to say. */
export function adviceOnSize(voters: number): string | null {
  if (voters === 1) return '1 voter: no failover. While it is down, nobody leads.'
  if (voters === 2)
    return '2 voters: both must be up, so nobody leads while one is down. Add a witness.'
  if (voters % 2 === 1) return null
  const tolerated = voters / 2 - 1
  return (
    `${voters} voters survive ${tolerated} ${tolerated === 1 ? 'failure' : 'failures'}, as ` +
    `${voters - 1} do, and a majority is one more. An odd number is better.`
  )
}
