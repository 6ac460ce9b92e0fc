import { counted } from '../../../src/core/text-format.ts'
import type { RunFrame } from '../recording/frame.ts'
import { nodeName, nodeNames } from './names.ts'

/** A predicate without subject, said of a node: "swallows 6, since 6 < 7". */
export interface Predicate {
  readonly node: number
  readonly words: string
}

/** At most this many nodes are named, and this many phrases stand side by side. */
const NODES_NAMED = 4
const PHRASES = 2
/** Two whole phrases of at most this many characters fit side by side. */
const PHRASE_LENGTH_MAX = 100

/**
 * What several nodes do at the same moment: the last predicate of each; equal and similar ones are
 * one phrase.
 */
export function combined(frame: RunFrame, all: readonly Predicate[]): string {
  const predicates = [...new Map(all.map((one) => [one.node, one])).values()]
  const whole = predicates.map(({ node, words }) => `${nodeName(frame, node)} ${words}`)
  const together = whole.join('; ')
  if (whole.length === 1 || (whole.length === 2 && together.length <= PHRASE_LENGTH_MAX))
    return together
  const groups = new Map<string, Predicate[]>()
  for (const { node, words } of predicates) {
    const clause = mainClause(words)
    const similar = clause.replace(/-?\d+(\.\d+)?/g, '#')
    const group = groups.get(similar)
    if (group) group.push({ node, words: clause })
    else groups.set(similar, [{ node, words: clause }])
  }
  // What few nodes do tells more than what most of them do.
  const phrases = [...groups.values()]
    .sort((a, b) => a.length - b.length)
    .map((group) => groupPhrase(frame, group))
  const others = phrases.length > PHRASES ? ['other nodes act, too'] : []
  return [...phrases.slice(0, PHRASES), ...others].join('; ')
}

function groupPhrase(frame: RunFrame, group: readonly Predicate[]): string {
  const [{ node, words }] = group
  const nodes = [...new Set(group.map((one) => one.node))]
  if (group.every((one) => one.words === words))
    return nodes.length === 1
      ? `${nodeName(frame, node)} ${words}`
      : `${manyNodes(frame, nodes)} ${plural(words)}`
  const one = `${nodeName(frame, node)} ${words}`
  if (group.length > 2) return `${one}, and ${counted(group.length - 1, 'other')} do likewise`
  return `${one} and ${nodeName(frame, group[1].node)} ${group[1].words}`
}

/** Nodes by their names, or their number where there are many. */
export function manyNodes(frame: RunFrame, nodes: readonly number[]): string {
  const all = nodes.length === frame.log.world.n
  if (nodes.length <= NODES_NAMED) return nodeNames(frame, nodes)
  return all ? `all ${nodes.length} nodes` : counted(nodes.length, 'node')
}

/** The predicate of one node or of several: "becomes leader", "become leader". */
export function predicateOf(nodes: readonly number[], words: string): string {
  return nodes.length === 1 ? words : plural(words)
}

/** A predicate up to its reason. */
function mainClause(words: string): string {
  return words.replace(/(,|;|:| since | because | and ).*$/, '')
}

const IRREGULAR: Readonly<Record<string, string>> = {
  is: 'are',
  has: 'have',
  does: 'do',
  was: 'were',
  goes: 'go',
}

/** A predicate in the plural: the verb is its first word. */
export function plural(words: string): string {
  const [verb] = words.split(' ')
  const many =
    IRREGULAR[verb] ??
    (/(ss|sh|ch|x|z)es$/.test(verb)
      ? verb.slice(0, -2)
      : verb.endsWith('ies')
        ? `${verb.slice(0, -3)}y`
        : verb.replace(/s$/, ''))
  const rest = words.slice(verb.length)
  return many + rest.replace(/\bits\b/g, 'their').replace(/\bitself\b/g, 'themselves')
}
