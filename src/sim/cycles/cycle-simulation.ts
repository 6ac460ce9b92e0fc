import type { Aggregate, Part, Rule } from '../../core/aggregate.ts'
import type { Random } from '../../core/random.ts'
import type { Topology } from '../../core/topology.ts'
import type { CycleConditions } from './cycle-conditions.ts'
import { overlayOf } from './overlay.ts'
import { type Pairing, pairingOf } from './pairing.ts'

/** Pairs are drawn so many at a time, and then exchange part by part. */
const BATCH = 4096

/**
 * Aggregation in cycles: every exchange is done at once, with no message in flight. What the
 * exchanges do is what the handlers of the messages do; only time is left out.
 */
export class CycleSimulation {
  readonly n: number
  /** By part, then by node. */
  readonly columns: readonly Float64Array[]
  /** Cycles that are done. */
  cycle = 0
  /** Of the exchanges: those done, those lost, and those that were tried with a dead node. */
  exchanges = 0
  lost = 0
  toDead = 0
  /** By part: the average that should be there, had nobody died and nothing been lost. */
  readonly expected: Float64Array
  /** By part: the average size of what nodes began with, which makes errors relative. */
  readonly scale: Float64Array
  /** The result at the beginning of this epoch. */
  atStart = Number.NaN
  private chosen: readonly number[] = []
  private readonly dead: Uint8Array
  private living: number
  private deaths = 0
  private steps = 0
  private readonly deaf: Uint8Array | null
  private readonly pairing: Pairing
  private readonly luck: Random
  private readonly choice: Random
  private readonly drift: Random
  private readonly first: Int32Array
  private readonly second: Int32Array

  constructor(
    readonly aggregate: Aggregate,
    topology: Topology,
    readonly values: Float64Array,
    private readonly conditions: CycleConditions,
  ) {
    const { random, order, deaf } = conditions
    const { n } = topology
    this.n = n
    this.living = n
    this.dead = new Uint8Array(n)
    this.luck = random.split('luck')
    this.choice = random.split('chosen')
    this.drift = random.split('drift')
    this.deaf = deaf > 0 ? drawn(n, deaf, random.split('deaf')) : null
    this.pairing = pairingOf(order, n, overlayOf(topology), random.split('pairs'))
    this.first = new Int32Array(Math.min(BATCH, n))
    this.second = new Int32Array(Math.min(BATCH, n))
    this.columns = aggregate.parts.map(() => new Float64Array(n))
    this.expected = new Float64Array(aggregate.parts.length)
    this.scale = new Float64Array(aggregate.parts.length)
    this.bury(-1)
    this.restart()
  }

  /** How many nodes are alive. */
  get alive(): number {
    return this.living
  }

  isAlive(node: number): boolean {
    return this.dead[node] === 0
  }

  /** What the nodes would come to now, if they began with what they have. */
  truth(): number {
    const { values, dead, living, n } = this
    return this.aggregate.truth(living === n ? values : values.filter((_, v) => dead[v] === 0))
  }

  /** One cycle: as many exchanges as there are nodes. */
  run(): void {
    const { epoch, evaporation } = this.conditions
    this.bury(this.cycle)
    this.changeValues()
    if (epoch > 0 && this.cycle > 0 && this.cycle % epoch === 0) this.restart()
    if (evaporation > 0) this.evaporate(evaporation)
    this.pairing.begin()
    for (let count = this.next(); count > 0; count = this.next()) this.exchange(count)
    this.cycle++
  }

  /** The average of a part over the live nodes, as exactly as it can be had. */
  average(part: number): number {
    const { dead, living } = this
    const column = this.columns[part]
    let sum = 0
    let lost = 0
    for (let node = 0; node < column.length; node++) {
      if (dead[node] === 1) continue
      const term = column[node] - lost
      const next = sum + term
      lost = next - sum - term
      sum = next
    }
    return sum / living
  }

  /** Those die whose time has come. */
  private bury(moment: number): void {
    const { nodes, times } = this.conditions.crashes
    while (this.deaths < nodes.length && times[this.deaths] <= moment) {
      const node = nodes[this.deaths++]
      this.living -= 1 - this.dead[node]
      this.dead[node] = 1
    }
  }

  private changeValues(): void {
    const { steps, drift } = this.conditions.changes
    const { values } = this
    for (; steps[this.steps]?.cycle <= this.cycle + 1; this.steps++)
      values[steps[this.steps].node] = steps[this.steps].to
    if (drift === 0) return
    for (let node = 0; node < values.length; node++)
      values[node] += drift * (2 * this.drift.unit() - 1)
  }

  /** Everybody has what it has at the beginning, and some are chosen to hold a 1. */
  private restart(): void {
    const { aggregate, columns, dead, living } = this
    this.chosen = this.choose(Math.min(aggregate.chosen, living))
    for (const [part, { start }] of aggregate.parts.entries()) {
      const column = columns[part]
      let size = 0
      this.eachStart(start, (node, own) => {
        column[node] = own
        if (dead[node] === 0) size += Math.abs(own)
      })
      this.scale[part] = size / living
      this.expected[part] = this.average(part)
    }
    this.atStart = this.truth()
  }

  private evaporate(share: number): void {
    const { dead, expected } = this
    for (const [part, { start }] of this.aggregate.parts.entries()) {
      const column = this.columns[part]
      let sum = 0
      this.eachStart(start, (node, own) => {
        column[node] += share * (own - column[node])
        if (dead[node] === 0) sum += own
      })
      expected[part] += share * (sum / this.living - expected[part])
    }
  }

  private eachStart(start: Part['start'], use: (node: number, own: number) => void): void {
    const { values, chosen } = this
    const places = new Map(chosen.map((node, place) => [node, place]))
    for (let node = 0; node < values.length; node++) {
      const place = places.size === 0 ? -1 : (places.get(node) ?? -1)
      use(node, start({ value: values[node], chosen: place }))
    }
  }

  private choose(count: number): number[] {
    const chosen = new Set<number>()
    while (chosen.size < count) {
      const node = this.choice.below(this.n)
      if (this.dead[node] === 0) chosen.add(node)
    }
    return [...chosen]
  }

  /** Draws the next pairs, without those that cannot exchange. */
  private next(): number {
    const { first, second, n } = this
    const troubled = this.living < n || this.deaf !== null || this.conditions.loss > 0 || n === 1
    let count = this.pairing.fill(first, second)
    while (count > 0 && troubled) {
      const able = this.sift(count)
      if (able > 0) return able
      count = this.pairing.fill(first, second)
    }
    this.exchanges += count
    return count
  }

  /** Moves the pairs that can exchange to the front; returns how many there are. */
  private sift(count: number): number {
    const { first, second, dead, deaf, luck } = this
    const { loss } = this.conditions
    let able = 0
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      if (b < 0 || dead[a] === 1 || deaf?.[b] === 1) continue
      if (dead[b] === 1) this.toDead++
      else if (loss > 0 && luck.unit() < loss) this.lost++
      else {
        first[able] = a
        second[able++] = b
      }
    }
    this.exchanges += able
    return able
  }

  private exchange(count: number): void {
    for (const [part, { rule }] of this.aggregate.parts.entries())
      apply(rule, this.columns[part], this.first, this.second, count)
  }
}

/** Two loops and not one: each is compiled for its own kind of rule. */
function apply(
  { change, better }: Rule,
  column: Float64Array,
  first: Int32Array,
  second: Int32Array,
  count: number,
): void {
  if (change !== undefined) {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const moved = change(column[b], column[a])
      column[b] += moved
      column[a] -= moved
    }
  } else {
    for (let i = 0; i < count; i++) {
      const [a, b] = [first[i], second[i]]
      const best = better(column[b], column[a])
      column[a] = best
      column[b] = best
    }
  }
}

function drawn(n: number, share: number, random: Random): Uint8Array {
  const marks = new Uint8Array(n)
  for (const node of random.permutation(n).subarray(0, Math.round(share * n))) marks[node] = 1
  return marks
}
