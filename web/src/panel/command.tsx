import { useSignal } from '@preact/signals'
import { commandLine } from '../../../src/scenario/command-line.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { branches, run } from '../model/lab.ts'
import type { ShownRun } from '../model/run.ts'
import { draft } from './draft.ts'

/** The command that gives the same run in a terminal. */
export function Command() {
  const copied = useSignal(false)
  const { algorithm } = draft.value
  const [root] = branches.value
  if (root.code !== null || algorithm === undefined) return null
  const line = commandLine('run', String(algorithm), {
    ...draft.value,
    ...changesIn(run.value, root),
  })
  const copy = async () => {
    await navigator.clipboard.writeText(line)
    copied.value = true
    setTimeout(() => {
      copied.value = false
    }, 1500)
  }
  return (
    <section class="command" aria-label="The same in a terminal">
      <h3>The same in a terminal</h3>
      <code>{line}</code>
      <button type="button" class="small" onClick={copy}>
        {copied.value ? 'Copied' : 'Copy'}
      </button>
    </section>
  )
}

/** The fields in which a branch differs from its scenario. */
export function changesIn(branch: ShownRun, root: ShownRun): ScenarioInput {
  if (branch === root || branch.whole.value === null) return {}
  const former: ScenarioInput = { ...root.whole.value }
  const fields = Object.entries(branch.whole.value)
  return Object.fromEntries(
    fields.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(former[name])),
  )
}
