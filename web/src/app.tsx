import { Breaking } from './breaking/breaking.tsx'
import { Counts } from './counts/counts.tsx'
import { Diagram } from './diagram/diagram.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { player, run } from './model/lab.ts'
import { Panel } from './panel/panel.tsx'
import { Sharing } from './sharing/sharing.tsx'
import { Stage } from './stage/stage.tsx'
import { TimeBar } from './view/time-bar.tsx'

export function App() {
  const { refusal } = run.value
  return (
    <div class="lab">
      <header class="top">
        <h1>Conclave lab</h1>
        <Sharing />
      </header>
      <Panel />
      <main class="scene">
        {refusal.value === null ? (
          <Stage run={run.value} player={player} />
        ) : (
          <p role="alert">{refusal.value.message}</p>
        )}
        <Diagram run={run.value} player={player} />
      </main>
      <aside class="side">
        <Counts run={run.value} player={player} />
        <Inspector run={run.value} player={player} />
        <Breaking run={run.value} player={player} />
      </aside>
      <TimeBar player={player} />
    </div>
  )
}
