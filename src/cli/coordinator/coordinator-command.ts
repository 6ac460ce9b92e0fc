import type { Command } from 'commander'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import type { Io, Leave } from '../io.ts'
import { Verb } from '../verb.ts'
import { runCoordinator } from './coordinator-run.ts'
import { addSettings, givenSettings } from './given-settings.ts'
import { checkedSettings } from './settings.ts'

interface Options extends Record<string, unknown> {
  readonly json?: true
}

const EXAMPLES = `
Start one process for each member, with the same --cluster and --members and its own --me. Members
with --bootstrap found the cluster once all of them have answered with empty folders. Leave it in:
it changes nothing as long as one member remembers the cluster. If all folders are lost, they found
another one, and tokens begin anew at 1.

A leader has a lease of a majority of the voters; its term is the fencing token for what it writes.
At most one member leads at any moment.

With a command after -- the member runs it while it leads, with CONCLAVE_ROLE, CONCLAVE_TOKEN and
CONCLAVE_TERM in its environment, in a process group of its own. A keeper process ends that group
before the lease ends: SIGTERM, then SIGKILL; so also when the coordinator is killed, stopped or
blocked. What leaves the process group is not ended. Without a command it prints who leads.

Every flag is also a field of the file of --config (JSON with comments; members may be an object,
role and command an array) and a variable of the environment: --secret-file is CONCLAVE_SECRET_FILE,
--role is CONCLAVE_ROLES. Flags come before the environment, which comes before the file. SIGTERM
and Ctrl-C resign and end. Durations have a unit: 500ms, 2s, 1m.

Where members cannot reach each other, --nats has them meet on a server of NATS: --members a,b,c has
their names alone, and --secret-file is needed. The server carries messages and decides nothing.

Examples, of three members on one machine:
  conclave coordinator --cluster billing --me a --role cron --storage a \\
    --members a=127.0.0.1:7001,b=127.0.0.1:7002,c=127.0.0.1:7003 --bootstrap
  conclave coordinator --config billing.json --me a --storage a
  conclave coordinator --config billing.json --me a --storage a -- ./cron.sh -v`

export function coordinatorCommand(io: Io, leave: Leave): Verb {
  const verb = new Verb('coordinator')
    .description('run a member of a cluster that has a leader to rely on')
    .argument('[command...]', 'after --: what to run while this member leads')
  return addSettings(verb)
    .option('--json', 'print who leads as lines of JSON')
    .about(EXAMPLES)
    .action(async (words: string[], options: Options, { parent }: Command) => {
      refuseStray(words, (parent as unknown as { readonly rawArgs: readonly string[] }).rawArgs)
      const given = givenSettings(options, process.env)
      const settings = await checkedSettings(given, words, io.progress)
      const { coordinator } = await import('../../coordinator/coordinator.ts')
      leave(await runCoordinator(settings, io, options.json === true, coordinator))
    })
}

/** A word in the wrong place must not become the command that is run. */
function refuseStray(words: readonly string[], all: readonly string[]): void {
  const command = all.includes('--') ? all.slice(all.indexOf('--') + 1) : []
  const [stray] = words.slice(0, words.length - command.length)
  if (stray === undefined) return
  throw new UsageError(
    'conclave coordinator',
    `${quoted(stray)} stands neither behind a flag nor behind --.`,
    `A command comes last, behind --: conclave coordinator ... -- ${stray}.`,
  )
}
