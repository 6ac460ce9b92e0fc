import type { Clock } from '../cluster/clock.ts'
import type { ProcessTable } from './network/process-identity.ts'
import type { Network } from './network/stream.ts'
import type { Disk } from './storage/disk.ts'

/**
 * The outside world of a coordinator. All its code reaches clocks, disks, the network and chance
 * only through it, so that a simulation can run the very same code.
 */
export interface Environment {
  readonly clock: Clock
  readonly disk: Disk
  readonly network: Network
  /** Where missing, no process is known to be gone. */
  readonly processes?: ProcessTable
  /** Tells people of a mistake in how the node was started, if there is no log. */
  warn?(message: string): void
  /** Random bytes that nobody can predict; seeded in a simulation. */
  randomBytes(count: number): Uint8Array
}
