import { runTitle } from '../address/title.ts'
import { run } from '../model/lab.ts'

/** Saves a file that is named after the run, and after its view if there are several. */
export function save(blob: Blob, ending: string, view = ''): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  const title = runTitle(run.value)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  link.download = `${[title || 'run', view].filter(Boolean).join('-')}.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
