import { modelOf } from '../../src/algorithms/assumptions.ts'
import { aggregations, catalogue } from '../../src/algorithms/index.ts'
import {
  boundedDelay,
  type CheckOptions,
  type CheckResult,
  check,
  defaultMode,
  defaultOptions,
} from '../../src/check/index.ts'
import { refuseSimulated } from '../../src/cli/cluster/timing-flags.ts'
import { type Algorithm, UsageError } from '../../src/core/index.ts'
import { sourceTexts } from '../../src/core/language/theory.ts'
import { grouped, wrapped } from '../../src/core/text-format.ts'
import { factsOf } from '../../src/sim/index.ts'
import { aggregationsTable, sourcesOf } from './aggregations-page.ts'
import { cost, preparation, simulate } from './random-worlds.ts'

/** How many nodes the measured elections have. */
const MEASURED = 64
/** What the checker may see of one network. */
const MOST_STATES = 100_000
/** Where states hardly grow with n, the search for the largest one ends here. */
const MOST_NODES = 16
/** Where there is no end of states: how many nodes are looked at, and how many draws of each. */
const TOSSING = 3
const DRAWS = 3
/** How long an algorithm is measured that never falls silent. */
const ENDLESS_TIME = 100
const WIDTH = 100

const NETWORKS = ['ring', 'complete', 'tree', 'hypercube', 'any'] as const
const TITLES = {
  ...{ ring: 'Rings', complete: 'Complete networks', tree: 'Trees', hypercube: 'Hypercubes' },
  any: 'General graphs',
}
/** The networks that are explored, as `--topology` calls them. */
const FAMILIES = {
  ...{ ring: ['ring'], complete: ['complete'], any: ['path', 'ring', 'complete'] },
  ...{ tree: ['path', 'star'], hypercube: ['hypercube'] },
}
const HEADINGS = [
  ...['Algorithm', 'Model', 'Proven', 'Measured'],
  ...['Simulated', 'Checked', 'Clustered', 'Source'],
]
const IMPOSSIBLE =
  '`conclave explain anonymous` shows why no algorithm elects on a ring without ids and without random choices.'

const FURTHER =
  'Larger networks, crashes, cut links, links that are not FIFO: what else was explored exhaustively. No property is violated in any of them. [checking.md](checking.md) explains the modes, and what an answer proves. Itai-Rodeh numbers its rounds, and random choices may always come out equal: for two nodes or more its state space is infinite, but it is finite as long as no node draws more than K times (`--draws K`).'

/** Of how many nodes a network of some family is to be explored. */
export type Sizes = (algorithm: Algorithm, family: string) => number

/** The largest size of which the checker sees everything; this takes a while. */
export const largest: Sizes = (algorithm, family) => {
  let n = smallest(algorithm)
  const fits = (size: number) => explore(algorithm, `${family}:${size}`, MOST_STATES).exhausted
  while (n < MOST_NODES && fits(n + 1)) n++
  return n
}

/** The sizes that a document records. */
export function recordedIn(document: string): Sizes {
  const rows = document.split('\n')
  return (algorithm, family) => {
    const row = rows.find((line) => line.startsWith(`| ${linkTo(algorithm)}<br>`)) ?? ''
    const [, n = smallest(algorithm)] = new RegExp(`\`${family}:(\\d+)\``).exec(row) ?? []
    return Number(n)
  }
}

/** The whole of docs/algorithms.md; every number in it is computed again. */
export function algorithmsDocument(sizes: Sizes, further: readonly string[]): string {
  const groups = NETWORKS.map((network) =>
    catalogue.filter(({ needs }) => needs.topology === network),
  )
  return [
    ...introduction(),
    ...groups.flatMap((group) => table(group, sizes, further)),
    ...aggregationsTable(),
    '## Checked further',
    '',
    ...prose(FURTHER),
    ...further,
    '## One by one',
    '',
    ...[...groups.flat(), ...aggregations].flatMap(portrait),
  ].join('\n')
}

function introduction(): string[] {
  const opening =
    'This page is generated: `npm run docs` rewrites it, and a test fails when it is out of date. [conventions.md](conventions.md) says what counts as a message, when a node is elected, and what must hold.'
  const items = [
    '- **Model**: what the algorithm needs, as `conclave list` shows it.',
    `- **Proven**: the cost in general. **Measured**: one run of \`conclave run NAME -n ${MEASURED}\`: seed 1, unit delay or synchronous rounds, the network named above the table; all nodes start, unless the cell says that one does. Messages are counted without the announcement; time is from the first start to the election. Numbers in parentheses are proven for this very run.`,
    '- **Simulated**: in synchronous rounds, with asynchronous delays, or both.',
    `- **Checked**: the largest network with at most ${grouped(MOST_STATES)} states that the checker explores exhaustively, and the number of its states; all properties hold. Any nodes may start, at any time, unless the algorithm needs a common start; links are FIFO; ids are those of seed 1. The mode is \`untimed\` (a timer may fire at any time) unless one is named: \`clocked:1\` is synchronous rounds, with \`clocked:2\` a message takes 1 or 2 units. It is what \`conclave check NAME --topology ring:5\` does, with \`--mode\` where one is named.`,
    '- **Clustered**: whether it runs between processes, on a ring or a complete network.',
    '- **Source**: the [source texts](conventions.md#the-source-texts) that it is taken from; - where only the paper of its authors was used.',
  ].map((item) => wrapped(item, WIDTH).join('\n  '))
  return ['# The algorithms', '', ...prose(opening), ...items, '']
}

function table(group: readonly Algorithm[], sizes: Sizes, further: readonly string[]): string[] {
  const { topology } = group[0].needs
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    `## ${TITLES[topology]}`,
    '',
    ...prose(`${measuredOn(group[0])}${topology === 'ring' ? ` ${IMPOSSIBLE}` : ''}`),
    row(HEADINGS),
    row(HEADINGS.map(() => '---')),
    ...group.map((algorithm) => row(cellsOf(algorithm, sizes, further))),
    '',
  ]
}

/** The network of the measured runs, with rounded probabilities. */
function measuredOn(algorithm: Algorithm): string {
  const { name, links } = preparation(algorithm, { n: MEASURED }).world.topology
  const [network, p] = name.split(/:(?=0\.)/)
  const named = p === undefined ? `\`${name}\`` : `\`${network}:p\` with p = ${grouped(Number(p))}`
  return `Measured on ${named}, which has ${grouped(links)} links.`
}

/** A paragraph in lines, none of which looks like the item of a list. */
function prose(paragraph: string): string[] {
  const lines = wrapped(paragraph, WIDTH).map((line) => line.replace(/^[-+*#>](?= )/, '\\$&'))
  return [...lines, '']
}

function cellsOf(algorithm: Algorithm, sizes: Sizes, further: readonly string[]): string[] {
  const { needs, theory, meet } = algorithm
  return [
    `${linkTo(algorithm)}<br>${theory.authors}`,
    modelOf(needs, meet !== null),
    theory.cost,
    measured(algorithm),
    meet !== null ? 'pairs' : needs.time === 'rounds' ? 'sync' : 'sync, async',
    [checked(algorithm, sizes), ...linkToMore(algorithm, further)].join('<br>'),
    runsInCluster(algorithm) ? 'yes' : 'no',
    sourcesOf(theory) || '-',
  ]
}

/** Where the table of what was checked further has something of it. */
function linkToMore({ name }: Algorithm, further: readonly string[]): string[] {
  const listed = further.some((row) => row.startsWith(`| \`conclave check ${name} `))
  return listed ? ['[and more](#checked-further)'] : []
}

function linkTo({ name }: Algorithm): string {
  return `[${name}](#${name})`
}

function measured(algorithm: Algorithm): string {
  if (algorithm.meet !== null) return measuredMeetings(algorithm)
  if (algorithm.quiet === 'never') return measuredFor(algorithm, ENDLESS_TIME)
  const { messages, time, verdict, bounds } = simulate(algorithm, { n: MEASURED })
  if (!verdict.ok) throw new Error(`${algorithm.name} does not elect: ${JSON.stringify(verdict)}`)
  const atMost = (of: 'messages' | 'time') => {
    const values = bounds.filter((bound) => bound.of === of).map(({ value }) => value)
    return values.length === 0 ? [] : [`at most ${grouped(Math.floor(Math.min(...values)))}`]
  }
  const sent = grouped(cost(algorithm, messages))
  const elected = time.elected! - (time.unit === 'round' ? 1 : 0)
  const proven = (facts: string[]) => (facts.length === 0 ? '' : ` (${facts.join(', ')})`)
  return [
    `${sent} messages${proven([...atMost('messages'), ...average(algorithm)])}`,
    `time ${grouped(elected)}${proven(atMost('time'))}`,
    ...(algorithm.starters === 'first' ? ['one starts'] : []),
  ].join('<br>')
}

/** An algorithm that never falls silent, for some time. */
function measuredFor(algorithm: Algorithm, until: number): string {
  const { messages, time, verdict } = simulate(algorithm, { n: MEASURED, until })
  if (!verdict.ok) throw new Error(`${algorithm.name} does not elect: ${JSON.stringify(verdict)}`)
  const sent = grouped(cost(algorithm, messages))
  return `${sent} messages until time ${until}<br>time ${grouped(time.elected!)}`
}

/** An algorithm whose nodes meet, until it is stable. */
function measuredMeetings(algorithm: Algorithm): string {
  const { time, verdict } = simulate(algorithm, { n: MEASURED })
  if (!verdict.ok) throw new Error(`${algorithm.name} does not elect: ${JSON.stringify(verdict)}`)
  return `stable after ${grouped(time.stable!)} interactions`
}

/** What such a run takes on average, where that is known. */
function average(algorithm: Algorithm): string[] {
  const { world, conditions } = preparation(algorithm, { n: MEASURED })
  const facts = factsOf(world, conditions)
  return algorithm.theory.bounds
    .filter(({ kind, when }) => kind === 'average' && (when?.(facts) ?? true))
    .map(({ value }) => `${grouped(Math.round(value(facts)))} on average`)
}

function checked(algorithm: Algorithm, sizes: Sizes): string {
  if (algorithm.quiet === 'never' && algorithm.meet === null) return 'within bounds'
  const { needs } = algorithm
  const mode = defaultMode(algorithm)
  const lines = FAMILIES[needs.topology].map((family) => {
    const n = sizes(algorithm, family)
    const { states, exhausted } = explore(algorithm, `${family}:${n}`, MOST_STATES)
    const seen = `\`${family}:${n}\`, ${grouped(states)} states`
    if (!exhausted) return `${seen}, not all`
    // Where coins make no end of states, only the smallest network has few.
    if (needs.coins && n === smallest(algorithm))
      return `${seen}<br>${withFewDraws(algorithm, `${family}:${TOSSING}`)}`
    return n === MOST_NODES ? `${seen}; no larger one was tried` : seen
  })
  return [...lines, ...(typeof mode === 'string' ? [] : [`clocked:${mode.clocked}`])].join('<br>')
}

/** Random choices may always come out equal: states are infinite unless draws are limited. */
function withFewDraws(algorithm: Algorithm, topology: string): string {
  const { states, exhausted } = explore(algorithm, topology, MOST_STATES, { draws: DRAWS })
  if (!exhausted) throw new Error(`${algorithm.name} on ${topology} has too many states`)
  return `\`${topology}\` with at most ${DRAWS} draws of each node, ${grouped(states)} states`
}

function explore(
  algorithm: Algorithm,
  topology: string,
  states: number,
  limit: Pick<CheckOptions, 'draws'> = {},
): CheckResult {
  const { world, conditions, properties } = preparation(algorithm, {
    topology,
    ...boundedDelay(algorithm, defaultMode(algorithm)),
  })
  const rules = { ...defaultOptions(algorithm, conditions.starts.nodes), ...limit }
  const result = check(world, { ...rules, properties, limits: { states } })
  const doubtful = result.properties.find(({ holds }) => holds !== true)
  if (result.violated === null && !(result.exhausted && doubtful)) return result
  throw new Error(`${algorithm.name} on ${topology}: ${JSON.stringify(doubtful)}`)
}

/** A general graph begins where a cycle is one. */
function smallest({ needs }: Algorithm): number {
  return needs.topology === 'any' ? 3 : 1
}

function runsInCluster(algorithm: Algorithm): boolean {
  try {
    refuseSimulated(preparation(algorithm))
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function portrait({ name, theory }: Pick<Algorithm, 'name' | 'theory'>): string[] {
  const { authors, texts = [], idea, because, breaks, example, comparison } = theory
  const source = [authors, ...texts.map((text) => sourceTexts[text])].join('; ')
  const paragraphs = [
    `${source.slice(0, 1).toUpperCase()}${source.slice(1)}.`,
    `**Idea.** ${idea}`,
    `**Why it is right.** ${because}`,
    `**What breaks it.** ${breaks}`,
    ...(comparison ? [`**${comparison.title}.** ${comparison.says}`] : []),
  ]
  const commands = [example, ...(comparison?.commands ?? [])].map((command) => `npx ${command}`)
  return [`### ${name}`, '', ...paragraphs.flatMap(prose), '```sh', ...commands, '```', '']
}
