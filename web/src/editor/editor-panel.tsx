import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import './editor.css'

/** Whether the editor is shown in place of the scenario's fields. */
export const coding = signal(false)
/** The editor is large: it is loaded on first use. */
const editor = signal<ComponentType<{ close: () => void }> | null>(null)
const missing = signal(false)

/** Shows the editor, which is fetched first. */
export async function startCoding(): Promise<void> {
  coding.value = true
  try {
    editor.value ??= (await import('./editor.tsx')).Editor
  } catch {
    missing.value = true
  }
}

export function CodeButton() {
  return (
    <button
      type="button"
      class="flat"
      aria-pressed={coding.value}
      onClick={() => {
        if (coding.value) coding.value = false
        else void startCoding()
      }}
    >
      Code
    </button>
  )
}

/** The editor, or a note while it loads. */
export function Coding() {
  const Editor = editor.value
  const close = () => {
    coding.value = false
  }
  return (
    <section class="panel">
      {Editor !== null ? (
        <Editor close={close} />
      ) : (
        <p role="status">
          {missing.value
            ? 'The editor is not in this file: export it with --with-editor.'
            : 'The editor is being fetched.'}
        </p>
      )}
    </section>
  )
}
