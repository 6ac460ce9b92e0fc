import {
  type Aggregation,
  type AggregationSettings,
  aggregationNamed,
  aggregations,
  gossipParams,
} from '../algorithms/index.ts'
import type { Algorithm } from '../core/language/algorithm.ts'
import type { Link } from '../core/language/net.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import type { AggregateSource } from './aggregate-input.ts'
import { LiveAggregate } from './live-aggregate.ts'
import type { MemberOptions } from './member-options.ts'

/** The input of a member and the settings of an aggregate; all members need the same settings. */
export interface AggregateOptions extends AggregateSource {
  /** Its name, where there are several of the same kind. */
  readonly as?: string
  /** Milliseconds between two exchanges that a member begins; 100 by default. */
  readonly period?: number
  /** Periods after which all members restart from their values; 30 by default, 0 for never. */
  readonly epoch?: number
  /** How far estimates return to the member's own value in each period, from 0 to 1. */
  readonly evaporation?: number
  /** Settings of the aggregation itself, such as p, threshold or instances. */
  readonly set?: Readonly<Record<string, number | string>>
}

/** The member that takes part in aggregates. */
type AggregateContext = Pick<
  MemberOptions,
  'position' | 'n' | 'neighbours' | 'clock' | 'random' | 'log'
> & { readonly transport: { readonly links: readonly Link[] } }

interface AggregateTransport {
  send(link: Link, tag: number, bytes: Uint8Array): void
  up(link: Link): boolean
}

const PREFIX = 'gossip-'

/** The aggregates that one member takes part in, beside its election. */
export class Aggregates {
  private readonly byTag = new Map<number, LiveAggregate>()
  private phase: 'opening' | 'open' | 'closed' = 'opening'

  constructor(
    private readonly options: AggregateContext,
    private readonly transport: AggregateTransport,
  ) {}

  add(what: string | Aggregation, given: AggregateOptions): LiveAggregate {
    const { position, n, transport, neighbours, clock, random, log } = this.options
    const aggregation = typeof what === 'string' ? aggregationOf(what) : what
    const name = typeof what === 'string' ? what : aggregation.name
    refuseNoValue(name, given)
    const settings = settingsOf(aggregation, given.set ?? {})
    const base = aggregation.algorithm({ ...settings, n })
    const params = {
      period: checked(
        name,
        'period',
        given.period ?? 100,
        'a number of milliseconds above 0',
        (ms) => ms > 0,
      ),
      epoch: checked(name, 'epoch', given.epoch ?? 30, 'a whole number of periods', isCount),
      evaporation: checked(
        name,
        'evaporation',
        given.evaporation ?? 0,
        'a number from 0 to 1',
        isShare,
      ),
      exchanges: gossipParams.exchanges.value(),
    }
    const algorithm = base.variant(params) ?? base
    refuseRounds(algorithm)
    refuseFewMembers(name, algorithm.computes!.aggregate.chosen, n)
    const label = given.as ?? aggregation.name
    const added = new LiveAggregate(
      `${label} ${JSON.stringify(settings)}`,
      {
        algorithm,
        position,
        n,
        id: position,
        unit: 1,
        aggregateSource: given,
        links: transport.links,
        params,
        ...(neighbours && { neighbours }),
        ...(clock && { clock }),
        ...(random && { random: random.split(`aggregate ${label}`) }),
        ...(log && { log: (line: string) => log(`${label}: ${line}`) }),
      },
      this.transport,
      () => this.byTag.delete(added.tag),
    )
    if (this.phase === 'closed')
      throw new UsageError(name, 'the member is closed.', 'Aggregate before you close it.')
    if (this.byTag.has(added.tag))
      throw new UsageError(
        name,
        'the member computes this aggregate already.',
        'Give it another name with the option as.',
      )
    this.byTag.set(added.tag, added)
    if (this.phase === 'open') added.start()
    return added
  }

  /** All links are connected. */
  open(): void {
    this.phase = 'open'
    for (const aggregate of this.byTag.values()) aggregate.start()
  }

  /** Messages of aggregates that this member does not compute, or not yet, are ignored. */
  receive(link: Link, tag: number, bytes: Uint8Array): void {
    if (this.phase === 'open') this.byTag.get(tag)?.receive(link, bytes)
  }

  /** The member has other links from now on. */
  relink(links: readonly Link[]): void {
    for (const aggregate of this.byTag.values()) aggregate.relink(links)
  }

  close(): void {
    this.phase = 'closed'
    for (const aggregate of [...this.byTag.values()]) aggregate.stop()
  }
}

/** By its name in the catalogue, with or without the prefix of all names. */
function aggregationOf(name: string): Aggregation {
  const found = aggregationNamed(name) ?? aggregationNamed(`${PREFIX}${name}`)
  if (found !== undefined) return found
  const names = aggregations.map((it) => it.name.replace(PREFIX, ''))
  throw new UsageError(
    'aggregate',
    `${quoted(name)} is not the name of an aggregation.`,
    `Choose one of ${names.join(', ')}.`,
  )
}

/** The settings of an aggregation, with all defaults. */
function settingsOf({ name, settings }: Aggregation, given: AggregationSettings) {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(settings, key))
  if (unknown !== undefined) {
    const known = Object.keys(settings).join(', ')
    throw new UsageError(
      name,
      `there is no setting ${quoted(unknown)}.`,
      known === '' ? 'It has no settings.' : `Its settings are ${known}.`,
    )
  }
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => {
      if (!('words' in setting)) {
        const value = Number(given[key] ?? setting.otherwise)
        return [key, checked(name, key, value, setting.needed, setting.accepts)]
      }
      const value = given[key] ?? setting.otherwise
      const { words, accepts = (one: string) => words.includes(one) } = setting
      if (accepts(String(value))) return [key, String(value)]
      const needed = setting.needed ?? words.join(' or ')
      throw new UsageError(
        name,
        `${key} is ${quoted(value)}, but must be ${needed}.`,
        `Change ${key}.`,
      )
    }),
  )
}

function checked(
  name: string,
  key: string,
  value: number,
  needed: string,
  accepts: (value: number) => boolean,
): number {
  if (Number.isFinite(value) && accepts(value)) return value
  throw new UsageError(name, `${key} is ${value}, but must be ${needed}.`, `Change ${key}.`)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1
}

function refuseNoValue(name: string, given: unknown): void {
  const { value = undefined } = (given ?? {}) as { readonly value?: unknown }
  if (typeof value === 'function') return
  throw new UsageError(
    name,
    `the function that reads the value of this member is needed, but ${value} was given.`,
    'Write for example { value: () => 1 }.',
  )
}

function refuseRounds({ name, needs }: Algorithm): void {
  if (needs.time !== 'rounds') return
  throw new UsageError(
    name,
    'the aggregation needs synchronous rounds, which real processes do not have.',
    'Use average or flow-updating.',
  )
}

function refuseFewMembers(name: string, instances: number, n: number): void {
  if (instances <= n) return
  throw new UsageError(
    name,
    `${instances} instances need as many members, but there are ${n}.`,
    'Use fewer instances.',
  )
}
