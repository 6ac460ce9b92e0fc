import type { InterventionChange } from '../model/fork.ts'
import { STATUSES } from '../recording/events.ts'
import type { RunFrame } from '../recording/frame.ts'
import { flightName } from '../words/describe-step.ts'
import { linkName, nodeName } from '../words/names.ts'
import { manyNodes } from '../words/phrases.ts'

/** A possible intervention, in words. */
export interface InterventionOffer {
  readonly label: string
  /** The name of the branch. */
  readonly words: string
  readonly action: InterventionChange
  /** The message that it concerns, if there is one. */
  readonly flight?: number
  /** Whether some events of this moment have happened, which then happen again. */
  readonly goesBack?: boolean
}

/** The interventions on the chosen nodes. */
export function nodeOffers(frame: RunFrame, chosen: ReadonlySet<number>): InterventionOffer[] {
  const nodes = [...chosen]
  const [only] = nodes
  const offers: InterventionOffer[] = []
  if (nodes.length === 1) {
    const status = STATUSES[frame.status[only]]
    if (status === 'dead') offers.push(lifeOffer(frame, 'recover', only))
    else offers.push(lifeOffer(frame, 'crash', only))
    if (status === 'asleep') offers.push(lifeOffer(frame, 'wake', only))
  }
  if (nodes.length === 2 && linked(frame, nodes[0], nodes[1])) {
    const [a, b] = nodes.toSorted((x, y) => x - y)
    const cut = frame.cut.has(`${a}-${b}`)
    const link = linkName(frame, a, b)
    offers.push({
      label: cut ? `Restore the link ${link}` : `Cut the link ${link}`,
      words: `the link ${link} is ${cut ? 'restored' : 'cut'}`,
      action: { what: cut ? 'mend' : 'cut', link: [a, b] },
    })
  }
  const rest = [...frame.status.keys()].filter((node) => !chosen.has(node))
  if (nodes.length > 0 && rest.length > 0) offers.push(partitionOffer(frame, [nodes, rest]))
  return offers
}

export function partitionOffer(
  frame: RunFrame,
  groups: readonly (readonly number[])[],
): InterventionOffer {
  const [smaller] = groups.toSorted((a, b) => a.length - b.length)
  const few = manyNodes(frame, smaller)
  return {
    label: `Cut ${few} off`,
    words: `${few} ${smaller.length === 1 ? 'is' : 'are'} cut off`,
    action: { what: 'partition', groups },
  }
}

/** The interventions on a message in flight. */
export function flightOffers(frame: RunFrame, flight: number, later: number): InterventionOffer[] {
  const { log } = frame
  const { message } = log.event(log.sending.at(flight))
  const arrives = log.arrival(flight)
  const named = flightName(frame, flight)
  const delayed = Number.isFinite(arrives) ? arrives + later : later
  return [
    { label: 'Drop it', words: `${named} is dropped`, action: { what: 'drop', message }, flight },
    {
      label: `Delay it by ${later}`,
      words: `${named} is delayed by ${later}`,
      action: { what: 'arrive', message, to: delayed },
      flight,
    },
  ]
}

/** Delivers a message before any other event; impossible in rounds. */
export function nextOffer(frame: RunFrame, flight: number, at: number): InterventionOffer {
  const { log, step } = frame
  const { message } = log.event(log.sending.at(flight))
  const now = step === 0 ? Number.NEGATIVE_INFINITY : log.timeOf(step - 1)
  // In the middle of a moment, its earlier events also come after this.
  const first = at < now ? `before all of ${log.world.unit} ${now}` : 'next'
  return {
    label: `Deliver it ${first}`,
    words: `${flightName(frame, flight)} arrives first`,
    action: { what: 'arrive', message, to: at },
    flight,
    goesBack: at < now,
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

const LIFE = {
  crash: ['Crash', 'crashes'],
  recover: ['Recover', 'recovers'],
  wake: ['Wake', 'wakes'],
} as const

function lifeOffer(frame: RunFrame, what: keyof typeof LIFE, node: number): InterventionOffer {
  const [verb, happens] = LIFE[what]
  const name = nodeName(frame, node)
  return { label: `${verb} ${name}`, words: `${name} ${happens}`, action: { what, node } }
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
