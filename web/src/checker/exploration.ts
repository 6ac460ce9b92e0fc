import { batch, computed, effect, signal } from '@preact/signals'
import type { WorstReport } from '../../../src/api/worst-report.ts'
import { overallVerdict, type SearchProgress } from '../../../src/check/index.ts'
import { MOST_STATES } from '../../../src/check/options.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import type { CheckerAnswer, CheckSettings, StateEstimate } from '../engine/checker/protocol.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { algorithmOfRun } from '../model/algorithm-list.ts'
import { checkOutcome } from '../model/check-outcome.ts'
import { startChecker } from '../model/checker.ts'
import { branches, run } from '../model/lab.ts'
import { type Code, failureOf, type ShownRun } from '../model/run.ts'
import { changesIn } from '../panel/command.tsx'
import { type DerivedSettings, derivedSettings } from './check-settings.ts'
import { labelOf } from './transition-words.ts'

/** What is explored: settings with the code that they are about, and the run they are made of. */
export interface CheckedSubject {
  readonly settings: CheckSettings
  readonly code: Code | null
}

/** A search that is going on. */
export interface RunningSearch {
  readonly progress: SearchProgress | null
  readonly since: number
  readonly now: number
}

/** A result with what it is about. */
export interface Explored extends Extract<CheckerAnswer, { what: 'explored' }> {
  readonly subject: CheckedSubject
  readonly seconds: number
}

export type SearchFailure = ReturnType<typeof failureOf>

/** Runs that the checker has put on the stage: they are not what is explored. */
const shownByChecker = new WeakSet<ShownRun>()

export function markShown(run: ShownRun): void {
  shownByChecker.add(run)
}

let latest: ShownRun | null = null

/** The run that is explored: the one on the stage, or the last one that the checker replaced. */
export const exploredRun = computed<ShownRun>(() => {
  const shown = run.value
  if (!shownByChecker.has(shown) && shown.recording === null) latest = shown
  return latest !== null && branches.value.includes(latest) ? latest : branches.value[0]
})

/** The scenario from which branches come. */
const root = computed(() => branches.value[0])

const derived = computed<DerivedSettings | null>(() => {
  const shown = exploredRun.value
  const whole = shown.whole.value
  const world = shown.log.value?.world
  if (whole === null || world === undefined) return null
  const entry = algorithmOfRun(shown)
  if (entry === null) return null
  return derivedSettings({
    algorithm: whole.algorithm,
    fields: { ...root.value.scenario, ...changesIn(shown, root.value) },
    n: world.n,
    timing: whole.timing,
    ring: world.kind === 'ring',
    time: entry.time,
    checked: entry.checked,
  })
})

/** What of the scenario the checker leaves out, in words. */
export const leftOut = computed(() => derived.value?.left ?? [])

/** The changes of the user to the settings; they end with the scenario. */
const changed = signal<{ readonly of: DerivedSettings; readonly settings: CheckSettings } | null>(
  null,
)

/** The order of messages where the settings say nothing. */
export const usualOrder = computed(() => algorithmOfRun(exploredRun.value)?.checked.order ?? 'fifo')

/** What is explored now; null until the scenario is known. */
export const subject = computed<CheckedSubject | null>(() => {
  if (derived.value === null) return null
  const settings =
    changed.value?.of === derived.value ? changed.value.settings : derived.value.settings
  return { settings, code: exploredRun.value.code }
})

export function isChanged(): boolean {
  return changed.value !== null && changed.value.of === derived.value
}

export function resetSettings(): void {
  changed.value = null
}

/** Changes fields of the settings; undefined removes one. */
export function adjust(part: 'given' | 'asked', fields: ScenarioInput): void {
  if (derived.value === null || subject.value === null) return
  const { settings } = subject.value
  const kept = Object.entries({ ...settings[part], ...fields })
  changed.value = {
    of: derived.value,
    settings: {
      ...settings,
      [part]: Object.fromEntries(kept.filter(([, value]) => value !== undefined)),
    },
  }
}

/** Changes the number of nodes. */
export function adjustSize(n: number): void {
  const { topology, ids, ...given } = subject.value?.settings.given ?? {}
  const [kind] = String(topology ?? '').split(':')
  const listed = Array.isArray(ids) ? ids : /^[\d, ]+$/.test(String(ids)) && String(ids).split(',')
  const fewer = listed ? (listed.length < n ? undefined : listed.slice(0, n).join()) : ids
  const sized = topology === undefined ? { n } : { topology: `${kind}:${n}` }
  adjust('given', { ...given, topology: undefined, n: undefined, ids: fewer, ...sized })
}

/** The limit of states, and which worst case is computed. */
export const mostStates = signal(MOST_STATES)
export const worst = signal<WorstReport['of'] | null>(null)

export const search = signal<RunningSearch | null>(null)
export const found = signal<Explored | null>(null)
export const failure = signal<SearchFailure | null>(null)
export const estimate = signal<StateEstimate | null>(null)

let end = () => {}
let endEstimate = () => {}

export function stopSearch(): void {
  end()
  search.value = null
}

/** Explores the subject; the verdict before it vanishes. */
export function exploreSubject(): void {
  const about = subject.value
  if (about === null) return
  const { settings, code } = about
  stopSearch()
  const since = performance.now()
  const beat = setInterval(() => {
    if (search.value !== null) search.value = { ...search.value, now: performance.now() }
  }, 500)
  batch(() => {
    found.value = null
    failure.value = null
    search.value = { progress: null, since, now: since }
  })
  const request = { want: 'explore', settings, code, states: mostStates.value, worst: worst.value }
  const stop = startChecker(request as never, (answer) => {
    if (answer.what === 'progress')
      search.value = { progress: answer.progress, since, now: performance.now() }
    else finish(answer, about, (performance.now() - since) / 1000)
  })
  end = () => {
    clearInterval(beat)
    stop()
  }
}

function finish(answer: EngineAnswer, about: CheckedSubject, seconds: number): void {
  end()
  batch(() => {
    search.value = null
    if (answer.what === 'explored') {
      found.value = { ...answer, subject: about, seconds }
      checkOutcome.value = outcomeOf(found.value)
    }
    if (answer.what === 'refused') failure.value = { message: answer.message }
    if (answer.what === 'failed') failure.value = failureOf(answer, about.code)
  })
}

function outcomeOf({ result, worst, world, subject }: Explored) {
  const { violated, states, exhausted, properties } = result
  const leading = new Set<number>()
  for (const { event, node } of violated?.events ?? [])
    if (event === 'lead') leading.add(node)
    else if (event === 'withdraw' || event === 'crash' || event === 'follow') leading.delete(node)
  const most = worst?.figures[0]?.most ?? null
  return {
    by: 'exploring' as const,
    scenario: { algorithm: subject.settings.algorithm, ...subject.settings.given },
    violated: violated?.property ?? properties.find(({ holds }) => holds === false)?.name ?? null,
    leaders: [...leading].map((node) => labelOf(world, node)),
    steps: violated?.trace.length ?? 0,
    holds: overallVerdict(result),
    exhausted,
    states,
    worst: worst && { of: worst.of, most: typeof most === 'number' ? most : null },
  }
}

/** Milliseconds without a change after which the number of states is estimated. */
const ESTIMATE_PAUSE_MS = 300

/** Follows the subject: old verdicts vanish, and the number of its states is estimated. */
export function followSubject(): () => void {
  let waiting = 0
  let before: string | null = null
  const stop = effect(() => {
    const about = subject.value
    const key = JSON.stringify([about?.settings, about?.code?.compiled])
    if (key === before) return
    before = key
    clearTimeout(waiting)
    endEstimate()
    queueMicrotask(() => {
      stopSearch()
      batch(() => {
        if (found.value?.subject !== about) found.value = null
        failure.value = null
        estimate.value = null
        checkOutcome.value = null
      })
    })
    if (about === null) return
    waiting = window.setTimeout(() => {
      const { settings, code } = about
      endEstimate = startChecker({ want: 'estimate', settings, code }, (answer) => {
        if (answer.what === 'estimated') estimate.value = answer.estimate
        if (answer.what === 'refused') failure.value = { message: answer.message }
        if (answer.what === 'failed') failure.value = failureOf(answer, code)
      })
    }, ESTIMATE_PAUSE_MS)
  })
  return () => {
    stop()
    clearTimeout(waiting)
    endEstimate()
    stopSearch()
  }
}
