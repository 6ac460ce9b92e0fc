import { ringPicture } from '../diagram/ring.ts'
import type { RunReport } from './execution.ts'
import { bar, columns, grouped, type Paint } from './paint.ts'

const CELLS = 24
const RING_SHOWN = 24

/** The result of a run for people: the ring, who won, what it cost, what holds. */
export function runReport(report: RunReport, replay: string, paint: Paint): string {
  const lines = [
    heading(report, paint),
    '',
    ...picture(report, paint),
    ...outcome(report, paint),
    '',
    ...counts(report, paint),
    ...bounds(report, paint),
    ...symmetry(report, paint),
    ...listing(report, paint),
    '',
    ...verdict(report, replay, paint),
  ]
  return `${lines.join('\n')}\n`
}

function heading({ scenario }: RunReport, paint: Paint): string {
  const { algorithm, topology, timing, delay, order, wake, crash, seed } = scenario
  const world = [
    topology,
    timing === 'sync' ? 'synchronous' : `asynchronous, delay ${delay}, ${order}`,
    ...(wake === 'all' ? [] : [`wake ${wake}`]),
    ...(crash === 'none' ? [] : [`crash ${crash}`]),
    `seed ${seed}`,
  ]
  return `${paint.bold(algorithm)}  ${paint.dim(world.join(' · '))}`
}

function picture({ nodes = [], scenario }: RunReport, paint: Paint): string[] {
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

function outcome({ leader, leading, time }: RunReport, paint: Paint): string[] {
  const at = (moment: number | null) => `${time.unit} ${grouped(moment ?? 0)}`
  const last = time.last === null ? 'no message was received' : `last receipt ${at(time.last)}`
  if (leader === null) {
    const who = leading.length > 1 ? `${grouped(leading.length)} nodes lead` : 'nobody leads'
    const before = leading.length > 1 ? 'the first since' : 'somebody did from'
    const since = time.elected === null ? '' : `, ${before} ${at(time.elected)}`
    return [`  ${paint.red(paint.bold(who))}${since}; ${last}`]
  }
  const name = leader.id === null ? `position ${leader.node}` : `id ${grouped(leader.id)}`
  const where = leader.id === null ? '' : ` (position ${grouped(leader.node)})`
  return [`  ${paint.bold(`${name} leads`)}${where}, elected in ${at(time.elected)}; ${last}`]
}

function counts({ messages, bits }: RunReport, paint: Paint): string[] {
  const types = Object.entries(messages.byType)
  const most = Math.max(1, ...types.map(([, count]) => count))
  const numbers = [...types.map(([, count]) => count), messages.total].map(grouped)
  const width = Math.max(...numbers.map((number) => number.length))
  const rows = columns([
    ...types.map(([name], i) => [name, numbers[i].padStart(width)]),
    ['total', numbers[types.length].padStart(width)],
  ])
  const dead = messages.toDead > 0 ? `, ${grouped(messages.toDead)} reached a dead node` : ''
  return [
    ...types.map(([, count], i) =>
      count === 0 ? `  ${rows[i]}` : `  ${rows[i]}  ${paint.cyan(bar(count / most, CELLS))}`,
    ),
    `  ${paint.bold(rows[types.length])}  ${paint.dim(`${grouped(bits)} bits${dead}`)}`,
  ]
}

function bounds(report: RunReport, paint: Paint): string[] {
  if (report.bounds.length === 0) return []
  const cells = report.bounds.map(({ of, measured, value, formula }) => [
    of,
    `${grouped(measured)} of at most ${grouped(value)}`,
    formula,
  ])
  const rows = columns(cells)
  return [
    '',
    ...report.bounds.map(({ measured, value, within }, i) => {
      const share = bar(measured === 0 ? 0 : measured / value, CELLS).padEnd(CELLS, '░')
      return `  ${within ? paint.green(share) : paint.red(share)}  ${rows[i]}`
    }),
    paint.dim('  Bounds leave the announcement out; time is in units of the largest delay.'),
  ]
}

function symmetry({ symmetry: rounds, n }: RunReport, paint: Paint): string[] {
  if (rounds === undefined) return []
  const rows = rounds.map(({ round, distinctStates: count }) => {
    const says =
      count === 1 ? `all ${grouped(n)} states are equal` : `${grouped(count)} states differ`
    return `  after round ${grouped(round)}: ${says}`
  })
  const equal = rounds.every(({ distinctStates }) => distinctStates === 1)
  const moral = '  Equal nodes do equal things in every round: either all lead or none does.'
  return ['', ...rows, ...(equal ? [paint.dim(moral)] : [])]
}

/** Nodes and links one by one, where their counts were asked for. */
function listing({ nodes, traffic }: RunReport, paint: Paint): string[] {
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

function verdict({ verdict: { properties } }: RunReport, replay: string, paint: Paint): string[] {
  const lines = properties.map(({ name, holds, detail }) => {
    if (holds) return `  ${paint.green('✓')} ${name}`
    const mark = holds === null ? paint.yellow('?') : paint.red('✗')
    return `  ${mark} ${name}: ${detail}`
  })
  return properties.every(({ holds }) => holds) ? lines : [...lines, '', `  again: ${replay}`]
}
