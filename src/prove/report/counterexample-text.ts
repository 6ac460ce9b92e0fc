import type { Algorithm } from '../../core/language/algorithm.ts'
import { left } from '../../core/language/net.ts'
import { valueText } from '../../core/trace/event-words.ts'
import type { Counterexample, PartialRecord } from '../induction.ts'

type Message = Counterexample['messages'][number]
type Step = NonNullable<Counterexample['step']>

/**
 * A counterexample to induction in lines: the ring, what is decided of its nodes and messages, the
 * step, and what fails after it. What is not mentioned may be anything.
 */
export function counterexampleText(
  algorithm: Algorithm,
  counterexample: Counterexample,
  clause: string,
): string[] {
  const { nodes, messages, step } = counterexample
  const named = nodes.map((state, node) => `${nodeName(node)} (${idText(state)})`)
  return [
    algorithm.needs.topology === 'complete'
      ? `complete network of ${nodes.length}: ${named.join(', ')}`
      : `ring of ${nodes.length}, going left: ${[...named, nodeName(0)].join(' -> ')}`,
    ...nodes.flatMap((state, node) => stateLine(node, state)),
    ...messages.map((message) => messageLine(algorithm, message)),
    ...(step === null ? [] : [`step: ${stepText(algorithm, counterexample, step)}`]),
    brokenText(algorithm, counterexample, clause),
  ]
}

export function nodeName(node: number): string {
  return `p${node}`
}

function idText({ id }: PartialRecord): string {
  return id === undefined ? 'any id' : `id ${id}`
}

function stateLine(node: number, state: PartialRecord): string[] {
  const known = Object.entries(state).filter(([name]) => name !== 'id')
  if (known.length === 0) return []
  return [`${nodeName(node)}: ${known.map(fieldText).join(', ')}`]
}

export function fieldText([name, value]: readonly [string, unknown]): string {
  return `${name} ${valueText(value)}`
}

/** What is kept of a leader is like a message that the definition does not have. */
const HAS_LED = 'LED'

/** The kind of a message; of a definition, or that which tells who has led. */
export function kindWord({ kinds }: Algorithm, kind: number): string {
  return kinds[kind]?.word ?? HAS_LED
}

/** `ELECTION(id 2)`; a field that is not decided is left out. */
export function messageName(
  algorithm: Algorithm,
  { kind, fields }: Pick<Message, 'kind' | 'fields'>,
) {
  const body = Object.entries(fields).filter(([name]) => name !== 'from')
  const word = kindWord(algorithm, kind)
  return body.length === 0 ? word : `${word}(${body.map(fieldText).join(', ')})`
}

/** Which way a message travels; null where that is not decided. */
export function directionOf({ fields }: Pick<Message, 'fields'>): 'left' | 'right' | null {
  if (fields.from === undefined) return null
  return fields.from === left ? 'right' : 'left'
}

function messageLine(algorithm: Algorithm, message: Message): string {
  const { kind, sender } = message
  const name = messageName(algorithm, message)
  if (kind >= algorithm.kinds.length) return `${targetName(message)} has led: ${name}`
  const direction = sender === null ? directionOf(message) : null
  const going = direction === null ? '' : `, going ${direction}`
  const origin = sender === null ? '' : ` from ${nodeName(sender)}`
  return `in flight${origin} to ${targetName(message)}${going}: ${name}`
}

function targetName({ to }: Pick<Message, 'to'>): string {
  return to === null ? 'all others' : nodeName(to)
}

/** `p0 receives ELECTION(id 1), becomes leader, sends LEADER(id 1) to p1` */
export function stepText(
  algorithm: Algorithm,
  { nodes: [before], messages: [delivered] }: Counterexample,
  { event, after, sends, violation }: Step,
): string {
  return [
    eventText(algorithm, event, delivered, before),
    ...changeTexts(before, after),
    ...sends.map((sent) => `sends ${messageName(algorithm, sent)} to ${targetName(sent)}`),
    ...(violation === null ? [] : [violation]),
  ].join(', ')
}

function eventText(
  algorithm: Algorithm,
  event: Step['event'],
  delivered: Message,
  { status }: PartialRecord,
): string {
  const actor = nodeName(0)
  switch (event.event) {
    case 'wake':
      return `${actor} wakes`
    case 'recover':
      return `${actor} recovers`
    case 'timeout':
      return `timer ${algorithm.timers[event.timer].word} of ${actor} fires`
    case 'receive': {
      const verb = status === 'asleep' ? 'is woken by' : 'receives'
      return `${actor} ${verb} ${messageName(algorithm, delivered)}`
    }
  }
}

/** What the step changes at its node. */
function changeTexts(before: PartialRecord, after: PartialRecord): string[] {
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  return changed.flatMap((name) => {
    const value = after[name]
    if (name === 'status') return value === 'leader' ? ['becomes leader'] : []
    if (name === 'leader')
      return value === null || after.status === 'leader' ? [] : [`follows id ${value}`]
    if (name === 'stopped') return value === true ? ['stops'] : []
    const was = name in before ? valueText(before[name]) : '?'
    return [`${name}: ${was} -> ${valueText(value)}`]
  })
}

/** What fails, and for which nodes and messages. */
function brokenText(algorithm: Algorithm, counterexample: Counterexample, clause: string): string {
  const { step, tuple } = counterexample
  if (step?.violation != null) return `broken: ${clause}`
  const messages = tuple.messages.map(({ when, number, to }) => {
    const all = when === 'sent' ? step!.sends : counterexample.messages
    return `${messageName(algorithm, all[number])} to ${nodeName(to)}`
  })
  const at = [...messages, ...tuple.nodes.map(nodeName)]
  const when = step === null ? ', before any step' : ''
  return `broken: ${clause}${at.length === 0 ? '' : `, for ${at.join(', ')}`}${when}`
}
