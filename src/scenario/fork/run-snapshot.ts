import type { TraceEvent } from '../../core/index.ts'
import { type Conditions, PeriodSimulation, type Simulation, simulate } from '../../sim/index.ts'
import type { AggregationPreparation } from '../gossip/prepare-gossip.ts'
import type { Preparation } from '../prepare.ts'

/** A run as it stands before a moment. */
export interface RunSnapshot {
  readonly n: number
  alive(node: number): boolean
  asleep(node: number): boolean
  /** Who starts by itself, and when. */
  readonly starts: readonly { readonly node: number; readonly at: number }[]
  underWay(message: number): boolean
  /** Whether the network had made two of a message, one of which has ended its way. */
  halved(message: number): boolean
  /** A message that is on the same way before another, until after then; null where none is. */
  ahead(message: number, then: number): number | null
}

/** Messages on their way, by number: from whom, over which link of it, and how many of them. */
class Mail {
  readonly halved = new Set<number>()
  readonly letters = new Map<number, { node: number; link: number; copies: number }>()

  see(event: TraceEvent): void {
    if (!('message' in event)) return
    const { event: what, message, node, link } = event
    const letter = this.letters.get(message)
    if (what === 'send') this.letters.set(message, { node, link, copies: 1 })
    else if (what === 'double') letter!.copies++
    else if (--letter!.copies === 0) this.letters.delete(message)
    else this.halved.add(message)
  }
}

/** Runs an election, or gossip by messages, as far as everything that comes before a moment. */
export function snapshotBefore(
  { world, conditions }: Pick<Preparation, 'world' | 'conditions'>,
  moment: number,
  { mailed }: { readonly mailed: boolean },
): RunSnapshot {
  const mail = new Mail()
  const trace = (event: TraceEvent) => mail.see(event)
  const simulation = simulate(world, conditions, [], mailed ? { trace } : {})
  // Nothing comes before the beginning.
  if (moment > 0) simulation.finishUntil(justBefore(moment))
  const origin = conditions.synchronous ? 1 : 0
  return {
    ...nodesIn(simulation),
    starts: startsOf(conditions, (time) => time + origin),
    underWay: (message) => mail.letters.has(message),
    halved: (message) => mail.halved.has(message),
    ahead(message, then) {
      const { node, link } = mail.letters.get(message)!
      simulation.finishUntil(then - origin)
      const first = [...mail.letters].find(
        ([number, letter]) => number < message && letter.node === node && letter.link === link,
      )
      return conditions.fifo && first !== undefined ? first[0] : null
    },
  }
}

/** The same of an aggregation, which is looked at between two cycles: no message is told apart. */
export function snapshotBeforeCycle(
  preparation: AggregationPreparation,
  cycle: number,
): RunSnapshot {
  const course = preparation.begin()
  while (course.cycle < cycle - 1) course.run()
  const { n, population, period } = course
  const ground = preparation.world?.()
  return {
    ...(course instanceof PeriodSimulation
      ? nodesIn(course.simulation)
      : { n, alive: (node: number) => population.isAlive(node), asleep: () => false }),
    starts: ground ? startsOf(ground.conditions, (time) => time / period! + 1) : [],
    underWay: () => false,
    halved: () => false,
    ahead: () => null,
  }
}

function nodesIn({ monitor, states, n }: Simulation): Pick<RunSnapshot, 'n' | 'alive' | 'asleep'> {
  return {
    n,
    alive: (node) => monitor.alive(node),
    asleep: (node) => monitor.alive(node) && states.of(node).status === 'asleep',
  }
}

function startsOf(
  { starts }: Conditions,
  momentOf: (time: number) => number,
): RunSnapshot['starts'] {
  return Array.from(starts.nodes, (node, i) => ({ node, at: momentOf(starts.times[i]) }))
}

/** The last moment before another. */
function justBefore(moment: number): number {
  return moment * (1 - Number.EPSILON / 2)
}
