import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { checking } from '../model/check-outcome.ts'
import './editor.css'

/** Whether the editor is shown in place of the scenario's fields. */
export const coding = signal(false)
/** The text in the editor while it is open. */
export const inEditor = signal<{ readonly path: string; readonly source: string } | null>(null)
/** The editor is large: it is loaded on first use. */
const editor = signal<ComponentType<{ close: () => void }> | null>(null)
const missing = signal(false)

/** Shows the editor, which is fetched first. */
export async function startCoding(): Promise<void> {
  coding.value = true
  checking.value = false
  try {
    editor.value ??= (await import('./editor.tsx')).Editor
  } catch {
    missing.value = true
  }
}

/** Whether the code with what has just run is shown there. */
export const reading = signal(false)

/** Shows or hides the code, or hides the editor. */
export function toggleCode(): void {
  if (coding.value) coding.value = false
  else reading.value = !reading.value
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
