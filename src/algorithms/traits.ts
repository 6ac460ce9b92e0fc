import type { Algorithm } from '../core/index.ts'
import { isRestartable } from '../core/runtime/restart.ts'
import { propertiesOf } from '../problems/algorithm-properties.ts'
import { selfStabilization } from '../problems/eventual-leader.ts'
import { oneLeaderPerTerm } from '../problems/leader-per-term.ts'
import { lease } from '../problems/lease.ts'
import { gossipModel, modelOf } from './assumptions.ts'
import { type Aggregation, byMessages, offers } from './index.ts'

/** The timing that a definition needs, as lists and choices call it. */
export type TimingModel = 'asynchronous' | 'synchronous' | (string & {})

/** Facts about a definition by which people look for one. */
export interface Traits {
  /** The network that it needs; `any` for all. */
  readonly network: string
  /** What it needs besides, in words. */
  readonly model: string
  readonly timing: TimingModel
  readonly aggregates: boolean
  readonly anonymous: boolean
  /** Uses random choices. */
  readonly random: boolean
  /** Elects again, or goes on, where nodes crash. */
  readonly crashes: boolean
  /** Leaders have terms. */
  readonly terms: boolean
}

export function traitsOf(definition: Algorithm | Aggregation): Traits {
  if (offers(definition, 'lead')) return electionTraits(definition)
  return aggregationTraits(definition)
}

function electionTraits(algorithm: Algorithm): Traits {
  const { needs, lasting, finds, problem } = algorithm
  const timing = timingOf(algorithm)
  return {
    network: needs.topology,
    model: modelOf(needs, timing === 'pairs'),
    timing,
    aggregates: finds !== null,
    anonymous: needs.ids === undefined,
    random: needs.coins === true,
    // Nobody corrects what is believed of a node that is gone.
    crashes: (lasting && problem !== selfStabilization) || isRestartable(algorithm),
    terms: problem === lease || propertiesOf(algorithm, false).includes(oneLeaderPerTerm),
  }
}

function timingOf(algorithm: Algorithm): TimingModel {
  // Nodes that meet in pairs send no messages.
  if (algorithm.meet !== null) return 'pairs'
  const { time } = algorithm.needs
  if (time === undefined) return 'asynchronous'
  return time === 'rounds' ? 'synchronous' : time
}

function aggregationTraits(aggregation: Aggregation): Traits {
  const traits = electionTraits(byMessages(aggregation))
  return {
    ...traits,
    network: 'any',
    model: gossipModel(traits.timing, aggregation.only),
    aggregates: true,
    crashes: true,
    terms: false,
  }
}
