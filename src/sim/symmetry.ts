import { ByteWriter } from '../core/runtime/bytes.ts'
import type { Simulation } from './simulation.ts'

/** The number of different node states: 1 means that all nodes are symmetric. */
export function distinctStates({ states, algorithm }: Simulation): number {
  const out = new ByteWriter()
  const seen = new Set(
    states.all().map((state) => {
      algorithm.layout.write(out, state)
      return out.take().join()
    }),
  )
  return seen.size
}

/** The symmetry of the nodes after a round. */
export interface RoundSymmetry {
  readonly round: number
  readonly distinctStates: number
  /** The number of messages of each type that were sent in the round. */
  readonly sent: Readonly<Record<string, number>>
  /** The state that all nodes share; null where they differ. */
  readonly state: Readonly<Record<string, unknown>> | null
}

/** Observes the symmetry of a run after each round. */
export class SymmetryLog {
  readonly rounds: RoundSymmetry[] = []
  private sentBefore: readonly number[] = []

  look(round: number, simulation: Simulation): void {
    const { states, algorithm, counters } = simulation
    const count = distinctStates(simulation)
    const sent = algorithm.kinds.map(({ name, index }): [string, number] => [
      name,
      counters.sent[index] - (this.sentBefore[index] ?? 0),
    ])
    this.sentBefore = [...counters.sent]
    const first = states.of(0)
    const { status, leader, stopped } = first
    this.rounds.push({
      round,
      distinctStates: count,
      sent: Object.fromEntries(sent),
      state: count === 1 ? { status, leader, stopped, ...algorithm.layout.json(first) } : null,
    })
  }
}
