import { runTitle } from '../address/title.ts'
import { saveAs } from '../editor/saved-file.ts'
import { run } from '../model/lab.ts'

/** Saves a file that is named after the run, and after its view if there are several. */
export function save(blob: Blob, ending: string, view = ''): void {
  const title = runTitle(run.value)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  saveAs(blob, `${[title || 'run', view].filter(Boolean).join('-')}.${ending}`)
}
