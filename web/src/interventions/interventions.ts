import type { InterventionChange } from '../model/fork.ts'
import { STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'

/** A possible intervention, in words. */
export interface InterventionOffer {
  readonly label: string
  /** The name of the branch. */
  readonly words: string
  readonly action: InterventionChange
  /** The message that it concerns, if there is one. */
  readonly flight?: number
}

/** The interventions on the chosen nodes. */
export function nodeOffers(frame: RunFrame, chosen: ReadonlySet<number>): InterventionOffer[] {
  const nodes = [...chosen]
  const [only] = nodes
  const offers: InterventionOffer[] = []
  if (nodes.length === 1) {
    const status = STATUSES[frame.status[only]]
    const named = nameOf(frame, only)
    if (status === 'dead') offers.push(lifeOffer('recover', `Recover ${named}`, only))
    else offers.push(lifeOffer('crash', `Crash ${named}`, only))
    if (status === 'asleep') offers.push(lifeOffer('wake', `Wake ${named}`, only))
  }
  if (nodes.length === 2 && linked(frame, nodes[0], nodes[1])) {
    const [a, b] = nodes.toSorted((x, y) => x - y)
    const cut = frame.cut.has(`${a}-${b}`)
    offers.push({
      label: cut ? `Restore the link ${a}-${b}` : `Cut the link ${a}-${b}`,
      words: `${cut ? 'restoring' : 'cutting'} ${a}-${b}`,
      action: { what: cut ? 'mend' : 'cut', link: [a, b] },
    })
  }
  const rest = [...frame.status.keys()].filter((node) => !chosen.has(node))
  if (nodes.length > 0 && rest.length > 0) offers.push(partitionOffer([nodes, rest]))
  return offers
}

export function partitionOffer(groups: readonly (readonly number[])[]): InterventionOffer {
  const [smaller] = groups.toSorted((a, b) => a.length - b.length)
  const few = smaller.length > 4 ? `${smaller.length} nodes` : `position ${smaller.join(', ')}`
  return {
    label: `Partition off ${few}`,
    words: `partition of ${few}`,
    action: { what: 'partition', groups },
  }
}

/** The interventions on a message in flight. */
export function flightOffers(
  { log }: RunFrame,
  flight: number,
  later: number,
): InterventionOffer[] {
  const { message, type } = log.event(log.sending.at(flight))
  const arrives = log.arrival(flight)
  const named = `${type} (message ${message})`
  const delayed = Number.isFinite(arrives) ? arrives + later : later
  return [
    { label: 'Drop it', words: `dropping ${named}`, action: { what: 'drop', message }, flight },
    {
      label: `Delay it by ${later}`,
      words: `delaying ${named}`,
      action: { what: 'arrive', message, to: delayed },
      flight,
    },
  ]
}

/** Delivers a message before any other event; impossible in rounds. */
export function nextOffer({ log, step }: RunFrame, flight: number, at: number): InterventionOffer {
  const { message, type } = log.event(log.sending.at(flight))
  const now = step === 0 ? Number.NEGATIVE_INFINITY : log.timeOf(step - 1)
  // In the middle of a moment, its earlier events also come after this.
  const first = at < now ? `before all of ${log.world.unit} ${now}` : 'next'
  return {
    label: `Deliver it ${first}`,
    words: `delivering ${type} (message ${message}) next`,
    action: { what: 'arrive', message, to: at },
    flight,
  }
}

/** The first message of each channel: an adversary may deliver any of them next. */
export function deliverable({ log, open }: RunFrame): number[] {
  const seen = new Set<string>()
  return [...open].filter((flight) => {
    const sending = log.sending.at(flight)
    const channel = `${log.node.at(sending)}-${log.peer.at(sending)}`
    if (seen.has(channel)) return false
    seen.add(channel)
    return true
  })
}

function lifeOffer(
  what: 'crash' | 'recover' | 'wake',
  label: string,
  node: number,
): InterventionOffer {
  const words = { crash: 'crash', recover: 'recovery', wake: 'waking' }[what]
  return { label, words: `${words} of position ${node}`, action: { what, node } }
}

function nameOf({ log }: RunFrame, node: number): string {
  const id = log.world.ids?.[node]
  return id === undefined ? `position ${node}` : `id ${id}`
}

function linked({ log }: RunFrame, a: number, b: number): boolean {
  const { kind, n, edges } = log.world
  if (kind === 'complete') return true
  if (kind === 'ring') return (a + 1) % n === b || (b + 1) % n === a
  for (let i = 0; i < edges.length; i += 2)
    if ((edges[i] === a && edges[i + 1] === b) || (edges[i] === b && edges[i + 1] === a))
      return true
  return false
}
