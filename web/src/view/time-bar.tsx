import { grouped, momentText } from '../../../src/core/text-format.ts'
import { LANDMARKS, type Landmark, nextLandmark, type Player, SPEEDS } from '../model/player.ts'
import { isSecret } from '../model/prediction.ts'
import { Icon, type IconName } from './icon.tsx'
import './time-bar.css'

const SIGNS: Readonly<Record<Landmark, IconName>> = {
  election: 'crown',
  crash: 'crash',
  violation: 'violation',
}

/** Play, step, jump and scrub. */
export function TimeBar({ player }: { readonly player: Player }) {
  const { playing, speed } = player
  return (
    <footer class="time-bar">
      <div>
        <div class="steps">
          <StepButton
            name="Moment before"
            icon="moment-before"
            act={() => player.moveMoments(-1)}
          />
          <StepButton name="Event before" icon="back" act={() => player.move(-1)} />
          <button
            type="button"
            class="play primary"
            aria-label={playing.value ? 'Pause' : 'Play'}
            title={`${playing.value ? 'Pause' : 'Play'} (Space)`}
            onClick={() => player.toggle()}
          >
            <Icon name={playing.value ? 'pause' : 'play'} />
            <span>{playing.value ? 'Pause' : 'Play'}</span>
          </button>
          <StepButton name="Next event" icon="step" act={() => player.move(1)} />
          <StepButton name="Next moment" icon="moment-next" act={() => player.moveMoments(1)} />
        </div>
        <TimeSlider player={player} />
        <PlaceInRun player={player} />
        <Jumps player={player} />
        <select
          aria-label="Speed"
          value={speed.value}
          onChange={({ currentTarget }) => {
            speed.value = Number(currentTarget.value)
          }}
        >
          {SPEEDS.map((pace) => (
            <option key={pace} value={pace}>
              {pace}×
            </option>
          ))}
        </select>
      </div>
    </footer>
  )
}

function StepButton(props: { name: string; icon: IconName; act: () => void }) {
  return (
    <button
      type="button"
      class="flat"
      aria-label={props.name}
      title={props.name}
      onClick={props.act}
    >
      <Icon name={props.icon} />
    </button>
  )
}

/** Moves the clock; it goes by time, as the diagram does. */
function TimeSlider({ player }: { readonly player: Player }) {
  const { run, step, time } = player
  const known = run.value.known.value
  return (
    <input
      type="range"
      class="clock"
      aria-label="Time"
      aria-valuetext={`${momentOf(player)}, step ${step.value}${ofSteps(player)}`}
      min={0}
      max={known === 0 ? 0 : Math.max(player.last(), 0)}
      step="any"
      value={time.value}
      onInput={({ currentTarget }) => {
        player.pause()
        if (currentTarget.valueAsNumber <= 0) player.toStep(0)
        else player.toTime(currentTarget.valueAsNumber)
      }}
    />
  )
}

/** The time and the step; the step can be typed. */
function PlaceInRun({ player }: { readonly player: Player }) {
  const { run, step } = player
  const known = run.value.known.value
  const unit = run.value.log.value?.world.unit
  return (
    <div class="place" style={{ '--digits': String(known).length }}>
      {unit !== 'step' && <output>{momentOf(player)}</output>}
      <span>step</span>
      <input
        class="field"
        type="number"
        aria-label="Step"
        min={0}
        max={known}
        value={step.value}
        onInput={({ currentTarget }) => {
          player.pause()
          if (currentTarget.value !== '') player.toStep(currentTarget.valueAsNumber)
        }}
      />
      <span>{ofSteps(player)}</span>
    </div>
  )
}

function Jumps({ player }: { readonly player: Player }) {
  const { run, step } = player
  run.value.known.value
  const log = run.value.log.value
  return (
    <div class="jumps">
      {LANDMARKS.map((landmark) => {
        const ahead = log !== null && nextLandmark(log, landmark, step.value) !== null
        return (
          <button
            type="button"
            class="flat"
            key={landmark}
            aria-label={`Next ${landmark}`}
            aria-disabled={!ahead}
            title={ahead ? `Next ${landmark} (${landmark[0]})` : `No ${landmark} ahead`}
            onClick={() => player.jump(landmark)}
          >
            <Icon name={SIGNS[landmark]} />
          </button>
        )
      })}
    </div>
  )
}

/** The number of steps; it would tell the number of messages that is to be guessed. */
function ofSteps(player: Player): string {
  const run = player.run.value
  return isSecret(run, player) ? '' : ` of ${grouped(run.known.value)}`
}

function momentOf({ run, time }: Player): string {
  const unit = run.value.log.value?.world.unit ?? 'time'
  return `${unit} ${momentText(Math.floor(time.value * 10) / 10)}`
}
