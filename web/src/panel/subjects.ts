import { assumptionsOf, gossipAssumptions } from '../../../src/algorithms/assumptions.ts'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import type { Algorithm, Theory } from '../../../src/core/index.ts'
import { gossipSettings } from '../../../src/scenario/gossip-settings.ts'

/** Something that may be set for one algorithm. */
export interface SubjectSetting {
  readonly name: string
  readonly says: string
  readonly choices?: readonly string[]
  /** What it is otherwise, where that does not follow from the world. */
  readonly usual?: string
  /** With which timing alone it has a meaning. */
  readonly only?: 'cycles' | 'async'
}

/** What can be simulated: an election, or an aggregation by gossip. */
export interface Subject {
  readonly name: string
  readonly group: string
  readonly theory: Theory
  readonly assumes: readonly string[]
  readonly settings: readonly SubjectSetting[]
  /** What an election asks of the world; null for aggregations, which ask for nothing. */
  readonly needs: Algorithm['needs'] | null
  /** It goes on answering crashes and links that come and go. */
  readonly lasting: boolean
  /** Its nodes compute something of the values that they hold. */
  readonly computes: boolean
  /** Messages that tell the others who leads: bounds leave them out. */
  readonly announces: readonly string[]
}

const GROUPS = { ring: 'Rings', complete: 'Complete networks', any: 'Any network' } as const
const GOSSIP = 'Aggregation by gossip'

export const subjects: readonly Subject[] = [
  ...catalogue.map(electionSubject),
  ...aggregations.map(
    (aggregation): Subject => ({
      name: aggregation.name,
      group: GOSSIP,
      theory: aggregation.theory,
      assumes: gossipAssumptions,
      settings: Object.entries(gossipSettings(aggregation)).map(
        ([name, { says, otherwise, only }]) => ({
          ...{ name, says, usual: String(otherwise) },
          ...(only && { only }),
        }),
      ),
      needs: null,
      lasting: true,
      computes: true,
      announces: [],
    }),
  ),
]

/** By network, in the order of learning: rings first. */
export const groups: readonly (readonly [name: string, subjects: readonly Subject[]])[] = [
  ...Object.values(GROUPS),
  GOSSIP,
].map((name) => [name, subjects.filter(({ group }) => group === name)])

export function subjectNamed(name: unknown): Subject | null {
  return subjects.find((subject) => subject.name === name) ?? null
}

function electionSubject(algorithm: Algorithm): Subject {
  const { name, theory, needs, params, lasting, kinds } = algorithm
  return {
    name,
    group: GROUPS[needs.topology],
    theory,
    assumes: [assumptionsOf(algorithm)],
    settings: Object.entries(params).map(([param, { says, choices }]) => ({
      ...{ name: param, says },
      ...(choices && { choices }),
    })),
    needs,
    lasting,
    computes: needs.knows?.includes('inputs') === true,
    announces: kinds.filter(({ announces }) => announces).map((kind) => kind.name),
  }
}
