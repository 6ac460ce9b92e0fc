import { controlRequest } from '../../coordinator/operations/control.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { Verb } from '../verb.ts'

interface Options {
  readonly storage: string
  readonly to?: string
  readonly json?: true
}

const EXAMPLES = `
The member ends its work, releases its lease once the work has ended, and another one leads. If the
work does not end in time, nothing is released: the lease runs out. Exit code 1: not released.

With --to the member that leads names who should stand next. No lease is handed over: that member
needs the votes of a majority like any other, and if it does not stand, another one leads.

Examples, on the machine of the leader:
  conclave resign cron --storage /var/lib/billing
  conclave resign cron --storage /var/lib/billing --to b`

/** Asks a running member through its control socket. */
export function resignCommand(io: Io, leave: Leave): Verb {
  return new Verb('resign')
    .description('let a running leader give up a role')
    .argument('<role>', 'the role')
    .group('members')
    .requiredOption('--storage <folder>', 'storage folder of the leader, on this machine')
    .option('--to <member>', 'the member that should lead next')
    .group('output')
    .option('--json', 'print the result as JSON')
    .about(EXAMPLES)
    .action(async (role: string, { storage, to, json }: Options) => {
      const given = { role, ...(to !== undefined && { to }) }
      const result = (await controlRequest(storage, 'resign', given)) as { released: boolean }
      const text = result.released
        ? `${role}: released`
        : `${role}: the work has not ended; the lease runs out`
      io.out(`${json ? JSON.stringify({ role, ...result }) : text}\n`)
      leave(result.released ? EXIT.done : EXIT.violated)
    })
}
