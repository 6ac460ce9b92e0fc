import type { Player } from '../model/player.ts'

/** Play, step and scrub. */
export function TimeBar({ player }: { readonly player: Player }) {
  const { step, playing, run, speed } = player
  const known = run.value.known.value
  return (
    <footer class="time-bar">
      <button type="button" onClick={() => player.moveMoments(-1)}>
        ◀◀ moment
      </button>
      <button type="button" onClick={() => player.move(-1)}>
        ◀ event
      </button>
      <button type="button" onClick={() => player.toggle()}>
        {playing.value ? 'Pause' : 'Play'}
      </button>
      <button type="button" onClick={() => player.move(1)}>
        event ▶
      </button>
      <button type="button" onClick={() => player.moveMoments(1)}>
        moment ▶▶
      </button>
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
      <output>
        step {step.value} of {known}
      </output>
      <select
        aria-label="Speed"
        value={speed.value}
        onChange={({ currentTarget }) => {
          speed.value = Number(currentTarget.value)
        }}
      >
        {[0.25, 0.5, 1, 2, 5, 10, 50].map((pace) => (
          <option key={pace} value={pace}>
            {pace}×
          </option>
        ))}
      </select>
    </footer>
  )
}
