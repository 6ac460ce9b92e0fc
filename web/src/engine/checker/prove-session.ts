import { type Aggregation, isAggregation } from '../../../../src/algorithms/index.ts'
import { type Algorithm, UsageError } from '../../../../src/core/index.ts'
import { propertiesOf } from '../../../../src/problems/algorithm-properties.ts'
import type { Counterexample } from '../../../../src/prove/induction.ts'
import { prove } from '../../../../src/prove/prove.ts'
import { Refusal } from '../../../../src/prove/refusal.ts'
import { counterexampleJson } from '../../../../src/prove/report/counterexample-json.ts'
import { namedArcs } from '../../../../src/prove/report/named-arcs.ts'
import { vocabularyOf } from '../../../../src/prove/vocabulary.ts'
import type { Session } from '../protocol.ts'
import type {
  CheckerReply,
  PageCounterexample,
  PageProof,
  ProofRequest,
  ProvedClause,
} from './protocol.ts'

/** What a faulty handler breaks, where it is not a clause. */
const NO_FAULTY_HANDLER = 'no handler throws, and every value stays within its type'

/** Tries to prove a definition for every n, from the clauses that it states. */
export function* proveSession(
  definition: Algorithm | Aggregation,
  { clauses }: Pick<ProofRequest, 'clauses'>,
  reply: CheckerReply,
): Session {
  if (isAggregation(definition))
    throw new UsageError(
      'algorithm',
      `${definition.name} is an aggregation, and proofs are about elections.`,
    )
  yield
  reply({ what: 'proved', proof: pageProof(definition, clauses) })
}

function pageProof(definition: Algorithm, chosen: ProofRequest['clauses']): PageProof {
  const { topology } = definition.needs
  const stated = Object.entries(definition.invariant())
  const used = stated.filter(([name]) =>
    'only' in chosen ? chosen.only.includes(name) : !chosen.without.includes(name),
  )
  const invariant = Object.fromEntries(used)
  const properties = propertiesOf(definition, false)
  const unused = stated.flatMap(([name]): ProvedClause[] =>
    name in invariant ? [] : [{ name, from: 'stated', verdict: 'left out', counterexample: null }],
  )
  try {
    const result = prove({ ...definition, invariant: () => invariant }, properties)
    const fields = fieldsOf(definition)
    const shown = (name: string, counterexample: Counterexample | null) =>
      counterexample && {
        ...counterexampleJson(definition, counterexample, name),
        topology: topology === 'complete' ? ('complete' as const) : ('ring' as const),
        fields,
        arcs: arcsOf(name, counterexample),
      }
    const arcsOf = (name: string, counterexample: Counterexample) => {
      const clause =
        invariant[name] ?? properties.find((property) => property.name === name)?.universal
      const onRing = topology === 'ring' && clause !== undefined && 'holds' in clause
      return onRing ? namedArcs(clause, counterexample) : []
    }
    return {
      verdict: result.verdict,
      for: result.for,
      topology: topology === 'complete' ? 'complete' : 'ring',
      clauses: [
        ...result.clauses.map(({ name, from, proved, counterexample }): ProvedClause => {
          const verdict = proved ? 'proved' : 'open'
          return { name, from, verdict, counterexample: shown(name, counterexample) }
        }),
        ...(result.faulty === null
          ? []
          : [
              {
                ...({ name: NO_FAULTY_HANDLER, from: 'goal', verdict: 'open' } as const),
                counterexample: shown(NO_FAULTY_HANDLER, result.faulty),
              },
            ]),
        ...unused,
      ],
      refusal: null,
      steps: result.steps,
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return {
      ...{ verdict: 'refused', for: null, topology: 'ring', clauses: unused, steps: 0 },
      refusal: error.message,
    }
  }
}

/** The names of the fields of nodes and messages: a counterexample leaves some of them open. */
function fieldsOf(definition: Algorithm): PageCounterexample['fields'] {
  const { node, messages, algorithm } = vocabularyOf(definition)
  const names = (fields: readonly { readonly name: string }[]) => [
    ...new Set(fields.map(({ name }) => name)),
  ]
  return {
    node: names(node),
    messages: Object.fromEntries(
      algorithm.kinds.map(({ name, word }, kind) => [
        name,
        { word, fields: names(messages[kind].slice(1)) },
      ]),
    ),
  }
}
