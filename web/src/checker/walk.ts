import { batch, computed, effect, signal, untracked } from '@preact/signals'
import type { DrawnGraph, TransitionJson, WalkedPath } from '../../../src/check/index.ts'
import { checkOutcome } from '../model/check-outcome.ts'
import { askWalk } from '../model/checker.ts'
import { branches, player, run, shown } from '../model/lab.ts'
import { failureOf, ShownRun } from '../model/run.ts'
import type { RunFacts } from '../recording/run-log.ts'
import {
  type CheckedSubject,
  exploredRun,
  markShown,
  type SearchFailure,
  subject,
} from './exploration.ts'
import { explainedDetail, labelOf } from './transition-words.ts'

/** The most states of a graph that is drawn. */
export const MOST_DRAWN = 300

/** A walk through the states of a subject. */
export interface Walk {
  readonly subject: CheckedSubject
  readonly world: RunFacts
  readonly walked: WalkedPath
  /** The recording on the stage; null before the first step. */
  readonly run: ShownRun | null
  /** Steps of the recording after each transition, and before the first. */
  readonly stepsAfter: readonly number[]
}

export const walk = signal<Walk | null>(null)
/** How many transitions of the path have been taken where the stage is. */
export const cursor = signal(0)
export const walkFailure = signal<SearchFailure | null>(null)
/** All states; null where there are too many, or as long as they are not known. */
export const graph = signal<DrawnGraph | null>(null)
export const graphAsked = signal(false)

/** A state that a walk has seen. */
export interface SeenState {
  readonly key: string
  readonly path: readonly TransitionJson[]
  readonly walked: WalkedPath
}

/** States by their path, and those that were seen by their key, in the order of coming. */
const points = new Map<string, WalkedPath>()
export const seen = signal<ReadonlyMap<string, SeenState>>(new Map())

/** What is known of the state where the stage is; null while it is asked for. */
export const here = signal<WalkedPath | null>(null)

/** The path up to where the stage is. */
export const taken = computed(() => walk.value?.walked.transitions.slice(0, cursor.value) ?? [])

async function walkedAlong(
  about: CheckedSubject,
  path: readonly TransitionJson[],
): Promise<{ walked: WalkedPath; world: RunFacts } | null> {
  const { settings, code } = about
  const answer = await askWalk({ want: 'walk', settings, code, path })
  if (answer.what === 'walked') {
    points.set(JSON.stringify(path), answer.walked)
    return answer
  }
  if (answer.what === 'refused') walkFailure.value = { message: answer.message }
  if (answer.what === 'failed') walkFailure.value = failureOf(answer, code)
  return null
}

/** Begins at the initial state of the subject; the stage stays as it is until the first step. */
async function beginWalk(about: CheckedSubject): Promise<void> {
  batch(() => {
    points.clear()
    seen.value = new Map()
    walk.value = null
    here.value = null
    graph.value = null
    graphAsked.value = false
    walkFailure.value = null
    cursor.value = 0
  })
  const begun = await walkedAlong(about, [])
  if (begun === null || subject.value !== about) return
  batch(() => {
    walk.value = { subject: about, ...begun, run: null, stepsAfter: [0] }
    arrive(begun.walked)
  })
  const answer = await askWalk({ want: 'graph', ...about, most: MOST_DRAWN })
  if (answer.what !== 'graph' || subject.value !== about) return
  batch(() => {
    graph.value = answer.graph
    graphAsked.value = true
  })
}

/** Takes one of the transitions that can happen next. */
export async function take(transition: TransitionJson): Promise<void> {
  const { value } = walk
  if (value === null) return
  const { transitions } = value.walked
  const ahead = transitions[cursor.value]
  if (JSON.stringify(ahead) === JSON.stringify(transition)) walkTo(cursor.value + 1)
  else await follow([...taken.value, transition])
}

/** Shows a path of the model on the stage, at its end or after some of its transitions. */
export async function follow(path: readonly TransitionJson[], at = path.length): Promise<void> {
  const { value } = walk
  if (value === null) return
  const reached = await walkedAlong(value.subject, path)
  if (reached === null || walk.value?.subject !== value.subject) return
  batch(() => {
    show(walk.value!, reached.walked)
    walkTo(at)
  })
}

/** Goes to where so many transitions of the path have been taken. */
export function walkTo(transitions: number): void {
  const { value } = walk
  if (value === null) return
  const place = Math.min(Math.max(0, transitions), value.walked.transitions.length)
  batch(() => {
    cursor.value = place
    if (value.run !== null) {
      if (run.value !== value.run) shown.value = branches.value.indexOf(value.run)
      player.pause()
      player.toStep(value.stepsAfter[place])
    }
    lookAround()
  })
}

/** Puts the events of a path on the stage, in a branch of its own. */
function show(value: Walk, walked: WalkedPath): void {
  const { world, subject } = value
  const { events, snapshots, violated, eventsAfter } = walked
  const recording = {
    world,
    events,
    snapshots,
    ...(violated && {
      broken: {
        property: violated.property,
        detail: violationDetail(world, walked),
        events: eventsAfter[violated.after],
      },
    }),
  }
  let kept = value.run
  if (kept === null || !branches.value.includes(kept)) {
    const origin = { run: exploredRun.value, at: 0, change: 'a walk through its states' }
    kept = new ShownRun({}, subject.code, origin, null, recording)
    markShown(kept)
    branches.value = [...branches.value, kept]
  } else kept.record(recording)
  const log = kept.log.value!
  walk.value = {
    ...value,
    walked,
    run: kept,
    stepsAfter: eventsAfter.map((count) => log.stepsOfEvents(count)),
  }
}

/** How a property is violated, and who leads by then. */
export function violationDetail(world: RunFacts, { violated, leaders }: WalkedPath): string {
  if (violated === null) return ''
  const names = leaders.map((node) => labelOf(world, node))
  return names.length > 1
    ? `${names.join(' and ')} lead at once`
    : explainedDetail(violated.detail, world)
}

/** Finds out what can happen where the stage is. */
function lookAround(): void {
  const { value } = walk
  if (value === null) return
  const path = value.walked.transitions.slice(0, cursor.value)
  const known = points.get(JSON.stringify(path))
  if (known) arrive(known)
  else {
    here.value = null
    void walkedAlong(value.subject, path).then((found) => {
      if (found && JSON.stringify(taken.value) === JSON.stringify(path)) arrive(found.walked)
    })
  }
}

function arrive(walked: WalkedPath): void {
  const { transitions: path, key, violated, leaders } = walked
  here.value = walked
  if (!seen.value.has(key)) seen.value = new Map([...seen.value, [key, { key, path, walked }]])
  const { value } = walk
  if (value === null || path.length === 0) return
  const { settings } = value.subject
  checkOutcome.value = {
    by: 'walking',
    scenario: { algorithm: settings.algorithm, ...settings.given },
    violated: violated?.property ?? null,
    leaders: leaders.map((node) => labelOf(value.world, node)),
    steps: path.length,
    holds: violated ? false : null,
    exhausted: false,
    states: seen.value.size,
    worst: null,
  }
}

/** The walk follows the clock of the page: arrows and slider go along its path. */
export function followClock(): () => void {
  return effect(() => {
    const { value } = walk
    const step = player.step.value
    if (value === null || value.run === null || run.value !== value.run) return
    untracked(() => {
      const { stepsAfter } = value
      if (stepsAfter[cursor.value] === step) return
      cursor.value = stepsAfter.findLastIndex((steps) => steps <= step)
      lookAround()
    })
  })
}

/** A new subject is walked from its beginning. */
export function followSubjectByWalk(): () => void {
  let before: string | null = null
  return effect(() => {
    const about = subject.value
    const key = JSON.stringify([about?.settings, about?.code?.compiled])
    if (about === null || key === before) return
    before = key
    untracked(() => void beginWalk(about))
  })
}
