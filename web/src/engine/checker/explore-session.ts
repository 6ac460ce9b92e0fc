import type { Aggregation } from '../../../../src/algorithms/index.ts'
import { coveredIds, exploreArranged } from '../../../../src/api/arrangements.ts'
import { checkHeadline } from '../../../../src/api/check-headline.ts'
import { whyIncomplete, worstReport } from '../../../../src/api/worst-report.ts'
import { anyFault, checkWorld, validateWorstCase } from '../../../../src/check/index.ts'
import { type Algorithm, UsageError } from '../../../../src/core/index.ts'
import type { Session } from '../protocol.ts'
import { checkedModel } from './checked-model.ts'
import type {
  CheckerReply,
  CheckSettings,
  EstimateRequest,
  ExploreRequest,
  StateEstimate,
} from './protocol.ts'

/** A browser gives a page less memory than a terminal has. */
const MEMORY_MB = 1500
/** Milliseconds between two reports of progress. */
const PROGRESS = 100

/** Explores every interleaving up to a limit of states, and the worst case if it is asked for. */
export function* exploreSession(
  definition: Algorithm | Aggregation,
  { states, worst: asked, settings }: ExploreRequest,
  reply: CheckerReply,
): Session {
  const { target, model, arrangements, facts } = checkedModel(definition, settings)
  const { world, conditions } = target
  if (asked !== null) validateWorstCase(world, model, asked)
  yield
  let said = Number.NEGATIVE_INFINITY
  const limits = { states, memoryMB: MEMORY_MB }
  const faults = model.faults ?? {}
  const faulty = anyFault(faults)
  // The worst case is that of one arrangement.
  const result = exploreArranged(target, asked === null ? arrangements : null, (one) => ({
    ...model,
    properties: one.properties(faulty),
    fairRuns: true,
    reduction: 'auto',
    limits,
    onProgress(progress) {
      const now = performance.now()
      if (now - said < PROGRESS) return
      said = now
      reply({ what: 'progress', progress })
    },
  }))
  yield
  const worst =
    asked && worstReport({ world, model, conditions, limits }, asked, whyIncomplete(result))
  const { text } = checkHeadline({ ...result, ...(faulty && { faults }) }, coveredIds(result))
  const { ids, violated } = result
  const shown =
    ids === 'all' && violated !== null ? { ...facts, ids: Float64Array.from(violated.ids) } : facts
  reply({ what: 'explored', result, headline: text, worst, world: shown })
}

/** States that a small network may have, so that it is counted at once. */
const COUNTED_STATES_MAX = 30_000
const NODES_MIN = 2

/** Estimates the number of states by those of smaller networks of the same kind. */
export function* estimateSession(
  definition: Algorithm | Aggregation,
  { settings }: EstimateRequest,
  reply: CheckerReply,
): Session {
  const { n } = checkedModel(definition, settings).facts
  const counted: { n: number; states: number }[] = []
  for (let size = NODES_MIN; size < n; size++) {
    const states = statesOf(definition, resized(settings, size))
    if (states === null) break
    counted.push({ n: size, states })
    yield
  }
  reply({ what: 'estimated', estimate: { counted, n, states: extrapolated(counted, n) } })
}

/** The same with another number of nodes, for networks that have only their size. */
function resized(settings: CheckSettings, n: number): CheckSettings | null {
  const { topology, ids, n: _, ...rest } = settings.given
  const [, kind] = /^(ring|complete):\d+$/.exec(String(topology ?? '')) ?? []
  if (topology !== undefined && kind === undefined) return null
  const listed = Array.isArray(ids) ? ids : /^[\d, ]+$/.test(String(ids)) && String(ids).split(',')
  return {
    ...settings,
    given: {
      ...rest,
      ...(kind === undefined ? { n } : { topology: `${kind}:${n}` }),
      ...(ids !== undefined && { ids: listed ? listed.slice(0, n).join() : ids }),
    },
  }
}

/** The number of states; null if it is no small number, or the network cannot have this size. */
function statesOf(
  definition: Algorithm | Aggregation,
  settings: CheckSettings | null,
): number | null {
  if (settings === null) return null
  try {
    const { target, model } = checkedModel(definition, settings)
    const limits = { states: COUNTED_STATES_MAX }
    const { states, exhausted } = checkWorld(target.world, {
      ...model,
      properties: [],
      reduction: 'auto',
      limits,
    })
    return exhausted ? states : null
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

/** Logarithms grow about linearly, with a slope that grows as it did before. */
export function extrapolated(counted: StateEstimate['counted'], n: number): number | null {
  const logs = counted.map(({ states }) => Math.log(states))
  if (logs.length < 2) return null
  const [last, before, first] = logs.toReversed()
  const slope = last - before
  const bend = first === undefined ? 0 : Math.max(0, slope - (before - first))
  const further = n - counted.at(-1)!.n
  return Math.exp(last + further * slope + (bend * further * (further + 1)) / 2)
}
