import type { Intervention, ScenarioInput } from '../../../../src/scenario/index.ts'

/** What the list of lessons shows of one. */
export interface LessonFacts {
  /** The name in links. */
  readonly slug: string
  /** The place in the course. */
  readonly number: number
  readonly title: string
  readonly summary: string
  readonly minutes: number
  readonly picture: LessonPicture
  readonly sources: readonly string[]
}

/** A lesson in the list. */
export interface LessonEntry extends LessonFacts {
  /** The number of its questions and tasks. */
  readonly exercises: number
}

export const LESSON_PICTURES = [
  'ring',
  'race',
  'phases',
  'same',
  'clock',
  'curve',
  'crown',
  'complete',
  'tree',
  'wireless',
  'gossip',
  'broken',
  'lease',
  'proof',
] as const
export type LessonPicture = (typeof LESSON_PICTURES)[number]

export interface Lesson extends LessonFacts {
  readonly parts: readonly LessonPart[]
}

export type LessonPart = LessonText | ShownScenario | LessonQuestion | LessonTask

export interface LessonText {
  readonly kind: 'text'
  readonly markdown: string
}

/** A scenario, and how the picture shows it. */
export interface ShownScenario {
  readonly kind: 'scenario'
  /** The line of the file, from 1. */
  readonly line: number
  readonly scenario: ScenarioInput
  readonly speed: number
  readonly at: 'start' | 'end' | number
  readonly show: readonly ShownPanel[]
}

export const SHOWN_PANELS = ['counts', 'diagram', 'inspector'] as const
export type ShownPanel = (typeof SHOWN_PANELS)[number]

/** A prediction: a number, or one or several of some choices. */
export interface LessonQuestion {
  readonly kind: 'question'
  readonly line: number
  readonly text: string
  /** The scenario that computes the answer; null where there is none above. */
  readonly scenario: ScenarioInput | null
  readonly choices: readonly { readonly text: string; readonly right: boolean }[]
  /** A number, or the name of a quantity; null where choices are ticked. */
  readonly answer: number | string | null
  readonly tolerance: LessonTolerance
  readonly explanation: string
}

/** How far a prediction may be off: absolutely, or as a share of the answer. */
export interface LessonTolerance {
  readonly by: number
  readonly share: boolean
}

/** Something to bring about, which the engine checks. */
export interface LessonTask {
  readonly kind: 'task'
  readonly line: number
  readonly text: string
  readonly scenario: ScenarioInput
  /** The fields of the scenario that may be changed. */
  readonly fields: readonly string[]
  readonly actions: readonly TaskAction[]
  readonly goal: LessonGoal
  readonly hint: string | null
  readonly explanation: string
  readonly solution: TaskSolution | null
}

export const TASK_ACTIONS = [
  'crash',
  'recover',
  'wake',
  'cut',
  'restore',
  'partition',
  'drop',
  'delay',
  'next',
  'explore',
  'prove',
] as const
export type TaskAction = (typeof TASK_ACTIONS)[number]

/** Whether an action is done in the picture, and not by the checker. */
export function isOfPicture(action: TaskAction): boolean {
  return action !== 'explore' && action !== 'prove'
}

/** Changed fields of the scenario, then changes to the run, each to the run before it. */
export interface TaskSolution {
  /** The clauses of the invariant from which a proof succeeds; null where nothing is proved. */
  readonly clauses: readonly string[] | null
  readonly fields: ScenarioInput
  readonly changes: readonly Intervention[]
}

export type GoalValue = number | string | boolean | null

/** What a quantity must be: all that is given must hold. */
export interface GoalCondition {
  readonly equals?: GoalValue
  readonly not?: GoalValue
  readonly atLeast?: number
  readonly atMost?: number
  readonly above?: number
  readonly below?: number
  readonly near?: number
  readonly by?: number
}

/** Conditions by quantity, in the order of the file. */
export type LessonGoal = readonly (readonly [quantity: string, condition: GoalCondition])[]

/** A scenario with other fields; null removes one. */
export function changed(scenario: ScenarioInput, by: ScenarioInput): ScenarioInput {
  const merged = Object.entries({ ...scenario, ...by })
  return Object.fromEntries(merged.filter(([, value]) => value !== null))
}
