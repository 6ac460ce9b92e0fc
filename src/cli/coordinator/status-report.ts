import type { CoordinatorStatus, MemberStatus } from '../../coordinator/operations/status.ts'
import { counted } from '../../core/text-format.ts'
import { durationText } from '../input/duration.ts'
import { type Colours, columns } from '../terminal/format.ts'

/** What a member knows of its cluster, as lines for people. */
export function statusLines(status: CoordinatorStatus, paint: Colours): string[] {
  const { name, me, configuration, members, roles, problems } = status
  const { term, number, voters, next } = configuration
  const facts = [
    `as ${me} sees it`,
    counted(voters.length, 'voter'),
    `configuration ${term}.${number}`,
    ...(next === null ? [] : [`changing to ${next.join(', ')}`]),
  ]
  const roleRows = Object.entries(roles).map(([role, { leader, term, leaseMs, pid }]) => [
    role,
    leader ?? 'nobody',
    String(term),
    leaseMs === null ? '-' : durationText(leaseMs),
    pidText(pid),
  ])
  return [
    `${paint.bold(name)}  ${paint.dim(facts.join(' · '))}`,
    ...problems.map((problem) => paint.red(`! ${problem}`)),
    ...table(['role', 'leader', 'term', 'lease left', 'pid'], roleRows, paint),
    ...table(
      ['member', 'address', 'votes', 'state', 'round trip', 'last heard', 'pid'],
      members.map((member) => memberRow(member, me, configuration.witnesses)),
      paint,
    ),
  ]
}

function memberRow(
  { id, address, votes, reachable, roundTripMs, silentMs, pid }: MemberStatus,
  me: string,
  witnesses: readonly string[],
): string[] {
  const state = id === me ? 'this member' : reachable ? 'reachable' : 'unreachable'
  const time = (milliseconds: number | null) =>
    milliseconds === null || id === me ? '-' : durationText(milliseconds)
  return [
    id,
    address ?? '-',
    votes ? (witnesses.includes(id) ? 'witness' : 'yes') : 'no',
    state,
    time(roundTripMs),
    time(silentMs),
    pidText(pid),
  ]
}

/** Members of an older version do not tell it. */
function pidText(pid: number | null | undefined): string {
  return String(pid ?? '-')
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Colours,
): string[] {
  if (rows.length === 0) return []
  const [first, ...rest] = columns([head, ...rows])
  return ['', paint.dim(first), ...rest]
}

/** Whether every role has a leader, and the member that was asked is well. */
export function isWell({ problems, roles }: CoordinatorStatus): boolean {
  return problems.length === 0 && Object.values(roles).every(({ leader }) => leader !== null)
}
