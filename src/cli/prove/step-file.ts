import type { ClauseReport, ProofReport } from '../../api/prove.ts'
import { violatingRun } from '../../api/prove-exploration.ts'
import type { Algorithm } from '../../core/index.ts'
import { stepPicture } from '../../diagram/network/step-picture.ts'
import { propertiesOf } from '../../problems/algorithm-properties.ts'
import { NO_FAULTY_HANDLER } from '../../prove/prove.ts'
import type { Explorable } from '../../scenario/check-target.ts'
import { inductionTrace } from '../../trace/induction-trace.ts'
import { writeCounterexample } from '../check/counterexample-files.ts'
import { writeWhole } from '../terminal/output-file.ts'
import { openClauses } from './report.ts'

const NONE = 'there is no counterexample'

/** Draws the counterexample to induction that a report shows first. Returns why there is none. */
export function drawStep(report: ProofReport, path: string): string | null {
  const [open] = openClauses(report)
  if (open === undefined) return NONE
  const picture = stepPicture({
    title: `${report.algorithm}: "${open.name}" is not proved`,
    subtitle: 'One step that breaks it. What is grey, or not said, may be anything.',
    ...open.cti,
  })
  writeWhole(path, picture, '--svg')
  return null
}

/**
 * Writes what a report shows first into a trace: the run that violates a property, or else the
 * counterexample to induction. Returns why there is no such trace; null where it is written.
 */
export function writeProofTrace(
  report: ProofReport,
  what: Explorable,
  path: string,
): string | null {
  const { violated, clauses, for: runs } = report
  const [open] = openClauses(report)
  if (open === undefined) return NONE
  const algorithm = what.definition as Algorithm
  if (violated !== null) {
    const required = [...propertiesOf(algorithm, false), ...what.ownProperties]
    const property = required.find(({ name }) => name === violated)!
    writeCounterexample(violatingRun(algorithm, runs!, property, open.reach!.ids!), { trace: path })
    return null
  }
  if (open.name === NO_FAULTY_HANDLER) return 'a handler that goes wrong has no events'
  const proved = clauses.filter(({ verdict }: ClauseReport) => verdict === 'proved')
  const { name: clause, cti } = open
  const assumed = proved.map(({ name }) => name)
  const trace = inductionTrace(what, { clause, cti, order: runs!.order, assumed })
  if ('problem' in trace) return trace.problem
  writeWhole(path, trace.text, '--trace')
  return null
}
