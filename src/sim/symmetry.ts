import { ByteWriter } from '../core/bytes.ts'
import type { Simulation } from './simulation.ts'

/** How many different states the nodes are in: 1 means that nothing tells them apart. */
export function distinctStates({ states, algorithm }: Simulation): number {
  const out = new ByteWriter()
  const seen = new Set(
    states.map((state) => {
      algorithm.form.write(out, state)
      return out.take().join()
    }),
  )
  return seen.size
}
