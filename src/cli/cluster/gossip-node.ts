import type { Aggregation } from '../../algorithms/index.ts'
import { type AggregateSource, estimateOf, type Member } from '../../cluster/index.ts'
import { Random, UsageError, type World } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'
import {
  type AggregationPreparation,
  type AggregationScenario,
  flagged,
  prepare,
  type ScenarioInput,
  timingFor,
} from '../../scenario/index.ts'
import { type Changes, Inputs } from '../../sim/index.ts'
import { readText } from '../input/read-file.ts'
import { figure } from '../terminal/format.ts'
import { type NodeProgram, typesText } from './node-program.ts'
import { refuseSimulated } from './timing-flags.ts'

/** What one process that gossips says of itself. */
export interface GossipReport {
  readonly node: number
  readonly status: 'alive' | 'dead'
  readonly value: number
  readonly estimate: number | null
  /** The number of its epoch; 0 where there are none. */
  readonly epoch: number
  /** How many periods of that are over. */
  readonly cycle: number
  /** How many exchanges it has begun. */
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

type GossipWorld = ReturnType<NonNullable<AggregationPreparation['world']>>

/** The world of processes that gossip; refuses what only simulated ones can do. */
export function gossipWorldOf(
  given: ScenarioInput,
  aggregation: Aggregation,
): GossipWorld & Pick<AggregationPreparation, 'scenario'> {
  const { name } = aggregation
  const refusal = (what: string) =>
    new UsageError(
      '--set',
      `real processes gossip with any neighbour, by messages, but ${what}.`,
      `Leave it out, or simulate it with conclave run ${name}.`,
    )
  if (timingFor(given.set ?? {}, aggregation) === 'cycles')
    throw refusal('something was set that only cycles have')
  const preparation = prepare({ ...given, timing: 'async' }, aggregation, flagged)
  const { scenario } = preparation
  if (Number(scenario.set.deaf) > 0) throw refusal(`deaf is ${scenario.set.deaf}`)
  const gossip = preparation.world!()
  refuseSimulated({ ...gossip, scenario: { wake: scenario.wake ?? 'all' } })
  return { ...gossip, scenario }
}

/** The part of one process in an aggregation; `unit` is that of its timers in milliseconds. */
export function gossipNode(
  given: ScenarioInput,
  aggregation: Aggregation,
  me: number,
  unit: number,
  options: ValueOptions,
): NodeProgram {
  refuseSeveral(given, options)
  const { world, conditions, changes, scenario } = gossipWorldOf(given, aggregation)
  const period = unit * Number(scenario.set.period)
  const values = new ScheduledValues(world, changes, period, scenario.seed)
  let isAwake = () => false
  // Time begins for all together, when they start.
  const scheduled = () => (isAwake() ? values.now(me) : world.values![me])
  refuseFrozen(scenario.set, options)
  const own = ownValue(options)
  if (own !== null) refuseUnfit(world, own())
  const value = own ?? scheduled
  const report = (member: Member): GossipReport => {
    const { total, byType, toDead } = member.counts
    return {
      node: me,
      status: 'alive',
      value: Number(member.state.value),
      estimate: estimateOf(world.algorithm, member.state),
      epoch: Number(member.state.era ?? 0),
      cycle: Number(member.state.cycle ?? 0),
      // Those that may begin only so many count them.
      exchanges: Number(member.state.begun) || byType.push,
      messages: { total, byType, toDead },
    }
  }
  return {
    world,
    starter: conditions.starts.nodes.includes(me),
    brings: { value, ...leaderOf(world) },
    report,
    follow(member, tell, json) {
      isAwake = () => member.outcome.status !== 'asleep'
      let shown = ''
      const look = setInterval(() => {
        const { estimate } = report(member)
        if (estimate === null || figure(estimate) === shown) return
        shown = figure(estimate)
        tell(json ? JSON.stringify(report(member)) : `position ${me}: estimate ${shown}`)
      }, period)
      return () => clearInterval(look)
    },
    ending(member) {
      const { estimate, value: held, messages } = report(member)
      const sent = `sent ${messages.total} messages (${typesText(messages.byType)})`
      return `position ${me}: value ${figure(held)}, estimate ${figure(estimate)}, ${sent}`
    },
    succeeded: (member) => estimateOf(world.algorithm, member.state) !== null,
  }
}

/** The values of a world with the changes of `--values`, as time goes by from the first look on. */
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

/** Who is the first to hold the 1 of a count. */
function leaderOf({ chosen }: World): Pick<AggregateSource, 'leader'> {
  return { leader: Math.max(0, chosen?.indexOf(0) ?? 0) }
}

/** The value that this process alone was given, if it was. */
function ownValue({ value, valueFile }: ValueOptions): (() => number) | null {
  if (valueFile !== undefined)
    return () => numberIn('--value-file', readText(valueFile, '--value-file'))
  if (value === undefined) return null
  const number = numberIn('--value', value)
  return () => number
}

/** A file is for values that change, which nobody would see. */
function refuseFrozen(set: AggregationScenario['set'], { valueFile }: ValueOptions): void {
  if (valueFile === undefined || Number(set.epoch) > 0 || Number(set.evaporation) > 0) return
  throw new UsageError(
    '--value-file',
    'values that change are seen by epochs or evaporation, but there are none.',
    'Add --set epoch=30 for all processes, or use --value.',
  )
}

function refuseUnfit({ algorithm }: World, value: number): void {
  const { accepts, domain } = algorithm.computes!.aggregate
  if (accepts?.(value) !== false) return
  throw new UsageError(
    '--value',
    `${algorithm.name} needs ${domain}, but ${value} was given.`,
    'Bring another.',
  )
}

/** The first word of a text, as in /proc/loadavg: a number. */
function numberIn(where: string, text: string): number {
  const [first] = text.trim().split(/\s+/)
  if (first !== '' && Number.isFinite(Number(first))) return Number(first)
  throw new UsageError(
    where,
    `a number is needed as the first word, but ${quoted(first)} was given.`,
    'Write for example 3.5.',
  )
}

function refuseSeveral({ values }: ScenarioInput, { value, valueFile }: ValueOptions): void {
  const given = { '--values': values, '--value': value, '--value-file': valueFile }
  const flags = Object.entries(given).flatMap(([flag, it]) => (it === undefined ? [] : [flag]))
  if (flags.length < 2) return
  throw new UsageError(
    flags[1],
    `a process has one value, but ${flags.join(' and ')} were given.`,
    'Leave one of them out.',
  )
}
