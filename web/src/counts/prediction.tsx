import { useSignal } from '@preact/signals'
import { checkMark, grouped } from '../../../src/core/text-format.ts'
import type { Player } from '../model/player.ts'
import { type Guess, guess, guessFirst } from '../model/prediction.ts'
import type { Run } from '../model/run.ts'
import type { RunFacts } from '../recording/run-log.ts'
import { nodeName, sentenceStart } from '../view/describe-step.ts'

/** Asks for the leader and the number of messages before the play, and answers after it. */
export function Prediction({ run, player }: { readonly run: Run; readonly player: Player }) {
  const log = run.log.value
  const result = run.result.value
  const ended = result !== null && player.step.value >= run.known.value
  const toggle = () => {
    guessFirst.value = !guessFirst.value
    guess.value = null
    if (!guessFirst.value) return
    player.pause()
    player.toStep(0)
  }
  return (
    <div class="prediction">
      <button type="button" class="small" aria-pressed={guessFirst.value} onClick={toggle}>
        Guess first
      </button>
      {log !== null && guessFirst.value && guess.value === null && (
        <Question world={log.world} player={player} />
      )}
      {guess.value !== null && !ended && <p class="note">Your guess stands. Watch.</p>}
      {log !== null && guess.value !== null && ended && (
        <Answer world={log.world} guessed={guess.value} result={result} />
      )}
    </div>
  )
}

function Question({ world, player }: { readonly world: RunFacts; readonly player: Player }) {
  const leader = useSignal('')
  const messages = useSignal('')
  const elects = world.messageTypes > 0 && !world.algorithm.startsWith('gossip')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        guess.value = {
          leader: leader.value === '' ? null : Number(leader.value),
          messages: Number(messages.value),
        }
        player.play()
      }}
    >
      {elects && (
        <label>
          Which node will lead?
          <select
            value={leader.value}
            onChange={({ currentTarget }) => {
              leader.value = currentTarget.value
            }}
          >
            <option value="">no node, or several</option>
            {Array.from({ length: world.n }, (_, node) => (
              <option key={node} value={node}>
                {nodeName(world, node)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        How many messages in all?
        <input
          class="field"
          type="number"
          min={0}
          required
          value={messages.value}
          onInput={({ currentTarget }) => {
            messages.value = currentTarget.value
          }}
        />
      </label>
      <button type="submit" class="small primary">
        Play
      </button>
    </form>
  )
}

function Answer(props: {
  readonly world: RunFacts
  readonly guessed: Guess
  readonly result: NonNullable<Run['result']['value']>
}) {
  const { world, guessed, result } = props
  const { leader, messages } = result
  const off = Math.abs(messages.total - guessed.messages)
  const who = leader === null ? 'No node leads alone' : `${nodeName(world, leader.node)} leads`
  const right = (leader?.node ?? null) === guessed.leader
  return (
    <div role="status">
      {'leading' in result && (
        <p class={right ? 'right' : 'wrong'}>
          {checkMark(right)} {sentenceStart(who)}
          {right ? ', as you said.' : `; you said ${guessedLeader(world, guessed)}.`}
        </p>
      )}
      <p class={off === 0 ? 'right' : 'wrong'}>
        {checkMark(off === 0)} {grouped(messages.total)} messages
        {off === 0
          ? ', exactly as you said.'
          : `; you said ${grouped(guessed.messages)}, ${grouped(off)} ${
              guessed.messages > messages.total ? 'too many' : 'too few'
            }.`}
      </p>
    </div>
  )
}

function guessedLeader(world: RunFacts, { leader }: Guess): string {
  return leader === null ? 'no node would' : nodeName(world, leader)
}
