import { counted, grouped, momentText } from '../../core/text-format.ts'
import { ringPicture } from '../../diagram/ring.ts'
import type { AggregateFindings, ComponentFindings } from '../../scenario/election/election-run.ts'
import {
  bar,
  type Colours,
  columns,
  figure,
  headingLines,
  paragraph,
  remarkLines,
  rowsWithin,
  verdictLines,
} from '../terminal/format.ts'
import type { RolesReport, RunReport } from './execute.ts'
import { symmetryLines } from './symmetry-report.ts'

/** Fault fields and their defaults; a field is shown where it has another value. */
const FAULTS = [
  ['crash', 'none'],
  ['recover', 'none'],
  ['retire', 'none'],
  ['suspect', 'none'],
  ['loss', 0],
  ['duplicate', 0],
  ['partition', 'none'],
  ['cut', 'none'],
  ['pause', undefined],
  ['drift', undefined],
  ['disk', undefined],
  ['tamper', 'none'],
  ['mobility', 0],
  ['again', 'never'],
  ['detect', 1],
] as const
const CELLS = 24
const RING_SHOWN = 24
const EDGES_SHOWN = 32
const COMPONENTS_SHOWN = 6
const SENDERS_SHOWN = 4

/** The text report of a run: the ring, the leader, the cost and the verdicts. */
export function runReport(report: RunReport, replay: string, paint: Colours): string {
  const lines = [
    ...remarkLines(report.scenario, paint),
    ...heading(report, paint),
    '',
    ...picture(report, paint),
    ...outcome(report, paint),
    ...failure(report, paint),
    ...stability(report, paint),
    ...handovers(report, paint),
    ...overrideLines(report, paint),
    ...(report.components ? aggregateTable(report as AggregateFindings, paint) : []),
    ...(report.time.unit === 'interaction' ? [] : ['', ...counts(report, paint)]),
    ...bounds(report, paint),
    ...treeLines(report, paint),
    ...(report.symmetry ? symmetryLines(report.symmetry, report.n, paint) : []),
    ...listing(report, paint),
    '',
    ...verdict(report, replay, paint),
  ]
  return `${lines.join('\n')}\n`
}

/** The report of several elections, and their total cost. */
export function roleReports(
  { scenario, roles, messages }: RolesReport,
  replay: string,
  paint: Colours,
): string {
  const texts = Object.entries(roles).map(
    ([name, report]) => `${paint.bold(`role ${name}`)}\n${runReport(report, replay, paint)}`,
  )
  const total = `${texts.length} roles, ${grouped(messages.total)} messages in total\n`
  const remarks = remarkLines(scenario, paint).map((line) => `${line}\n`)
  return remarks.join('') + [...texts, ...(texts.length > 1 ? [total] : [])].join('\n')
}

function heading({ scenario }: RunReport, paint: Colours): string[] {
  const { algorithm, topology, timing, delay, order, wake, values, coins, seed, corrupt, tables } =
    scenario
  const { 'elect-by': electBy = 'id' } = scenario
  const world = [
    topology,
    timing === 'pairs'
      ? 'pairs'
      : timing === 'sync'
        ? 'synchronous'
        : `asynchronous, delay ${delay}, ${order}`,
    ...(timing === 'pairs'
      ? Object.entries(scenario.set).map(([name, to]) => `${name} ${to}`)
      : []),
    ...(electBy === 'id' ? [] : [`elected by ${electBy}`]),
    // Where nodes are elected by id, values are inputs of a computation.
    ...(electBy === 'id' && values !== undefined ? [`values ${values}`] : []),
    ...(wake === 'all' ? [] : [`wake ${wake}`]),
    ...(coins === undefined ? [] : [`coins ${coins}`]),
    ...(corrupt === undefined ? [] : [`corrupt ${corrupt}`]),
    ...(tables === undefined ? [] : [`tables ${tables}`]),
    ...FAULTS.filter(([field, usual]) => scenario[field] !== usual).map(
      ([field]) => `${field} ${scenario[field]}`,
    ),
    `seed ${seed}`,
  ]
  return headingLines(algorithm, world, paint)
}

function picture({ nodes = [], scenario }: RunReport, paint: Colours): string[] {
  if (nodes.length > RING_SHOWN || nodes.length === 0 || !scenario.topology.startsWith('ring:')) {
    return []
  }
  const beads = nodes.map(({ id, node, status }) => ({
    label: String(id ?? node),
    ...((status === 'leader' || status === 'dead' || status === 'asleep') && { mark: status }),
  }))
  const colour = (text: string, mark?: string) =>
    mark === 'leader' ? paint.bold(paint.yellow(text)) : mark ? paint.dim(text) : text
  return [ringPicture(beads, { colour }), '']
}

/** Whether an election that may fail did. */
function failure({ failure }: RunReport, paint: Colours): string[] {
  if (failure === undefined) return []
  const chance = Number(failure.chance.toPrecision(3))
  return failure.failed
    ? [`  ${paint.red(`failed, chance ${chance}`)}`]
    : [paint.dim(`  the chance to fail was ${chance}`)]
}

/** How a report speaks of leaders; where nodes compute an aggregate, of its sources. */
const LEADER = {
  is: 'is leader',
  are: 'leaders',
  first: 'the first leader was',
  was: 'elected',
  none: 'no leader',
}
const SOURCE = {
  is: 'is the source',
  are: 'sources',
  first: 'the first source',
  was: 'knew all values',
  none: 'no source',
}

/** Where nodes meet: who leads, since when, and what was to be expected. */
function meetingOutcome({ leader, leading, time, n }: RunReport, paint: Colours): string[] {
  const { stable = null, ended = 0, parallel = null, expected } = time
  const who =
    leader === null
      ? leading.length === 0
        ? 'no leader'
        : `${grouped(leading.length)} leaders`
      : leader.id === null
        ? `position ${leader.node} is leader`
        : `id ${leader.id} is leader (position ${leader.node})`
  const when =
    stable === null
      ? `not stable after ${grouped(ended)} interactions`
      : [
          `stable since interaction ${grouped(stable)}, parallel time ${figure(parallel)}`,
          `the run ended at interaction ${grouped(ended)}`,
        ].join('; ')
  const colour = leader === null ? (it: string) => paint.red(paint.bold(it)) : paint.bold
  const lines = sentence(`${who}; ${when}`, who, colour, paint)
  if (expected === undefined || n === 1) return lines
  const { formula, value, deviation } = expected
  const spread =
    deviation === undefined ? '' : `, standard deviation ${grouped(Number(deviation.toFixed(1)))}`
  return [...lines, paint.dim(`  expected: ${formula} = ${grouped(value)} interactions${spread}`)]
}

function outcome(report: RunReport, paint: Colours): string[] {
  if (report.time.unit === 'interaction') return meetingOutcome(report, paint)
  const { leader, leading, leaders, time, nodes, components } = report
  const words = components === undefined ? LEADER : SOURCE
  const at = (moment: number | null) => `${time.unit} ${grouped(moment ?? 0)}`
  const last =
    time.last === null
      ? 'no message was received'
      : `last message received ${time.unit === 'round' ? 'in' : 'at'} ${at(time.last)}`
  if (leader === null) {
    const none = nodes?.every(({ status }) => status === 'dead') ? 'no live node' : words.none
    const who = leading.length > 1 ? `${grouped(leading.length)} ${words.are}` : none
    const before = leading.length > 1 ? 'the first since' : 'there was one from'
    const since = time.elected === null ? '' : `, ${before} ${at(time.elected)}`
    return sentence(`${who}${since}; ${last}`, who, (it) => paint.red(paint.bold(it)), paint)
  }
  const name = leader.id === null ? `position ${leader.node}` : `id ${leader.id}`
  const value = nodes?.[leader.node].value
  const holding = value === undefined ? '' : `, value ${rounded(value)}`
  const where = leader.id === null ? '' : ` (position ${leader.node}${holding})`
  const when = `${words.was} ${time.unit === 'round' ? 'in' : 'at'} ${at(time.elected)}`
  const elected = leaders.length > 1 ? `; ${words.first} ${when}` : `, ${when}`
  const who = `${name} ${words.is}`
  return sentence(`${who}${where}${elected}; ${last}`, who, paint.bold, paint)
}

/** A sentence that begins with words in a colour. */
function sentence(
  text: string,
  begins: string,
  colour: (text: string) => string,
  { width }: Colours,
): string[] {
  // Where it does not fit, a line ends after a part of the sentence rather than within one.
  const parts = text.length + 2 > width ? text.split(/(?<=;) /) : [text]
  const [first, ...rest] = parts.flatMap((part, i) =>
    paragraph(part, width, i === 0 ? '  ' : '    ', '    '),
  )
  return [first.replace(begins, colour), ...rest]
}

/** A value of a node with four significant digits; whole numbers stay whole. */
function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)))
}

/** Since when nothing has changed, for algorithms that never fall silent. */
function stability({ time, leads = [], senders, n }: RunReport, paint: Colours): string[] {
  if (time.ended === undefined || time.unit === 'interaction') return []
  const term = leads.at(-1)?.term ?? null
  const office = term === null ? '' : `, in term ${grouped(term)}`
  const until = `the run ended at ${time.unit} ${figure(time.ended)}`
  const stable = time.stable ?? null
  if (stable === null) return [paint.yellow(`  not stable at the end; ${until}`)]
  return [
    `  stable since ${time.unit} ${figure(stable)}${office}; ${until}`,
    ...sending(senders, n),
  ]
}

/** Who sends in the long run, where few nodes do. */
function sending(senders: RunReport['senders'], n: number): string[] {
  if (!senders || senders.length === n || senders.length > SENDERS_SHOWN) return []
  if (senders.length === 0) return ['  in the long run no node sends']
  const [positions, send] = senders.length === 1 ? ['position', 'sends'] : ['positions', 'send']
  return [`  in the long run only ${positions} ${senders.join(', ')} ${send}`]
}

/** Times when an old leader overlapped with its successor, which is tolerated. */
function handovers({ handovers: spans = [], time }: RunReport, paint: Colours): string[] {
  return spans.flatMap(({ from, to, old, young }) => {
    const end = to === null ? 'the end' : momentText(to, 3)
    const span = `from ${time.unit} ${momentText(from, 3)} to ${end}`
    const text = `hand-over: positions ${old} and ${young} were both leaders ${span}`
    return paragraph(text, paint.width, '  ', '    ').map((line) => paint.dim(line))
  })
}

/** What happened to the overridden messages. */
function overrideLines({ tampered: messages = [], time }: RunReport, paint: Colours): string[] {
  return messages.map(({ what, message, at }) => {
    const [done, undone] =
      what === 'drop'
        ? ['was dropped', 'was not dropped: already delivered, or no such message']
        : ['arrived', 'never arrived: lost, or no such message']
    return at === null
      ? paint.yellow(`  message ${message} ${undone}`)
      : paint.dim(`  message ${message} ${done} at ${time.unit} ${momentText(at, 3)}`)
  })
}

/** What nodes have computed: a table per component of the network. */
function aggregateTable({ components }: AggregateFindings, paint: Colours): string[] {
  const left = components.length - COMPONENTS_SHOWN
  return [
    ...components.slice(0, COMPONENTS_SHOWN).flatMap((component) => tableOf(component, paint)),
    ...(left > 0 ? ['', `  and ${grouped(left)} more, listed with --json`] : []),
  ]
}

function tableOf({ nodes, source, known, truth }: ComponentFindings, paint: Colours): string[] {
  const title = counted(nodes, 'node')
  const from = source === null ? 'no source' : `source id ${source.id} (position ${source.node})`
  const rows = Object.entries(truth).map(([name, value]) => {
    const found = known?.[name]
    const off = found === undefined ? '-' : Number(Math.abs(found - value).toPrecision(2))
    return [name, figure(found ?? null), figure(value), String(off)]
  })
  const [head, ...lines] = columns([[title, 'known', 'truth', 'off by'], ...rows])
  return ['', `  ${paint.bold(head)}  ${paint.dim(from)}`, ...lines.map((line) => `  ${line}`)]
}

function counts({ messages, bits }: RunReport, paint: Colours): string[] {
  const types = Object.entries(messages.byType)
  const most = Math.max(1, ...types.map(([, count]) => count))
  const numbers = [...types.map(([, count]) => count), messages.total].map(grouped)
  const width = Math.max(...numbers.map((number) => number.length))
  const rows = columns([
    ...types.map(([name], i) => [name, numbers[i].padStart(width)]),
    ['total', numbers[types.length].padStart(width)],
  ])
  const faults = [
    [messages.toDead, 'to crashed nodes'],
    [messages.lost, 'lost'],
    [messages.duplicated, 'duplicated'],
  ] as const
  const affected = faults.map(([count, what]) => (count > 0 ? `, ${grouped(count)} ${what}` : ''))
  return [
    ...types.map(([, count], i) =>
      count === 0 ? `  ${rows[i]}` : `  ${rows[i]}  ${paint.cyan(bar(count / most, CELLS))}`,
    ),
    `  ${paint.bold(rows[types.length])}  ${paint.dim(`${grouped(bits)} bits${affected.join('')}`)}`,
  ]
}

function bounds(report: RunReport, paint: Colours): string[] {
  if (report.bounds.length === 0) return []
  const cells = report.bounds.map(({ of, measured, value, formula }) => [
    of,
    `${grouped(measured)} of at most ${grouped(value)}`,
    formula,
  ])
  const rows = rowsWithin(cells, paint.width - CELLS - 4)
  return [
    '',
    ...report.bounds.flatMap(({ measured, value, within }, i) => {
      const share = bar(measured === 0 ? 0 : measured / value, CELLS).padEnd(CELLS, '░')
      const [first, ...rest] = rows[i]
      const below = rest.map((line) => `${' '.repeat(CELLS + 4)}${line}`)
      return [`  ${within ? paint.green(share) : paint.red(share)}  ${first}`, ...below]
    }),
    paint.dim('  Bounds exclude the announcement; time is in units of the largest delay.'),
  ]
}

/** The first edges of the tree, or all where nodes are listed. */
function treeLines({ tree, traffic, n }: RunReport, paint: Colours): string[] {
  if (tree === undefined || n === 1) return []
  const { links, weight, edges = [] } = tree
  const cost = weight === undefined ? '' : ` of total weight ${grouped(weight)}`
  const shown = traffic === undefined ? edges.slice(0, EDGES_SHOWN) : edges
  const rest = links - shown.length
  const words = shown.map(([u, v, by]) => `${u}-${v}${by === undefined ? '' : ` (${by})`}`)
  if (rest > 0) words.push(`${grouped(rest)} ${shown.length > 0 ? 'more' : 'listed'} with --nodes`)
  const size = `tree: ${counted(links, 'edge')}`
  return ['', `  ${paint.bold(size)}${cost}`, ...treeText(words, paint.width)]
}

/** Entries with commas between them, indented. */
function treeText(entries: readonly string[], width: number): string[] {
  const pieces = entries.map((entry, i) => (i < entries.length - 1 ? `${entry},` : entry))
  return paragraph(pieces, width)
}

/** Counts per node and link, where they were asked for. */
function listing({ nodes, traffic }: RunReport, paint: Colours): string[] {
  if (nodes === undefined || traffic === undefined) return []
  const table = (head: string[], rows: readonly (readonly unknown[])[]) => {
    const [title, ...lines] = columns([head, ...rows.map((row) => row.map(String))])
    return ['', `  ${paint.bold(title)}`, ...lines.map((line) => `  ${line}`)]
  }
  return [
    ...table(
      ['position', 'id', 'status', 'leader', 'sent', 'received'],
      nodes.map(({ node, id, status, leader, sent, received }) =>
        [node, id, status, leader, sent, received].map((cell) => cell ?? '-'),
      ),
    ),
    ...table(
      ['from', 'to', 'messages'],
      traffic.map(({ from, to, messages }) => [from, to, messages]),
    ),
  ]
}

function verdict({ verdict: { properties } }: RunReport, replay: string, paint: Colours): string[] {
  const lines = verdictLines(properties, paint)
  return properties.every(({ holds }) => holds) ? lines : [...lines, '', `  reproduce: ${replay}`]
}
