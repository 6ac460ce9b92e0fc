import type { Algorithm } from '../core/index.ts'
import type { Aggregation } from './aggregation.ts'
import { type Meant, type Nameable, NameIndex } from './names.ts'

/** A line of the catalogue: what is known of a definition before its code is loaded. */
export interface CatalogueEntry extends Nameable {
  /** The module that exports the definition. */
  readonly module: () => Promise<object>
}

type Family = Readonly<Record<string, readonly [CatalogueEntry['module'], ...string[]]>>

/* One line per algorithm, by the network that it is made for. A test compares the definitions. */
const elections: Readonly<Record<string, Family>> = {
  ring: {
    'alternating-steps': [
      () => import('./ring/alternating-steps.ts'),
      'Alternating steps',
      'Alternate',
    ],
    'chang-roberts': [() => import('./ring/chang-roberts.ts'), 'Chang-Roberts', 'AsFar'],
    franklin: [() => import('./ring/franklin.ts'), 'Franklin', 'Stages'],
    'hirschberg-sinclair': [
      () => import('./ring/hirschberg-sinclair.ts'),
      'Hirschberg-Sinclair',
      'Control',
      'Controlled Distance',
      'HS',
    ],
    'hirschberg-sinclair-one-way': [
      () => import('./ring/hirschberg-sinclair-one-way.ts'),
      'Hirschberg-Sinclair, one way',
    ],
    'itai-rodeh': [() => import('./ring/itai-rodeh.ts'), 'Itai-Rodeh'],
    'itai-rodeh-bare': [
      () => import('./ring/itai-rodeh-bare.ts'),
      'Itai-Rodeh without a bit',
      'Fokkink-Pang B',
    ],
    'itai-rodeh-bit': [
      () => import('./ring/itai-rodeh-bit.ts'),
      'Itai-Rodeh with a bit',
      'Fokkink-Pang A',
    ],
    lcr: [() => import('./ring/lcr.ts'), 'LCR (Le Lann, Chang, Roberts)', 'LeLann-Chang-Roberts'],
    'le-lann': [() => import('./ring/le-lann.ts'), 'Le Lann', 'All the Way'],
    peterson: [() => import('./ring/peterson.ts'), 'Peterson', 'UniStages', 'Peterson I'],
    'slow-fast': [
      () => import('./ring/slow-fast.ts'),
      'Slow-fast (Frederickson-Lynch)',
      'variable speeds',
      'Frederickson-Lynch',
      'Speed',
    ],
    'time-slice': [() => import('./ring/time-slice.ts'), 'Time-slice', 'Waiting'],
    'uni-alternate': [
      () => import('./ring/uni-alternate.ts'),
      'Uni-alternate (Dolev-Klawe-Rodeh)',
      'UniAlternate',
      'DKR',
      'Dolev-Klawe-Rodeh',
      'Peterson II',
    ],
  },
  complete: {
    'afek-gafni': [
      () => import('./complete/afek-gafni.ts'),
      'Afek-Gafni',
      'Humblet',
      'Korach-Kutten-Moran',
      'KKM',
    ],
    bully: [() => import('./complete/bully.ts'), 'Bully', 'Garcia-Molina'],
    'bully-textbook': [() => import('./complete/bully-textbook.ts'), 'Bully, as in lectures'],
    omega: [() => import('./complete/omega.ts'), 'Omega'],
    'quorum-lease': [() => import('./complete/lease/quorum-lease.ts'), 'Quorum lease'],
    raft: [() => import('./complete/raft.ts'), 'Raft'],
    'ring-list': [() => import('./complete/ring-list.ts'), 'Ring with lists of ids'],
    'ring-list-textbook': [
      () => import('./complete/ring-list-textbook.ts'),
      'Ring with lists of ids, as in lectures',
    ],
    singh: [() => import('./complete/singh.ts'), 'Singh'],
    sublinear: [() => import('./complete/sublinear.ts'), 'Sublinear randomised election'],
  },
  tree: {
    tree: [
      () => import('./graph/tree.ts'),
      'Saturation of a tree',
      'tree algorithm',
      'full saturation',
    ],
    'tree-coin': [() => import('./graph/tree-coin.ts'), 'Saturation of an anonymous tree'],
  },
  hypercube: {
    'hyper-elect': [() => import('./graph/hyper-elect.ts'), 'HyperElect'],
  },
  any: {
    'echo-extinction': [
      () => import('./graph/echo-extinction.ts'),
      'Echo with extinction',
      'Extinction',
    ],
    'flood-max': [
      () => import('./graph/flood-max.ts'),
      'Flooding of the largest id',
      'FloodMax',
      'OptFloodMax',
    ],
    ghs: [
      () => import('./graph/ghs.ts'),
      'Gallager-Humblet-Spira (GHS)',
      'Mega-Merger',
      'Gallager-Humblet-Spira',
    ],
    pairwise: [() => import('./graph/pairwise.ts'), 'Pairwise elimination'],
    stabilizing: [() => import('./graph/stabilizing.ts'), 'Self-stabilizing election'],
    'tree-aggregate': [() => import('./graph/tree-aggregate.ts'), 'Tree aggregate'],
    wireless: [
      () => import('./graph/wireless.ts'),
      'Wireless election',
      'Vasudevan-Kurose-Towsley',
    ],
    'yo-yo': [() => import('./graph/yo-yo.ts'), 'Yo-yo'],
  },
}

/** Aggregations share most of their code, and are loaded together. */
const titles: Readonly<Record<string, string>> = {
  'gossip-max': 'Gossip: max',
  'gossip-min': 'Gossip: min',
  'gossip-average': 'Gossip: average',
  'gossip-average-naive': 'Gossip: average naive',
  'gossip-geometric-mean': 'Gossip: geometric mean',
  'gossip-harmonic-mean': 'Gossip: harmonic mean',
  'gossip-power-mean': 'Gossip: power mean',
  'gossip-variance': 'Gossip: variance',
  'gossip-count': 'Gossip: count',
  'gossip-count-where': 'Gossip: count where',
  'gossip-sum': 'Gossip: sum',
  'gossip-product': 'Gossip: product',
  'push-sum': 'Push-sum',
  rumor: 'Rumor spreading',
  'flow-updating': 'Flow updating',
  metropolis: 'Metropolis weights',
  extrema: 'Extrema propagation',
  distinct: 'Distinct values: HyperLogLog by gossip',
  quantile: 'Quantiles by bisection',
  histogram: 'Histogram',
  'top-k': 'The k largest values and their owners',
}

const gossip = () => import('./gossip/aggregations.ts')

/** All algorithms: elections by name, then aggregations. */
export const entries: readonly CatalogueEntry[] = [
  ...Object.entries(elections)
    .flatMap(entriesOf)
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
  ...Object.entries(titles).map(([name, title]) => ({
    name,
    family: 'aggregations',
    others: [title],
    module: gossip,
  })),
]

function entriesOf([family, members]: [string, Family]): CatalogueEntry[] {
  return Object.entries(members).map(([name, [module, ...others]]) => ({
    name,
    family,
    others,
    module,
  }))
}

const index = new NameIndex(() => entries)

/** The entry of a name, if there is one. */
export function findEntry(name: unknown): Meant<CatalogueEntry> | undefined {
  return index.find(name)
}

/** The entry of a name; the error suggests similar names. */
export function entryNamed(name: unknown, where?: string): Meant<CatalogueEntry> {
  return index.named(name, where)
}

/** Loads the code of a definition, by any of its names. */
export async function loadDefinition(
  name: unknown,
  where?: string,
): Promise<Algorithm | Aggregation> {
  const { entry, leased } = entryNamed(name, where)
  const exported: readonly (Algorithm | Aggregation)[] = Object.values(await entry.module()).flat()
  const definition = exported.find((one) => one.name === entry.name)!
  if (!leased) return definition
  const lease = await import('./complete/lease/leased.ts')
  return lease.leased(definition as Algorithm)
}
