import type { Algorithm, Needs } from '../core/language/algorithm.ts'
import { UnmetCondition } from './refusal.ts'
import { unprovableFields } from './vocabulary.ts'

/** Refuses a definition that depends on more than the theorem allows. */
export function refuseUnprovable(algorithm: Algorithm): void {
  const [first] = refusalsOf(algorithm)
  if (first !== undefined) throw first
}

/** Everything that a definition declares and that stands in the way of a proof. */
export function refusalsOf(algorithm: Algorithm): UnmetCondition[] {
  const { needs, meet, problem, down, up } = algorithm
  const { topology, ids, knows = [], time, start } = needs
  if (meet !== null)
    return [new UnmetCondition('nodes meet in pairs.', 'A proof is about messages.')]
  const refusals: UnmetCondition[] = []
  const refuse = (is: boolean, what: string, hint: string) => {
    if (is) refusals.push(new UnmetCondition(what, hint))
  }
  const ring = topology === 'ring'
  refuse(
    !ring && topology !== 'complete',
    `it needs ${NETWORKS[topology]}.`,
    'Proofs are for rings and complete networks.',
  )
  refuse(ids === undefined, 'its nodes are anonymous.', 'A proof needs ids that are unique.')
  refuse(
    ids === 'numbers',
    'it computes with ids.',
    "A proof needs ids that are only compared: ids: 'unique'.",
  )
  refuse(time !== undefined, `it needs ${time}.`, 'A proof knows no time.')
  refuse(start === 'together', 'all nodes start together.', 'A proof is for every way to start.')
  refuse(
    down !== null || up !== null,
    'it answers a failure detector.',
    'A proof knows of none: leave out down and up.',
  )
  for (const word of knows) refuse(!ALLOWED.includes(word), `it knows ${word}.`, KNOWLEDGE)
  refuse(
    ring && problem?.terms === true,
    'its leaders have terms.',
    'Proofs have terms on complete networks.',
  )
  return [...refusals, ...unprovableFields(algorithm)]
}

/** The parameters that are numbers, with their default values. */
export function numericParameters({ params }: Algorithm): Record<string, number | string> {
  const facts = new Proxy({} as never, {
    get(_, fact) {
      throw new UnmetCondition(
        `a parameter is computed from ${String(fact)} of the network.`,
        'A proof for every n needs parameters that are constants.',
      )
    },
  })
  const numbers = Object.entries(params).filter(([, { choices }]) => choices === undefined)
  return Object.fromEntries(numbers.map(([name, { value }]) => [name, value(facts)]))
}

/** What says nothing about the size of the network. */
const ALLOWED: readonly string[] = ['peers', 'voters', 'inputs']

const KNOWLEDGE = 'A proof for every n is about nodes that know nothing of the network.'

const NETWORKS: Readonly<Record<Needs['topology'], string>> = {
  ring: 'a ring',
  complete: 'a complete network',
  tree: 'a tree',
  hypercube: 'a hypercube',
  any: 'any network',
}
