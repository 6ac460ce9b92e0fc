import { batch, computed, effect, signal } from '@preact/signals'
import type { Intervention, ScenarioInput } from '../../../../src/scenario/index.ts'
import { algorithmOfRun } from '../../model/algorithm-list.ts'
import { checkOutcome, proofOutcome } from '../../model/check-outcome.ts'
import {
  begin,
  branches,
  player,
  replaceBranches,
  replaceScenario,
  run,
  shown,
} from '../../model/lab.ts'
import { ShownRun } from '../../model/run.ts'
import { chooseNothing } from '../../model/selection.ts'
import type { CheckFigures, LessonRun } from '../checking/quantities.ts'
import { changed, type LessonTask, type ShownScenario } from '../format/lesson.ts'

/** What the picture of a lesson shows: one of its parts, and the scenario that it opened. */
interface ShownPart {
  readonly lesson: string
  readonly part: number
  /** The scenario as the part has it. */
  readonly scenario: ScenarioInput
  readonly task: LessonTask | null
}

export const shownPart = signal<ShownPart | null>(null)
/** Whether a solution of the lesson is shown, which is no work of the student. */
export const solutionShown = signal(false)

/** Whether the student has changed something in the task that is shown. */
export const worked = computed(() => {
  const { value } = shownPart
  if (value?.task == null) return false
  return branches.value.length > 1 || branches.value[0].scenario !== value.scenario
})

/** Whether the student has turned to the task that is shown, and whether it is done. */
export const engaged = signal(false)
export const taskDone = signal(false)

/** Whether reading on must not replace what the picture shows. */
export function isKept(): boolean {
  return (worked.value || engaged.value) && !taskDone.value
}

/** Opens a part of a lesson in the picture. */
export function showPart(lesson: string, part: number, content: ShownScenario | LessonTask): void {
  const { scenario } = content
  const task = content.kind === 'task' ? content : null
  batch(() => {
    chooseNothing()
    solutionShown.value = false
    engaged.value = false
    taskDone.value = false
    shownPart.value = { lesson, part, scenario, task }
    player.speed.value = content.kind === 'scenario' ? content.speed : 1
    replaceScenario(scenario)
  })
  if (task === null && content.kind === 'scenario') goToStart(content.at)
}

/** Does what changes the height of other cards, and keeps the element where the reader sees it. */
export function holding(element: Element | null, act: () => void): void {
  const top = () => element?.getBoundingClientRect().top ?? 0
  const before = top()
  act()
  requestAnimationFrame(() => scrollBy({ top: top() - before, behavior: 'instant' }))
}

/** Shows another scenario for a part, such as that of a question. */
export function showScenario(lesson: string, part: number, scenario: ScenarioInput): void {
  batch(() => {
    chooseNothing()
    shownPart.value = { lesson, part, scenario, task: null }
    replaceScenario(scenario)
  })
  begin()
}

function goToStart(at: ShownScenario['at']): void {
  if (at === 'start') {
    begin()
    return
  }
  const wanted = run.peek()
  const end = effect(() => {
    const left = run.value !== wanted
    const known = wanted.result.value !== null || wanted.refusal.value !== null
    if (!left && !known) return
    queueMicrotask(() => end())
    if (left) return
    if (at === 'end') player.toEnd()
    else player.toTime(at)
  })
}

/** Shows a solution: the changed scenario, then each change as a branch of the one before. */
export async function showSolution({ scenario, solution }: LessonTask): Promise<void> {
  if (solution === null) return
  if (solution.clauses !== null) {
    const { startProof } = await import('../../prover/proof.ts')
    solutionShown.value = true
    startProof({ algorithm: String(scenario.algorithm), code: null }, { only: solution.clauses })
    return
  }
  const runs = [new ShownRun(changed(scenario, solution.fields))]
  for (const change of solution.changes) {
    const former = runs.at(-1)!
    await begun(former)
    const origin = { run: former, at: change.at, change: wordsFor(change) }
    runs.push(new ShownRun({ ...former.whole.value }, null, origin, change))
  }
  await begun(runs.at(-1)!)
  batch(() => {
    solutionShown.value = true
    replaceBranches(runs)
    shown.value = runs.length - 1
  })
  begin()
}

function wordsFor({ what, at }: Intervention): string {
  return `${what} at ${at}`
}

function begun(one: ShownRun): Promise<void> {
  return new Promise((resolve) => {
    const end = effect(() => {
      if (one.whole.value === null && one.refusal.value === null) return
      queueMicrotask(() => end())
      resolve()
    })
  })
}

/** A run as goals and answers see it; null until it has ended. */
export function lessonRunOf(one: ShownRun): LessonRun | null {
  const [log, result] = [one.log.value, one.result.value]
  if (log === null || result === null) return null
  let changes = 0
  for (let { origin } = one; origin !== null; origin = origin.run.origin) changes++
  const entry = algorithmOfRun(one)
  return {
    log,
    result,
    changes,
    algorithm: entry?.name ?? String(one.scenario.algorithm),
    announces: entry?.announces ?? [],
  }
}

/** What the checker has found about the scenario that is shown. */
export const checkFigures = computed<CheckFigures | null>(() => {
  const { value } = checkOutcome
  const proved = proofOutcome.value
  if (value === null)
    return proved === null ? null : { states: null, counterexample: null, worst: null, proved }
  const { states, violated, worst } = value
  const most = worst?.of === 'messages' ? worst.most : null
  return { states, counterexample: violated !== null, worst: most, proved }
})
