import type { Algorithm } from '../core/index.ts'
import { neededNetworks } from '../core/language/validation/needed-networks.ts'
import type { Aggregation } from './aggregation.ts'
import { offers } from './kinds.ts'

/** What nodes may know, in words. */
export const KNOWLEDGE = {
  n: 'n known',
  peers: 'neighbours known',
  liveness: 'failure detector',
  weights: 'weights of links',
  direction: 'sense of direction',
  inputs: 'values',
  voters: 'voters known',
  incarnation: 'incarnations',
  diameter: 'diameter known',
} as const

const IDS = {
  unique: 'unique ids, compared only',
  numbers: 'unique ids, computed with',
} as const

/** The model of an algorithm in a few words, without the network. */
export function modelOf(needs: Algorithm['needs'], meets = false): string {
  const { time, order, knows, ids, start } = needs
  return [
    meets ? 'meetings' : time === 'rounds' ? 'synchronous' : (time ?? 'any timing'),
    ...(order === 'fifo' ? ['FIFO links'] : []),
    ...(knows ?? []).map((what) => KNOWLEDGE[what]),
    ...(start === 'together' && !meets ? ['common start'] : []),
    ...(ids === undefined ? ['anonymous'] : []),
  ].join(', ')
}

/** All assumptions of a definition, as paragraphs: the network, the model, the ids. */
export function assumptionsOf(definition: Algorithm | Aggregation): readonly string[] {
  if (!offers(definition, 'lead')) return GOSSIP
  const { needs, meet } = definition
  const network = neededNetworks[needs.topology].words
  const ids = needs.ids ? IDS[needs.ids] : 'no ids'
  return [[network, modelOf(needs, meet !== null), ids].join('; ')]
}

/** The model of an aggregation; some run by messages only, some need rounds. */
export function gossipModel(timing: string, only?: string): string {
  return [
    'gossip',
    ...(timing === 'asynchronous' ? [] : [timing]),
    only === undefined ? 'by messages or in cycles' : 'by messages',
    'values',
    'anonymous',
  ].join(', ')
}

/** The assumptions of every aggregation. */
const GOSSIP: readonly string[] = [
  'any network; by messages, or in cycles (timing: cycles) of immediate exchanges; no ids',
  'the times of crashes, recoveries, changed values and the end are cycles; a cycle is a period',
]
