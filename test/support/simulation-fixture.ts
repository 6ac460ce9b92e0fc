import type { Algorithm, Property, TraceEvent, World } from '../../src/core/index.ts'
import { Random, ring } from '../../src/core/index.ts'
import { type FaultPlan, noFaults } from '../../src/sim/faults/faults.ts'
import { type Conditions, type Delay, type RunEnd, simulationOf } from '../../src/sim/index.ts'

type Entry = readonly [node: number, time: number]

/** A ring and what happens to it, set by hand; time 0 is round 1. */
export interface Staging {
  /** By position; by default the positions themselves. */
  readonly ids?: readonly number[]
  readonly n?: number
  readonly params?: World['params']
  readonly synchronous?: boolean
  readonly delay?: Delay
  readonly fifo?: boolean
  readonly starts?: readonly Entry[]
  readonly crashes?: readonly Entry[]
  readonly faults?: Partial<FaultPlan>
  readonly seed?: number
  readonly until?: number
  readonly maxMessages?: number
  readonly properties?: readonly Property[]
}

/** A run that has not begun, and the list that collects its events. */
export function stage(algorithm: Algorithm, staging: Staging) {
  const { n = staging.ids?.length ?? 4 } = staging
  const { ids = Array.from({ length: n }, (_, node) => node) } = staging
  const world: World = {
    algorithm,
    topology: ring(n),
    ids: Float64Array.from(ids),
    params: staging.params ?? {},
  }
  const conditions: Conditions = {
    synchronous: staging.synchronous ?? false,
    delay: staging.delay ?? { model: 'constant', delay: 1 },
    fifo: staging.fifo ?? true,
    starts: planOf(staging.starts ?? ids.map((_, node) => [node, 0])),
    crashes: planOf(staging.crashes ?? []),
    faults: { ...noFaults, ...staging.faults },
    random: Random.from(staging.seed ?? 1),
    until: staging.until ?? Number.MAX_SAFE_INTEGER,
    maxMessages: staging.maxMessages ?? 1_000_000,
  }
  const events: TraceEvent[] = []
  const simulation = simulationOf(world, conditions, staging.properties ?? [], {
    trace: (event) => events.push(event),
    spoilBodies: true,
  })
  return { simulation, events }
}

/** The same run from beginning to end. */
export function play(algorithm: Algorithm, staging: Staging) {
  const { simulation, events } = stage(algorithm, staging)
  const ending: RunEnd = simulation.finish()
  return { simulation, events, ending }
}

function planOf(entries: readonly Entry[]): Conditions['starts'] {
  const sorted = entries.toSorted(([a, at], [b, bt]) => at - bt || a - b)
  return {
    nodes: Uint32Array.from(sorted, ([node]) => node),
    times: Float64Array.from(sorted, ([, time]) => time),
  }
}
