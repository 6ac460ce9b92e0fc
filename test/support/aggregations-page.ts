import { type Aggregation, aggregations, defaultsOf } from '../../src/algorithms/index.ts'
import { check, defaultMode } from '../../src/check/index.ts'
import type { Theory } from '../../src/core/index.ts'
import { partnersOf } from '../../src/core/language/aggregate.ts'
import { sourceTexts } from '../../src/core/language/theory.ts'
import { grouped } from '../../src/core/text-format.ts'
import { aggregation as aggregationProblem } from '../../src/problems/aggregation.ts'
import { flagged, prepare, type ScenarioInput } from '../../src/scenario/index.ts'
import { aggregationCycles, type CycleEntry, observe } from '../../src/sim/index.ts'

const MEASURED = 1000
const CYCLES = 40
const SPARSE = 'hypercube:10'
const MOST_STATES = 100_000
const VALUES = 'uniform:1:2'

/** The part of docs/algorithms.md on aggregations; every number in it is computed again. */
export function aggregationsTable(): string[] {
  const headings = ['Aggregation', 'Cost', 'In cycles', 'By messages', 'Checked', 'Source']
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    '## Aggregations',
    '',
    `Measured on \`complete:${MEASURED}\` with \`--values ${VALUES}\`: after how many cycles all nodes are`,
    'within 1 % of the truth and stay there, and by how much the sum is off when nothing is in flight.',
    `Those that talk to all neighbours are measured on \`${SPARSE}\`, which has fewer links.`,
    'By messages: each takes a tenth of a period. Checked: three nodes that start one exchange each, in',
    'every interleaving. [gossip.md](gossip.md) shows what gossip can and cannot do.',
    '',
    row(headings),
    row(headings.map(() => '---')),
    ...aggregations.map((it) =>
      row([
        `[${it.name}](#${it.name})<br>${it.theory.authors}`,
        it.theory.cost,
        measured(it, { timing: 'cycles' }),
        measured(it, { delay: 'unit' }),
        checked(it),
        sourcesOf(it.theory) || '-',
      ]),
    ),
    '',
  ]
}

/** The source texts of an algorithm, by name. */
export function sourcesOf({ texts = [] }: Theory): string {
  return texts.map((text) => sourceTexts[text]).join('; ')
}

function measured(aggregation: Aggregation, given: ScenarioInput): string {
  const sparse =
    partnersOf(aggregation.aggregate(defaultsOf(aggregation.settings))) === 'neighbours'
  const network = sparse ? { topology: SPARSE } : { n: MEASURED }
  const world = { ...network, values: VALUES, ...given }
  const { begin, tolerance } = prepare(world, aggregation, flagged)
  const run = begin()
  const cycles: CycleEntry[] = [observe(run, tolerance, null)]
  for (const _ of aggregationCycles(run, { until: CYCLES }))
    cycles.push(observe(run, tolerance, cycles.at(-1)!))
  const before = cycles.findLastIndex(({ within }) => within < 1)
  const { massError } = cycles.at(-1)!
  return [
    before === cycles.length - 1 ? 'not within 1 %' : `${cycles[before + 1].cycle} cycles`,
    ...(massError === null ? [] : [`sum off by ${Number((100 * massError).toPrecision(2))} %`]),
  ].join('<br>')
}

function checked(aggregation: Aggregation): string {
  const set = { exchanges: 1 }
  const { world } = prepare({ n: 3, values: [1, 2, 4], set }, aggregation, flagged)
  const { world: one } = world!()
  const { states, exhausted, violated } = check(one, {
    mode: defaultMode(one.algorithm),
    order: 'fifo',
    wake: one.algorithm.needs.start === 'together' ? [0, 1, 2] : 'any',
    properties: aggregationProblem(one.algorithm.computes!.aggregate).properties,
    limits: { states: MOST_STATES },
  })
  if (violated !== null) return `${violated.property}: broken in ${violated.trace.length} steps`
  return `${grouped(states)} states${exhausted ? '' : ', not all'}`
}
