import type { Aggregate, ExchangeRule, FlowRule } from '../../../core/language/aggregate.ts'
import type { Topology } from '../../../core/language/topology.ts'
import type { Random } from '../../../core/runtime/random.ts'
import type { Population } from '../population.ts'

/** What a round of messages to all neighbours works on. */
export interface NeighbourSetup {
  readonly aggregate: Aggregate
  readonly topology: Topology
  readonly population: Population
  readonly values: Float64Array
  /** By node, then by part. */
  readonly numbers: Float64Array
  /** The probability that a message is lost. */
  readonly loss: number
  readonly random: Random
}

/** Rounds in which every node sends to all neighbours at once. */
export abstract class NeighbourRounds {
  /** The type of the messages, and their bits. */
  abstract readonly message: string
  messages = 0
  lost = 0
  toDead = 0
  bits = 0

  constructor(protected readonly setup: NeighbourSetup) {}

  abstract run(): void

  /** A new node is at a position: nothing is left of the one before. */
  abstract forget(node: number): void

  protected arrives(): boolean {
    const { loss, random } = this.setup
    if (loss === 0 || random.unit() >= loss) return true
    this.lost++
    return false
  }
}

/** The rounds of an aggregate that works with all neighbours; null where nodes call one. */
export function neighbourRounds(setup: NeighbourSetup): NeighbourRounds | null {
  const rule = setup.aggregate.parts.at(0)?.rule
  if (rule?.flow !== undefined) return new FlowRounds(setup, rule.flow)
  return rule?.weight === undefined ? null : new WeightRounds(setup)
}

const REAL_BITS = 64

/** Every node takes a part of each difference to a neighbour. */
class WeightRounds extends NeighbourRounds {
  readonly message = 'value'
  private readonly before: Float64Array
  private readonly parts: number

  constructor(setup: NeighbourSetup) {
    super(setup)
    this.before = new Float64Array(setup.numbers.length)
    this.parts = setup.aggregate.parts.length
  }

  forget(): void {}

  run(): void {
    const { numbers, aggregate, population, loss } = this.setup
    const sure = population.complete && loss === 0
    this.before.set(numbers)
    if (sure) for (const [part, { rule }] of aggregate.parts.entries()) this.takeAll(rule, part)
    else this.takeSome()
    if (sure) this.countAll()
  }

  /** Nobody has crashed, and no message is lost. */
  private takeAll({ weight }: ExchangeRule, part: number): void {
    const { topology, numbers } = this.setup
    const { n, firstLink } = topology
    const { before, parts } = this
    for (let node = 0; node < n; node++) {
      const degree = topology.degree(node)
      const own = before[node * parts + part]
      let moved = 0
      for (let link = firstLink; link < firstLink + degree; link++) {
        const other = topology.neighbor(node, link)
        moved += (before[other * parts + part] - own) * weight!(degree, topology.degree(other))
      }
      numbers[node * parts + part] = own + moved
    }
  }

  private countAll(): void {
    const { topology } = this.setup
    for (let node = 0; node < topology.n; node++)
      this.count(topology.degree(node), topology.degree(node))
  }

  private takeSome(): void {
    const { topology, numbers, aggregate, population } = this.setup
    const { n, firstLink } = topology
    const { before, parts } = this
    for (let node = 0; node < n; node++) {
      if (!population.takesPart(node)) continue
      const degree = topology.degree(node)
      this.count(degree, degree)
      for (let link = firstLink; link < firstLink + degree; link++) {
        const other = topology.neighbor(node, link)
        if (!population.takesPart(other)) this.toDead++
        else if (this.arrives())
          for (const [part, { rule }] of aggregate.parts.entries()) {
            const [own, theirs] = [node * parts + part, other * parts + part]
            const weight = rule.weight!(degree, topology.degree(other))
            numbers[own] += (before[theirs] - before[own]) * weight
          }
      }
    }
  }

  private count(messages: number, degree: number): void {
    this.messages += messages
    this.bits += messages * (REAL_BITS * this.parts + 32 - Math.clz32(degree))
  }
}

/** Flows over links, and the estimates of neighbours, lie in columns by link and direction. */
class FlowRounds extends NeighbourRounds {
  readonly message = 'flow'
  /** By node: the number of its first direction. */
  private readonly offsets: Int32Array
  /** By direction: the opposite one. */
  private readonly opposite: Int32Array
  private readonly flow: Float64Array
  private readonly estimate: Float64Array

  constructor(
    setup: NeighbourSetup,
    private readonly rule: FlowRule,
  ) {
    super(setup)
    const { topology } = setup
    const { n, firstLink } = topology
    this.offsets = new Int32Array(n + 1)
    for (let node = 0; node < n; node++)
      this.offsets[node + 1] = this.offsets[node] + topology.degree(node)
    const directions = this.offsets[n]
    this.opposite = new Int32Array(directions)
    this.flow = new Float64Array(directions)
    this.estimate = new Float64Array(directions)
    for (let node = 0; node < n; node++)
      for (let i = 0; i < topology.degree(node); i++) {
        const link = firstLink + i
        const back = topology.back(node, link) - firstLink
        this.opposite[this.offsets[node] + i] = this.offsets[topology.neighbor(node, link)] + back
      }
  }

  forget(node: number): void {
    for (let at = this.offsets[node]; at < this.offsets[node + 1]; at++) {
      this.clear(at)
      this.clear(this.opposite[at])
    }
  }

  run(): void {
    const { topology, population } = this.setup
    const all = population.complete
    for (let node = 0; node < topology.n; node++)
      if (all) this.average(node)
      else if (population.takesPart(node)) this.averageWithLive(node)
    for (let node = 0; node < topology.n; node++)
      if (all || population.takesPart(node)) this.deliver(node, all)
  }

  private average(node: number): void {
    const { numbers, aggregate, values } = this.setup
    const [from, to] = [this.offsets[node], this.offsets[node + 1]]
    const value = aggregate.parts[0].start({ value: values[node], chosen: -1 })
    numbers[node * aggregate.parts.length] = this.rule(value, this.flow, this.estimate, from, to)
  }

  /** Crashed neighbours are known, and what has flowed to them is forgotten. */
  private averageWithLive(node: number): void {
    const { numbers, aggregate, values, topology, population } = this.setup
    const live: number[] = []
    for (let at = this.offsets[node]; at < this.offsets[node + 1]; at++) {
      const other = topology.neighbor(node, topology.firstLink + at - this.offsets[node])
      if (population.takesPart(other)) live.push(at)
      else this.clear(at)
    }
    const flow = live.map((at) => this.flow[at])
    const estimate = live.map((at) => this.estimate[at])
    const value = aggregate.parts[0].start({ value: values[node], chosen: -1 })
    numbers[node * aggregate.parts.length] = this.rule(value, flow, estimate, 0, live.length)
    for (const [i, at] of live.entries()) {
      this.flow[at] = flow[i]
      this.estimate[at] = estimate[i]
    }
  }

  /** Both ends of a link send what they have before either has received anything. */
  private deliver(node: number, all: boolean): void {
    const { flow, estimate, opposite } = this
    const { topology, population } = this.setup
    const from = this.offsets[node]
    for (let at = from; at < this.offsets[node + 1]; at++) {
      const back = opposite[at]
      if (back < at) continue
      if (!all && !population.takesPart(topology.neighbor(node, topology.firstLink + at - from)))
        continue
      this.messages += 2
      const [there, here, mine, theirs] = [flow[at], flow[back], estimate[at], estimate[back]]
      if (this.arrives()) {
        flow[back] = -there
        estimate[back] = mine
      }
      if (this.arrives()) {
        flow[at] = -here
        estimate[at] = theirs
      }
    }
    this.bits = this.messages * 2 * REAL_BITS
  }

  private clear(at: number): void {
    this.flow[at] = 0
    this.estimate[at] = 0
  }
}
