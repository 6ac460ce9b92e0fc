import type { TraceEvent } from '../../core/trace/trace-event.ts'

type Sent = Extract<TraceEvent, { event: 'send' | 'receive' | 'vanish' | 'lose' | 'double' }>

/**
 * One step as a sentence. What happens to a node has its cause, its coins, then its deeds; what
 * happens to the network has nothing else.
 */
export function stepSentence(
  record: readonly TraceEvent[],
  draws: readonly number[],
  name: (node: number) => string,
  misfit?: string,
): string {
  const [cause, ...deeds] = record
  const accident = accidentOf(cause)
  if (accident !== null) return accident
  const parts = record.map(words)
  if (draws.length > 0) parts.splice(1, 0, `draws ${draws.join(', ')}`)
  if (cause.event === 'receive' && cause.ignored) parts.push('takes no notice, having stopped')
  else if (misfit !== undefined) parts.push(`goes wrong (${misfit})`)
  else if (deeds.length === 0 && cause.event !== 'crash')
    parts.push('does nothing that others notice')
  const all = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  return `${name(cause.node)} ${all}.`
}

/** What the network does by itself, as a whole sentence; null where a node does something. */
function accidentOf(event: TraceEvent): string | null {
  switch (event.event) {
    case 'lose':
      return `The network loses ${letter(event)} from ${at(event.node)} to ${at(event.to)}.`
    case 'double':
      return `The network doubles ${letter(event)} from ${at(event.node)} to ${at(event.to)}.`
    case 'vanish':
      return `${letter(event)} from ${at(event.from)} reaches ${at(event.node)}, which is dead.`
    case 'cut':
      return `The link between ${at(event.node)} and ${at(event.to)} is cut for good.`
    default:
      return null
  }
}

function words(event: TraceEvent): string {
  switch (event.event) {
    case 'wake':
      return 'wakes by itself'
    case 'receive':
      return `${event.woken ? 'is woken by' : 'receives'} ${letter(event)} from ${at(event.from)}`
    case 'timeout':
      return `hears its timer ${event.timer}`
    case 'send':
      return `sends ${letter(event)} to ${at(event.to)}`
    case 'lose':
      return 'loses it, the link being cut'
    case 'lead':
      return 'becomes leader'
    case 'follow':
      return `follows ${event.leader === null ? 'a leader without a name' : `id ${event.leader}`}`
    case 'withdraw':
      return 'has no leader any more'
    case 'crash':
      return 'crashes'
    case 'recover':
      return 'comes back'
    case 'down':
      return `is told that ${at(event.peer)} is gone`
    case 'up':
      return `is told that ${at(event.peer)} is back`
    default:
      return `${event.event}s`
  }
}

function at(node: number): string {
  return `position ${node}`
}

function letter({ type, body }: Sent): string {
  const fields = Object.entries(body).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return `${type}(${fields.join(', ')})`
}
