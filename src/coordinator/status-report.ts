import type { MemberEntry } from './membership/configuration.ts'
import type { CoordinatorStatus, MemberStatus, RoleStatus } from './operations/status.ts'
import type { NodeRole } from './roles/role.ts'
import { MEMBERS_ROLE } from './roles/roles.ts'
import type { RunningNode } from './running-node.ts'

/** What a node knows, as plain data. */
export function statusOf(node: RunningNode): CoordinatorStatus {
  const roles = [...node.roles.all()]
  const own = roles.filter(({ name }) => name !== MEMBERS_ROLE)
  const only = own.length === 1 ? own[0].leader : null
  return {
    name: node.cluster,
    me: node.me,
    problems: problemsOf(node),
    configuration: configurationOf(node),
    members: membersOf(node, own),
    leader: only?.id ?? null,
    term: only?.term ?? null,
    roles: Object.fromEntries(roles.map((role) => [role.name, roleStatus(node, role)])),
    latenessMs: node.beats.lateness,
  }
}

function problemsOf(node: RunningNode): string[] {
  const { standing, why } = node.membership
  const problem = node.problem() ?? (standing === 'voting' ? missingVoters(node) : null)
  const observer = node.options.observe === true
  return [
    ...(problem === null ? [] : [problem]),
    ...(standing === 'voting' || observer ? [] : [`this member is ${standing}: ${why}`]),
  ]
}

/** Who is waited for, if this voter hears no majority of voters; null if it does. */
function missingVoters(node: RunningNode): string | null {
  const others = [...node.links.keys()]
  const voting = others.filter((member) => votes(node, member))
  if (node.majority([node.me, ...voting])) return null
  const missing = others.filter((member) => !voting.includes(member)).join(', ')
  return `this member hears no majority of the voters: it waits for ${missing}`
}

/** Whether a member can grant now, as far as this node knows. */
function votes(node: RunningNode, member: string): boolean {
  if (member === node.me) return node.mayGrant()
  return node.isUp(member) && node.roles.votes(member)
}

function configurationOf({ membership }: RunningNode): CoordinatorStatus['configuration'] {
  const { configuration, version } = membership
  const names = (members: readonly MemberEntry[] = []) => members.map(({ name }) => name)
  const { members = [], old = null } = configuration ?? {}
  return {
    ...version,
    voters: names(old ?? members),
    next: old === null ? null : names(members),
    witnesses: names(members.filter(({ kind }) => kind === 'witness')),
  }
}

function membersOf(node: RunningNode, roles: readonly NodeRole[]): MemberStatus[] {
  return Object.entries(node.members).map(([id, { address }]) => {
    const here = id === node.me
    const led = roles.filter(({ leader }) => leader?.id === id)
    const term = (led[0] ?? (roles.length === 1 ? roles[0] : undefined))?.leader?.term ?? null
    return {
      id,
      address,
      reachable: here || node.isUp(id),
      votes: votes(node, id),
      term,
      leads: led.length > 0,
      leaseMs: led.length === 0 ? null : Math.max(...led.map((it) => leaseOf(it, here) ?? 0)),
      roundTripMs: here ? 0 : node.beats.roundTrip(id),
      silentMs: here ? 0 : node.beats.silence(id),
      incarnation: here ? node.incarnation : (node.connections.peers.get(id)?.incarnation ?? null),
      pid: pidOf(node, id),
    }
  })
}

/** Exact where this node leads; elsewhere its own promise is known, which ends a little later. */
function leaseOf({ leader, facts }: NodeRole, leads: boolean): number | null {
  if (leads) return facts.remaining
  return leader !== null && facts.promised > 0 ? facts.promised : null
}

function pidOf(node: RunningNode, member: string): number | null {
  if (member === node.me) return node.environment.processes?.own()?.pid ?? null
  return node.connections.peers.get(member)?.pid ?? null
}

function roleStatus(node: RunningNode, role: NodeRole): RoleStatus {
  const { leader, facts } = role
  const leads = role.leads()
  return {
    leader: leader?.id ?? null,
    pid: leader === null ? null : pidOf(node, leader.id),
    term: leader?.term ?? facts.granted,
    leaseMs: leaseOf(role, leads),
    leads,
    stands: facts.stands || leads,
  }
}
