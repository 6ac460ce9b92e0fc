import { coding } from '../editor/editor-panel.tsx'
import { checking } from '../model/check-outcome.ts'
import { cramped, parts } from '../view/layout.ts'
import { lazy } from '../view/lazy.tsx'

/** The checker is loaded when it is first opened. */
const Checker = lazy(async () => (await import('./checker.tsx')).Checker)

/** What a task needs of it. */
export const TaskChecker = lazy(async () => (await import('./checker.tsx')).TaskChecker)

export function toggleChecking(): void {
  coding.value = false
  checking.value = !checking.value
  if (checking.value && cramped.value) parts.value = new Set()
}

/** The checker in the place of the scenario. */
export function Checking() {
  return (
    <section class="panel" aria-label="Checker">
      <Checker />
    </section>
  )
}
