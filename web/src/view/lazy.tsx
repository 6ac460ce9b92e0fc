import { effect, signal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'
import { run } from '../model/lab.ts'

const FAILED = 'This part of the page could not be loaded. Reload the page.'

interface LazyOptions {
  /** What must have happened before it is loaded. */
  readonly after?: Promise<void>
  /** What takes its place until then, so that nothing moves. */
  readonly waiting?: () => VNode | null
}

/** A component that is loaded when it is first shown, from a chunk of its own. */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { after = Promise.resolve(), waiting = () => null }: LazyOptions = {},
): (props: Props) => VNode | null {
  const loaded = signal<{ readonly Component: ComponentType<Props> } | 'failed' | null>(null)
  let asked = false
  return (props) => {
    if (!asked) {
      asked = true
      after.then(load).then(
        (Component) => (loaded.value = { Component }),
        () => (loaded.value = 'failed'),
      )
    }
    const part = loaded.value
    if (part === null) return waiting()
    if (part === 'failed') return <p role="alert">{FAILED}</p>
    return <part.Component {...props} />
  }
}

/** Milliseconds after which the parts of the page are loaded though there is no picture. */
const PATIENCE = 1500
/** Hidden pages paint nothing. */
const HIDDEN = 300

/** The first run can be seen: what is around the stage is loaded after it. */
export const firstPicture = new Promise<void>((resolve) => {
  const seen = () => {
    if (performance.getEntriesByName('first picture').length === 0)
      performance.mark('first picture')
    resolve()
  }
  const end = effect(() => {
    const { log, refusal } = run.value
    if (log.value === null && refusal.value === null) return
    queueMicrotask(() => end())
    requestAnimationFrame(() => requestAnimationFrame(seen))
    setTimeout(seen, HIDDEN)
  })
  setTimeout(resolve, PATIENCE)
})
