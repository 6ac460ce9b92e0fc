import { isWithin } from '../../../src/core/numbers.ts'
import type { BoundResult } from '../../../src/sim/index.ts'
import type { ShownRun } from '../model/run.ts'
import type { RunFrame } from '../recording/frame.ts'

type Result = NonNullable<ShownRun['result']['value']>

/** A message type: the number sent so far, and the final number. */
export interface TypeCount {
  readonly name: string
  readonly count: number
  /** Null until the simulation has ended. */
  readonly final: number | null
}

/** A proven bound, and the value of the run so far. */
export interface BoundProgress {
  readonly of: BoundResult['of']
  readonly formula: string
  readonly bound: number
  /** Null where it is not known yet. */
  readonly now: number | null
  readonly within: boolean
}

export function typeCounts({ log, sent, step }: RunFrame, result: Result | null): TypeCount[] {
  const { types, messageTypes } = log.world
  const final: Readonly<Record<string, number>> | undefined = result?.messages.byType
  // Cycles are not messages: the equivalent number is known at the end.
  if (messageTypes === 0 && final !== undefined && step === log.steps)
    return Object.entries(final).map(([name, count]) => ({ name, count, final: count }))
  return types
    .slice(0, messageTypes)
    .map((name, i) => ({ name, count: sent[i], final: final?.[name] ?? null }))
}

/**
 * The tightest bounds after a number of steps; announcements do not count as messages.
 */
export function progress(
  frame: RunFrame,
  result: Result | null,
  announces: readonly string[],
): BoundProgress[] {
  const { log, step, sent } = frame
  const at = step === 0 ? Number.NEGATIVE_INFINITY : log.timeOf(step - 1)
  const elected = result?.time.elected ?? Number.POSITIVE_INFINITY
  const messages = sent.reduce(
    (sum, count, type) => (announces.includes(log.world.types[type]) ? sum : sum + count),
    0,
  )
  const tightest = (result?.bounds ?? []).filter(({ of, value }, _, all) =>
    all.every((other) => other.of !== of || other.value >= value),
  )
  return tightest.map(({ of, formula, value, measured }) => {
    const now = of === 'messages' ? messages : at >= elected ? measured : null
    return { of, formula, bound: value, now, within: now === null || isWithin(now, value) }
  })
}
