import { checkMark, counted, grouped, momentText } from '../../../src/core/text-format.ts'
import { Formula } from '../formula/formula.tsx'
import { algorithmOfRun } from '../model/algorithm-list.ts'
import type { Player } from '../model/player.ts'
import { isSecret } from '../model/prediction.ts'
import type { ShownRun } from '../model/run.ts'
import type { RunFrame } from '../recording/frame.ts'
import { momentName } from '../words/describe-step.ts'
import { Prediction } from './prediction.tsx'
import { progress, typeCounts } from './tally.ts'
import './counts.css'
import type { Verdict } from '../../../src/core/index.ts'
import { detailWords } from '../words/names.ts'

interface Props {
  readonly run: ShownRun
  readonly player: Player
}

/** Messages, bits and time so far, against the proven bounds. */
export function Counts({ run, player }: Props) {
  return (
    <section class="counts" aria-label="Counts">
      <h2 class="unseen">Counts</h2>
      {run.log.value !== null && (
        <>
          <Messages run={run} player={player} />
          {!isSecret(run, player) && <Bounds run={run} player={player} />}
        </>
      )}
      {run.recording === null && <Prediction run={run} player={player} />}
      <VerdictList run={run} player={player} />
    </section>
  )
}

function Messages({ run, player }: Props) {
  const frame = frameOf(run, player)
  const result = run.result.value
  const { log, step } = frame
  // Cycles have no messages of their own: the equivalent number is known at the end.
  const inCycles = log.world.messageTypes === 0
  const ended = result !== null && step === log.steps
  if (log.world.unit === 'interaction') return <Meetings frame={frame} />
  const total = inCycles ? (ended ? result.messages.total : null) : frame.messages
  const { lost, toDead } = inCycles && ended ? result.messages : frame
  // The final number is hidden from a user who is to guess it.
  const types = typeCounts(frame, isSecret(run, player) ? null : result)
  const most = Math.max(1, ...types.map(({ count, final }) => final ?? count))
  return (
    <>
      <p class={total === null ? 'note' : 'total'}>
        <output>
          {total === null ? 'Messages are counted at the end.' : counted(total, 'message')}
        </output>
      </p>
      <table class="types">
        <caption class="unseen">Messages by type</caption>
        <tbody>
          {types.map(({ name, count, final }, i) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{grouped(count)}</td>
              <td class="bar" aria-hidden="true">
                {final !== null && <i class="final" style={{ width: share(final, most) }} />}
                <i style={{ width: share(count, most), background: `var(--type-${i % 8})` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl class="figures">
        {run.recording === null && (
          <Figure name="Bits" value={grouped(inCycles && ended ? result.bits : frame.bits)} />
        )}
        <Figure
          name="Now"
          value={step === 0 ? 'the beginning' : momentName(log.world, log.timeOf(step - 1))}
        />
        {lost > 0 && <Figure name="Lost" value={grouped(lost)} />}
        {toDead > 0 && <Figure name="To crashed nodes" value={grouped(toDead)} />}
      </dl>
    </>
  )
}

/** Where nodes meet: how many meetings there were, and how many leaders are left. */
function Meetings({ frame }: { readonly frame: RunFrame }) {
  const { log, step, leaders } = frame
  const meetings = step === 0 ? 0 : log.timeOf(step - 1)
  return (
    <>
      <p class="total">
        <output>{counted(meetings, 'interaction')}</output>
      </p>
      <dl class="figures">
        <Figure name="Leaders" value={grouped(leaders.length)} />
        <Figure name="Parallel time" value={momentText(round(meetings / log.world.n))} />
      </dl>
    </>
  )
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

/** The run against the proven bounds; empty where none applies, for example with crashes. */
function Bounds({ run, player }: Props) {
  const frame = frameOf(run, player)
  const announces = algorithmOfRun(run)?.announces ?? []
  const all = progress(frame, run.result.value, announces)
  if (all.length === 0) return null
  const messages = announces.length > 0 ? 'messages without the announcement' : 'messages'
  return (
    <div class="bounds">
      <h3>Against the proven bound</h3>
      {all.map(({ of, formula, bound, now, within }) => (
        <div key={`${of} ${formula}`} class={within ? 'bound' : 'bound beyond'}>
          <p>
            {of === 'messages' ? messages : of}:{' '}
            {now === null ? '' : `${momentText(round(now))} of `}at most {momentText(round(bound))}
          </p>
          <div class="gauge" aria-hidden="true">
            <i style={{ width: share(now ?? 0, bound) }} />
          </div>
          <p class="note">
            <Formula text={formula} />
          </p>
        </div>
      ))}
    </div>
  )
}

/** Requested for each rendering: there is one frame, and it moves. */
function frameOf(run: ShownRun, player: Player): RunFrame {
  run.known.value
  return run.frame(player.step.value)!
}

function share(part: number, all: number): string {
  return `${all === 0 ? 0 : Math.min(100, (100 * part) / all)}%`
}

function round(value: number): number {
  return Number(value.toFixed(2))
}

const WORDS = { true: 'holds', false: 'violated', null: 'undecided' } as const

/** The properties: violations as soon as they happen, all verdicts at the end. */
function VerdictList({ run, player }: { readonly run: ShownRun; readonly player: Player }) {
  const log = run.log.value
  const result = run.result.value
  const step = player.step.value
  const known = run.known.value
  const frame = run.frame(step)
  if (log === null || frame === null) return null
  const broken = log.violations.filter((violation) => violation.step <= step)
  const ended = result !== null && step >= known
  const verdicts: readonly Verdict[] = ended
    ? result.verdict.properties
    : broken.map(({ property, detail }) => ({ name: property, holds: false, detail }))
  return (
    <div class="verdict">
      <h3>What must hold</h3>
      {!ended && verdicts.length === 0 && <p class="note">Nothing is violated so far.</p>}
      <ul>
        {verdicts.map(({ name, holds, detail }) => (
          <li key={name} class={WORDS[`${holds}`]}>
            <span aria-hidden="true">{checkMark(holds)}</span>
            <span>
              {name}
              <span class="unseen"> {WORDS[`${holds}`]}</span>
              {holds !== true && detail !== '' && <small>{detailWords(frame, detail)}</small>}
            </span>
          </li>
        ))}
      </ul>
      {run.cut.value && ended && (
        <p class="note">Stopped here: the page keeps no more than a million steps.</p>
      )}
    </div>
  )
}
