import type { Algorithm } from '../../core/language/algorithm.ts'
import { MalformedBytes } from '../../core/runtime/bytes.ts'
import { UsageError } from '../../core/usage-error.ts'
import { FrameWriter, type RoleFrame, type RoleReport, readStatus } from '../frames.ts'
import { isName } from '../given-members.ts'
import type { Leader } from '../node.ts'
import { checkRole, type RoleOptions } from '../options.ts'
import { RoleDefinition, recordedRole } from './definition.ts'
import { NodeRole } from './role.ts'
import type { RoleHost } from './role-host.ts'

/** The role whose leader changes the configuration. Every member has it. */
export const MEMBERS_ROLE = 'members'
/** Roles that other members declare, beyond this number, are refused. */
const MOST_ROLES = 1000

/** All roles of a node: those that it declares, and those for which it only votes. */
export class Roles {
  private readonly byName = new Map<string, NodeRole>()
  /** What other nodes said last about their roles. */
  private readonly reports = new Map<string, Map<string, RoleReport>>()
  private readonly frames = new FrameWriter()
  private changed = new Set<string>()

  constructor(
    private readonly host: RoleHost,
    /** Sends a frame to every node that is connected. */
    private readonly broadcast: (bytes: Uint8Array) => void,
    private readonly reported: (role: NodeRole) => void,
  ) {}

  /** The role of this name; options only where it is declared for the first time. */
  declare(name: string, options: RoleOptions & { nominate?: Algorithm }): NodeRole {
    checkRole(name, options)
    const known = this.byName.get(name)
    if (known?.declared) {
      if (Object.keys(options).length === 0) return known
      throw new UsageError(
        `role ${name}`,
        'it was declared before.',
        'Give its options the first time only.',
      )
    }
    const definition = RoleDefinition.nominatedBy(options.nominate)
    const role = known ?? this.add(name, definition)
    role.declare(definition, options)
    return role
  }

  get(name: string): NodeRole | undefined {
    return this.byName.get(name)
  }

  all(): Iterable<NodeRole> {
    return this.byName.values()
  }

  /** A role with a record on disk must be voted for, whoever declares it. */
  recall(records: Iterable<readonly [string, Uint8Array]>): void {
    for (const [name, record] of records)
      if (!this.byName.has(name))
        this.add(name, RoleDefinition.named(recordedRole(record).definition))
  }

  /** This node may vote or not, or the configuration has changed. */
  reconfigure(): void {
    for (const reports of this.reports.values())
      for (const [name, { definition }] of reports) this.voted(name, definition)
    for (const role of this.byName.values()) role.reconfigure()
  }

  /** Whether another member has said that it votes. It then votes for every role. */
  votes(member: string): boolean {
    return this.reports.get(member)?.get(MEMBERS_ROLE)?.votes ?? false
  }

  halt(why: string): void {
    for (const role of this.byName.values()) role.halt(why)
  }

  /** This process became able to lead, or unable. */
  healthChanged(): void {
    for (const role of this.byName.values()) role.healthChanged()
  }

  /** A quarter lease has passed; returns whether this process leads a role. */
  beat(): boolean {
    const all = [...this.byName.values()]
    for (const role of all) role.beat()
    return all.some((role) => role.term !== null)
  }

  /** A node is connected: it gets to know all roles. */
  greeting(): Uint8Array {
    const all = [...this.byName.values()].map((role) => [role.name, role.reported] as const)
    return this.frames.status(new Map(all))
  }

  peerChanged(member: string): void {
    if (!this.host.isUp(member)) this.reports.delete(member)
    for (const role of this.byName.values()) role.peerChanged(member)
    this.watch()
  }

  gone(member: string, incarnation: string): void {
    for (const role of this.byName.values()) role.gone(member, incarnation)
  }

  /** A message for a role; throws MalformedBytes unless it is one. */
  received(member: string, { role: name, definition, bytes }: RoleFrame): void {
    this.voted(name, definition)?.accept(member, definition, bytes)
  }

  /** Another node says what has changed in its roles. */
  status(member: string, bytes: Uint8Array): void {
    const known = this.reports.get(member) ?? new Map<string, RoleReport>()
    this.reports.set(member, known)
    for (const [name, report] of readStatus(bytes)) {
      if (known.size >= MOST_ROLES && !known.has(name)) continue
      known.set(name, report)
      this.voted(name, report.definition)?.heard(member, report)
    }
    this.watch()
  }

  /** The role of this name changed: the others are told at the end of this turn. */
  report(name: string): void {
    if (this.changed.size === 0) queueMicrotask(() => this.flush())
    this.changed.add(name)
  }

  private flush(): void {
    const roles = [...this.changed].flatMap((name) => this.byName.get(name) ?? [])
    this.changed = new Set()
    if (roles.length === 0) return
    this.broadcast(this.frames.status(new Map(roles.map((role) => [role.name, role.reported]))))
    for (const role of roles) this.reported(role)
  }

  /** The role of a message: a member votes for every role. */
  private voted(name: string, definition: string): NodeRole | undefined {
    if (!isName(name)) throw new MalformedBytes('a role without a proper name')
    const known = this.byName.get(name)
    if (known !== undefined || this.host.ownNumber === null) return known
    if (this.byName.size >= MOST_ROLES) return undefined
    const role = this.add(name, RoleDefinition.named(definition))
    role.reconfigure()
    return role
  }

  private add(name: string, definition: RoleDefinition): NodeRole {
    const role = new NodeRole(name, definition, this.host)
    this.byName.set(name, role)
    for (const [member, reports] of this.reports) {
      const report = reports.get(name)
      if (report !== undefined) role.heard(member, report)
    }
    this.watch()
    return role
  }

  /**
   * Nodes that do not vote believe the newest leader that a connected voter names. They do not
   * believe each other: two of them would keep telling each other what is long over.
   */
  private watch(): void {
    for (const role of this.byName.values()) {
      let newest: Leader | null = null
      for (const reports of this.reports.values()) {
        const { votes = false, leader = null } = reports.get(role.name) ?? {}
        if (votes && leader !== null && (newest === null || leader.term > newest.term))
          newest = leader
      }
      role.heardOfLeader(newest)
    }
  }
}
