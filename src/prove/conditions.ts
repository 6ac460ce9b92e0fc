import type { Algorithm, Needs } from '../core/language/algorithm.ts'
import { Refusal } from './refusal.ts'

/** Refuses a definition that depends on more than the theorem allows. */
export function refuseUnprovable(algorithm: Algorithm): void {
  const { needs, meet, problem } = algorithm
  const { topology, ids, knows = [], time, start } = needs
  if (meet !== null) throw new Refusal('nodes meet in pairs.', 'A proof is about messages.')
  if (topology !== 'ring' && topology !== 'complete')
    throw new Refusal(
      `it needs ${NETWORKS[topology]}.`,
      'Proofs are for rings and complete networks.',
    )
  if (ids === undefined)
    throw new Refusal('its nodes are anonymous.', 'A proof needs ids that are unique.')
  if (ids === 'numbers')
    throw new Refusal(
      'it computes with ids.',
      "A proof needs ids that are only compared: ids: 'unique'.",
    )
  if (time !== undefined) throw new Refusal(`it needs ${time}.`, 'A proof knows no time.')
  if (start === 'together')
    throw new Refusal('all nodes start together.', 'A proof is for every way to start.')
  for (const word of knows)
    if (!ALLOWED.includes(word)) throw new Refusal(`it knows ${word}.`, KNOWLEDGE)
  if (problem?.terms && topology === 'ring')
    throw new Refusal('its leaders have terms.', 'Proofs have terms on complete networks.')
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
