import type { Member } from '../../cluster/index.ts'
import type { Algorithm, World } from '../../core/index.ts'
import { idOf } from '../../core/language/world.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { type NodeProgram, typesText } from './node-program.ts'
import { refuseSimulated } from './timing-flags.ts'

/** What one process says of itself: when its part is over, or whenever its view has changed. */
export interface NodeReport {
  readonly node: number
  /** null where nodes have no ids. */
  readonly id: number | null
  /** What it holds, where processes hold something. */
  readonly value?: number
  readonly status: string
  readonly leader: number | null
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    /** Sent over links that were down; only where processes watch each other. */
    readonly toDead?: number
  }
}

/** The part of one process in an election. */
export function electionNode(
  given: ScenarioInput,
  algorithm: Algorithm,
  me: number,
  lasting: boolean,
): NodeProgram {
  // One that is started again must hold an election, whoever was the first to start.
  const wake = lasting ? { wake: 'all' } : {}
  const preparation = prepare({ ...wake, ...given }, algorithm, flagged)
  refuseSimulated(preparation)
  const { world, conditions } = preparation
  const report = (member: Member) => reportOf(member, me, world, lasting)
  return {
    world,
    starter: conditions.starts.nodes.includes(me),
    report,
    follow(member, tell, json) {
      if (!json) tellViews(member, me, tell)
      else if (lasting) member.on('outcome', () => tell(JSON.stringify(report(member))))
      return () => {}
    },
    ending(member) {
      const { total, byType } = member.counts
      return `position ${me}: sent ${total} messages (${typesText(byType)})`
    },
    succeeded: (member) => member.outcome.leader !== null,
  }
}

function tellViews(member: Member, me: number, tell: (line: string) => void): void {
  let known: number | null = null
  member.on('outcome', ({ status, leader }) => {
    if (leader === known) return
    known = leader
    const self = status === 'leader' ? ' (this process)' : ''
    tell(`position ${me}: ${leader === null ? 'nobody' : `id ${leader}`} leads${self}`)
  })
}

function reportOf(member: Member, node: number, world: World, watched: boolean): NodeReport {
  const { status, leader } = member.outcome
  const { total, byType, toDead } = member.counts
  return {
    node,
    id: world.algorithm.needs.ids === undefined ? null : idOf(world, world.ids[node]),
    ...(world.values && { value: world.values[node] }),
    status,
    leader,
    messages: { total, byType, ...(watched && { toDead }) },
  }
}
