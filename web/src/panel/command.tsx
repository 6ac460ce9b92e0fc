import { useSignal } from '@preact/signals'
import { commandLine } from '../../../src/scenario/command-line.ts'
import { branches } from '../model/lab.ts'
import { draft } from './draft.ts'

/** The command that gives the same run in a terminal. */
export function Command() {
  const copied = useSignal(false)
  const { algorithm } = draft.value
  if (branches.value[0].code !== null || algorithm === undefined) return null
  const line = commandLine('run', String(algorithm), draft.value)
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
