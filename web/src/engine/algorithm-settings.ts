import { assumptionsOf } from '../../../src/algorithms/assumptions.ts'
import {
  type Aggregation,
  aggregations,
  byMessages,
  catalogue,
  offers,
  usualPlace,
} from '../../../src/algorithms/index.ts'
import { defaultNodes, defaultOptions, modeText } from '../../../src/check/options.ts'
import type { Algorithm, Bound, Theory } from '../../../src/core/index.ts'
import { type NetworkForm, networkForms } from '../../../src/core/networks/network.ts'
import { parametersOf } from '../../../src/scenario/index.ts'

/** A parameter of one algorithm. */
export interface AlgorithmSetting {
  readonly name: string
  readonly says: string
  readonly choices?: readonly string[]
  /** Its default value. */
  readonly fallback: string
  /** The only timing in which it has a meaning. */
  readonly only?: 'cycles' | 'async'
}

/** An algorithm as data: an election, or an aggregation by gossip. */
export interface AlgorithmEntry {
  readonly name: string
  /** Its name as people write it. */
  readonly title: string
  readonly network: Algorithm['needs']['topology'] | 'gossip'
  readonly theory: Omit<Theory, 'bounds'> & { readonly bounds: readonly Omit<Bound, 'value'>[] }
  readonly assumes: readonly string[]
  readonly settings: readonly AlgorithmSetting[]
  /** The needs of an election; null for aggregations, which have none. */
  readonly needs: Algorithm['needs'] | null
  /** The time that its messages need: rounds, bounded delays, clocks; of aggregations, too. */
  readonly time?: Algorithm['needs']['time']
  /** The number of nodes, the mode and the order of messages that the checker takes by default. */
  readonly checked: { readonly n: number; readonly mode: string; readonly order: string }
  /** Whether it keeps running, and answers crashes and changes of links. */
  readonly lasting: boolean
  /** Whether nodes are told of crashes by a failure detector, if there is one. */
  readonly detects: boolean
  /** Whether its nodes meet in place of sending messages. */
  readonly meets: boolean
  /** Whether an attribute of the nodes can decide who leads. */
  readonly attributes: boolean
  /** Whether its nodes compute an aggregate of their values. */
  readonly computes: boolean
  /** Whether leaders are elected in terms: the value of a node is how much of the log it has. */
  readonly terms?: true
  /** Whether its definition states an invariant, from which it is proved for every n. */
  readonly proved?: true
  /** Whether a run may begin in any state. */
  readonly anyStart?: true
  /** Message types that announce the leader: bounds leave them out. */
  readonly announces: readonly string[]
}

/** The algorithms and networks of the engine, so that the page need not contain them again. */
export interface EngineOffer {
  readonly algorithms: readonly AlgorithmEntry[]
  readonly networks: readonly NetworkForm[]
}

export function offer(): EngineOffer {
  return {
    algorithms: [...catalogue.map(definitionEntry), ...aggregations.map(definitionEntry)],
    networks: networkForms.map(({ form, example, meaning }) => ({ form, example, meaning })),
  }
}

/** A definition as data. */
export function definitionEntry(definition: Algorithm | Aggregation): AlgorithmEntry {
  const { name, theory } = definition
  const algorithm = byMessages(definition)
  const settings = parametersOf(definition).map(({ name: parameter, otherwise, ...rest }) => ({
    ...rest,
    name: parameter,
    fallback: String(otherwise),
  }))
  return {
    name,
    title: theory.title ?? name,
    theory: theoryData(theory),
    assumes: assumptionsOf(definition),
    settings,
    ...timeOf(algorithm),
    checked: checkedByDefault(algorithm, usualPlace(definition).network),
    ...(offers(definition, 'lead') ? electionFacts(definition) : GOSSIP_FACTS),
  }
}

type KindFacts = Omit<
  AlgorithmEntry,
  'name' | 'title' | 'theory' | 'assumes' | 'settings' | 'checked' | 'time'
>

/** The same of every aggregation: it needs no world of its own. */
const GOSSIP_FACTS: KindFacts = {
  network: 'gossip',
  needs: null,
  lasting: true,
  detects: false,
  meets: false,
  attributes: false,
  computes: true,
  announces: [],
}

function electionFacts(algorithm: Algorithm): KindFacts {
  const { needs, lasting, kinds, elects, byAttribute } = algorithm
  return {
    network: needs.topology,
    needs,
    lasting,
    detects: needs.topology === 'ring' || needs.knows?.includes('liveness') === true,
    meets: algorithm.meet !== null,
    attributes: needs.ids === 'unique' && (elects === 'largest' || byAttribute !== null),
    computes: needs.knows?.includes('inputs') === true,
    ...(algorithm.problem?.terms && { terms: true as const }),
    ...(Object.keys(algorithm.invariant()).length > 0 && { proved: true as const }),
    ...(algorithm.problem?.anyStart && { anyStart: true as const }),
    announces: kinds.filter(({ announces }) => announces).map((kind) => kind.name),
  }
}

/** Nothing where any time will do. */
function timeOf({ needs: { time } }: Algorithm): Pick<AlgorithmEntry, 'time'> {
  return time === undefined ? {} : { time }
}

function checkedByDefault(algorithm: Algorithm, network: Algorithm['needs']['topology']) {
  const { mode, order } = defaultOptions(algorithm, [])
  return { n: defaultNodes(network), mode: modeText(mode), order }
}

/** Theory without functions, which cannot be sent to the page. */
function theoryData(theory: Theory): AlgorithmEntry['theory'] {
  const bounds = theory.bounds.map(({ of, kind, formula, where }) => ({
    of,
    kind,
    formula,
    ...(where !== undefined && { where }),
  }))
  return { ...theory, bounds }
}
