import { effect } from '@preact/signals'
import { run } from '../model/lab.ts'

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
