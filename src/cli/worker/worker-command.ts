import { availableParallelism, hostname } from 'node:os'
import { UsageError } from '../../core/index.ts'
import { counted, grouped } from '../../core/text-format.ts'
import type { JobRunner } from '../../jobs/jetstream/batch-execution.ts'
import { JobWorker, type WorkerEvent } from '../../jobs/jetstream/worker.ts'
import { withoutSecrets } from '../../nats/options.ts'
import { integer } from '../../options/reading.ts'
import { duration } from '../input/duration.ts'
import { NATS, NATS_HELP, type NatsFlags, natsOptionsOf } from '../input/nats-flags.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { confinementLayers } from '../own-code/confined-work.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { Verb } from '../verb.ts'
import { VERSION } from '../version.ts'
import { threadRunner } from './thread-runner.ts'

interface Options extends NatsFlags {
  readonly parallel?: string
  readonly name?: string
  readonly jobLimit: string
  readonly allowCode?: true
  readonly json?: true
}

const MOST_PARALLEL = 1024
/** Kinds of work that confine the code in their jobs themselves. */
const CONFINED_KINDS = ['grade']
const HIDDEN_CODE: [string, string] = ['worker', 'The study does not say that it brings code.']
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const EXAMPLES = `
Executes jobs of experiment, check and grade that were started with --on, on as many machines as
you like; all need the same version of conclave. A worker takes jobs of several studies in turn.
Ctrl-C or SIGTERM finishes the running jobs or hands them back, within seconds; twice ends at once.
A job whose worker dies is executed by another one.
${NATS_HELP}

Examples:
  conclave worker nats://10.0.0.1:4222
  conclave worker tls://queue.example.org:4222 --creds worker.creds --parallel 4
  conclave workers nats://10.0.0.1:4222`

export function workerCommand(io: Io, leave: Leave): Verb {
  return new Verb('worker')
    .description('execute jobs of commands that were started with --on, until Ctrl-C')
    .argument('[url]', 'the NATS server: nats://host:4222 (default: NATS_URL)')
    .group('workers')
    .option('--parallel <count>', 'jobs at a time (default: number of processors)')
    .option('--name <name>', 'name in lists and reports (default: the name of the machine)')
    .option('--job-limit <duration>', 'a job that takes longer has failed', '60m')
    .option('--allow-code', 'also execute code that comes with a study, confined')
    .declare(NATS)
    .group('output')
    .option('--json', 'print what happens as JSON lines')
    .about(EXAMPLES)
    .action(async (url: string | undefined, options: Options) => {
      leave(await work(url, options, io))
    })
}

async function work(url: string | undefined, options: Options, io: Io): Promise<number> {
  const connection = natsOptionsOf(url, options, 'url')
  const name = options.name ?? hostname()
  refuseName(name)
  const parallel =
    options.parallel === undefined
      ? availableParallelism()
      : integer('--parallel', options.parallel, 1, MOST_PARALLEL)
  const jobMs = duration('--job-limit', options.jobLimit)
  const report = new WorkerReport(io, options.json === true)
  let closed = (_: string) => {}
  const ended = new Promise<string>((resolve) => {
    closed = resolve
  })
  const worker = await JobWorker.start({
    connection: { ...connection, name: `conclave worker ${name}` },
    version: VERSION,
    name,
    parallel,
    allowsCode: options.allowCode === true,
    jobMs,
    runner: await runnerOf(parallel, jobMs, options),
    tell(event) {
      report.tell(event)
      if (event.what === 'closed') closed(event.reason)
    },
  })
  const server = withoutSecrets(connection.servers)
  report.say(
    { what: 'started', name, server, parallel, version: VERSION },
    `Worker ${name} takes jobs from ${server}, ${parallel} at a time. Ctrl-C to leave.`,
  )
  if (options.allowCode) {
    const layers = confinementLayers()
    const confined = `Code of others is confined by: ${layers.join(', ')}.`
    report.say({ what: 'confinement', layers }, confined)
  }
  const reason = await untilSignal(ended)
  await worker.leave()
  if (reason !== null)
    throw new UsageError(
      server,
      `The connection ended: ${reason}.`,
      'Check the server and its log.',
    )
  report.say(
    { what: 'left', jobs: worker.doneJobs },
    `Worker ${name} has left after ${counted(worker.doneJobs, 'job')}.`,
  )
  return EXIT.done
}

/** Code of others runs confined, which takes longer. */
async function runnerOf(
  parallel: number,
  jobMs: number,
  { allowCode }: Options,
): Promise<JobRunner> {
  const inThreads = threadRunner(parallel)
  const confined = allowCode && (await import('./code-runner.ts')).codeRunner(parallel, jobMs)
  return {
    async run(study, inputs, signal) {
      const brings = CONFINED_KINDS.includes(study.work.kind)
      // A study that hides it from the other workers is not executed here either.
      if (brings && study.code === null) return { outputs: [], ms: 0, error: HIDDEN_CODE }
      const runner = study.code !== null && !brings && confined ? confined : inThreads
      return runner.run(study, inputs, signal)
    },
    close: async () => void (await Promise.all([inThreads.close(), confined?.close()])),
  }
}

/** Null after a signal, else why the connection ended. A second signal ends the process at once. */
async function untilSignal(closed: Promise<string>): Promise<string | null> {
  let interrupt = () => {}
  const signalled = new Promise<null>((resolve) => {
    let signals = 0
    interrupt = () => {
      signals++
      if (signals > 1) process.exit(EXIT.interrupted)
      resolve(null)
    }
  })
  for (const signal of SIGNALS) process.on(signal, interrupt)
  return Promise.race([signalled, closed])
}

function refuseName(name: string): void {
  if (/^[\w.:-]{1,100}$/.test(name)) return
  throw new UsageError(
    '--name',
    'it has to have 1 to 100 letters, digits or the characters . : _ -.',
    'Write for example --name lab-3.',
  )
}

/** What a worker says: lines for people and a progress line, or JSON lines. */
class WorkerReport {
  private readonly line: ProgressLine
  private jobs = 0
  private failed = 0
  private studies = 0

  constructor(
    private readonly io: Io,
    private readonly json: boolean,
  ) {
    this.line = new ProgressLine(io)
  }

  tell(event: WorkerEvent): void {
    if (event.what === 'batch') {
      this.jobs += event.jobs - event.failed
      this.failed += event.failed
    }
    if (event.what === 'study') this.studies++
    if (this.json) this.say(event, '')
    else {
      const text = textOf(event)
      if (text !== null) this.say(event, text)
    }
    this.line.show(() => this.progress())
  }

  say(event: object, text: string): void {
    this.line.clear()
    this.io.out(`${this.json ? JSON.stringify(event) : text}\n`)
  }

  private progress(): string {
    const failed = this.failed === 0 ? '' : `, ${grouped(this.failed)} failed`
    const jobs = `${grouped(this.jobs)} jobs done${failed}`
    return `${jobs}, ${counted(this.studies, 'study', 'studies')}`
  }
}

/** Null for what happens all the time. */
function textOf(event: WorkerEvent): string | null {
  switch (event.what) {
    case 'disconnected':
      return `The connection to ${event.server} is lost; connecting again.`
    case 'reconnected':
      return `Connected to ${event.server} again.`
    case 'refused':
      return `Refused: ${event.reason}.`
    case 'waiting':
      return `Waiting: ${event.reason}.`
    case 'study':
      return `Takes part in a study of ${event.caller} (${event.kind}).`
    default:
      return null
  }
}
