import type { TraceEvent } from '../core/trace/trace-event.ts'
import { type DiagramSetting, messageText, momentText, nodeName } from './caption.ts'

/** What one handler did: the node, and its cause and effects as words. */
interface Deed {
  readonly at: number
  readonly node: number
  readonly parts: string[]
  /** The message last sent; the same one to further nodes only adds their names. */
  sent: string | null
}

/** The run in words: one line per handler, its cause first, the moment where it changes. */
export function transcript(events: readonly TraceEvent[], setting: DiagramSetting): string {
  const deeds = deedsOf(events, new Names(setting.ids))
  const moments = deeds.map(({ at }, i) =>
    at === deeds[i - 1]?.at ? '' : `${setting.unit} ${momentText(at)}`,
  )
  const names = deeds.map(({ node }) => nodeName(node, setting.ids))
  const momentWidth = longest(moments)
  const nameWidth = longest(names)
  return deeds
    .map(({ parts }, i) => {
      const columns = [moments[i].padEnd(momentWidth), names[i].padEnd(nameWidth)]
      return `${columns.join('   ')} ${parts.join(', ')}`
    })
    .join('\n')
}

function deedsOf(events: readonly TraceEvent[], names: Names): Deed[] {
  const deeds: Deed[] = []
  for (const [i, event] of events.entries()) {
    let deed = deeds.at(-1)
    const mishap = isMishap(event) && !isSending(events[i - 1], event) ? event : null
    if (!deed || mishap || isCause(event) || deed.node !== event.node || deed.at !== event.at) {
      deed = { at: event.at, node: event.node, parts: [], sent: null }
      deeds.push(deed)
    }
    const sent = event.event === 'send' ? messageText(event) : null
    if (event.event === 'send' && sent === deed.sent)
      deed.parts.push(names.other(event.to, event.node))
    else if (mishap) deed.parts.push(underWay(mishap, names))
    else deed.parts.push(words(event, names))
    if (event.draws) deed.parts.push(`draws ${event.draws.join(', ')}`)
    deed.sent = sent
  }
  return deeds
}

const CAUSES = 'wake receive vanish timeout crash recover retire down up cut mend'.split(' ')

/** A handler begins with one of these; all other events are its effects. */
function isCause({ event }: TraceEvent): boolean {
  return CAUSES.includes(event)
}

type Mishap = Extract<TraceEvent, { event: 'lose' | 'double' }>

function isMishap(event: TraceEvent): event is Mishap {
  return event.event === 'lose' || event.event === 'double'
}

/** The network loses or doubles what has been sent some time ago. */
function underWay(event: Mishap, names: Names): string {
  const letter = letterOf(event, names)
  return event.event === 'lose' ? `loses ${letter} on its way` : `has ${letter} doubled on its way`
}

function isSending(event: TraceEvent | undefined, { message, at }: Mishap): boolean {
  return event?.event === 'send' && event.message === message && event.at === at
}

type Letter = Extract<TraceEvent, { event: 'send' | 'lose' | 'double' }>

function letterOf(event: Letter, names: Names): string {
  return `${messageText(event)} to ${names.other(event.to, event.node)}`
}

function words(event: TraceEvent, names: Names): string {
  switch (event.event) {
    case 'wake':
      return 'wakes'
    case 'send':
      return `sends ${letterOf(event, names)}`
    case 'receive': {
      const verb = event.ignored ? 'ignores' : event.woken ? 'is woken by' : 'gets'
      return `${verb} ${messageText(event)} from ${names.other(event.from, event.node)}`
    }
    case 'vanish':
      return `is dead: ${messageText(event)} from ${names.other(event.from, event.node)} vanishes`
    case 'timeout':
      return `hears its timer ${event.timer}`
    case 'lead':
      return 'leads'
    case 'follow':
      return `follows ${names.leader(event.leader)}`
    case 'stop':
      return 'stops'
    case 'withdraw':
      return 'has no leader any more'
    case 'crash':
      return 'crashes'
    case 'recover':
      return 'is up again'
    case 'retire':
      return 'retires'
    case 'down':
      return `is told that ${names.other(event.peer, event.node)} is gone`
    case 'up':
      return `is told that ${names.other(event.peer, event.node)} is back`
    case 'cut':
      return `loses its link to ${names.other(event.to, event.node)}`
    case 'mend':
      return `has a link to ${names.other(event.to, event.node)}`
    case 'lose':
      return 'which is lost'
    case 'double':
      return 'which is doubled'
  }
}

/** The nodes as a sentence names them. */
class Names {
  private readonly position: Map<number, number>

  constructor(private readonly ids?: ArrayLike<number>) {
    this.position = new Map(Array.from(ids ?? [], (id, node) => [id, node]))
  }

  other(node: number, self: number): string {
    return node === self ? 'itself' : nodeName(node, this.ids)
  }

  leader(id: number | null): string {
    if (id === null) return 'a nameless leader'
    const node = this.position.get(id)
    return node === undefined ? `id ${id}` : nodeName(node, this.ids)
  }
}

function longest(texts: readonly string[]): number {
  return texts.reduce((longest, text) => Math.max(longest, text.length), 0)
}
