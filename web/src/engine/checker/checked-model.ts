import type { Aggregation } from '../../../../src/algorithms/index.ts'
import { type CheckedWorld, checkModel } from '../../../../src/api/check-model.ts'
import { anyFault, type Mode, validateOptions } from '../../../../src/check/index.ts'
import type { Algorithm } from '../../../../src/core/index.ts'
import type { Property } from '../../../../src/core/language/problem.ts'
import { explorable } from '../../../../src/scenario/check-target.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import type { RunFacts } from '../../recording/run-log.ts'
import { worldFacts } from '../world-facts.ts'
import type { CheckSettings } from './protocol.ts'

/** A world to explore, with the model of its faults and delays. */
export interface CheckedModel extends CheckedWorld {
  readonly given: ScenarioInput
  readonly properties: readonly Property[]
  readonly facts: RunFacts
}

/** The model that settings describe; throws usage errors that name their fields. */
export function checkedModel(
  definition: Algorithm | Aggregation,
  { given, asked }: CheckSettings,
): CheckedModel {
  const { 'one-way': oneWay, ...flags } = asked
  const checked = checkModel(explorable(definition), given, { ...flags, oneWay }, { where: String })
  const { target, model } = checked
  validateOptions(target.world, model, String)
  return {
    ...checked,
    given,
    properties: target.properties(anyFault(model.faults ?? {})),
    facts: worldFacts(target.world, unitOf(model.mode)),
  }
}

/** What times count in a run of the checker. */
function unitOf(mode: Mode): 'step' | 'round' | 'time' {
  if (typeof mode === 'string') return 'step'
  return mode.clocked === 1 ? 'round' : 'time'
}
