import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { leaderElection } from '../../problems/leader-election.ts'
import type { GradedWorld } from './graded-world.ts'

interface Requirement {
  /** What it asks for, for help and documents. */
  readonly says: string
  /** Why the declared world is easier; null if it is not. */
  easier(world: GradedWorld): string | null
}

/** It must not be known. */
function unknown(what: string, words: string): Requirement['easier'] {
  return ({ knows }) => (knows.includes(what) ? `it knows ${words} (knows: '${what}')` : null)
}

/** It must be for this network. */
function networkOf(network: GradedWorld['network']): Requirement['easier'] {
  return (world) => (world.network === network ? null : `it declares topology: '${world.network}'`)
}

/** What a lecturer can demand of a definition: each word refuses an easier world. */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  asynchronous: {
    says: 'no rounds and no bound on delays',
    easier: ({ time }) => (time === 'asynchronous' ? null : `it needs ${timeText(time)}`),
  },
  'any-order': {
    says: 'links may reorder messages',
    easier: ({ order, time }) =>
      order === 'any' && time !== 'rounds'
        ? null
        : order === 'fifo'
          ? "it needs links that keep the order of messages (order: 'fifo')"
          : "in synchronous rounds messages are never reordered (time: 'rounds')",
  },
  'any-start': {
    says: 'any nodes may start, at any time',
    easier: ({ start }) =>
      start === 'any' ? null : "all its nodes start at the beginning (start: 'together')",
  },
  uniform: { says: 'n is not known', easier: unknown('n', 'the number of nodes') },
  anonymous: {
    says: 'nodes have no ids',
    easier: ({ ids }) => (ids === 'none' ? null : `its nodes have ids (ids: '${ids}')`),
  },
  comparison: {
    says: 'ids are only compared',
    easier: ({ ids, idUse: { kind, detail } }) => {
      if (ids === 'numbers') return "it computes with ids (ids: 'numbers')"
      return ids === 'unique' && kind === 'refuted' ? `it computes with ids (${detail})` : null
    },
  },
  deterministic: {
    says: 'no random choices',
    easier: ({ coins }) => (coins ? 'it makes random choices (coins: true)' : null),
  },
  'no-peers': {
    says: "the neighbours' ids are not known",
    easier: unknown('peers', "its neighbours' ids"),
  },
  'no-direction': {
    says: 'no sense of direction',
    easier: unknown('direction', 'the direction of its links'),
  },
  'no-weights': { says: 'no link weights', easier: unknown('weights', 'the weights of its links') },
  'no-detector': {
    says: 'no failure detector',
    easier: unknown('liveness', 'which neighbours are alive'),
  },
  election: {
    says: 'the problem is leader election, judged by its own properties',
    easier: ({ problem }) =>
      problem === leaderElection.name ? null : `it is judged by another problem (${problem})`,
  },
  largest: {
    says: 'the largest id must win',
    easier: ({ elects }) =>
      elects === 'largest' ? null : "it lets any node win (elects: 'another')",
  },
  terminating: {
    says: 'nodes stop after the election',
    easier: ({ lasting }) => (lasting ? 'its nodes never stop (lasting: true)' : null),
  },
  crashes: {
    says: 'it answers crashes',
    easier: ({ crashes }) =>
      crashes ? null : 'it does not answer crashes (lasting: true and a down handler)',
  },
  ring: { says: 'for rings', easier: networkOf('ring') },
  complete: { says: 'for complete networks', easier: networkOf('complete') },
  tree: { says: 'for trees', easier: networkOf('tree') },
  hypercube: { says: 'for hypercubes', easier: networkOf('hypercube') },
  'any-network': { says: 'for any connected network', easier: networkOf('any') },
}

function timeText(time: GradedWorld['time']): string {
  return time === 'rounds'
    ? "synchronous rounds (time: 'rounds')"
    : time === 'clocks'
      ? "clocks of nearly equal rates (time: 'clocks')"
      : "a known bound on delays (time: 'bounded delay')"
}

/** Reads a list such as `asynchronous,uniform`. */
export function readRequirements(where: string, list: string): string[] {
  const known = Object.keys(REQUIREMENTS)
  return readNames(where, list, known, 'a requirement', 'The requirements are')
}

/** Reads names that commas separate. */
export function readNames(
  where: string,
  list: string,
  known: readonly string[],
  kind: string,
  listed: string,
): string[] {
  const names = list.split(',').map((name) => name.trim())
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(
        where,
        `${quoted(name)} is not ${kind}.`,
        `${listed} ${known.join(', ')}.`,
      ).withCandidates(name, known)
  return [...new Set(names)]
}

/** A requirement that a definition does not meet. */
export interface UnmetRequirement {
  readonly require: string
  readonly reason: string
}

export function unmetRequirements(
  words: readonly string[],
  world: GradedWorld,
): UnmetRequirement[] {
  return words.flatMap((word) => {
    const reason = REQUIREMENTS[word].easier(world)
    return reason === null ? [] : [{ require: word, reason }]
  })
}
