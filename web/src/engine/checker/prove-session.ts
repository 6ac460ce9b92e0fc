import { type Aggregation, electionFor } from '../../../../src/algorithms/index.ts'
import type { Algorithm } from '../../../../src/core/index.ts'
import type { Property } from '../../../../src/core/language/problem.ts'
import {
  unreadSource,
  unshownIn,
  variantsOf,
} from '../../../../src/core/language/validation/only-compared.ts'
import { propertiesOf } from '../../../../src/problems/algorithm-properties.ts'
import { numericParameters } from '../../../../src/prove/conditions.ts'
import type { InductionCounterexample } from '../../../../src/prove/induction.ts'
import { NO_FAULTY_HANDLER, proveProperties } from '../../../../src/prove/prove.ts'
import { UnmetCondition } from '../../../../src/prove/refusal.ts'
import { counterexampleJson } from '../../../../src/prove/report/counterexample-json.ts'
import { namedArcs } from '../../../../src/prove/report/named-arcs.ts'
import { provenTopology, vocabularyOf } from '../../../../src/prove/vocabulary.ts'
import type { Session } from '../protocol.ts'
import type {
  CheckerReply,
  PageCounterexample,
  PageProof,
  ProofRequest,
  ProvedClause,
} from './protocol.ts'

/** Tries to prove a definition for every n, from the clauses that it states. */
export function* proveSession(
  definition: Algorithm | Aggregation,
  { clauses, code }: Pick<ProofRequest, 'clauses' | 'code'>,
  reply: CheckerReply,
): Session {
  const election = electionFor('pageProof', definition, 'algorithm')
  yield
  reply({ what: 'proved', proof: pageProof(election, clauses, code) })
}

/** What is worse comes first. */
const RANKS = { refused: 0, open: 1, proved: 2 } as const

/** The proof of the algorithm for which least is proved, of all that parameters choose. */
function pageProof(
  definition: Algorithm,
  chosen: ProofRequest['clauses'],
  code: ProofRequest['code'],
): PageProof {
  try {
    const proofs = variantsOf(definition, numericParameters(definition)).map(({ algorithm }) =>
      shownProof(algorithm, variantProof(algorithm, chosen), code),
    )
    return proofs.toSorted((a, b) => RANKS[a.verdict] - RANKS[b.verdict])[0]
  } catch (error) {
    return refusedProof(definition, error)
  }
}

/** Nothing is proved of own code that may compute with ids and the like. */
function shownProof(algorithm: Algorithm, proof: PageProof, code: ProofRequest['code']): PageProof {
  if (code === null || proof.verdict === 'refused') return proof
  const source = code.use ?? unreadSource(code.path, 'its source was not read')
  const [first] = unshownIn(algorithm, source)
  if (first === undefined) return proof
  const what =
    first.subject === 'code'
      ? 'Handlers may depend on more than their events'
      : `The ${first.subject} may be computed with`
  const clauses = proof.clauses.map((clause) =>
    clause.verdict === 'proved' ? ({ ...clause, verdict: 'open' } as const) : clause,
  )
  return { ...proof, verdict: 'open', clauses, unshown: `${what}: ${first.where}: ${first.why}.` }
}

function refusedProof(definition: Algorithm, error: unknown): PageProof {
  if (!(error instanceof UnmetCondition)) throw error
  const { message: refusal } = error
  const topology = provenTopology(definition)
  const nothing = { for: null, clauses: [], unshown: null, steps: 0 }
  return { verdict: 'refused', topology, refusal, ...nothing }
}

function variantProof(definition: Algorithm, chosen: ProofRequest['clauses']): PageProof {
  const stated = Object.entries(definition.invariant())
  const used = stated.filter(([name]) =>
    'only' in chosen ? chosen.only.includes(name) : !chosen.without.includes(name),
  )
  const subject = { ...definition, invariant: () => Object.fromEntries(used) }
  const unused = (name: string): ProvedClause => ({
    name,
    from: 'stated',
    verdict: 'left out',
    counterexample: null,
  })
  const topology = provenTopology(definition)
  try {
    const properties = propertiesOf(definition, false)
    const { clauses, faulty, verdict, for: links, steps } = proveProperties(subject, properties)
    const shown = counterexamplesOf(subject, properties)
    const judged = clauses.map(({ name, from, proved, counterexample }): ProvedClause => {
      const found = counterexample && shown(name, counterexample)
      return { name, from, verdict: proved ? 'proved' : 'open', counterexample: found }
    })
    const fault: ProvedClause[] =
      faulty === null
        ? []
        : [
            {
              name: NO_FAULTY_HANDLER,
              from: 'goal',
              verdict: 'open',
              counterexample: shown(NO_FAULTY_HANDLER, faulty),
            },
          ]
    const goals = judged.filter(({ from }) => from === 'goal')
    const lemmas = stated.map(
      ([name]) => judged.find((clause) => clause.name === name) ?? unused(name),
    )
    const all = [...goals, ...fault, ...lemmas]
    return { verdict, for: links, topology, clauses: all, refusal: null, unshown: null, steps }
  } catch (error) {
    return refusedProof(definition, error)
  }
}

/** Turns counterexamples of a definition into those of the page. */
function counterexamplesOf(definition: Algorithm, properties: readonly Property[]) {
  const topology = provenTopology(definition)
  const fields = counterexampleFields(definition)
  const invariant = definition.invariant()
  return (name: string, counterexample: InductionCounterexample): PageCounterexample => {
    const clause = invariant[name] ?? properties.find((one) => one.name === name)?.universal
    const onRing = topology === 'ring' && clause !== undefined && 'holds' in clause
    return {
      ...counterexampleJson(definition, counterexample, name),
      topology,
      fields,
      arcs: onRing ? namedArcs(clause, counterexample) : [],
    }
  }
}

/** The names of the fields of nodes and messages: a counterexample leaves some of them open. */
export function counterexampleFields(definition: Algorithm): PageCounterexample['fields'] {
  const { node, messages, algorithm } = vocabularyOf(definition)
  const names = (fields: readonly { readonly name: string }[]) => [
    ...new Set(fields.map(({ name }) => name)),
  ]
  return {
    node: names(node),
    messages: Object.fromEntries(
      algorithm.kinds.map(({ word }, kind) => [
        word.toLowerCase(),
        { word, fields: names(messages[kind].slice(1)) },
      ]),
    ),
  }
}
