import type { ExplainedRun } from '../../check/index.ts'
import { initialState, realIds, resultNaming, type World } from '../../core/language/world.ts'
import type { SteppedRun } from './stepped-run.ts'

/** A run of the checker, such as a counterexample. */
export function explainedSteps(
  run: ExplainedRun & { readonly loop?: number },
  world: World,
  title: string,
  end: string,
): SteppedRun {
  const { trace, events, eventCounts, unit, loop } = run
  const { layout, needs } = world.algorithm
  const before = events.length - eventCounts.reduce((sum, count) => sum + count, 0)
  let next = before
  const take = (count: number) => {
    next += count
    return events.slice(next - count, next)
  }
  return {
    title,
    unit,
    n: world.topology.n,
    ids: needs.ids === undefined ? null : realIds(world),
    initial: (node) => layout.json(initialState(world, node), resultNaming(world, node)),
    types: layout.own,
    before: events.slice(0, before),
    steps: trace.map(({ at, node, event, text, changes = [] }, i) => ({
      at,
      node: event === 'cut' ? null : (node ?? null),
      text,
      events: take(eventCounts[i]),
      changes,
    })),
    ...(loop !== undefined && { loop }),
    end,
  }
}
