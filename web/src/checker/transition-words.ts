import type { TransitionJson } from '../../../src/check/index.ts'
import { enumerated } from '../../../src/core/text-format.ts'
import {
  type DescribedEvent,
  drawWords,
  type EventNames,
  eventWords,
  hasOwnSubject,
  valueText,
} from '../../../src/core/trace/event-words.ts'
import type { RunFacts } from '../recording/run-log.ts'

/** The label of a node on the stage: its id, or its position where nodes have none. */
export function labelOf({ ids }: RunFacts, node: number): string {
  return String(ids === null ? node : ids[node])
}

/** A message as it is labelled: its only value, or all of them with their names. */
function messageWords(type: unknown, body: unknown): string {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  const values = fields.map(([name, value]) =>
    fields.length === 1 ? valueText(value) : `${name} ${valueText(value)}`,
  )
  return values.length === 0 ? String(type) : `${type}(${values.join(', ')})`
}

/** Details of the checker name positions beside ids; on the page ids are enough. */
export function explainedDetail(detail: string, { ids }: RunFacts): string {
  const unique = ids !== null && new Set(Array.from(ids)).size === ids.length
  return unique ? detail.replaceAll(/ \(position \d+\)/g, '') : detail
}

/** What a transition does, in words, with nodes named as on the stage. */
export function transitionWords(transition: TransitionJson, world: RunFacts): string {
  const name = (node: number) => labelOf(world, node)
  const names: EventNames = { node: name, leader: String }
  const { event, node, draws = [], side, time, id } = transition
  const subject = name(Number(node))
  const message = messageWords(transition.type, transition.body)
  const drawn =
    (draws as readonly number[]).length > 0 ? ` and ${drawWords(draws as number[])}` : ''
  switch (event) {
    case 'tick':
      return `time passes: ${world.unit === 'round' ? 'the next round' : `${time}`}`
    case 'unheard':
      return 'a crashed node hears nothing'
    case 'part':
      return `a partition separates ${enumerated((side as number[]).map(name))} from the others`
    case 'heal':
      return `the partition of ${enumerated((side as number[]).map(name))} ends`
    case 'cut':
      return `the link between ${subject} and ${name(Number(transition.to))} is cut`
    case 'receive':
      return `${subject} receives ${message} from ${name(Number(transition.from))}${drawn}`
    case 'vanish':
      return `${subject} has crashed: ${message} from ${name(Number(transition.from))} is lost`
    case 'lose':
    case 'double': {
      const fate = event === 'lose' ? 'lost' : 'duplicated'
      return `${message} from ${subject} to ${name(Number(transition.to))} is ${fate}`
    }
    case 'crash': {
      if (!('during' in transition)) return `${subject} crashes`
      const during = transitionWords(transition.during as TransitionJson, world)
      const sends = Number(transition.sends)
      return `${during}, and crashes after ${sends === 1 ? 'one send' : `${sends} sends`}`
    }
    case 'recover': {
      const as = world.ids === null || Number(id) === world.ids[Number(node)] ? '' : ` as ${id}`
      return `${subject} ${eventWords(transition as never, names)}${as}${drawn}`
    }
    default: {
      const described = transition as unknown as DescribedEvent
      const words = eventWords(described, names)
      return `${subject}${hasOwnSubject(described) ? ':' : ''} ${words}${drawn}`
    }
  }
}

/** Faults and their ends are offered apart from what the algorithm does. */
export function isFault({ event }: TransitionJson): boolean {
  return FAULTS.includes(event)
}

const FAULTS: readonly string[] = [
  'crash',
  'recover',
  'lose',
  'double',
  'cut',
  'part',
  'heal',
  'pause',
  'resume',
]
