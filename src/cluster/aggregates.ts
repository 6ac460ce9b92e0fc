import { type Aggregation, aggregations, gossipParams } from '../algorithms/index.ts'
import type { Link } from '../core/language/net.ts'
import { UsageError } from '../core/usage-error.ts'
import type { AggregateSource } from './aggregate-input.ts'
import { LiveAggregate } from './live-aggregate.ts'
import type { MemberOptions } from './member-options.ts'

/** What a member brings to an aggregate and how it is computed; all members need the same. */
export interface AggregateOptions extends AggregateSource {
  /** What it is an aggregate of, where there are several of one kind. */
  readonly as?: string
  /** Milliseconds in which every member begins one exchange; 100 by default. */
  readonly period?: number
  /** After how many periods all begin anew with what they then have; 30 by default, 0: never. */
  readonly epoch?: number
  /** How far estimates go back to the own value in a period, from 0 to 1. */
  readonly evaporation?: number
  /** Settings of the aggregation itself, such as p, threshold or instances. */
  readonly set?: Readonly<Record<string, number>>
}

interface Surroundings {
  send(link: Link, tag: number, bytes: Uint8Array): void
  up(link: Link): boolean
}

const PREFIX = 'gossip-'

/** The aggregates that one member takes part in, beside its election. */
export class Aggregates {
  private readonly byTag = new Map<number, LiveAggregate>()
  private phase: 'opening' | 'open' | 'closed' = 'opening'

  constructor(
    private readonly options: MemberOptions,
    private readonly surroundings: Surroundings,
  ) {}

  add(name: string, given: AggregateOptions): LiveAggregate {
    const { position, n, transport, neighbours, random, log } = this.options
    const aggregation = aggregationNamed(name)
    const settings = settingsOf(aggregation, given.set ?? {})
    const plain = aggregation.algorithm(settings)
    const params = {
      period: checked(name, 'period', given.period ?? 100, 'a time above 0', (ms) => ms > 0),
      epoch: checked(name, 'epoch', given.epoch ?? 30, 'whole periods', isCount),
      evaporation: checked(name, 'evaporation', given.evaporation ?? 0, 'a share', isShare),
      exchanges: gossipParams.exchanges.value(),
    }
    const algorithm = plain.variant(params) ?? plain
    refuseFewMembers(name, algorithm.computes!.aggregate.chosen, n)
    const label = given.as ?? aggregation.name
    const added = new LiveAggregate(
      `${label} ${JSON.stringify(settings)}`,
      {
        ...{ algorithm, position, n, id: position, transport, unit: 1, brings: given },
        params,
        ...(neighbours && { neighbours }),
        ...(random && { random: random.split(`aggregate ${label}`) }),
        ...(log && { log: (line: string) => log(`${label}: ${line}`) }),
      },
      this.surroundings,
      () => this.byTag.delete(added.tag),
    )
    if (this.phase === 'closed') throw refused(name, 'a member that is there', 'it has left')
    if (this.byTag.has(added.tag)) throw refused(name, 'a name of its own (as)', 'it is there')
    this.byTag.set(added.tag, added)
    if (this.phase === 'open') added.begin()
    return added
  }

  /** The links stand. */
  open(): void {
    this.phase = 'open'
    for (const aggregate of this.byTag.values()) aggregate.begin()
  }

  /** What nobody here takes part in, or not yet, is not answered: that does no harm. */
  hear(link: Link, tag: number, bytes: Uint8Array): void {
    if (this.phase === 'open') this.byTag.get(tag)?.hear(link, bytes)
  }

  close(): void {
    this.phase = 'closed'
    for (const aggregate of [...this.byTag.values()]) aggregate.stop()
  }
}

/** By its name in the catalogue, with or without what all names begin with. */
function aggregationNamed(name: string): Aggregation {
  const found = aggregations.find((it) => it.name === name || it.name === `${PREFIX}${name}`)
  if (found !== undefined) return found
  const names = aggregations.map((it) => it.name.slice(PREFIX.length))
  throw new UsageError(
    'aggregate',
    `the name of an aggregation, but ${JSON.stringify(name)} was given.`,
    `There are ${names.join(', ')}.`,
  )
}

/** The settings that an aggregation has, with every default written out. */
function settingsOf({ name, settings }: Aggregation, given: Readonly<Record<string, number>>) {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(settings, key))
  if (unknown !== undefined) {
    const known = Object.keys(settings).join(', ') || 'none'
    throw refused(name, `settings that it has (${known})`, `${unknown} was given`)
  }
  return Object.fromEntries(
    Object.entries(settings).map(([key, { otherwise, needed, accepts }]) => [
      key,
      checked(name, key, given[key] ?? otherwise, needed, accepts),
    ]),
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
  throw refused(name, `${needed} as ${key}`, `${value} was given`)
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function isShare(value: number): boolean {
  return value >= 0 && value <= 1
}

function refuseFewMembers(name: string, instances: number, n: number): void {
  if (instances <= n) return
  const given = `there are ${instances} instances and ${n} members`
  throw refused(name, 'a member for every instance', given)
}

function refused(name: string, needed: string, given: string): UsageError {
  return new UsageError(name, `${needed}, but ${given}.`, 'See conclave explain for what there is.')
}
