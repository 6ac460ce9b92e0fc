import { type BoundResult, boundsOf } from './bounds.ts'
import type { Judgement } from './referee.ts'
import type { Ending, Simulation } from './simulation.ts'

/** Up to this many nodes a result lists them without being asked. */
const LISTED = 1000

/** What came out of a run, as `conclave run --json` prints it. */
export interface RunResult {
  readonly n: number
  readonly links: number
  /** The one live leader at the end; null if there is none or there are several. */
  readonly leader: { readonly node: number; readonly id: number | null } | null
  /** Positions in the order of taking office. */
  readonly leaders: readonly number[]
  /** Those of them that live and lead at the end. */
  readonly leading: readonly number[]
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    readonly toDead: number
    readonly lost: number
    readonly duplicated: number
  }
  readonly bits: number
  readonly time: {
    readonly unit: 'round' | 'time'
    readonly elected: number | null
    readonly last: number | null
  }
  readonly verdict: { readonly ok: boolean; readonly properties: readonly Judgement[] }
  readonly bounds: readonly BoundResult[]
  readonly nodes?: readonly NodeResult[]
  /** Messages by direction of each link, on request. */
  readonly traffic?: readonly { from: number; to: number; messages: number }[]
}

interface NodeResult {
  readonly node: number
  readonly id: number | null
  readonly status: 'leader' | 'lost' | 'unknown' | 'asleep' | 'dead'
  readonly leader: number | null
  readonly state: Readonly<Record<string, unknown>>
  readonly sent?: number
  readonly received?: number
}

/** Reads the result off a run that has ended. */
export function resultOf(simulation: Simulation, ending: Ending): RunResult {
  const { world, conditions, referee, algorithm, tallies } = simulation
  const [leader] = referee.leaders
  const { topology } = world
  const offset = conditions.synchronous ? 1 : 0
  const moment = (time: number) => (time < 0 ? null : time + offset)
  const properties = referee.judge(ending === 'quiet')
  return {
    n: topology.n,
    links: topology.links,
    leader:
      referee.leaders.length === 1 ? { node: leader, id: referee.state(leader).id ?? null } : null,
    leaders: referee.offices,
    leading: [...referee.leaders],
    messages: {
      total: simulation.meter.total,
      byType: Object.fromEntries(
        algorithm.kinds.map(({ name, index }) => [name, simulation.meter.sent[index]]),
      ),
      toDead: simulation.toDead,
      lost: 0,
      duplicated: 0,
    },
    bits: simulation.meter.bits,
    time: {
      unit: conditions.synchronous ? 'round' : 'time',
      elected: moment(referee.elected),
      last: moment(simulation.lastReceipt),
    },
    verdict: { ok: properties.every(({ holds }) => holds === true), properties },
    bounds: boundsOf(simulation),
    ...((topology.n <= LISTED || tallies !== null) && { nodes: nodesOf(simulation) }),
    ...(tallies !== null && { traffic: tallies.traffic(topology) }),
  }
}

function nodesOf({ states, referee, algorithm, tallies }: Simulation): NodeResult[] {
  return states.map((state, node) => ({
    node,
    id: state.id ?? null,
    status: referee.alive(node) ? state.status : 'dead',
    leader: state.leader,
    state: algorithm.form.plain(state),
    ...(tallies !== null && { sent: tallies.sent[node], received: tallies.received[node] }),
  }))
}
