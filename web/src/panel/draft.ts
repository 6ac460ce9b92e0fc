import { computed, effect, signal } from '@preact/signals'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { offeredAlgorithm } from '../model/algorithm-list.ts'
import { begin, branches, player, replaceBranches } from '../model/lab.ts'
import { type Code, type Refusal, ShownRun } from '../model/run.ts'

/** Milliseconds without typing after which the draft is tried. */
const PAUSE = 400

/** The scenario in the form. If the engine rejects it, the last accepted run stays. */
export const draft = signal<ScenarioInput>({})
/** Why the engine rejects the draft. */
export const draftError = computed(() => refused.value ?? branches.value[0].refusal.value)
/** The scenario that is shown with every default; empty while it belongs to another algorithm. */
export const whole = computed<ScenarioInput>(() => {
  const [root] = branches.value
  return root.scenario.algorithm === draft.value.algorithm ? { ...root.whole.value } : {}
})

/** The algorithm of the draft: own code, or one of the catalogue; null for neither. */
export const entry = computed(() => {
  const [root] = branches.value
  return code.value === null ? offeredAlgorithm(draft.value.algorithm) : root.own.value
})

const refused = signal<Refusal | null>(null)
const code = signal<Code | null>(null)
let own: ShownRun | null = null
let trial: ShownRun | null = null
let waiting = 0

// A newly opened scenario replaces the draft.
effect(() => {
  const [root] = branches.value
  if (root === own) return
  clearTimeout(waiting)
  trial?.end()
  trial = null
  own = root
  code.value = root.code
  draft.value = root.scenario
  refused.value = null
})

/** Changes fields of the draft; undefined removes a field. The draft is tried after a pause. */
export function change(fields: ScenarioInput): void {
  draft.value = without({ ...draft.value, ...fields })
  clearTimeout(waiting)
  waiting = window.setTimeout(tryOut, PAUSE)
}

/** Begins a draft of another algorithm. */
export function begins(fields: ScenarioInput): void {
  code.value = null
  draft.value = without(fields)
  tryOut()
}

/** Tries the draft at once. The last accepted run stays until the engine accepts the draft. */
export function tryOut(): void {
  clearTimeout(waiting)
  if (draft.value === (trial ?? own)?.scenario) return
  trial?.end()
  const attempt = new ShownRun(draft.value, code.value)
  trial = attempt
  const done = effect(() => {
    const { log, refusal } = attempt
    if (log.value === null && refusal.value === null) return
    queueMicrotask(() => {
      done()
      if (trial === attempt) settle(attempt)
    })
  })
}

function settle(attempt: ShownRun): void {
  refused.value = attempt.refusal.value
  if (attempt.refusal.value !== null) return
  trial = null
  own = attempt
  // A run that waits at its beginning is being prepared: so does the next one.
  const waits = !player.playing.value && player.step.value === 0
  replaceBranches([attempt])
  if (!waits) begin()
}

function without(fields: ScenarioInput): ScenarioInput {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
