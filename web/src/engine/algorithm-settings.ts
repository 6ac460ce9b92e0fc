import { assumptionsOf, gossipAssumptions } from '../../../src/algorithms/assumptions.ts'
import { type Aggregation, aggregations, catalogue } from '../../../src/algorithms/index.ts'
import type { Algorithm, Bound, Theory } from '../../../src/core/index.ts'
import { type NetworkForm, networkForms } from '../../../src/core/networks/network.ts'
import { gossipSettings, prepare } from '../../../src/scenario/index.ts'

/** Something that may be set for one algorithm. */
export interface AlgorithmSetting {
  readonly name: string
  readonly says: string
  readonly choices?: readonly string[]
  /** What it is in a world without further wishes. */
  readonly usual: string
  /** With which timing alone it has a meaning. */
  readonly only?: 'cycles' | 'async'
}

/** What can be simulated, as data: an election, or an aggregation by gossip. */
export interface AlgorithmEntry {
  readonly name: string
  readonly network: 'ring' | 'complete' | 'any' | 'gossip'
  readonly theory: Omit<Theory, 'bounds'> & { readonly bounds: readonly Omit<Bound, 'value'>[] }
  readonly assumes: readonly string[]
  readonly settings: readonly AlgorithmSetting[]
  /** What an election asks of the world; null for aggregations, which ask for nothing. */
  readonly needs: Algorithm['needs'] | null
  /** It goes on answering crashes and links that come and go. */
  readonly lasting: boolean
  /** Its nodes compute something of the values that they hold. */
  readonly computes: boolean
  /** Messages that tell the others who leads: bounds leave them out. */
  readonly announces: readonly string[]
}

/** All that the page offers; the engine has it anyway, and the page need not carry it twice. */
export interface EngineOffer {
  readonly subjects: readonly AlgorithmEntry[]
  readonly networks: readonly NetworkForm[]
}

export function offer(): EngineOffer {
  return {
    subjects: [...catalogue.map(electionEntry), ...aggregations.map(gossipSubject)],
    networks: networkForms.map(({ form, example, meaning }) => ({ form, example, meaning })),
  }
}

export function electionEntry(algorithm: Algorithm): AlgorithmEntry {
  const { name, theory, needs, params, lasting, kinds } = algorithm
  const settable = Object.keys(params).length > 0
  const usual = settable ? prepare({}, algorithm, String).world.params : {}
  return {
    name,
    network: needs.topology,
    theory: told(theory),
    assumes: [assumptionsOf(algorithm)],
    settings: Object.entries(params).map(([param, { says, choices }]) => ({
      ...{ name: param, says, usual: String(usual[param]) },
      ...(choices && { choices }),
    })),
    needs,
    lasting,
    computes: needs.knows?.includes('inputs') === true,
    announces: kinds.filter(({ announces }) => announces).map((kind) => kind.name),
  }
}

function gossipSubject(aggregation: Aggregation): AlgorithmEntry {
  const { name, theory } = aggregation
  return {
    name,
    network: 'gossip',
    theory: told(theory),
    assumes: gossipAssumptions,
    settings: Object.entries(gossipSettings(aggregation)).map(
      ([setting, { says, otherwise, only }]) => ({
        ...{ name: setting, says, usual: String(otherwise) },
        ...(only && { only }),
      }),
    ),
    needs: null,
    lasting: true,
    computes: true,
    announces: [],
  }
}

/** Theory without what only a program can ask. */
function told(theory: Theory): AlgorithmEntry['theory'] {
  const bounds = theory.bounds.map(({ of, kind, formula, where }) => ({
    ...{ of, kind, formula },
    ...(where !== undefined && { where }),
  }))
  return { ...theory, bounds }
}
