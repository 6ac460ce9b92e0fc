import {
  type Aggregate,
  type AggregateRow,
  averagesOf,
  numbersOf,
  partName,
  ROW,
  type RowInput,
} from '../../core/language/aggregate.ts'
import type { Row } from '../../core/language/collections.ts'
import type { Random } from '../../core/runtime/random.ts'
import type { State } from '../../core/runtime/state.ts'
import type { Simulation } from '../simulation.ts'
import {
  type AggregationRun,
  CompensatedSum,
  type Participation,
  type Traffic,
} from './aggregation-run.ts'
import { type Changes, holders, Inputs } from './inputs.ts'
import type { ValueRange } from './observation.ts'

import { type Overlay, overlayOf } from './overlay.ts'

/** The conditions of an aggregation by messages that are not conditions of its messages. */
export interface PeriodConditions {
  readonly changes: Changes
  /** The position of the node that starts a count with 1; null: it is drawn. */
  readonly leader: number | null
  readonly random: Random
}

/**
 * Aggregation by messages with delays, observed from period to period. Values and the holders of a
 * 1 change between periods: states have the change before the next event.
 */
export class PeriodSimulation implements AggregationRun {
  readonly aggregate: Aggregate
  readonly n: number
  readonly period: number
  readonly population: Participation
  readonly overlay: Overlay
  readonly values: Float64Array
  readonly expected: Float64Array
  readonly startSpread: Float64Array
  cycle = 0
  atStart = Number.NaN
  private readonly epoch: number
  private readonly evaporation: number
  /** The index of the message that carries mass between nodes; -1 where none does. */
  private readonly carrier: number
  private readonly names: readonly string[]
  private readonly inputs: Inputs
  private readonly holderRandom: Random
  private readonly leader: number | null
  private readonly chosen: Int32Array
  private readonly stateOf: (node: number) => Readonly<State>

  constructor(
    readonly simulation: Simulation,
    { changes, leader, random }: PeriodConditions,
  ) {
    const { world, n } = simulation
    const { values, chosen, params, algorithm, topology } = world
    const { computes } = algorithm
    if (computes === null || values === undefined || chosen === undefined)
      throw new Error(`${algorithm.name} computes nothing, or of nothing`)
    this.aggregate = computes.aggregate
    this.n = n
    this.period = params.period as number
    this.epoch = Number(params.epoch ?? 0)
    this.evaporation = Number(params.evaporation ?? 0)
    this.population = new SimulatedPopulation(simulation)
    this.overlay = overlayOf(topology)
    this.values = values
    this.chosen = chosen
    this.carrier = algorithm.kinds.findIndex(({ name }) => name === computes.carrier?.toLowerCase())
    this.names = this.aggregate.parts.map((_, part) => partName(this.aggregate, part))
    this.expected = new Float64Array(numbersOf(this.aggregate))
    this.startSpread = new Float64Array(numbersOf(this.aggregate))
    this.inputs = new Inputs(values, changes, random.split('drift'))
    this.holderRandom = random.split('chosen')
    this.leader = leader
    this.stateOf = simulation.states.cursor()
    this.restart()
  }

  get bits(): number {
    return this.simulation.counters.bits
  }

  get traffic(): Traffic {
    const { counters, toDead, lost, duplicated, algorithm } = this.simulation
    const byType = algorithm.kinds.map(({ name, index }) => [name, counters.sent[index]])
    return {
      total: counters.total,
      byType: Object.fromEntries(byType),
      toDead,
      refused: 0,
      lost,
      duplicated,
    }
  }

  /** A sleeping node has its start value. */
  valueAt(node: number, part: number): number {
    const state = this.stateOf(node)
    if (this.aggregate.row && state.status !== 'asleep') return (state[ROW] as Row)[part]
    return state.status === 'asleep' ? this.own(node, part) : (state[this.names[part]] as number)
  }

  /** A sleeping node has its start row, but for numbers that it has not drawn yet. */
  readRow<T>(node: number, read: (row: Row, at: number) => T): T | null {
    const state = this.stateOf(node)
    if (state.status !== 'asleep') return read(state[ROW] as Row, 0)
    const row = this.aggregate.row!
    return row.drawn ? null : read(startRow(row, this.inputOf(node)), 0)
  }

  truth(): number {
    const { values, population } = this
    const all = population.alive === this.n
    return this.aggregate.truth(all ? values : values.filter((_, v) => population.isAlive(v)))
  }

  range(): ValueRange {
    return this.inputs.range(this.population)
  }

  /** Includes messages in flight. Undefined with evaporation, and across epochs. */
  average(part: number): number {
    const { simulation, n, carrier, population } = this
    if (this.evaporation > 0 || !this.together()) return Number.NaN
    const { row } = this.aggregate
    const held = (body: Readonly<Record<string, unknown>>) =>
      row ? (body[ROW] as Row)[part] : (body[this.names[part]] as number)
    const sum = new CompensatedSum()
    for (let node = 0; node < n; node++)
      if (population.takesPart(node)) sum.add(this.valueAt(node, part))
    if (carrier >= 0) simulation.inFlight.each(carrier, (body) => sum.add(held(body)))
    return sum.value / population.active
  }

  run(): void {
    const { simulation, values, epoch, cycle } = this
    // Nodes that start with the first cycle have started before its first change.
    if (cycle === 0) simulation.finishUntil(0)
    if (this.inputs.advance(cycle))
      for (let node = 0; node < values.length; node++)
        simulation.setInput(node, 'value', values[node])
    if (epoch > 0 && cycle > 0 && cycle % epoch === 0) this.restart()
    this.cycle++
    // Events at the end of the period belong to the next one.
    simulation.finishUntil(this.cycle * this.period * (1 - Number.EPSILON))
  }

  finish(): void {
    const { simulation } = this
    simulation.stopTimers()
    while (simulation.inFlight.first < Number.POSITIVE_INFINITY && !simulation.limitReached)
      simulation.finishUntil(simulation.inFlight.first)
  }

  /** Chooses the holders of a 1 and computes the expected averages. */
  private restart(): void {
    const { aggregate, n, chosen, population, simulation } = this
    const holding = holders(aggregate.chosen, this.leader, population, this.holderRandom)
    chosen.fill(-1)
    for (const [place, node] of holding.entries()) chosen[node] = place
    for (let node = 0; node < n; node++) simulation.setInput(node, 'chosen', chosen[node])
    const expected = aggregate.row ? averagesOf(aggregate) : aggregate.parts.keys()
    for (const part of expected) {
      const sum = new CompensatedSum()
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (let node = 0; node < n; node++) {
        if (!population.isAlive(node)) continue
        const own = this.own(node, part)
        sum.add(own)
        least = Math.min(least, own)
        most = Math.max(most, own)
      }
      this.expected[part] = sum.value / population.alive
      this.startSpread[part] = most - least
    }
    this.atStart = this.truth()
  }

  private own(node: number, part: number): number {
    const { aggregate } = this
    const input = this.inputOf(node)
    return aggregate.row ? startRow(aggregate.row, input)[part] : aggregate.parts[part].start(input)
  }

  private inputOf(node: number): RowInput {
    return { value: this.values[node], chosen: this.chosen[node], id: node }
  }

  /** Whether all nodes that take part are in the same epoch. */
  private together(): boolean {
    if (this.epoch === 0) return true
    const active = this.simulation.states.all().filter((_, node) => this.population.takesPart(node))
    return active.every(({ era }) => era === active[0].era)
  }
}

/** A start row that is not drawn. */
function startRow(row: AggregateRow, input: RowInput): Row {
  const own = row.bytes ? new Uint8Array(row.length) : new Float64Array(row.length)
  row.start(own, 0, input, () => Number.NaN)
  return own
}

/** The live nodes of a simulation. */
class SimulatedPopulation implements Participation {
  readonly n: number
  private readonly deaf: Uint8Array | null
  private readonly stateOf: (node: number) => Readonly<State>

  constructor(private readonly simulation: Simulation) {
    this.n = simulation.n
    this.deaf = simulation.world.deaf ?? null
    this.stateOf = simulation.states.cursor()
  }

  get alive(): number {
    return this.simulation.monitor.aliveCount
  }

  get waiting(): number {
    return this.alive - this.active
  }

  get active(): number {
    let active = 0
    for (let node = 0; node < this.n; node++) if (this.takesPart(node)) active++
    return active
  }

  get complete(): boolean {
    return this.deaf === null && this.active === this.n
  }

  isAlive(node: number): boolean {
    return this.simulation.monitor.alive(node)
  }

  takesPart(node: number): boolean {
    return this.isAlive(node) && this.stateOf(node).standing !== 'waiting'
  }

  isDeaf(node: number): boolean {
    return this.deaf !== null && this.deaf[node] === 1
  }
}
