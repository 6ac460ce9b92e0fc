import { grouped, momentText } from '../../../src/core/text-format.ts'
import { LANDMARKS, type Landmark, nextLandmark } from '../model/landmarks.ts'
import { type Player, SPEEDS } from '../model/player.ts'
import './time-bar.css'

const SIGNS: Readonly<Record<Landmark, string>> = { election: '★', crash: '✕', violation: '!' }

/** Play, step, jump and scrub. */
export function TimeBar({ player }: { readonly player: Player }) {
  const { step, playing, run, speed, time } = player
  const known = run.value.known.value
  const unit = run.value.log.value?.world.unit ?? 'time'
  const log = run.value.log.value
  const ahead = (landmark: Landmark) =>
    log !== null && nextLandmark(log, landmark, step.value) !== null
  const button = (label: string, sign: string, act: () => void) => (
    <button type="button" aria-label={label} title={label} onClick={act}>
      {sign}
    </button>
  )
  return (
    <footer class="time-bar">
      <div class="steps">
        {button('Moment before', '◀◀', () => player.moveMoments(-1))}
        {button('Event before', '◀', () => player.move(-1))}
        <button type="button" class="play" onClick={() => player.toggle()}>
          {playing.value ? 'Pause' : 'Play'}
        </button>
        {button('Next event', '▶', () => player.move(1))}
        {button('Next moment', '▶▶', () => player.moveMoments(1))}
      </div>
      <input
        type="range"
        aria-label="Step"
        min={0}
        max={known}
        value={step.value}
        onInput={({ currentTarget }) => {
          player.pause()
          player.toStep(Number(currentTarget.value))
        }}
      />
      <output class="place">
        {unit} {momentText(Math.floor(time.value * 10) / 10)}, step {grouped(step.value)} of{' '}
        {grouped(known)}
      </output>
      <div class="jumps">
        {LANDMARKS.map((landmark) => (
          <button
            type="button"
            key={landmark}
            aria-label={`Next ${landmark}`}
            aria-disabled={!ahead(landmark)}
            title={ahead(landmark) ? `Next ${landmark} (${landmark[0]})` : `No ${landmark} ahead`}
            onClick={() => player.jump(landmark)}
          >
            {SIGNS[landmark]}
          </button>
        ))}
      </div>
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
    </footer>
  )
}
