import { useSignal } from '@preact/signals'
import { currentDocument } from '../model/document.ts'
import { player, run } from '../model/lab.ts'
import { Dialog } from '../view/dialog.tsx'
import { filmOf } from './film.ts'
import { fragmentOf } from './link.ts'
import { openFile } from './opening.ts'
import { type PictureView, pngOf, svgOf, titleOf } from './pictures.ts'
import './sharing.css'

/** Links, files and films. */
export function Sharing() {
  const open = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="flat"
        onClick={() => {
          open.value = true
        }}
      >
        Share
      </button>
      <Dialog title="Share and export" open={open} class="sharing">
        <Links />
        <Files />
        <Opening
          done={() => {
            open.value = false
          }}
        />
      </Dialog>
    </>
  )
}

/** The link to the current view, and an iframe of it for slides. */
function Links() {
  const address = useSignal('')
  const status = useSignal('')
  const make = async (frame: boolean) => {
    const { origin, pathname, protocol } = location
    const place = protocol === 'file:' ? location.href.split(/[?#]/)[0] : origin + pathname
    const fragment = await fragmentOf(currentDocument())
    const link = `${place}${frame ? '?embed' : ''}${fragment}`
    const text = frame
      ? `<iframe src="${link}" title="${titleOf(run.value)}" width="960" height="640"></iframe>`
      : link
    address.value = text
    if (!frame) history.replaceState(null, '', fragment)
    try {
      await navigator.clipboard.writeText(text)
      status.value = 'Copied.'
    } catch {
      status.value = 'Copy it from here:'
    }
  }
  return (
    <section>
      <h3>Link</h3>
      <p>It holds the whole scenario with its branches, own code and the moment that is shown.</p>
      <p class="bar">
        <button type="button" onClick={() => make(false)}>
          Copy the link
        </button>
        <button type="button" onClick={() => make(true)}>
          Copy a frame for slides
        </button>
        <output>{status.value}</output>
      </p>
      {address.value !== '' && (
        <textarea readOnly rows={3} aria-label="Link" value={address.value} />
      )}
    </section>
  )
}

const VIEWS: readonly PictureView[] = ['stage', 'diagram']

function Files() {
  const progress = useSignal<number | null>(null)
  const film = async () => {
    progress.value = 0
    save(await filmOf(run.value, (share) => (progress.value = share)), 'webm')
    progress.value = null
  }
  const trace = async () =>
    save(new Blob([await run.value.trace()], { type: 'application/jsonl' }), 'jsonl')
  const cycles = run.value.log.value?.world.unit === 'cycle'
  return (
    <section>
      <h3>Files</h3>
      {VIEWS.map((view) => (
        <p class="bar" key={view}>
          <span>{view === 'stage' ? 'Stage' : 'Diagram'}</span>
          <button type="button" onClick={() => save(svgOf(view, run.value, player), 'svg', view)}>
            SVG
          </button>
          <button
            type="button"
            onClick={async () => save(await pngOf(view, run.value, player), 'png', view)}
          >
            PNG
          </button>
        </p>
      ))}
      <p class="bar">
        <span>Run</span>
        <button type="button" disabled={progress.value !== null} onClick={film}>
          Film (WebM)
        </button>
        {!cycles && (
          <button type="button" onClick={trace}>
            Event log (JSON lines)
          </button>
        )}
        {progress.value !== null && <progress aria-label="Film" value={progress.value} />}
      </p>
    </section>
  )
}

function Opening({ done }: { readonly done: () => void }) {
  const error = useSignal('')
  return (
    <section>
      <h3>Open</h3>
      <label>
        A scenario, or a trace of <code>conclave run</code> or <code>conclave check</code>:{' '}
        <input
          type="file"
          accept=".json,.jsonl,.ndjson,.txt"
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file === undefined) return
            error.value = (await openFile(await file.text())) ?? ''
            if (error.value === '') done()
          }}
        />
      </label>
      {error.value !== '' && <p role="alert">{error.value}</p>}
    </section>
  )
}

function save(blob: Blob, ending: string, view = ''): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  const name = [run.value.log.value?.world.algorithm ?? 'run', view].filter(Boolean).join('-')
  link.download = `${name}.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
