import type { Aggregation } from '../../algorithms/aggregation.ts'
import { type AggregateSource, estimateOf, foundOf, type Member } from '../../cluster/index.ts'
import { type FoundInRow, Random, UsageError, type World } from '../../core/index.ts'
import { enumerated, quoted } from '../../core/text-format.ts'
import {
  type AggregationPreparation,
  type AggregationScenario,
  type FieldLocator,
  flagged,
  impliedTimings,
  prepare,
  type ScenarioInput,
} from '../../scenario/index.ts'
import { type Changes, Inputs } from '../../sim/index.ts'
import { networkFiles, readText } from '../input/read-file.ts'
import { figure } from '../terminal/format.ts'
import { type NodeProgram, sentText } from './node-program.ts'
import { refuseSimulated } from './timing-flags.ts'

/** The report of one process of an aggregation. */
export interface GossipReport {
  readonly node: number
  readonly status: 'alive' | 'dead'
  readonly value: number
  readonly estimate: number | null
  /** What it knows in full, where that is more than the estimate. */
  readonly found?: FoundInRow
  /** The number of its epoch; 0 where there are none. */
  readonly epoch: number
  /** The number of periods since its beginning. */
  readonly cycle: number
  /** The number of exchanges that it has begun. */
  readonly exchanges: number
  readonly messages: {
    readonly total: number
    readonly byType: Readonly<Record<string, number>>
    readonly toDead: number
  }
}

export interface ValueOptions {
  readonly value?: string
  readonly valueFile?: string
}

type GossipWorld = NonNullable<ReturnType<AggregationPreparation['messages']>>

/** The world of a gossip between processes; refuses settings that only simulations have. */
export function gossipWorldOf(
  given: ScenarioInput,
  aggregation: Aggregation,
  where: FieldLocator = flagged,
): GossipWorld & Pick<AggregationPreparation, 'scenario'> {
  const { name } = aggregation
  const simulatedOnly = (what: string) =>
    new UsageError(
      where('set'),
      `${what}, but real processes gossip with any neighbour, by messages.`,
      `Leave it out, or simulate it with conclave run ${name}.`,
    )
  if (impliedTimings(given.set ?? {}, aggregation).includes('cycles'))
    throw simulatedOnly('a setting is for cycles only')
  const preparation = prepare(
    { ...given, timing: 'async' },
    aggregation,
    where,
    networkFiles(where),
  )
  const { scenario } = preparation
  if (Number(scenario.set.deaf) > 0) throw simulatedOnly(`deaf is ${scenario.set.deaf}`)
  const gossip = preparation.messages()!
  refuseSimulated({ ...gossip, scenario: { wake: scenario.wake ?? 'all' } })
  return { ...gossip, scenario }
}

/** The work of one process in an aggregation; `unit` is that of its timers in milliseconds. */
export function gossipNode(
  given: ScenarioInput,
  aggregation: Aggregation,
  me: number,
  unit: number,
  options: ValueOptions,
): NodeProgram {
  refuseSeveralValues(given, options)
  const { world, conditions, changes, scenario } = gossipWorldOf(given, aggregation)
  const period = unit * Number(scenario.set.period)
  const values = new ScheduledValues(world, changes, period, scenario.seed)
  let isAwake = () => false
  // Time starts with the aggregation, at the same moment for all processes.
  const scheduled = () => (isAwake() ? values.now(me) : world.values![me])
  refuseUnusedFile(world, scenario.set, options)
  const own = ownValue(options)
  if (own !== null) refuseInvalid(world, own())
  const value = own ?? scheduled
  const report = (member: Member): GossipReport => {
    const { total, byType, toDead } = member.counts
    return {
      node: me,
      status: 'alive',
      value: Number(member.state.value),
      estimate: estimateOf(world.algorithm, member.state),
      ...foundIn(world, member),
      epoch: Number(member.state.era ?? 0),
      cycle: Number(member.state.cycle ?? 0),
      // Processes with a limited number of exchanges count them.
      exchanges: Number(member.state.begun ?? 0) || (byType.push ?? 0),
      messages: { total, byType, toDead },
    }
  }
  return {
    world,
    starts: conditions.starts.nodes.includes(me),
    aggregateSource: { value, ...leaderOf(world) },
    report,
    reportChanges(member, print, json) {
      isAwake = () => member.outcome.status !== 'asleep'
      let shown = ''
      const interval = setInterval(() => {
        const { estimate } = report(member)
        if (estimate === null || figure(estimate) === shown) return
        shown = figure(estimate)
        print(json ? JSON.stringify(report(member)) : `position ${me}: estimate ${shown}`)
      }, period)
      return () => clearInterval(interval)
    },
    finalLine(member) {
      const { estimate, value: present, messages } = report(member)
      const values = `value ${figure(present)}, estimate ${figure(estimate)}`
      return `position ${me}: ${values}, ${sentText(messages)}`
    },
    succeeded: (member) => estimateOf(world.algorithm, member.state) !== null,
    failure: 'there is no estimate',
  }
}

/** The values of a world and their changes (`--values`); time starts with the first reading. */
class ScheduledValues {
  private readonly inputs: Inputs
  private began: number | null = null
  private cycle = 0

  constructor(
    { values }: World,
    changes: Changes,
    private readonly period: number,
    seed: number,
  ) {
    const random = Random.from(seed).split('messages').split('drift')
    this.inputs = new Inputs(values!, changes, random)
  }

  now(node: number): number {
    this.began ??= performance.now()
    const cycle = Math.floor((performance.now() - this.began) / this.period)
    while (this.cycle <= cycle) this.inputs.advance(this.cycle++)
    return this.inputs.values[node]
  }
}

/** What a member knows in full, where that is more than its estimate. */
function foundIn({ algorithm }: World, { state }: Member): Pick<GossipReport, 'found'> {
  const found = foundOf(algorithm, state)
  return found === null ? {} : { found }
}

/** The first position that holds the 1 of a count. */
function leaderOf({ chosen }: World): Pick<AggregateSource, 'leader'> {
  return { leader: Math.max(0, chosen?.indexOf(0) ?? 0) }
}

/** The value of --value or --value-file; null if there is none. */
function ownValue({ value, valueFile }: ValueOptions): (() => number) | null {
  if (valueFile !== undefined)
    return () => numberIn('--value-file', readText(valueFile, '--value-file'))
  if (value === undefined) return null
  const number = numberIn('--value', value)
  return () => number
}

/** A file is for values that change; without epochs or evaporation no change has an effect. */
function refuseUnusedFile(
  { algorithm }: World,
  set: AggregationScenario['set'],
  { valueFile }: ValueOptions,
): void {
  if (valueFile === undefined || Number(set.epoch) > 0 || Number(set.evaporation) > 0) return
  // Stages end in a result and begin again with the values of then.
  if (algorithm.computes!.aggregate.row?.stages) return
  throw new UsageError(
    '--value-file',
    'changes of the value have no effect without epochs or evaporation.',
    'Add --set epoch=30 for all processes, or use --value.',
  )
}

function refuseInvalid({ algorithm }: World, value: number): void {
  const { accepts, domain } = algorithm.computes!.aggregate
  if (accepts?.(value) !== false) return
  throw new UsageError(
    '--value',
    `${algorithm.name} needs ${domain}, but ${value} was given.`,
    'Choose another value.',
  )
}

/** The number that is the first word of a text, as in /proc/loadavg. */
function numberIn(where: string, text: string): number {
  const [first] = text.trim().split(/\s+/)
  if (first !== '' && Number.isFinite(Number(first))) return Number(first)
  throw new UsageError(
    where,
    `the first word must be a number, not ${quoted(first)}.`,
    'Write for example 3.5.',
  )
}

function refuseSeveralValues({ values }: ScenarioInput, { value, valueFile }: ValueOptions): void {
  const given = { '--values': values, '--value': value, '--value-file': valueFile }
  const flags = Object.entries(given).flatMap(([flag, it]) => (it === undefined ? [] : [flag]))
  if (flags.length < 2) return
  throw new UsageError(
    flags[1],
    `${enumerated(flags)} cannot be combined: a process has one value.`,
    'Leave one of them out.',
  )
}
