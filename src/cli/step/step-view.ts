import { counted, momentText, wrapped } from '../../core/text-format.ts'
import { messageText } from '../../core/trace/event-words.ts'
import { shownValue } from '../../core/trace/state-changes.ts'
import { loopInWords, wrappedStep } from '../check/counterexample-report.ts'
import { type Colours, columns } from '../terminal/format.ts'
import { type FlyingMessage, RunMoment, type SteppedRun } from './stepped-run.ts'

/** Larger networks show only the nodes of a step. */
const NODES_SHOWN = 16
const MESSAGES_SHOWN = 12

/** The run after so many steps: what happened last, the nodes, and the messages in flight. */
export function stepView(run: SteppedRun, steps: number, paint: Colours): string {
  const moment = new RunMoment(run, steps)
  const lines = [
    paint.bold(headingOf(run, steps)),
    ...(steps === 0 ? [] : indented(run.steps[steps - 1].text, paint)),
    '',
    ...nodeLines(run, moment, steps, paint),
    ...messageLines(moment.inFlight),
    ...(steps === run.steps.length ? ['', `  ${endOf(run)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function headingOf({ title, steps: all, unit }: SteppedRun, steps: number): string {
  if (steps === 0) return `${title}: ${counted(all.length, 'step')}`
  const { at } = all[steps - 1]
  const when = unit === 'step' ? '' : `, ${unit} ${momentText(at)}`
  return `Step ${steps} of ${all.length}${when}`
}

function endOf({ loop, steps, end }: SteppedRun): string {
  if (loop === undefined) return end
  const again = loopInWords(loop, steps.length)
  return `${again.charAt(0).toUpperCase()}${again.slice(1)}.`
}

function indented(text: string, { width }: Colours): string[] {
  return wrappedStep(text, width - 2).map((line) => `  ${line}`)
}

/** A table of the nodes; the one of the step is marked. */
function nodeLines(run: SteppedRun, moment: RunMoment, steps: number, paint: Colours): string[] {
  const acting = steps === 0 ? null : run.steps[steps - 1].node
  const shown = nodesShown(run, steps)
  const rows = shown.map((node) => {
    const { id, status, leader, stopped, state } = moment.node(node)
    return [
      `${node === acting ? '>' : ' '} ${node}`,
      ...(run.ids === null ? [] : [String(id)]),
      stopped ? `${status}, stopped` : status,
      leader === null ? '-' : String(leader),
      stateText(state),
    ]
  })
  const own = Object.keys(run.types).length > 0 ? ['state'] : ['']
  const head = ['  position', ...(run.ids === null ? [] : ['id']), 'status', 'leader', ...own]
  const [title, ...lines] = columns([head, ...rows])
  const rest = run.n - shown.length
  return [
    paint.dim(title),
    ...lines.flatMap((line, i) => nodeRow(line, shown[i] === acting, rows[i].at(-1)!, paint)),
    ...(rest > 0 ? [`  and ${counted(rest, 'other node')}`] : []),
  ]
}

/** A long state goes on in further lines, below its beginning. */
function nodeRow(line: string, acting: boolean, state: string, paint: Colours): string[] {
  const column = state === '' ? line.length : line.length - state.length
  const [first = '', ...others] = wrapped(
    state.split(/(?<=,) /),
    Math.max(20, paint.width - 2 - column),
  )
  const lines = [line.slice(0, column) + first, ...others.map((text) => ' '.repeat(column) + text)]
  return acting ? lines.map((text) => paint.bold(text.trimEnd())) : lines.map((l) => l.trimEnd())
}

function nodesShown({ n, steps: all }: SteppedRun, steps: number): number[] {
  if (n <= NODES_SHOWN) return Array.from({ length: n }, (_, node) => node)
  const involved = new Set<number>()
  for (const event of all[steps - 1]?.events ?? []) {
    involved.add(event.node)
    if ('to' in event) involved.add(event.to)
    if ('from' in event) involved.add(event.from)
  }
  return [...involved].sort((a, b) => a - b).slice(0, NODES_SHOWN)
}

function stateText(state: Readonly<Record<string, unknown>>): string {
  return Object.entries(state)
    .map(([field, value]) => `${field} ${shownValue(value)}`)
    .join(', ')
}

function messageLines(inFlight: readonly FlyingMessage[]): string[] {
  if (inFlight.length === 0) return ['', '  no message in flight']
  const left = inFlight.length - MESSAGES_SHOWN
  return [
    '',
    `  in flight:`,
    ...inFlight.slice(0, MESSAGES_SHOWN).map((message) => {
      const copies = message.copies > 1 ? `, ${message.copies} copies` : ''
      return `    ${messageText(message)} from position ${message.from} to ${message.to}${copies}`
    }),
    ...(left > 0 ? [`    and ${left} more`] : []),
  ]
}
