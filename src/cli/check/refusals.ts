import { UsageError } from '../../core/index.ts'

/* What the explorer cannot do, in words of the command line. */

export function refuseAsynchrony(name: string, mode: string, allowed: boolean): void {
  if (allowed) return
  throw new UsageError(
    '--mode',
    `${name} needs synchronous rounds, but ${mode} was given.`,
    'Use clocked:1, or add --allow-weaker to see it break.',
  )
}

export function refuseLateStart(name: string, allowed: boolean): void {
  if (allowed) return
  throw new UsageError(
    '--wake',
    `${name} needs all nodes to start at the beginning, but any was given.`,
    'Use --wake all, or add --allow-weaker to see it break.',
  )
}

export function refuseTimes(times: Float64Array, wake: string): void {
  if (times.every((time) => time === 0)) return
  throw new UsageError(
    '--wake',
    `the checker wakes nodes at the beginning or at any moment, but ${wake} was given.`,
    'Leave the times out.',
  )
}
