/*
 * npm run bench:queue: studies on up to 1,000 machines, by the model of the queue. The costs were
 * measured on one machine (docs/scaling.md); batches and window are those of the program.
 */
import { fromSource } from '../from-source.js'
import { largestRates, simulateStudy } from './model.js'

const { BatchSize, windowOf } = await fromSource('src/jobs/jetstream/batch-size.ts')

/** Seconds of a processor for each batch and each job, and of a message on its way. */
const COSTS = {
  caller: { batch: 1e-3, job: 45e-6 },
  server: { batch: 0.6e-3, job: 10e-6 },
  delay: 0.5e-3,
}
const PARALLEL = 4
const MACHINES = [1, 10, 100, 300, 1000]
const DURATIONS = [0.001, 0.01, 0.1, 1, 60]
/** Every slot executes about so many batches. */
const BATCHES = 40

const heading = ['job', 'machines', 'batch', 'jobs/s', 'of workers', 'caller', 'server', 'limit']
row(heading)
for (const duration of DURATIONS) for (const machines of MACHINES) report(duration, machines)

function report(duration, machines) {
  const slots = machines * PARALLEL
  const size = new BatchSize()
  for (let i = 0; i < 20; i++) size.measured(2000, 2000 * duration * 1000)
  const batch = size.next(null, slots)
  const jobs = Math.min(BATCHES * batch * slots, 3_000_000)
  const study = {
    machines,
    parallel: PARALLEL,
    jobs,
    duration,
    spread: 0.2,
    batch,
    window: windowOf(slots),
    ...COSTS,
  }
  const { rate, workers, caller, server } = simulateStudy(study)
  const [[limit]] = Object.entries(largestRates(study)).toSorted(([, a], [, b]) => a - b)
  const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`
  row([
    `${duration} s`,
    machines,
    batch,
    Math.round(rate).toLocaleString('en-US'),
    percent(workers),
    percent(caller),
    percent(server),
    limit,
  ])
}

function row(cells) {
  process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join('')}\n`)
}
