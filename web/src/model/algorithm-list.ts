import { computed, signal } from '@preact/signals'
import type { AlgorithmEntry, EngineOffer } from '../engine/algorithm-settings.ts'
import type { EngineAnswer, EngineQuestion } from '../engine/protocol.ts'
import EngineWorker from '../engine/worker.ts?worker&inline'
import type { Run } from './run.ts'

/** The algorithms and networks that the engine offers; empty until it has answered. */
export const offered = signal<EngineOffer>({ algorithms: [], networks: [] })

const TITLES = {
  ring: 'Rings',
  complete: 'Complete networks',
  any: 'Any network',
  gossip: 'Aggregation by gossip',
} as const

/** The algorithms by network, rings first. */
export const groups = computed(() =>
  Object.entries(TITLES).map(([network, title]) => ({
    title,
    algorithms: offered.value.algorithms.filter((entry) => entry.network === network),
  })),
)

/** The algorithm of a run; null while it is not known. */
export function entryOf({ own, scenario }: Run): AlgorithmEntry | null {
  return own.value ?? entryNamed(scenario.algorithm)
}

export function entryNamed(name: unknown): AlgorithmEntry | null {
  return offered.value.algorithms.find((entry) => entry.name === name) ?? null
}

const worker = new EngineWorker()
worker.onmessage = ({ data }: MessageEvent<EngineAnswer>) => {
  if (data.what === 'offer') offered.value = data.offer
  worker.terminate()
}
worker.postMessage({ want: 'offer' } satisfies EngineQuestion)
