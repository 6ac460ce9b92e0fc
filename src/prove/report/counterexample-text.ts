import type { Algorithm } from '../../core/language/algorithm.ts'
import { left } from '../../core/language/net.ts'
import { valueText } from '../../core/trace/event-words.ts'
import type { InductionCounterexample, MessageRecord, PartialRecord } from '../induction.ts'

type Message = MessageRecord
type Step = NonNullable<InductionCounterexample['step']>

/**
 * A counterexample to induction in lines: the ring, what is decided of its nodes and messages, the
 * step, and what fails after it. What is not mentioned may be anything.
 */
export function counterexampleText(
  algorithm: Algorithm,
  counterexample: InductionCounterexample,
  clause: string,
): string[] {
  const { nodes, messages, step } = counterexample
  return [
    networkText(counterexample),
    ...nodes.flatMap((state, node) => stateLine(node, state)),
    ...messages.map((message) => arrivalText(message)),
    ...(step === null ? [] : [`step: ${stepText(algorithm, counterexample, step)}`]),
    brokenText(counterexample, clause),
  ]
}

function networkText({ topology, nodes }: InductionCounterexample): string {
  const names = nodes.map((state, node) => `${nodeName(node)} (${idText(state)})`)
  return topology === 'ring'
    ? `ring of ${nodes.length}, going left: ${[...names, nodeName(0)].join(' -> ')}`
    : `complete network of ${nodes.length}, and perhaps others: ${names.join(', ')}`
}

function nodeName(node: number): string {
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

function fieldText([name, value]: readonly [string, unknown]): string {
  return `${name} ${valueText(value)}`
}

/** `ELECTION(id 2)`; a field that is not decided is left out. */
function messageName({ word, fields }: Pick<Message, 'word' | 'fields'>): string {
  const body = Object.entries(fields).filter(([name]) => name !== 'from')
  return body.length === 0 ? word : `${word}(${body.map(fieldText).join(', ')})`
}

/** Which way a message travels; null where that is not decided. */
export function directionOf({ fields }: Pick<Message, 'fields'>): 'left' | 'right' | null {
  if (fields.from === undefined) return null
  return fields.from === left ? 'right' : 'left'
}

function arrivalText(message: Message): string {
  const { to, sender, word } = message
  const direction = directionOf(message)
  const going = direction === null ? '' : `, going ${direction}`
  const from = sender === null ? '' : ` from ${nodeName(sender)}`
  if (word === 'LED') return `${nodeName(to)} has led: ${messageName(message)}`
  return `in flight${from} to ${nodeName(to)}${going}: ${messageName(message)}`
}

/** `p0 receives ELECTION(id 1), becomes leader, sends LEADER(id 1) to p1` */
function stepText(
  algorithm: Algorithm,
  { nodes: [before], messages: [delivered] }: InductionCounterexample,
  { event, after, sends, violation }: Step,
): string {
  return [
    eventText(algorithm, event, delivered, before),
    ...changeTexts(before, after),
    ...sends
      .filter(({ word }) => word !== 'LED')
      .map((sent) => `sends ${messageName(sent)} to ${nodeName(sent.to)}`),
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
      return `${actor} recovers from a crash`
    case 'timeout':
      return `timer ${algorithm.timers[event.timer].word} of ${actor} fires`
    case 'receive': {
      const verb = status === 'asleep' ? 'is woken by' : 'receives'
      return `${actor} ${verb} ${messageName(delivered)}`
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
function brokenText(counterexample: InductionCounterexample, clause: string): string {
  const { step, tuple } = counterexample
  if (step?.violation != null) return `broken: ${clause}`
  const messages = tuple.messages.map((named) => {
    const { messages: before } = counterexample
    const message = named.when === 'before' ? before[named.number] : step!.sends[named.number]
    return `${messageName(message)} to ${nodeName(named.to)}`
  })
  const at = [...messages, ...tuple.nodes.map(nodeName)]
  const when = step === null ? ', before any step' : ''
  return `broken: ${clause}${at.length === 0 ? '' : `, for ${at.join(', ')}`}${when}`
}
