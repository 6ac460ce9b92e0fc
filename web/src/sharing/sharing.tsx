import { useSignal } from '@preact/signals'
import { elsewhere, frameCode, isLocal, setElsewhere, sharedLink } from '../address/share-link.ts'
import { finishDialog } from '../view/dialogs.tsx'
import { save } from './download.ts'
import { Files } from './files.tsx'
import { openFile } from './opening.ts'
import { savedPage } from './saved-page.ts'
import './sharing.css'

/** Links, files and films. */
export function Sharing() {
  return (
    <>
      <Links />
      <SavedPage />
      <Files />
      <Opening />
    </>
  )
}

/** The link to the current view, and an iframe of it for slides. */
function Links() {
  const address = useSignal('')
  const status = useSignal('')
  const make = async (framed: boolean) => {
    const text = await (framed ? frameCode() : sharedLink())
    address.value = text
    try {
      await navigator.clipboard.writeText(text)
      status.value = 'Copied.'
    } catch {
      status.value = 'Copy it from here:'
    }
  }
  const local = isLocal() && elsewhere.value === ''
  return (
    <section>
      <h3>Link</h3>
      <p>
        It holds the whole scenario with its branches, own code and the moment that is shown. The
        address of the page is the same link, always.
      </p>
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
      {local && (
        <p class="local-note">
          This page is on your computer only, so the link opens nowhere else. Give others the file
          below, or the address under which they have the lab:
        </p>
      )}
      {isLocal() && (
        <label class="elsewhere">
          Address of the lab for others
          <input
            class="field"
            type="url"
            placeholder="https://example.org/lab/"
            value={elsewhere.value}
            onInput={({ currentTarget }) => {
              setElsewhere(currentTarget.value)
              address.value = ''
              status.value = ''
            }}
          />
        </label>
      )}
    </section>
  )
}

/** The page with this run in one file. */
function SavedPage() {
  const status = useSignal('')
  const make = async () => {
    status.value = 'The file is being put together.'
    try {
      const page = await savedPage()
      save(page, 'html')
      status.value = `${Math.round(page.size / 1024)} KB.`
    } catch {
      status.value = 'The page cannot be saved: its server does not answer.'
    }
  }
  return (
    <section>
      <h3>One file</h3>
      <p>
        The whole lab with this run in it. It opens in any browser, without a server or network.
      </p>
      <p class="bar">
        <button type="button" onClick={make}>
          Save this run as one HTML file
        </button>
        <output>{status.value}</output>
      </p>
    </section>
  )
}

function Opening() {
  const error = useSignal('')
  return (
    <section>
      <h3>Open</h3>
      <label class="choose-file">
        <span>
          A scenario, a trace of <code>conclave run</code> or <code>conclave check</code>, or your
          own algorithm (.ts):
        </span>
        <input
          type="file"
          accept=".json,.jsonl,.ndjson,.txt,.ts,.js,.mjs"
          onChange={async ({ currentTarget }) => {
            const [file] = currentTarget.files ?? []
            if (file === undefined) return
            const wrong = openFile(await file.text(), null, file.name)
            // A question about foreign code takes the place of the dialog.
            if (/s$/.test(file.name)) finishDialog()
            error.value = (await wrong) ?? ''
            if (error.value === '') finishDialog()
          }}
        />
      </label>
      {error.value !== '' && <p role="alert">{error.value}</p>}
    </section>
  )
}
