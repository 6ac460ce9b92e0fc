import type { Transition } from '../model/transition.ts'
import type { TransitionCache } from '../model/transition-cache.ts'
import type { ModelOptions } from '../options.ts'
import { TraceWriter } from './trace-writer.ts'

/**
 * For each move, by number, the earlier ones that it cannot come before: what its node did last,
 * then what sent its message. Whatever strikes the network, passes the time or waits for silence
 * keeps its place among all others.
 */
export function causesOf(
  moves: readonly Transition[],
  effects: TransitionCache,
  rules: ModelOptions,
): number[][] {
  const clerk = new TraceWriter(effects)
  const senders = new Map<number, number>()
  const lastOf = new Map<number, number>()
  let barrier = -1
  return moves.map((move, i) => {
    const record =
      'deeds' in move
        ? clerk.record(0, move)
        : move.event === 'tick' || move.event === 'unheard'
          ? []
          : clerk.recordFault(0, move)
    for (const event of record) if (event.event === 'send') senders.set(event.message, i)
    if (!('deeds' in move) || keepsItsPlace(move, rules)) {
      const since = Array.from({ length: i - 1 - barrier }, (_, k) => barrier + 1 + k)
      const causes = barrier < 0 ? since : [barrier, ...since]
      barrier = i
      lastOf.clear()
      return causes
    }
    const [cause] = record
    const sender = cause.event === 'receive' ? senders.get(cause.message) : undefined
    const causes = [barrier, lastOf.get(move.node) ?? -1, sender ?? -1].filter((it) => it >= 0)
    lastOf.set(move.node, i)
    return causes
  })
}

function keepsItsPlace({ event }: Transition, { mode, wake }: ModelOptions): boolean {
  if (event === 'timeout') return mode === 'patient'
  return event === 'wake' ? wake !== 'any' : event !== 'receive'
}

/**
 * The numbers in an order in which each comes after its causes, and as soon after the last of them
 * as can be. What the last move does not need comes first.
 */
export function inChains(causes: readonly (readonly number[])[]): number[] {
  const order: number[] = []
  const told = new Set<number>()
  const needed = pastOf(causes.length - 1, causes)
  for (const i of causes.keys()) if (!needed.has(i)) tellOf(i)
  if (causes.length > 0) tellOf(causes.length - 1)
  return order

  function tellOf(i: number): void {
    if (told.has(i)) return
    told.add(i)
    for (const cause of causes[i]) tellOf(cause)
    order.push(i)
  }
}

function pastOf(last: number, causes: readonly (readonly number[])[]): Set<number> {
  const past = new Set<number>()
  const waiting = [last]
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    if (i < 0 || past.has(i)) continue
    past.add(i)
    waiting.push(...causes[i])
  }
  return past
}
