import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { Exhibit, GalleryRoom } from './gallery/exhibits/exhibit.ts'
import { gossip } from './gallery/exhibits/gossip.ts'
import { complete, graphs, shapes } from './gallery/exhibits/networks.ts'
import { rings, symmetry } from './gallery/exhibits/rings.ts'

export type { Exhibit, GalleryRoom } from './gallery/exhibits/exhibit.ts'

export const gallery: readonly GalleryRoom[] = [rings, symmetry, complete, shapes, graphs, gossip]

/** The name of an exhibit in addresses: lcr-worst-ring. */
export function slugOf({ title }: Exhibit): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The exhibit with this name in addresses, if there is one. */
export function exhibitNamed(slug: string): Exhibit | null {
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return all.find((exhibit) => slugOf(exhibit) === slug) ?? null
}

/** The exhibit with this scenario, if there is one. */
export function exhibitOf(scenario: ScenarioInput): Exhibit | null {
  const text = JSON.stringify(scenario)
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return all.find((exhibit) => JSON.stringify(exhibit.scenario) === text) ?? null
}
