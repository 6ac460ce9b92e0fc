import type { Clock } from '../clock.ts'
import type { ProcessTable } from './process-identity.ts'
import type { Network } from './stream.ts'

/** What connections need of the outside world, so that a simulation can run the very same code. */
export interface MeshEnvironment {
  readonly clock: Clock
  readonly network: Network
  /** Where missing, no process is known to be gone. */
  readonly processes?: ProcessTable
  /** Random bytes that nobody can predict; seeded in a simulation. */
  randomBytes(count: number): Uint8Array
}
