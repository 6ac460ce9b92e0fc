import { computed, signal } from '@preact/signals'
import type { AlgorithmEntry, EngineOffer } from '../engine/algorithm-settings.ts'
import type { EngineAnswer, EngineQuestion } from '../engine/protocol.ts'
import EngineWorker from '../engine/worker.ts?worker&inline'
import type { Run } from './run.ts'

/** What can be simulated, and on which networks; empty until the engine has told it. */
export const offered = signal<EngineOffer>({ subjects: [], networks: [] })

const TITLES = {
  ring: 'Rings',
  complete: 'Complete networks',
  any: 'Any network',
  gossip: 'Aggregation by gossip',
} as const

/** By network, in the order of learning: rings first. */
export const groups = computed(() =>
  Object.entries(TITLES).map(([network, title]) => ({
    title,
    subjects: offered.value.subjects.filter((subject) => subject.network === network),
  })),
)

/** What is simulated in a run; null while it is not known. */
export function subjectOf({ own, scenario }: Run): AlgorithmEntry | null {
  return own.value ?? subjectNamed(scenario.algorithm)
}

export function subjectNamed(name: unknown): AlgorithmEntry | null {
  return offered.value.subjects.find((subject) => subject.name === name) ?? null
}

const worker = new EngineWorker()
worker.onmessage = ({ data }: MessageEvent<EngineAnswer>) => {
  if (data.what === 'offer') offered.value = data.offer
  worker.terminate()
}
worker.postMessage({ want: 'offer' } satisfies EngineQuestion)
