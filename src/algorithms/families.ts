import type { Algorithm } from '../core/index.ts'
import { type Aggregation, aggregations, catalogue, usualPlace } from './index.ts'

type Topology = Algorithm['needs']['topology']

/** The algorithms for one kind of network, or the aggregations. */
export interface Family {
  /** `ring`, `complete`, ..., `any`; `aggregations`. */
  readonly name: string
  readonly title: string
}

/** Families in the order of lists; a network that is missing here comes before general graphs. */
const ORDER = ['ring', 'complete', 'tree', 'hypercube']

const TITLES: Readonly<Record<string, string>> = {
  ring: 'Rings',
  complete: 'Complete networks',
  any: 'General graphs',
  aggregations: 'Aggregations',
}

function family(name: string): Family {
  return { name, title: TITLES[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}s` }
}

/** All elections by the network that they need, in the order of lists. */
export function electionFamilies(): readonly (Family & { readonly members: Algorithm[] })[] {
  const networks = [...new Set(catalogue.map(({ needs }) => needs.topology))]
  const rank = (name: Topology) =>
    name === 'any' ? ORDER.length + 1 : ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length
  return networks
    .sort((a, b) => rank(a) - rank(b))
    .map((network) => ({
      ...family(network),
      members: catalogue.filter(({ needs }) => needs.topology === network).sort(byName),
    }))
}

/** The family of a definition. */
export function familyOf(definition: Algorithm | Aggregation): Family {
  return family(usualPlace(definition).family)
}

/** The whole catalogue: families one after the other, each by name. */
export function byFamily(): readonly (Algorithm | Aggregation)[] {
  return [
    ...electionFamilies().flatMap(({ members }) => members),
    ...[...aggregations].sort(byName),
  ]
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1
}
