import { anyFault, type ReplayResult, replay, withRestarts } from '../check/index.ts'
import { type Algorithm, type Property, UsageError, type Verdict } from '../core/index.ts'
import type { World } from '../core/language/world.ts'
import { quoted } from '../core/text-format.ts'
import { propertyNamed } from '../prove/report/clause-property.ts'
import { checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import {
  actingState,
  agrees,
  refuseOtherStart,
  startedWorld,
  type TracedInduction,
} from './given-start.ts'
import { TraceDiff } from './trace-diff.ts'
import type { CheckedTrace, TraceFile } from './trace-file.ts'

/** A run that the checker found, replayed step by step. */
export interface CheckedReplayResult extends ReplayResult {
  readonly world: World
}

/** Replays a trace of the checker, and rejects it where the run differs from the file. */
export function replayChecked(
  { scenario, events }: TraceFile,
  { rules, moves, property, induction }: CheckedTrace,
  what: Explorable,
  path: string,
  readFile: (path: string) => string,
): CheckedReplayResult {
  const target = checkTargetOf(what, scenario, (field) => `${path}: ${field}`, readFile)
  const faults = rules.faults ?? {}
  const usual = withRestarts(target.world, faults)
  const world = induction === undefined ? usual : startedWorld(usual, induction.start, path)
  const all = target.properties(anyFault(faults))
  // Another state promises nothing but what a proof speaks of.
  const properties = induction === undefined ? all : [clauseNamed(property!, world.algorithm, all)]
  if (induction !== undefined) refuseOtherStart(induction, path)
  if (induction !== undefined && moves.length > 0) refuseBroken(replayMoves([]))
  const replayed = replayMoves(moves)
  if (induction !== undefined) refuseOtherStep(induction)
  const recorded = new TraceDiff(path, events)
  for (const event of replayed.events) recorded.compare(JSON.stringify(event))
  recorded.end()
  return {
    ...replayed,
    properties: [...replayed.properties, ...missingProperty(replayed, property)],
    world,
  }

  function replayMoves(taken: CheckedTrace['moves']): ReplayResult {
    try {
      return replay(world, rules, properties, taken)
    } catch (error) {
      throw error instanceof UsageError ? error.at(`${path}: ${error.where}`) : error
    }
  }

  function clauseNamed(name: string, algorithm: Algorithm, goals: readonly Property[]): Property {
    const found = propertyNamed(name, algorithm, goals)
    if (found !== null) return found
    throw new UsageError(
      path,
      `${algorithm.name} states no clause ${quoted(name)}, and has no such property.`,
      'The definition has changed. Create the trace again.',
    )
  }

  /** The step leads to the state that the counterexample tells. */
  function refuseOtherStep({ cti: { step } }: TracedInduction): void {
    if (step === null || agrees(actingState(world, rules, moves), step.after)) return
    throw new UsageError(
      path,
      'the step leads to another state than the counterexample tells.',
      'The definition or the file has changed. Create the trace again.',
    )
  }

  /** What a step breaks must hold before it. */
  function refuseBroken({ properties: [{ name, holds }] }: ReplayResult): void {
    if (holds !== false) return
    throw new UsageError(
      `${path}: start`,
      `${quoted(name)} fails before the step.`,
      'The definition or the file has changed. Create the trace again.',
    )
  }
}

/** The property that the trace violates, if this definition does not have it. */
function missingProperty({ properties }: ReplayResult, property: string | null): Verdict[] {
  if (property === null || properties.some(({ name }) => name === property)) return []
  return [
    {
      name: property,
      holds: null,
      detail: 'not checked, because this definition has no such property',
    },
  ]
}
