import {
  asData,
  EDITOR_FILES,
  namedFiles,
  SERVED_ONLY,
  singleFile,
} from '../../../src/cli/lab/single-file.ts'
import { runTitle } from '../address/title.ts'
import { currentDocument } from '../model/document.ts'
import { branches, run } from '../model/lab.ts'
import type { LabDocument, LinkedRun } from '../model/lab-document.ts'
import type { ShownRun } from '../model/run.ts'

/** Whether the page is one file already: it has no server, and its scripts are data. */
const inOneFile = import.meta.url.startsWith('data:')

/** The page as one file that opens with what is shown now, and works offline. */
export async function savedPage(): Promise<Blob> {
  const opened = JSON.stringify({ document: documentWithCode() })
  const html = inOneFile ? ownFile(opened) : await assembled(opened)
  return new Blob([titled(html)], { type: 'text/html' })
}

/** Own code is saved compiled too, since the compiler is large and not in the file. */
function documentWithCode(): LabDocument {
  const document = currentDocument()
  const compiled = (linked: LinkedRun, { code }: ShownRun): LinkedRun =>
    linked.own === undefined || code === null
      ? linked
      : { ...linked, own: { ...linked.own, compiled: code.compiled, lines: code.lines } }
  return {
    ...document,
    runs: document.runs.map((linked, i) => compiled(linked, branches.value[i])),
  }
}

async function assembled(opened: string): Promise<string> {
  const [page] = location.href.split(/[?#]/)
  const read = async (path: string) => (await fetch(new URL(path, page))).text()
  const html = await read('./')
  const files = await namedFiles(
    html,
    (name) => read(`assets/${name}`),
    (name) => !SERVED_ONLY.test(name) && !EDITOR_FILES.test(name),
  )
  return singleFile({ html, files }, opened)
}

/** The same from a page that is one file: all but what the page has made of itself. */
function ownFile(opened: string): string {
  const page = document.documentElement.cloneNode(true) as HTMLElement
  page.removeAttribute('style')
  page.querySelector('#lab')?.replaceChildren()
  for (const style of page.querySelectorAll('style:not([data-page])')) style.remove()
  const data = page.querySelector('#opened')
  if (data !== null) data.textContent = asData(opened)
  return `<!doctype html>\n${page.outerHTML}`
}

function titled(html: string): string {
  const title = runTitle(run.value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return html.replace(/<title>.*?<\/title>/, () => `<title>${title} · Conclave lab</title>`)
}
