import { setTimeout as sleep } from 'node:timers/promises'
import { counted, grouped } from '../../core/text-format.ts'
import type { WorkerNotice } from '../../jobs/jetstream/protocol.ts'
import { KnownWorkers, machinesOf } from '../../jobs/jetstream/workers.ts'
import { connectNats } from '../../nats/connection.ts'
import { withoutSecrets } from '../../nats/options.ts'
import { NATS, NATS_HELP, type NatsFlags, natsOptionsOf } from '../input/nats-flags.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { columns } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

interface Options extends NatsFlags {
  readonly json?: true
}

/** Workers answer a roll call at once; some machines are far or busy. */
const ANSWERS_MS = 1000

const EXAMPLES = `
Asks all workers of a server for a notice and lists those that answer within a second.
${NATS_HELP}

Examples:
  conclave workers nats://10.0.0.1:4222
  conclave workers nats://10.0.0.1:4222 --json`

export function workersCommand(io: Io, leave: Leave): Verb {
  return new Verb('workers')
    .description('list the workers of a NATS server, and what they do')
    .argument('[url]', 'the NATS server: nats://host:4222 (default: NATS_URL)')
    .declare(NATS)
    .group('output')
    .option('--json', 'print the workers as JSON')
    .about(EXAMPLES)
    .action(async (url: string | undefined, options: Options) => {
      const connection = natsOptionsOf(url, options, 'url')
      const workers = await workersOf(connection)
      const lines = options.json
        ? [JSON.stringify(workers.map(({ leaving: _, ...worker }) => worker))]
        : workerLines(workers, withoutSecrets(connection.servers))
      io.out(`${lines.join('\n')}\n`)
      leave(EXIT.done)
    })
}

async function workersOf(options: Parameters<typeof connectNats>[0]): Promise<WorkerNotice[]> {
  const connection = await connectNats(options)
  const workers = new KnownWorkers(connection)
  await sleep(ANSWERS_MS)
  await connection.close()
  const place = ({ host, name, pid }: WorkerNotice) => `${host} ${name} ${pid}`
  return workers.all.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

function workerLines(workers: readonly WorkerNotice[], server: string): string[] {
  if (workers.length === 0) return [`No worker on ${server}. Start one: conclave worker ${server}`]
  const rows = workers.map((worker) => [
    worker.name,
    worker.host,
    String(worker.pid),
    `${worker.busy} of ${worker.parallel}`,
    grouped(worker.done),
    grouped(worker.refused),
    worker.allowsCode ? 'yes' : 'no',
    worker.version,
  ])
  const jobs = workers.reduce((sum, { parallel }) => sum + parallel, 0)
  const machines = counted(machinesOf(workers), 'machine')
  return [
    `${counted(workers.length, 'worker')} on ${machines}, ${counted(jobs, 'job')} at a time`,
    '',
    ...columns([
      ['name', 'machine', 'pid', 'busy', 'jobs done', 'refused', 'own code', 'version'],
      ...rows,
    ]).map((line) => `  ${line}`),
  ]
}
