import { NATS, NATS_NAMES, type NatsFlags, refuseNatsFlags } from '../input/nats-flags.ts'
import type { Verb } from '../verb.ts'

/** The flags by which a command chooses where its jobs are executed. */
export interface ExecutorFlags extends NatsFlags {
  readonly on?: string
  /** Only of `check`. */
  readonly threads?: string
}

const NAMES: ReadonlySet<string> = new Set(['on', 'threads', ...NATS_NAMES])

export const ON_HELP = `
With --on the jobs are executed by workers, on any number of machines: start them with conclave
worker. The results are the same. Standard error says what happens there, with --json as JSON lines.
docs/scaling.md has more; conclave worker --help says as whom to connect.`

export function addExecutorFlags(verb: Verb): Verb {
  return verb
    .group('workers')
    .option('--on <url>', 'let the workers of a NATS server do it: nats://host:4222')
    .declare(NATS)
    .hook('preAction', () => {
      const flags = verb.opts<ExecutorFlags>()
      if (flags.on === undefined) refuseNatsFlags(flags, '--on')
    })
}

/** Where jobs are executed is no part of what they are, and credentials go nowhere. */
export function withoutExecutorFlags<T extends ExecutorFlags>(
  flags: T,
): { readonly place: ExecutorFlags; readonly rest: T } {
  const entries = Object.entries(flags)
  return {
    place: Object.fromEntries(entries.filter(([name]) => NAMES.has(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !NAMES.has(name))) as T,
  }
}
