import { momentText } from '../core/text-format.ts'
import {
  drawWords,
  type EventNames,
  eventWords,
  fateWords,
  hasOwnSubject,
  messageText,
} from '../core/trace/event-words.ts'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import { type DiagramSetting, laneName } from './diagram-setting.ts'

/** One line: a node, what happened to it, and what it did at once. */
interface TranscriptLine {
  readonly at: number
  readonly node: number
  /** Whether a colon stands after the name: the cause has a subject of its own. */
  readonly colon: boolean
  readonly phrases: string[]
  /** The message last sent; the same one to further nodes only adds their names. */
  sent: string | null
}

/** The run in words: one line per handler, its cause first, the moment where it changes. */
export function transcript(events: readonly TraceEvent[], setting: DiagramSetting): string {
  const lines = linesOf(events, namesIn(setting.ids))
  const moments = lines.map(({ at }, i) =>
    at === lines[i - 1]?.at ? '' : `${setting.unit} ${momentText(at)}`,
  )
  const names = lines.map(({ node, colon }) => laneName(node, setting.ids) + (colon ? ':' : ''))
  const momentWidth = longest(moments)
  const nameWidth = longest(names)
  return lines
    .map(({ phrases }, i) => {
      const columns = [moments[i].padEnd(momentWidth), names[i].padEnd(nameWidth)]
      return `${columns.join('   ')} ${phrases.join(', ')}`
    })
    .join('\n')
}

function linesOf(events: readonly TraceEvent[], names: EventNames): TranscriptLine[] {
  const lines: TranscriptLine[] = []
  for (const [i, event] of events.entries()) {
    let line = lines.at(-1)
    const onSending = isFate(event) && isSendingOf(event, events[i - 1])
    if (
      !line ||
      (!onSending && (beginsLine(event) || line.node !== event.node || line.at !== event.at))
    ) {
      line = {
        at: event.at,
        node: event.node,
        colon: hasOwnSubject(event),
        phrases: [],
        sent: null,
      }
      lines.push(line)
    }
    const sent = event.event === 'send' ? messageText(event) : null
    if (event.event === 'send' && sent === line.sent)
      line.phrases.push(names.node(event.to, event.node))
    else line.phrases.push(onSending ? fateWords(event.event) : eventWords(event, names))
    if (event.draws) line.phrases.push(drawWords(event.draws))
    line.sent = sent
  }
  return lines
}

/** What a node does in a handler. All other events begin a line. */
const ACTIONS = 'send lead follow stop withdraw'.split(' ')

function beginsLine({ event }: TraceEvent): boolean {
  return !ACTIONS.includes(event)
}

/** The network loses or duplicates a message. */
type Fate = Extract<TraceEvent, { event: 'lose' | 'double' }>

function isFate(event: TraceEvent): event is Fate {
  return event.event === 'lose' || event.event === 'double'
}

function isSendingOf({ message, at }: Fate, event: TraceEvent | undefined): boolean {
  return event?.event === 'send' && event.message === message && event.at === at
}

function namesIn(ids: ArrayLike<number> | undefined): EventNames {
  const position = new Map(Array.from(ids ?? [], (id, node) => [id, node]))
  return {
    node: (node, self) => (node === self ? 'itself' : laneName(node, ids)),
    leader(id) {
      const node = position.get(id)
      return node === undefined ? `id ${id}` : laneName(node, ids)
    },
  }
}

function longest(texts: readonly string[]): number {
  return texts.reduce((longest, text) => Math.max(longest, text.length), 0)
}
