import { UsageError } from '../../../src/core/index.ts'
import { grouped } from '../../../src/core/text-format.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { MessageWorld, PreparedRun, StartedRun } from '../../../src/scenario/run.ts'
import { ColumnRecorder, FIRST_SLICE, MOST_STEPS, SLICE } from '../recording/recorder.ts'
import type { Session, SessionReply } from './protocol.ts'
import { runFacts } from './world-facts.ts'

/** More nodes than this take minutes and all of the memory of a page. */
const MOST_NODES = 100_000

/** Refuses what a page cannot show, before its network is made. */
export function refuseTooLarge({ n, topology = '' }: ScenarioInput): void {
  const [, kind, first, second] = /^([a-z-]+):(\d+)(?:x(\d+))?/.exec(String(topology)) ?? []
  const side = Number(first ?? n ?? 0)
  const nodes = kind === 'hypercube' ? 2 ** side : side * Number(second ?? 1)
  if (!(nodes > MOST_NODES)) return
  throw new UsageError(
    first === undefined ? 'n' : 'topology',
    `the page shows up to ${grouped(MOST_NODES)} nodes, not ${grouped(nodes)}.`,
    'Take fewer, or use conclave run in a terminal.',
  )
}

/** Simulates a run: an election slice by slice, an aggregation cycle by cycle. */
export function* simulationSession(
  prepared: PreparedRun,
  { run, recorder }: RecordedRun,
  reply: SessionReply,
): Session {
  const { scenario } = prepared
  const params = prepared.messages()?.world.params ?? {}
  reply({ what: 'begun', scenario, world: runFacts(prepared), params })
  let told = 0
  const tell = () => {
    recorder.closeStep()
    reply({ what: 'chunk', chunk: recorder.take() })
    for (; told < run.cycles.length; told++) reply({ what: 'cycle', entry: run.cycles[told] })
  }
  // The nodes of an aggregation have estimates before its first cycle.
  if (run.gossip !== null) tell()
  let ended = false
  let slice = FIRST_SLICE
  while (!ended && recorder.steps < MOST_STEPS) {
    ended = run.step(slice)
    slice = Math.min(SLICE, 2 * slice)
    if (run.gossip === null || run.cycles.length > told) tell()
    yield
  }
  reply({ what: 'ended', result: run.result(), cut: !ended })
}

/** A run, and what records its steps. */
interface RecordedRun {
  readonly run: StartedRun
  readonly recorder: Pick<ColumnRecorder, 'steps' | 'closeStep' | 'take'>
}

/** A run whose events are recorded. */
export function recordedEvents(prepared: PreparedRun, { world }: MessageWorld): RecordedRun {
  let run: StartedRun | undefined
  const recorder = new ColumnRecorder(
    () => run?.simulation ?? undefined,
    (node) => run!.estimate(node),
  )
  const { algorithm, topology } = world
  run = prepared.run({ ...recorder.observers(algorithm, topology.n), symmetry: false })
  return { run, recorder }
}

/** Replies with the facts of a scenario's network only. */
export function* worldSession(prepared: PreparedRun, reply: SessionReply): Session {
  yield reply({ what: 'world', world: runFacts(prepared) })
}

/** Writes the events of a run as lines of JSON, the scenario first. */
export function* traceSession(prepared: PreparedRun, reply: SessionReply): Session {
  const { scenario } = prepared
  if (prepared.messages() === null)
    throw new UsageError(
      'timing',
      `events belong to runs with messages in flight, but ${scenario.algorithm} runs in cycles.`,
      'Use async.',
    )
  const lines = [JSON.stringify({ event: 'scenario', scenario })]
  const run = prepared.run({ trace: (event) => lines.push(JSON.stringify(event)) })
  while (!run.step(SLICE) && lines.length < MOST_STEPS) yield
  reply({ what: 'trace', text: `${lines.join('\n')}\n` })
}
