import { computed, signal } from '@preact/signals'
import { isSameName } from '../../../src/core/text-format.ts'
import type { AlgorithmEntry, EngineOffer } from '../engine/algorithm-settings.ts'
import { firstPicture } from '../view/lazy.tsx'
import type { ShownRun } from './run.ts'

/** The algorithms and networks that the engine offers; empty until they are loaded. */
export const offered = signal<EngineOffer>({ algorithms: [], networks: [] })

const TITLES = {
  ring: 'Rings',
  complete: 'Complete networks',
  tree: 'Trees',
  hypercube: 'Hypercubes',
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
export function algorithmOfRun({ own, scenario }: ShownRun): AlgorithmEntry | null {
  return own.value ?? offeredAlgorithm(scenario.algorithm)
}

/** The algorithm of that name, which may be another one of the literature. */
export function offeredAlgorithm(name: unknown): AlgorithmEntry | null {
  const { algorithms } = offered.value
  const known = algorithms.find((entry) => entry.name === name)
  if (known !== undefined || typeof name !== 'string') return known ?? null
  return algorithms.find((entry) => namesOf(entry).some((one) => isSameName(one, name))) ?? null
}

/** All names under which an algorithm is known. */
export function namesOf({ name, title, theory }: AlgorithmEntry): readonly string[] {
  return [name, title, ...(theory.also ?? [])]
}

/** An algorithm as people write it; its name where it is not of the catalogue. */
export function titleOf(name: unknown): string {
  return offeredAlgorithm(name)?.title ?? String(name)
}

void firstPicture.then(async () => {
  offered.value = (await import('virtual:engine-offer')).offer
})
