import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { inEditor } from '../editor/editor-panel.tsx'
import { saveDefinition } from '../editor/saved-file.ts'
import { player, run } from '../model/lab.ts'
import { save } from './download.ts'
import { type FilmProgress, gifOf, videoFormats, videoOf } from './film/film.ts'
import { type PictureView, pngOf, svgOf } from './pictures.ts'

const VIEWS: readonly PictureView[] = ['stage', 'diagram']

/** Pictures, films and data of the run. */
export function Files() {
  const trace = async () =>
    save(new Blob([await run.value.trace()], { type: 'application/jsonl' }), 'jsonl')
  const scenario = () => {
    const { whole, scenario: given } = run.value
    const json = `${JSON.stringify(whole.value ?? given, null, 2)}\n`
    save(new Blob([json], { type: 'application/json' }), 'json')
  }
  const code = inEditor.value ?? run.value.code
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
      <Films />
      <p class="bar">
        <span>Data</span>
        {code !== null && (
          <button type="button" onClick={() => saveDefinition(code.path, code.source)}>
            Algorithm (.ts)
          </button>
        )}
        {run.value.recording === null && (
          <button type="button" onClick={scenario}>
            Scenario (JSON)
          </button>
        )}
        {!cycles && (
          <button type="button" onClick={trace}>
            Event log (JSON lines)
          </button>
        )}
      </p>
    </section>
  )
}

const NAMES = { mp4: 'MP4', webm: 'WebM' } as const

/** Films take a while: how far one is, and a way to stop it. */
function Films() {
  const progress = useSignal<number | null>(null)
  const problem = useSignal('')
  const control = useRef<AbortController | null>(null)
  useEffect(() => () => control.current?.abort(), [])
  const make = async (film: (progress: FilmProgress) => Promise<Blob>, ending: string) => {
    const controller = new AbortController()
    control.current = controller
    progress.value = 0
    problem.value = ''
    const report = (share: number) => {
      if (!controller.signal.aborted) progress.value = share
    }
    try {
      save(await film({ signal: controller.signal, report }), ending)
    } catch {
      if (!controller.signal.aborted) problem.value = 'There is no run to film.'
    }
    if (control.current === controller) progress.value = null
  }
  const busy = progress.value !== null
  return (
    <>
      <p class="bar">
        <span>Film</span>
        {videoFormats().map((format) => (
          <button
            type="button"
            key={format}
            disabled={busy}
            onClick={() => make((film) => videoOf(run.value, format, film), format)}
          >
            {NAMES[format]}
          </button>
        ))}
        <button
          type="button"
          disabled={busy}
          onClick={() => make((film) => gifOf(run.value, film), 'gif')}
        >
          GIF
        </button>
      </p>
      {busy && (
        <p class="bar">
          <span />
          <progress aria-label="Film" value={progress.value ?? 0} />
          <button
            type="button"
            onClick={() => {
              control.current?.abort()
              progress.value = null
            }}
          >
            Cancel
          </button>
        </p>
      )}
      {problem.value !== '' && <p role="alert">{problem.value}</p>}
    </>
  )
}
