import type { Member } from '../../cluster/index.ts'
import type { Algorithm, World } from '../../core/index.ts'
import { idOf } from '../../core/language/world.ts'
import { flagged, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { networkFiles } from '../input/read-file.ts'
import { type NodeProgram, sentText } from './node-program.ts'
import { refuseSimulated } from './timing-flags.ts'

/** The report of one process, printed at the end or at every change. */
export interface NodeReport {
  readonly node: number
  /** null where nodes have no ids. */
  readonly id: number | null
  /** Its value, where nodes have values. */
  readonly value?: number
  readonly status: string
  readonly leader: number | null
  /** The term in which it leads, where leaders are elected term by term. */
  readonly term?: number
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    /** Sent over links that were down; only with a failure detector. */
    readonly toDead?: number
  }
}

/** The work of one process in an election. */
export function electionNode(
  given: ScenarioInput,
  algorithm: Algorithm,
  me: number,
  lasting: boolean,
): NodeProgram {
  // A restarted process must start an election, whichever process was the first to start.
  const wake = lasting ? { wake: 'all' } : {}
  const preparation = prepare({ ...wake, ...given }, algorithm, flagged, networkFiles(flagged))
  refuseSimulated(preparation)
  const { world, conditions } = preparation
  const report = (member: Member) => reportOf(member, me, world, lasting)
  return {
    world,
    starts: conditions.starts.nodes.includes(me),
    report,
    reportChanges(member, print, json) {
      const listener = json
        ? () => lasting && print(JSON.stringify(report(member)))
        : leaderPrinter(me, print)
      member.on('outcome', listener)
      return () => member.off('outcome', listener)
    },
    finalLine(member) {
      return `position ${me}: ${sentText(member.counts)}`
    },
    succeeded: (member) => member.outcome.leader !== null,
    failure: 'no leader is known',
  }
}

/** Prints the leader whenever it is another one. */
function leaderPrinter(me: number, print: (line: string) => void) {
  let known: number | null = null
  return ({ status, leader, term }: Member['outcome']) => {
    if (leader === known) return
    known = leader
    const office = term === undefined ? '' : ` in term ${term}`
    const self = status === 'leader' ? `${office} (this process)` : ''
    print(`position ${me}: ${leader === null ? 'no leader' : `id ${leader} leads${self}`}`)
  }
}

function reportOf(member: Member, node: number, world: World, monitored: boolean): NodeReport {
  const { status, leader, term } = member.outcome
  const { total, byType, toDead } = member.counts
  return {
    node,
    id: world.algorithm.needs.ids === undefined ? null : idOf(world, world.ids[node]),
    ...(world.values && { value: world.values[node] }),
    status,
    leader,
    ...(term !== undefined && { term }),
    messages: { total, byType, ...(monitored && { toDead }) },
  }
}
