import { type Aggregation, aggregations } from '../../src/algorithms/index.ts'
import { checkWorld, defaultMode } from '../../src/check/index.ts'
import { type Theory, UsageError, type World } from '../../src/core/index.ts'
import { partnersOf } from '../../src/core/language/aggregate.ts'
import { sourceTexts } from '../../src/core/language/theory.ts'
import { counted, grouped } from '../../src/core/text-format.ts'
import { aggregation as aggregationProblem } from '../../src/problems/aggregation.ts'
import { flagged, prepare, type ScenarioInput } from '../../src/scenario/index.ts'
import { aggregationCycles, type CycleEntry, observe } from '../../src/sim/index.ts'
import { gallery } from '../../web/src/panel/gallery.ts'

const MEASURED = 1000
/** Where nodes tell all their neighbours, a smaller network has to do. */
const FEWER = 100
const MOST_MESSAGES = 2_000_000
const CYCLES = 40
const MOST_STATES = 100_000
const VALUES = 'uniform:1:2'

const HEADINGS = [
  ...['Aggregation', 'Cost', 'Measured in cycles', 'Measured by messages'],
  ...['Simulated', 'Checked', 'Clustered', 'Drawn', 'Source'],
]

/** The part of docs/algorithms.md on aggregations; every number in it is computed again. */
export function aggregationsTable(): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '## Aggregations',
    '',
    `Measured on \`complete:${MEASURED}\`, or on the smaller network that is named, with`,
    `\`--values ${VALUES}\`, or with the usual values where these are refused: after how many cycles,`,
    `of ${CYCLES}, all nodes are within 1 % of the truth and stay there, and by how much the sum is off`,
    'when nothing is in flight. Sketches (extrema, distinct) are as near as their size allows, and a',
    'quantile takes longer. By messages: each takes a tenth of a period. Checked: three nodes that',
    'start one exchange each, in every interleaving.',
    '[gossip.md](gossip.md) shows what gossip can and cannot do.',
    '',
    row(HEADINGS),
    row(HEADINGS.map(() => '---')),
    ...[...aggregations].sort((a, b) => (a.name < b.name ? -1 : 1)).map((it) => row(cellsOf(it))),
    '',
  ]
}

function cellsOf(aggregation: Aggregation): string[] {
  const { name, theory } = aggregation
  const [inCycles, byMessages] = [{ timing: 'cycles' }, { delay: 'unit' }].map((given) =>
    measured(aggregation, given),
  )
  const ways = [...(inCycles === null ? [] : ['cycles']), ...(byMessages === null ? [] : ['async'])]
  return [
    `[${name}](#${name})<br>${theory.authors}`,
    theory.cost,
    inCycles ?? '-',
    byMessages ?? '-',
    ways.join(', '),
    checked(aggregation) ?? '-',
    byMessages === null ? 'no' : 'yes',
    ['convergence', ...exhibitsOf(name)].join('<br>'),
    sourcesOf(theory) || '-',
  ]
}

/** The source texts of an algorithm, by name. */
export function sourcesOf({ texts = [] }: Theory): string {
  return texts.map((text) => sourceTexts[text]).join('; ')
}

/** How many scenarios of the gallery show an algorithm. */
export function exhibitsOf(name: string): string[] {
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  const { length } = all.filter(({ scenario }) => scenario.algorithm === name)
  return length === 0 ? [] : [counted(length, 'exhibit')]
}

/** What was measured; null where an aggregation does not run in that way. */
function measured(aggregation: Aggregation, given: ScenarioInput): string | null {
  return firstAccepted(
    [{ ...given, values: VALUES }, given].map((world) => () => {
      const there = measuredOn(aggregation, { ...world, n: MEASURED })
      if (there !== null) return there
      return `${measuredOn(aggregation, { ...world, n: FEWER })}<br>on \`complete:${FEWER}\``
    }),
  )
}

/** The result of the first attempt that is not refused; null where all are. */
function firstAccepted<R>(attempts: readonly (() => R)[]): R | null {
  for (const attempt of attempts)
    try {
      return attempt()
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
    }
  return null
}

/** The same for one network; null where it takes too many messages. */
function measuredOn(aggregation: Aggregation, given: ScenarioInput): string | null {
  const { begin, tolerance } = prepare(given, aggregation, flagged)
  const run = begin()
  // That they are too many need not be tried.
  if (given.n === MEASURED && partnersOf(run.aggregate) === 'neighbours') return null
  const cycles: CycleEntry[] = [observe(run, tolerance, null)]
  for (const _ of aggregationCycles(run, { until: CYCLES })) {
    cycles.push(observe(run, tolerance, cycles.at(-1)!))
    if (given.n === MEASURED && run.traffic.total > MOST_MESSAGES) return null
  }
  const before = cycles.findLastIndex(({ within }) => within < 1)
  const { massError } = cycles.at(-1)!
  return [
    before === cycles.length - 1 ? 'not within 1 %' : `${cycles[before + 1].cycle} cycles`,
    ...(massError === null ? [] : [`sum off by ${Number((100 * massError).toPrecision(2))} %`]),
  ].join('<br>')
}

/** What the checker sees of three nodes; null where they do not exchange numbers. */
function checked(aggregation: Aggregation): string | null {
  const one = smallWorld(aggregation)
  const { computes } = one?.algorithm ?? {}
  // Drawn numbers have too many outcomes to be explored.
  if (!one || !computes || computes.aggregate.row?.drawn) return null
  const { states, exhausted, violated } = checkWorld(one, {
    mode: defaultMode(one.algorithm),
    order: 'fifo',
    wake: one.algorithm.needs.start === 'together' ? [0, 1, 2] : 'any',
    properties: aggregationProblem(computes.aggregate).properties,
    limits: { states: MOST_STATES },
  })
  if (violated !== null) return `${violated.property}: broken in ${violated.trace.length} steps`
  return `${grouped(states)} states${exhausted ? '' : ', not all'}`
}

function smallWorld(aggregation: Aggregation): World | null {
  const set = { exchanges: 1 }
  return firstAccepted(
    [
      [1, 2, 4],
      [0.1, 0.2, 0.4],
    ].map((values) => () => {
      const prepared = prepare({ n: 3, values, set }, aggregation, flagged)
      return prepared.messages()?.world ?? null
    }),
  )
}
