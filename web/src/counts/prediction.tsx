import { useSignal } from '@preact/signals'
import { checkMark, grouped } from '../../../src/core/text-format.ts'
import { offeredAlgorithm } from '../model/algorithm-list.ts'
import type { Player } from '../model/player.ts'
import { type Guess, guess, guessFirst, judgeMessages } from '../model/prediction.ts'
import type { ShownRun } from '../model/run.ts'
import type { RunFrame } from '../recording/frame.ts'
import { nodeName, sentenceStart } from '../words/names.ts'

interface Props {
  readonly run: ShownRun
  readonly player: Player
}

/** Asks for the leader and the number of messages before the play, and answers after it. */
export function Prediction({ run, player }: Props) {
  run.known.value
  const frame = run.frame(player.step.value)
  const result = run.result.value
  const ended = result !== null && player.step.value >= run.known.value
  if (frame?.log.world.unit === 'interaction') return null
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
      {frame !== null && guessFirst.value && guess.value === null && (
        <Question frame={frame} player={player} />
      )}
      {frame !== null && guess.value !== null && !ended && (
        <p class="note">Your guess: {guessedWords(frame, guess.value)}. Watch.</p>
      )}
      {frame !== null && guess.value !== null && ended && (
        <Answer frame={frame} guessed={guess.value} result={result} />
      )}
    </div>
  )
}

function Question({ frame, player }: { readonly frame: RunFrame; readonly player: Player }) {
  const leader = useSignal('')
  const messages = useSignal('')
  const { world } = frame.log
  const elects = world.messageTypes > 0 && offeredAlgorithm(world.algorithm)?.network !== 'gossip'
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
                {sentenceStart(nodeName(frame, node))}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        About how many messages in all?
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
  readonly frame: RunFrame
  readonly guessed: Guess
  readonly result: NonNullable<ShownRun['result']['value']>
}) {
  const { frame, guessed, result } = props
  const { leader, messages } = result
  const who = leader === null ? 'no node leads alone' : `${nodeName(frame, leader.node)} leads`
  const right = (leader?.node ?? null) === guessed.leader
  const near = judgeMessages(guessed.messages, messages.total)
  return (
    <div role="status">
      {'leading' in result && (
        <p class={right ? 'right' : 'wrong'}>
          {checkMark(right)} {sentenceStart(who)}
          {right ? ', as you said.' : `; you said ${leaderWords(frame, guessed)}.`}
        </p>
      )}
      <p class={near.right ? 'right' : 'wrong'}>
        {checkMark(near.right)} {near.words}
      </p>
    </div>
  )
}

function guessedWords(frame: RunFrame, guessed: Guess): string {
  const leads = guessed.leader === null ? 'no node leads alone' : leaderWords(frame, guessed)
  return `${leads}, about ${grouped(guessed.messages)} messages`
}

function leaderWords(frame: RunFrame, { leader }: Guess): string {
  return leader === null ? 'no node would' : `${nodeName(frame, leader)} leads`
}
