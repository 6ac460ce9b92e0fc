import { UsageError } from '../../core/index.ts'
import type { Topology } from '../../core/language/topology.ts'
import { grouped } from '../../core/text-format.ts'
import type { Io } from '../io.ts'

/** The memory of smaller worlds is not worth a word. */
const LARGE = 1_000_000
const GB = 2 ** 30

/** Says how much memory a large run will take, and refuses one for which there is too little. */
export function requireMemory(
  { n, name }: Pick<Topology, 'n' | 'name'>,
  needed: () => number,
  io: Pick<Io, 'err' | 'progress'>,
  available = process.availableMemory(),
): void {
  if (n < LARGE) return
  const bytes = needed()
  const nodes = `${name}: ${grouped(n)} nodes`
  if (bytes > available)
    throw new UsageError(
      'conclave run',
      `${nodes} need about ${inGb(bytes)} of memory, but only ${inGb(available)} are free.`,
      'Choose a smaller network, or a machine with more memory.',
    )
  if (io.progress) io.err(`${nodes} take about ${inGb(bytes)} of memory\n`)
}

function inGb(bytes: number): string {
  return `${Number((bytes / GB).toPrecision(2))} GB`
}
