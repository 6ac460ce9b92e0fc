import { Compare } from './compare/compare.tsx'
import { RunStanding, SideBySide } from './compare/side-by-side.tsx'
import { Counts } from './counts/counts.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { CodeButton, Coding, coding } from './editor/editor-panel.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { InterventionPanel } from './interventions/intervention-panel.tsx'
import { KeyList } from './keys/key-list.tsx'
import { compared, opening, player, problem, run } from './model/lab.ts'
import { Gallery } from './panel/gallery-dialog.tsx'
import { Panel, Recorded } from './panel/panel.tsx'
import { Sharing } from './sharing/sharing.tsx'
import { Stage } from './stage/stage.tsx'
import { Caption } from './view/caption.tsx'
import { cramped, embedded, parts, present, presenting } from './view/layout.ts'
import { Legend } from './view/legend.tsx'
import { TimeBar } from './view/time-bar.tsx'
import { TopBar } from './view/top-bar.tsx'
import './view/layout.css'

export function App() {
  const shown = run.value
  if (opening.value)
    return (
      <p role="status" class="opening">
        The link is being opened.
      </p>
    )
  const modes = [
    'lab',
    cramped.value && 'cramped',
    presenting.value && 'presenting',
    embedded && 'embedded',
    coding.value && 'coding',
  ]
  return (
    <div class={modes.filter(Boolean).join(' ')}>
      <TopBar>
        <Gallery />
        <Compare />
        <CodeButton />
        <Sharing />
        <KeyList />
      </TopBar>
      {problem.value !== null && (
        <p role="alert" class="problem">
          {problem.value}
        </p>
      )}
      {coding.value ? <Coding /> : shown.recording ? <Recorded run={shown} /> : <Panel />}
      <main class="scene">
        <Caption key={shown.serial} run={shown} player={player} />
        {shown.log.value === null && shown.refusal.value !== null ? (
          <p role="alert" class="refused">
            {shown.refusal.value.message}
          </p>
        ) : (
          <div class="stages">
            <div>
              {compared.value !== null && <RunStanding run={shown} clock={player} />}
              {shown.refusal.value !== null && (
                <p role="alert" class="problem">
                  {shown.refusal.value.message}
                </p>
              )}
              <Stage key={shown.serial} run={shown} clock={player} />
            </div>
            {compared.value !== null && (
              <SideBySide key={compared.value.serial} run={compared.value} clock={player} />
            )}
          </div>
        )}
        <Legend run={shown} />
        {parts.value.has('diagram') && !embedded && (
          <Diagram key={shown.serial} run={shown} player={player} />
        )}
      </main>
      <aside class="side" hidden={!parts.value.has('figures')} aria-label="Counts and changes">
        <Counts run={shown} player={player} />
        <Inspector run={shown} player={player} />
        <InterventionPanel run={shown} player={player} />
      </aside>
      <TimeBar player={player} />
      {(presenting.value || embedded) && <h1 class="unseen">Conclave lab</h1>}
      {presenting.value && !embedded && (
        <button type="button" class="leave" onClick={() => present(false)} title="Key: p">
          Leave presentation
        </button>
      )}
    </div>
  )
}
