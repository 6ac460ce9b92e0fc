import type { Aggregation } from '../../algorithms/aggregation.ts'
import type { Algorithm } from '../../core/index.ts'
import { flagged } from '../../scenario/command-line.ts'
import { prepareElection } from '../../scenario/election/prepare-election.ts'
import { gossipSettings } from '../../scenario/gossip/gossip-settings.ts'
import { columnsWithin } from '../terminal/format.ts'

/** A parameter that `--set` changes. */
interface Parameter {
  readonly name: string
  readonly says: string
  /** The default for a command without flags. */
  readonly default: number | string
  readonly choices?: readonly string[]
}

export function parametersOf(algorithm: Algorithm): Parameter[] {
  const { params } = prepareElection({}, algorithm, flagged).world
  return Object.entries(algorithm.params).map(([name, { says, choices }]) => ({
    name,
    says,
    default: params[name],
    ...(choices && { choices }),
  }))
}

export function settingsOf(aggregation: Aggregation): Parameter[] {
  const modes = { cycles: 'in cycles', async: 'by messages' }
  return Object.entries(gossipSettings(aggregation)).map(([name, { says, otherwise, only }]) => ({
    name,
    says: only === undefined ? says : `${modes[only]}: ${says}`,
    default: otherwise,
  }))
}

/** A line for each parameter: its name, its default, its choices and its meaning. */
export function parameterLines(parameters: readonly Parameter[], width: number): string[] {
  if (parameters.length === 0) return ['none']
  const rows = parameters.map((it) => [
    it.name,
    String(it.default),
    it.choices ? `${it.choices.join(' or ')}; ${it.says}` : it.says,
  ])
  return columnsWithin([['name', 'default', ''], ...rows], width)
}
