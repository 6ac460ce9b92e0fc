import { Breaking } from './breaking/breaking.tsx'
import { Counts } from './counts/counts.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { player, problem, run } from './model/lab.ts'
import { Panel } from './panel/panel.tsx'
import { Sharing } from './sharing/sharing.tsx'
import { Stage } from './stage/stage.tsx'
import { Caption } from './view/caption.tsx'
import { cramped, parts, present, presenting } from './view/layout.ts'
import { TimeBar } from './view/time-bar.tsx'
import { TopBar } from './view/top-bar.tsx'
import './view/layout.css'

export function App() {
  const shown = run.value
  const modes = ['lab', cramped.value && 'cramped', presenting.value && 'presenting']
  return (
    <div class={modes.filter(Boolean).join(' ')}>
      <TopBar>
        <Sharing />
      </TopBar>
      {problem.value !== null && (
        <p role="alert" class="problem">
          {problem.value}
        </p>
      )}
      <Panel />
      <main class="scene">
        <Caption run={shown} player={player} />
        {shown.refusal.value === null ? (
          <Stage run={shown} player={player} />
        ) : (
          <p role="alert">{shown.refusal.value.message}</p>
        )}
        {parts.value.has('diagram') && <Diagram run={shown} player={player} />}
      </main>
      <aside class="side" hidden={!parts.value.has('figures')} aria-label="Counts and changes">
        <Counts run={shown} player={player} />
        <Inspector run={shown} player={player} />
        <Breaking run={shown} player={player} />
      </aside>
      <TimeBar player={player} />
      {presenting.value && (
        <button type="button" class="leave" onClick={() => present(false)} title="Key: p">
          Leave presentation
        </button>
      )}
    </div>
  )
}
