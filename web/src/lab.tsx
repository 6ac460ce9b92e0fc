import { Checking } from './checker/checking.tsx'
import { Counts } from './counts/counts.tsx'
import { Coding, coding, reading } from './editor/editor-panel.tsx'
import { checking, counterexampleShown } from './model/check-outcome.ts'
import { compared, player, run } from './model/lab.ts'
import { diagramPresented } from './presentation/speaker.ts'
import { Stage } from './stage/stage.tsx'
import { Caption } from './view/caption.tsx'
import { cramped, embedded, parts, presenting, stacked } from './view/layout.ts'
import { firstPicture, lazy } from './view/lazy.tsx'
import { Legend } from './view/legend.tsx'
import { PartTabs } from './view/part-tabs.tsx'
import { TimeBar } from './view/time-bar.tsx'

const CodeView = lazy(async () => (await import('./code-view/code-view.tsx')).CodeView)
const Presentation = lazy(
  async () => (await import('./presentation/presentation.tsx')).Presentation,
)
const CounterexampleStage = lazy(
  async () => (await import('./prover/counterexample-stage.tsx')).CounterexampleStage,
)
const CounterexampleWords = lazy(
  async () => (await import('./prover/counterexample-words.tsx')).CounterexampleWords,
)
const RaceBoard = lazy(async () => (await import('./race/race-board.tsx')).RaceBoard)
const RunStanding = lazy(async () => (await import('./race/side-by-side.tsx')).RunStanding)
const SideBySide = lazy(async () => (await import('./race/side-by-side.tsx')).SideBySide)

// The stage comes first; what is around it has its place meanwhile.
const later = { after: firstPicture }
const Panel = lazy(async () => (await import('./panel/panel.tsx')).Panel, {
  ...later,
  waiting: () => <section class="panel" hidden={!parts.value.has('scenario')} />,
})
const Recorded = lazy(async () => (await import('./panel/panel.tsx')).Recorded, later)
const Diagram = lazy(async () => (await import('./diagram/diagram.tsx')).Diagram, {
  ...later,
  waiting: () => <section class="diagram" />,
})
const Inspector = lazy(async () => (await import('./inspector/inspector.tsx')).Inspector, later)
const ChoiceCard = lazy(
  async () => (await import('./interventions/choice-card.tsx')).ChoiceCard,
  later,
)
const InterventionPanel = lazy(
  async () => (await import('./interventions/intervention-panel.tsx')).InterventionPanel,
  later,
)

/** The lab: the stage with caption and clock, and the parts around it. */
export function Lab() {
  return (
    <>
      <LeftPanel />
      {counterexampleShown.value === null || presenting.value ? <RunScene /> : <Induction />}
      {stacked.value && <PartTabs />}
    </>
  )
}

/** A counterexample to induction in the place of the run. */
function Induction() {
  const shown = counterexampleShown.value!
  return (
    <>
      <main class="scene">
        <CounterexampleStage shown={shown} words={cramped.value} />
      </main>
      {!cramped.value && (
        <aside class="side" aria-label="Counterexample in words">
          <div>
            <CounterexampleWords shown={shown} />
          </div>
        </aside>
      )}
    </>
  )
}

function RunScene() {
  const shown = run.value
  return (
    <>
      <main class="scene">
        <Caption key={shown.serial} run={shown} player={player} />
        <Stages />
        <Legend run={shown} clock={player} />
        {(presenting.value ? diagramPresented.value : parts.value.has('diagram') && !embedded) &&
          (compared.value.length > 0 ? (
            <RaceBoard />
          ) : (
            <Diagram key={shown.serial} run={shown} player={player} />
          ))}
      </main>
      <Side />
      {presenting.value && <Presentation run={shown} player={player} />}
      <TimeBar player={player} />
    </>
  )
}

function closeCode(): void {
  reading.value = false
}

/** The scenario, or what takes its place: editor, checker, code, the facts of a recording. */
function LeftPanel() {
  if (coding.value) return <Coding />
  if (checking.value) return <Checking />
  if (reading.value) return <CodeView run={run.value} player={player} close={closeCode} />
  return run.value.recording ? <Recorded run={run.value} /> : <Panel />
}

/** The stage of the run, and of the one that it is compared with. */
function Stages() {
  const shown = run.value
  const refusal = shown.refusal.value
  if (shown.log.value === null && refusal !== null)
    return (
      <p role="alert" class="refused">
        {refusal.message}
      </p>
    )
  return (
    <div class="stages" tabIndex={-1}>
      <div>
        {compared.value.length > 0 && <RunStanding run={shown} clock={player} />}
        {refusal !== null && (
          <p role="alert" class="problem">
            {refusal.message}
          </p>
        )}
        <Stage key={shown.serial} run={shown} clock={player}>
          <ChoiceCard run={shown} player={player} />
        </Stage>
      </div>
      {compared.value.map((other) => (
        <SideBySide key={other.serial} run={other} clock={player} />
      ))}
    </div>
  )
}

/** Counts, and what is chosen with the changes to it. */
function Side() {
  const shown = run.value
  const [figures, changes] = [parts.value.has('figures'), parts.value.has('changes')]
  return (
    <aside class="side" hidden={!figures && !changes} aria-label="Counts and changes">
      <div hidden={!figures}>
        <Counts run={shown} player={player} />
      </div>
      <div hidden={!changes}>
        <Inspector run={shown} player={player} />
        <InterventionPanel run={shown} player={player} />
      </div>
    </aside>
  )
}
