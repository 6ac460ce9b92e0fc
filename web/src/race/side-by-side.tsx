import { useMemo } from 'preact/hooks'
import { counted } from '../../../src/core/text-format.ts'
import { algorithmOfRun } from '../model/algorithm-list.ts'
import { clockOf, type RunClock } from '../model/clock.ts'
import { branches, toggleCompared } from '../model/lab.ts'
import type { ShownRun } from '../model/run.ts'
import { Stage } from '../stage/stage.tsx'
import { Icon } from '../view/icon.tsx'
import { branchName } from '../words/names.ts'
import './race.css'

/** Another run on the same clock. */
export function SideBySide({ run, clock }: { readonly run: ShownRun; readonly clock: RunClock }) {
  const own = useMemo(() => clockOf(run, clock), [run, clock])
  return (
    <div class="side-by-side">
      <RunStanding run={run} clock={own}>
        <button
          type="button"
          class="flat"
          aria-label="Stop comparing"
          onClick={() => toggleCompared(run)}
        >
          <Icon name="close" />
        </button>
      </RunStanding>
      {run.refusal.value === null ? (
        <Stage run={run} clock={own} />
      ) : (
        <p role="alert">{run.refusal.value.message}</p>
      )}
    </div>
  )
}

/** A run in few words: its change where it is a branch, else its algorithm. */
export function nameOf(run: ShownRun): string {
  const isBranch = branches.value.length > 1 && branches.value.includes(run)
  if (isBranch) return branchName(run)
  return (
    algorithmOfRun(run)?.title ?? run.log.value?.world.algorithm ?? String(run.scenario.algorithm)
  )
}

/** The name and the progress of a run, above its stage. */
export function RunStanding({
  run,
  clock,
  children,
}: {
  readonly run: ShownRun
  readonly clock: RunClock
  readonly children?: preact.ComponentChildren
}) {
  run.known.value
  const frame = run.frame(clock.step.value)
  if (frame === null) return null
  const { unit } = frame.log.world
  const words = nameOf(run)
  const total = run.result.value?.messages.total
  return (
    <p class="standing">
      <strong title={words}>{words}</strong>
      <span class="count">
        {unit === 'cycle'
          ? `cycle ${Math.floor(clock.time.value)}`
          : unit === 'interaction'
            ? `${counted(frame.leaders.length, 'leader')} after ${meetings(clock)}`
            : `${frame.messages}${total === undefined ? '' : ` of ${total}`} messages`}
      </span>
      {children}
    </p>
  )
}

function meetings({ time }: RunClock): string {
  return counted(Math.floor(time.value), 'interaction')
}
