import {
  type Aggregate,
  type AggregateField,
  averagesOf,
  numbersOf,
} from '../../core/language/aggregate.ts'
import type { Row } from '../../core/language/collections.ts'
import type { Topology } from '../../core/language/topology.ts'
import { real } from '../../core/language/value-types.ts'
import type { Random } from '../../core/runtime/random.ts'
import { type AggregationRun, CompensatedSum, type Traffic } from './aggregation-run.ts'
import { type CycleConditions, holders, Inputs } from './inputs.ts'
import { type ExchangedParts, exchangedParts, RumorCalls } from './kernels/exchange-kernels.ts'
import { type NeighbourRounds, neighbourRounds } from './kernels/neighbour-rounds.ts'
import { RowColumn } from './kernels/rows.ts'
import { Newscast } from './newscast.ts'
import type { ValueRange } from './observation.ts'
import { GONE, NO_NODE, type Overlay, overlayOf } from './overlay.ts'
import { type Pairing, pairingOf } from './pairing.ts'
import { Population } from './population.ts'

/**
 * The number of pairs that are drawn at a time, and then exchange part by part: their columns fit
 * into the first cache. Random pairs depend on it, since the first nodes of all are drawn first.
 */
const BATCH = 2048
const BATCH_OF_RANDOM_PAIRS = 4096

/**
 * Aggregation in cycles: every exchange is done at once, with no message in flight. An exchange has
 * the effect of the message handlers, without the time they take.
 */
export class CycleSimulation implements AggregationRun {
  readonly n: number
  readonly period = null
  /** By node, then by part: the numbers of a node lie in one cache line. */
  readonly numbers: Float64Array
  /** In place of numbers, where nodes exchange rows. */
  private readonly rows: RowColumn | null
  cycle = 0
  /** Exchanges: completed, lost, attempted with a crashed node, and with a waiting one. */
  exchanges = 0
  lost = 0
  toDead = 0
  refused = 0
  /** Messages that were flooded and arrived. */
  flooded = 0
  readonly expected: Float64Array
  readonly startSpread: Float64Array
  atStart = Number.NaN
  readonly population: Population
  readonly overlay: Overlay
  private chosen: readonly number[] = []
  private readonly inputs: Inputs
  /** The truth about all values, until one of them changes. */
  private knownTruth: number | null = null
  private readonly pairing: Pairing
  private readonly lossRandom: Random
  private readonly holderRandom: Random
  private readonly entryRandom: Random
  private readonly first: Int32Array
  private readonly second: Int32Array
  /** The numbers at the beginning of the round; null where exchanges are in turn. */
  private readonly before: Float64Array | null
  /** Whether calls have no answer: what a lost call carries is lost. */
  private readonly oneWay: boolean
  private readonly neighbours: NeighbourRounds | null
  private readonly rumor: RumorCalls | null
  /** How pairs exchange their numbers; none where they do not. */
  private readonly exchanged: readonly ExchangedParts[]

  constructor(
    readonly aggregate: Aggregate,
    private readonly topology: Topology,
    readonly values: Float64Array,
    private readonly conditions: CycleConditions,
  ) {
    const { random, order, deaf, crashes, view } = conditions
    const { n } = topology
    this.n = n
    this.lossRandom = random.split('luck')
    this.holderRandom = random.split('chosen')
    this.entryRandom = random.split('entry')
    this.inputs = new Inputs(values, conditions.changes, random.split('drift'))
    this.population = new Population(n, crashes, conditions, random.split('turnover'))
    this.population.deafen(deaf, random.split('deaf'))
    this.population.crashUntil(-1)
    this.overlay =
      view > 0
        ? new Newscast(topology, view, this.population, random.split('views'))
        : overlayOf(topology)
    const batch = Math.min(order === 'pairs' ? BATCH_OF_RANDOM_PAIRS : BATCH, n)
    this.first = new Int32Array(batch)
    this.second = new Int32Array(batch)
    this.numbers = new Float64Array(n * aggregate.parts.length)
    this.oneWay = aggregate.parts.some(({ rule }) => rule.share !== undefined)
    const { numbers, population, lossRandom } = this
    this.neighbours = neighbourRounds({
      aggregate,
      topology,
      population,
      values,
      numbers,
      loss: conditions.loss,
      random: lossRandom,
    })
    const together = order === 'together' && this.neighbours === null
    this.before = together ? new Float64Array(numbers.length) : null
    this.rumor =
      aggregate.calls && this.before
        ? new RumorCalls(aggregate.calls, this.before, conditions.loss, lossRandom)
        : null
    const paired = this.rumor === null && this.neighbours === null
    this.exchanged = paired ? exchangedParts(aggregate.parts, together) : []
    const mayCall = this.rumor?.mayCall
    this.pairing = pairingOf(order, n, this.overlay, random.split('pairs'), mayCall)
    this.rows = aggregate.row ? new RowColumn(aggregate.row, values, random.split('draws')) : null
    this.expected = new Float64Array(numbersOf(aggregate))
    this.startSpread = new Float64Array(numbersOf(aggregate))
    this.restart()
  }

  truth(): number {
    const { values, population } = this
    if (population.alive < this.n)
      return this.aggregate.truth(values.filter((_, v) => population.isAlive(v)))
    this.knownTruth ??= this.aggregate.truth(values)
    return this.knownTruth
  }

  range(): ValueRange {
    return this.inputs.range(this.population)
  }

  /** Every push or answer carries all numbers of its sender. */
  get bits(): number {
    if (this.neighbours !== null) return this.neighbours.bits
    const { total, byType } = this.traffic
    if (this.rumor !== null) return 2 * total + byType.call
    const each = this.aggregate.row?.bytes ? 8 : real.bits(0, 0)
    return total * ((this.oneWay ? 0 : 1) + each * numbersOf(this.aggregate))
  }

  get traffic(): Traffic {
    const { exchanges, lost, toDead, refused, neighbours, rumor } = this
    if (neighbours !== null) {
      const { message, messages: total, lost, toDead } = neighbours
      return { total, byType: { [message]: total }, toDead, refused: 0, lost, duplicated: 0 }
    }
    const calls = exchanges + lost + toDead + refused
    const fates = { toDead, refused, lost, duplicated: 0 }
    if (rumor !== null) {
      const { call } = this.aggregate.calls!
      const byType: Record<string, number> = { ...rumor.byType }
      byType[call] += calls
      const total = byType.rumor + byType.ask + byType.call + byType.known
      return { total, byType, ...fates, lost: lost + rumor.lost }
    }
    if (this.oneWay) return { total: calls, byType: { share: calls }, ...fates }
    const push = calls + this.flooded
    const total = push + exchanges
    const word = this.aggregate.row?.message?.toLowerCase()
    const byType = word === undefined ? { push, answer: exchanges } : { [word]: total }
    return { total, byType, ...fates }
  }

  get column(): Row | null {
    return this.rows?.column ?? null
  }

  valueAt(node: number, part: number): number {
    return (this.rows?.column ?? this.numbers)[node * this.expected.length + part]
  }

  readRow<T>(node: number, read: (row: Row, at: number) => T): T {
    return read(this.rows!.column, node * this.expected.length)
  }

  /** No exchange is ever under way. */
  finish(): void {}

  /** One cycle has as many exchanges as there are nodes. */
  run(): void {
    const { epoch, evaporation } = this.conditions
    this.population.crashUntil(this.cycle)
    this.population.leave()
    this.overlay.begin?.()
    this.joinNodes()
    if (this.inputs.advance(this.cycle)) this.knownTruth = null
    if (epoch > 0 && this.cycle > 0 && this.cycle % epoch === 0) this.restart()
    if (evaporation > 0) this.evaporate(evaporation)
    if (this.rows) this.beginRows(this.rows)
    if (this.neighbours === null) this.callAll()
    else this.neighbours.run()
    this.cycle++
  }

  private callAll(): void {
    this.before?.set(this.numbers)
    this.pairing.begin()
    for (let count = this.next(); count > 0; count = this.next()) this.exchange(count)
  }

  average(part: number): number {
    const { population, n, expected } = this
    const numbers = this.rows?.column ?? this.numbers
    const sum = new CompensatedSum()
    for (let node = 0, at = part; node < n; node++, at += expected.length)
      if (population.takesPart(node)) sum.add(numbers[at])
    return sum.value / population.active
  }

  /** The stage that is due, and a round of flooding. */
  private beginRows(rows: RowColumn): void {
    const { stages, floods } = this.aggregate.row!
    const { population } = this
    if (stages && this.cycle > 0 && this.cycle % stages.cycles === 0) {
      rows.advance(population, this.entryRandom)
      population.startWaiting()
    }
    if (!floods) return
    const { loss } = this.conditions
    const { delivered, lost, toDead, refused } = rows.flood(
      this.topology,
      population,
      loss,
      this.lossRandom,
    )
    this.flooded += delivered
    this.lost += lost
    this.toDead += toDead
    this.refused += refused
  }

  /** New nodes wait for the next epoch; without epochs they start with their values. */
  private joinNodes(): void {
    const { population, overlay, numbers, expected, rows } = this
    const waits = this.conditions.epoch > 0 || this.aggregate.row?.stages !== undefined
    const before = population.active
    const newcomers = population.join(waits)
    for (const { node, contact } of newcomers) {
      overlay.join?.(node, contact)
      this.neighbours?.forget(node)
    }
    if (rows) for (const { node } of newcomers) rows.start(node, -1)
    if (rows && !waits && newcomers.length > 0)
      for (const part of averagesOf(this.aggregate)) {
        let sum = expected[part] * before
        for (const { node } of newcomers) sum += this.valueAt(node, part)
        expected[part] = sum / (before + newcomers.length)
      }
    if (waits) return
    for (const [part, { start }] of this.aggregate.parts.entries()) {
      let sum = expected[part] * before
      for (const { node } of newcomers) {
        const own = start({ value: this.values[node], chosen: -1 })
        numbers[node * expected.length + part] = own
        sum += own
      }
      if (newcomers.length > 0) expected[part] = sum / (before + newcomers.length)
    }
  }

  /** All nodes start again with their values, and the holders of a 1 are chosen. */
  private restart(): void {
    const { aggregate, numbers, population } = this
    const { parts } = aggregate
    population.startWaiting()
    const { leader } = this.conditions
    this.chosen = holders(aggregate.chosen, leader, population, this.holderRandom)
    if (this.rows) this.startRows(this.rows)
    for (const [part, { start }] of parts.entries()) {
      this.eachStart(start, (node, own) => {
        numbers[node * parts.length + part] = own
      })
      this.expectFromStart(part)
    }
    this.atStart = this.truth()
  }

  private startRows(rows: RowColumn): void {
    for (let node = 0; node < this.n; node++) rows.start(node, -1)
    for (const part of averagesOf(this.aggregate)) this.expectFromStart(part)
  }

  /** All nodes have just started. */
  private expectFromStart(part: number): void {
    const { population, n } = this
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (let node = 0; node < n; node++) {
      if (!population.isAlive(node)) continue
      const own = this.valueAt(node, part)
      if (own < least) least = own
      if (own > most) most = own
    }
    this.startSpread[part] = most - least
    this.expected[part] = this.average(part)
  }

  private evaporate(share: number): void {
    const { population, numbers, expected, rows, n } = this
    const { parts } = this.aggregate
    if (rows) for (let node = 0; node < n; node++) rows.evaporate(node, share)
    for (const [part, { start }] of parts.entries()) {
      let sum = 0
      this.eachStart(start, (node, own) => {
        const at = node * parts.length + part
        numbers[at] += share * (own - numbers[at])
        if (population.takesPart(node)) sum += own
      })
      expected[part] += share * (sum / population.active - expected[part])
    }
  }

  private eachStart(
    start: AggregateField['start'],
    use: (node: number, own: number) => void,
  ): void {
    const { values, chosen } = this
    const numbers = new Map(chosen.map((node, place) => [node, place]))
    for (let node = 0; node < values.length; node++) {
      const place = numbers.size === 0 ? -1 : (numbers.get(node) ?? -1)
      use(node, start({ value: values[node], chosen: place }))
    }
  }

  /** Draws the next pairs that can exchange. */
  private next(): number {
    const { first, second, population, n } = this
    const mayFail = !population.complete || this.conditions.loss > 0 || n === 1
    let count = this.pairing.fill(first, second)
    while (count > 0 && mayFail) {
      const able = this.filterPairs(count)
      if (able > 0) return able
      count = this.pairing.fill(first, second)
    }
    this.exchanges += count
    return count
  }

  /** Moves the pairs that can exchange to the front; returns their number. */
  private filterPairs(count: number): number {
    const { first, second, population, oneWay } = this
    let able = 0
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      if (b === NO_NODE || !population.takesPart(a) || population.isDeaf(b)) continue
      const reached = this.reaches(b)
      if (!reached && !oneWay) continue
      if (reached) this.exchanges++
      first[able] = a
      second[able++] = reached ? b : NO_NODE
    }
    return able
  }

  /** Whether a call arrives at a node that takes part. */
  private reaches(b: number): boolean {
    const { population, lossRandom } = this
    const { loss } = this.conditions
    if (b === GONE || !population.isAlive(b)) this.toDead++
    else if (loss > 0 && lossRandom.unit() < loss) this.lost++
    else if (!population.takesPart(b)) this.refused++
    else return true
    return false
  }

  private exchange(count: number): void {
    const { numbers, first, second, rumor, exchanged } = this
    const before = this.before ?? numbers
    this.rows?.exchange(first, second, count)
    rumor?.exchange(numbers, first, second, count)
    const { parts } = this.aggregate
    for (const { from, to, loop } of exchanged)
      loop(from, to, parts.length, before, numbers, first, second, count)
  }
}
