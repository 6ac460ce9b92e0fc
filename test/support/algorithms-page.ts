import { byFamily, electionFamilies } from '../../src/algorithms/families.ts'
import { aggregations, catalogue } from '../../src/algorithms/index.ts'
import { traitsOf } from '../../src/algorithms/traits.ts'
import {
  boundedDelay,
  type CheckOptions,
  type CheckResult,
  checkWorld,
  defaultMode,
  defaultOptions,
} from '../../src/check/index.ts'
import { refuseSimulated } from '../../src/cli/cluster/timing-flags.ts'
import { type Algorithm, UsageError } from '../../src/core/index.ts'
import { sourceTexts } from '../../src/core/language/theory.ts'
import { enumerated, grouped, wrapped } from '../../src/core/text-format.ts'
import { factsForBounds } from '../../src/sim/index.ts'
import { aggregationsTable, exhibitsOf, sourcesOf } from './aggregations-page.ts'
import { cost, preparation, simulate } from './random-worlds.ts'

/** How many nodes the measured elections have. */
const MEASURED = 64
/** What the checker may see of one network. */
const MOST_STATES = 100_000
/** Worlds with more states are explored again only in long tests. */
const DAILY_STATES = 2_000
/** Where states hardly grow with n, the search for the largest one ends here. */
const MOST_NODES = 16
/** Where there is no end of states: how many nodes are looked at, and how many draws of each. */
const TOSSING = 3
const DRAWS = 3
/** How long an algorithm is measured that never falls silent. */
const ENDLESS_TIME = 100
const WIDTH = 100

/** The networks that are explored, as `--topology` calls them: by what an algorithm needs. */
const EXPLORED: Readonly<Record<string, readonly string[]>> = {
  any: ['path', 'ring', 'complete'],
  tree: ['path', 'star'],
}
const HEADINGS = [
  ...['Algorithm', 'Model', 'Proven', 'Measured'],
  ...['Simulated', 'Checked', 'Clustered', 'Drawn', 'Source'],
]
const IMPOSSIBLE =
  '`conclave explain anonymous` shows why no algorithm elects on a ring without ids and without random choices.'

const FURTHER =
  'Larger networks, crashes, cut links, links that are not FIFO: what else was explored exhaustively. No property is violated in any of them. [checking.md](checking.md) explains the modes, and what an answer proves. Itai-Rodeh numbers its rounds, and random choices may always come out equal: for two nodes or more its state space is infinite, but it is finite as long as no node draws more than K times (`--draws K`).'

/**
 * Of how many nodes a network of some family is to be explored, and how many states that has where
 * they are not to be counted again; null where nothing is to be explored.
 */
export type Sizes = (
  algorithm: Algorithm,
  family: string,
) => { readonly n: number; readonly states?: number } | null

/** The largest size of which the checker sees everything; this takes a while. */
export const largest: Sizes = (algorithm, family) => {
  let n = smallest(algorithm)
  const fits = (size: number) => explore(algorithm, `${family}:${size}`, MOST_STATES).exhausted
  if (isUnlimited(algorithm) && !fits(n)) return null
  while (n < MOST_NODES && fits(n + 1)) n++
  return { n }
}

/** The sizes that a document records. Large ones are explored again only where there is time. */
export function recordedIn(document: string): Sizes {
  const rows = document.split('\n')
  return (algorithm, family) => {
    const row = rows.find((line) => line.startsWith(`| ${linkTo(algorithm)}<br>`)) ?? ''
    const recorded = new RegExp(`\`${family}:(\\d+)\`, ([\\d,]+) states(?!, not all)`).exec(row)
    if (recorded === null) return isUnlimited(algorithm) ? null : { n: smallest(algorithm) }
    const [n, states] = recorded.slice(1).map((number) => Number(number.replaceAll(',', '')))
    return process.env.LONG_TESTS || states <= DAILY_STATES ? { n } : { n, states }
  }
}

/** Runs that never end, or may elect nobody: perhaps there is nothing to explore to the end. */
function isUnlimited({ quiet, theory }: Algorithm): boolean {
  return quiet === 'never' || 'fails' in theory
}

/** The whole of docs/algorithms.md; every number in it is computed again. */
export function algorithmsDocument(sizes: Sizes, further: readonly string[]): string {
  const families = electionFamilies()
  return [
    ...introduction(),
    ...families.flatMap((family) => table(family, sizes, further)),
    ...aggregationsTable(),
    '## Checked further',
    '',
    ...prose(FURTHER),
    ...further,
    '## One by one',
    '',
    ...byFamily().flatMap(portrait),
  ].join('\n')
}

function introduction(): string[] {
  const counts = `${catalogue.length} elections and ${aggregations.length} aggregations`
  const rest =
    'This page is generated: `npm run docs` rewrites it, and a test fails when it is out of date. [conventions.md](conventions.md) says what counts as a message, when a node is elected, and what must hold. `conclave list` with filters finds the ones that fit a network: `conclave list --topology ring --crashes`.'
  const opening = `The whole catalogue: ${counts}. ${rest}`
  const items = [
    '- **Model**: what the algorithm needs, as `conclave list` shows it.',
    `- **Proven**: the cost in general. **Measured**: one run of \`conclave run NAME -n ${MEASURED}\`: seed 1, unit delay or synchronous rounds, the network named above the table; all nodes start, unless the cell says that one does. Messages are counted without the announcement; time is from the first start to the election. Numbers in parentheses are proven for this very run.`,
    '- **Simulated**: in synchronous rounds, with asynchronous delays, or both; or in meetings of pairs.',
    `- **Checked**: the largest network with at most ${grouped(MOST_STATES)} states that the checker explores exhaustively, and the number of its states; all properties hold. Any nodes may start, at any time, unless the algorithm needs a common start; links are FIFO; ids are those of seed 1. The mode is \`untimed\` (a timer may fire at any time) unless one is named: \`clocked:1\` is synchronous rounds, with \`clocked:2\` a message takes 1 or 2 units. It is what \`conclave check NAME --topology ring:5 --ids random --order fifo --reduction off\` counts, with \`--mode\` if one is named; without \`--reduction off\` the checker leaves out schedules that differ in nothing, and sees fewer states. _Proved for every n_: \`conclave prove NAME\` shows for every network, every choice of ids and every schedule what must never happen ([proving.md](proving.md)).`,
    '- **Clustered**: whether it runs between processes.',
    '- **Drawn**: what the lab shows of nodes and links besides ids, states and messages, and how many exhibits its gallery has.',
    '- **Source**: the [source texts](conventions.md#the-source-texts) that it is taken from; - where only the paper of its authors was used.',
  ].map((item) => wrapped(item, WIDTH).join('\n  '))
  return ['# The algorithms', '', ...prose(opening), ...items, '']
}

function table(
  { name: topology, title, members: group }: ReturnType<typeof electionFamilies>[number],
  sizes: Sizes,
  further: readonly string[],
): string[] {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    `## ${title}`,
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
  const { theory } = algorithm
  return [
    `${linkTo(algorithm)}<br>${theory.authors}`,
    traitsOf(algorithm).model,
    theory.cost,
    measured(algorithm),
    simulatedIn(algorithm),
    [checked(algorithm, sizes), ...provedForAll(algorithm), ...linkToMore(algorithm, further)].join(
      '<br>',
    ),
    runsInCluster(algorithm) ? 'yes' : 'no',
    drawn(algorithm),
    sourcesOf(theory) || '-',
  ]
}

function simulatedIn(algorithm: Algorithm): string {
  const { timing } = traitsOf(algorithm)
  if (timing === 'pairs') return timing
  return timing === 'synchronous' ? 'sync' : 'sync, async'
}

/** What pictures show besides ids and messages, and how many exhibits of the gallery there are. */
function drawn({ name, display }: Algorithm): string {
  const { active, group, badge, edges, pointer, countdown } = display ?? {}
  const shown = [group, badge, pointer, countdown].flatMap((part) => part?.name ?? [])
  const parts = [
    ...(active ? ['who competes'] : []),
    ...new Set(shown),
    ...(edges ? ['roles of links'] : []),
  ]
  return [parts.join(', ') || 'messages', ...exhibitsOf(name)].join('<br>')
}

/** Where a definition states an invariant; a test of the catalogue proves each of them. */
function provedForAll(algorithm: Algorithm): string[] {
  const states = Object.keys(algorithm.invariant()).length > 0
  return states ? ['[proved for every n](proving.md)'] : []
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
  if (algorithm.quiet === 'never') return measuredFor(algorithm)
  const { messages, time, verdict, bounds } = simulate(algorithm, { n: MEASURED })
  if (!verdict.ok && !isUnlimited(algorithm))
    throw new Error(`${algorithm.name} does not elect: ${JSON.stringify(verdict)}`)
  const atMost = (of: 'messages' | 'time') => {
    const values = bounds.filter((bound) => bound.of === of).map(({ value }) => value)
    return values.length === 0 ? [] : [`at most ${grouped(Math.floor(Math.min(...values)))}`]
  }
  const sent = grouped(cost(algorithm, messages))
  const elected = (time.elected ?? Number.NaN) - (time.unit === 'round' ? 1 : 0)
  const proven = (facts: string[]) => (facts.length === 0 ? '' : ` (${facts.join(', ')})`)
  return [
    `${sent} messages${proven([...atMost('messages'), ...average(algorithm)])}`,
    Number.isNaN(elected)
      ? 'nobody was elected'
      : `time ${grouped(elected)}${proven(atMost('time'))}`,
    ...(algorithm.starters === 'first' ? ['one starts'] : []),
  ].join('<br>')
}

/** An algorithm that never falls silent, for some time; for as long as runs last if need be. */
function measuredFor(algorithm: Algorithm): string {
  const short = simulate(algorithm, { n: MEASURED, until: ENDLESS_TIME })
  const until = short.verdict.ok ? ENDLESS_TIME : null
  const { messages, time, verdict } = until ? short : simulate(algorithm, { n: MEASURED })
  if (!verdict.ok) throw new Error(`${algorithm.name} does not elect: ${JSON.stringify(verdict)}`)
  if (traitsOf(algorithm).timing === 'pairs')
    return `stable after ${grouped(time.stable ?? Number.NaN)} interactions`
  const sent = grouped(cost(algorithm, messages))
  const limit = until === null ? '' : ` until time ${until}`
  const elected = time.elected === null ? [] : [`${time.unit} ${grouped(time.elected)}`]
  return [`${sent} messages${limit}`, ...elected].join('<br>')
}

/** What such a run takes on average, where that is known. */
function average(algorithm: Algorithm): string[] {
  const { world, conditions } = preparation(algorithm, { n: MEASURED })
  const facts = factsForBounds(world, conditions)
  return algorithm.theory.bounds
    .filter(({ kind, when }) => kind === 'average' && (when?.(facts) ?? true))
    .map(({ value }) => `${grouped(Math.round(value(facts)))} on average`)
}

function checked(algorithm: Algorithm, sizes: Sizes): string {
  const { needs } = algorithm
  const mode = defaultMode(algorithm)
  const lines = (EXPLORED[needs.topology] ?? [needs.topology]).flatMap((family) =>
    exploredSize(algorithm, family, sizes),
  )
  if (lines.length === 0) return 'within bounds'
  return [...lines, ...(typeof mode === 'string' ? [] : [`clocked:${mode.clocked}`])].join('<br>')
}

/** The largest network of a family of which everything was seen. */
function exploredSize(algorithm: Algorithm, family: string, sizes: Sizes): string[] {
  const size = sizes(algorithm, family)
  if (size === null) return []
  const { n } = size
  const { states, exhausted } =
    size.states === undefined
      ? explore(algorithm, `${family}:${n}`, MOST_STATES)
      : { states: size.states, exhausted: true }
  const seen = `\`${family}:${n}\`, ${grouped(states)} states`
  if (!exhausted) return [`${seen}, not all`]
  if (algorithm.needs.coins && n === smallest(algorithm))
    return [seen, ...withFewDraws(algorithm, `${family}:${TOSSING}`)]
  return [n === MOST_NODES ? `${seen}; no larger one was tried` : seen]
}

/** Random choices may always come out equal: states are infinite unless draws are limited. */
function withFewDraws(algorithm: Algorithm, topology: string): string[] {
  const { states, exhausted } = explore(algorithm, topology, MOST_STATES, { draws: DRAWS })
  if (!exhausted) return []
  return [`\`${topology}\` with at most ${DRAWS} draws of each node, ${grouped(states)} states`]
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
  const { mode, wake } = defaultOptions(algorithm, conditions.starts.nodes)
  const rules = { mode, wake, order: 'fifo', ...limit } as const
  const result = checkWorld(world, { ...rules, properties, limits: { states } })
  // Random choices may come out equal for ever: that a run ends is then undecided.
  const doubtful = result.properties.find(({ holds }) =>
    algorithm.needs.coins ? holds === false : holds !== true,
  )
  if (result.violated === null && !(result.exhausted && doubtful)) return result
  // What goes on for ever is checked within bounds, which the table of further ones states.
  if (isUnlimited(algorithm)) return { ...result, exhausted: false }
  throw new Error(`${algorithm.name} on ${topology}: ${JSON.stringify(doubtful)}`)
}

/** A general graph begins where a cycle is one. */
function smallest({ needs }: Algorithm): number {
  return needs.topology === 'any' ? 3 : 1
}

function runsInCluster(algorithm: Algorithm): boolean {
  if (traitsOf(algorithm).timing === 'pairs') return false
  try {
    refuseSimulated(preparation(algorithm))
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function portrait({ name, theory }: Pick<Algorithm, 'name' | 'theory'>): string[] {
  const { authors, also = [], texts = [], idea, because, breaks, example, comparison } = theory
  const source = [authors, ...texts.map((text) => sourceTexts[text])].join('; ')
  const paragraphs = [
    `${source.slice(0, 1).toUpperCase()}${source.slice(1)}.${also.length > 0 ? ` Also known as ${enumerated(also)}.` : ''}`,
    `**Idea.** ${idea}`,
    `**Why it is right.** ${because}`,
    `**What breaks it.** ${breaks}`,
    ...(comparison ? [`**${comparison.title}.** ${comparison.says}`] : []),
  ]
  const commands = [example, ...(comparison?.commands ?? [])].map((command) => `npx ${command}`)
  return [`### ${name}`, '', ...paragraphs.flatMap(prose), '```sh', ...commands, '```', '']
}
