import type { TraceEvent } from '../core/trace.ts'
import type { World } from '../core/world.ts'

type Sent = Extract<TraceEvent, { event: 'send' | 'receive' }>

/** What one node did in one step as a sentence: its cause, its coins, then its deeds. */
export function sentence(
  world: World,
  [cause, ...deeds]: readonly TraceEvent[],
  draws: readonly number[],
): string {
  const parts = [words(cause), ...deeds.map(words)]
  if (draws.length > 0) parts.splice(1, 0, `draws ${draws.join(', ')}`)
  if (cause.event === 'receive' && cause.ignored) parts.push('takes no notice, having stopped')
  else if (deeds.length === 0) parts.push('does nothing that others notice')
  const id = world.algorithm.needs.ids === undefined ? '' : ` (id ${world.ids[cause.node]})`
  return `Position ${cause.node}${id} ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.`
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
    case 'lead':
      return 'becomes leader'
    case 'follow':
      return `follows ${event.leader === null ? 'a leader without a name' : `id ${event.leader}`}`
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
