import { batch } from '@preact/signals'
import type { TransitionJson } from '../../../src/check/index.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { SimulatedRun } from '../engine/checker/protocol.ts'
import { askWalk } from '../model/checker.ts'
import { begin, branches, player, replaceBranches, shown } from '../model/lab.ts'
import { type Code, type Origin, ShownRun } from '../model/run.ts'
import { chooseNothing } from '../model/selection.ts'
import { type CheckedSubject, exploredRun, markShown } from './exploration.ts'
import { violationDetail } from './walk.ts'

/** The scenario in which the simulator does the same, or why there is none. */
export async function simulatedScenario(
  { settings, code }: CheckedSubject,
  path: readonly TransitionJson[],
  property: string | null,
): Promise<SimulatedRun> {
  const answer = await askWalk({ want: 'simulate', settings, code, path, property })
  if (answer.what === 'simulated') return answer.run
  return { scenario: null, why: 'message' in answer ? answer.message : '' }
}

/** Adds a branch that the simulator runs. */
export function showSimulated(
  { code }: CheckedSubject,
  scenario: ScenarioInput,
  name: string,
): void {
  const given = code === null ? scenario : { ...scenario, algorithm: 'own' }
  show(new ShownRun(given, code, originOf(code, name)))
}

/** Code that is only in the editor is no branch of what is shown. */
function originOf(code: Code | null, change: string): Origin | null {
  const related = exploredRun.value.code?.compiled === code?.compiled
  return related ? { run: exploredRun.value, at: 0, change } : null
}

/**
 * Opens a run of the checker as a branch that the simulator runs, so that it can be changed.
 * Where that is not possible it is shown as a recording; returns the reason then, else null.
 */
export async function openRun(
  subject: CheckedSubject,
  path: readonly TransitionJson[],
  property: string | null,
  name: string,
): Promise<string | null> {
  const { settings, code } = subject
  const { scenario, why } = await simulatedScenario(subject, path, property)
  if (scenario !== null) {
    showSimulated(subject, scenario, name)
    return null
  }
  const walked = await askWalk({ want: 'walk', settings, code, path })
  if (walked.what !== 'walked') return why
  const { events, snapshots, violated, eventsAfter } = walked.walked
  const recording = {
    world: walked.world,
    events,
    snapshots,
    ...(property !== null && {
      broken: {
        property,
        detail: violationDetail(walked.world, walked.walked),
        ...(violated && { events: eventsAfter[violated.after] }),
      },
    }),
  }
  show(new ShownRun({}, code, originOf(code, name), null, recording))
  return why
}

/** Adds the branch and plays it. */
function show(branch: ShownRun): void {
  markShown(branch)
  chooseNothing()
  if (branch.origin === null) {
    replaceBranches([branch])
    begin()
    return
  }
  const same = branches.value.filter(({ origin }) => origin?.change !== branch.origin?.change)
  for (const former of branches.value) if (!same.includes(former)) former.end()
  batch(() => {
    branches.value = [...same, branch]
    shown.value = same.length
    player.resumeAt(0, 0)
  })
  begin()
}
