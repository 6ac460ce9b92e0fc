import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { counted, grouped } from '../../../src/core/text-format.ts'
import { elsewhere, isLocal, sharedLink } from '../address/share-link.ts'
import { progress } from '../counts/tally.ts'
import { algorithmOfRun } from '../model/algorithm-list.ts'
import type { Player } from '../model/player.ts'
import { isSecret } from '../model/prediction.ts'
import type { ShownRun } from '../model/run.ts'
import { Icon, type IconName } from '../view/icon.tsx'
import { present } from '../view/layout.ts'
import { nodeName, sentenceStart } from '../words/names.ts'
import { QrCode } from './qr-code.tsx'
import { askOrAnswer, blank, diagramPresented, overlay } from './speaker.ts'
import './presentation.css'

interface Props {
  readonly run: ShownRun
  readonly player: Player
}

/** What a lecture hall needs beside the picture: cost against bound, verdict, question, link. */
export function Presentation({ run, player }: Props) {
  return (
    <>
      <section class="presentation-bar" aria-label="Presentation">
        <Cost run={run} player={player} />
        <Judgement run={run} player={player} />
        <SpeakerTools player={player} />
      </section>
      {(overlay.value === 'question' || overlay.value === 'answer') && (
        <QuestionCard run={run} answered={overlay.value === 'answer'} />
      )}
      {overlay.value === 'link' && <LinkCode />}
      {blank.value && (
        <button
          type="button"
          class="blank"
          aria-label="The screen is black: show it again"
          onClick={() => {
            blank.value = false
          }}
        />
      )}
    </>
  )
}

/** The number of messages so far, against what is proven. */
function Cost({ run, player }: Props) {
  run.known.value
  const frame = run.frame(player.step.value)
  if (frame === null) return <p />
  const { unit, messageTypes } = frame.log.world
  if (messageTypes === 0)
    return (
      <p class="cost">
        <strong>{Math.floor(player.time.value)}</strong> {unit}s
      </p>
    )
  const all = progress(frame, run.result.value, algorithmOfRun(run)?.announces ?? [])
  const bound = all.find(({ of }) => of === 'messages')
  const now = bound?.now ?? frame.messages
  const shown = bound !== undefined && !isSecret(run, player)
  return (
    <p class={bound?.within === false ? 'cost beyond' : 'cost'}>
      <strong>{grouped(now)}</strong>
      <span>
        {shown ? `of at most ${grouped(Math.round(bound.bound))} messages` : 'messages'}
        {shown && (
          <i class="gauge" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (100 * now) / bound.bound)}%` }} />
          </i>
        )}
      </span>
    </p>
  )
}

/** The first property that is violated, or that all hold. */
function Judgement({ run, player }: Props) {
  const step = player.step.value
  const broken = run.log.value?.violations.find((violation) => violation.step <= step)
  const result = run.result.value
  const ended = result !== null && step >= run.known.value
  if (broken !== undefined) return <Judged kind="violated" words={`Violated: ${broken.property}`} />
  if (!ended) return <p class="judgement" />
  const properties = result.verdict.properties
  const failed = properties.find(({ holds }) => holds === false)
  if (failed !== undefined) return <Judged kind="violated" words={`Violated: ${failed.name}`} />
  const open = properties.find(({ holds }) => holds === null)
  if (open !== undefined) return <Judged kind="undecided" words={`Undecided: ${open.name}`} />
  return <Judged kind="holds" words="All properties hold" />
}

const SIGNS = { violated: 'violation', undecided: 'question', holds: 'holds' } as const

function Judged({ kind, words }: { readonly kind: keyof typeof SIGNS; readonly words: string }) {
  return (
    <p class={`judgement ${kind}`}>
      <Icon name={SIGNS[kind]} />
      {words}
    </p>
  )
}

function SpeakerTools({ player }: { readonly player: Player }) {
  const tool = (name: string, key: string, icon: IconName, act: () => void) => (
    <button type="button" class="flat" aria-label={name} title={`${name} (${key})`} onClick={act}>
      <Icon name={icon} />
    </button>
  )
  return (
    <div class="speaker-tools">
      {tool('Ask, then answer', 'q', 'question', () => askOrAnswer(player))}
      {tool('Diagram', 'd', 'diagram', () => {
        diagramPresented.value = !diagramPresented.value
      })}
      {tool('Link as a QR code', 'l', 'qr', () => {
        overlay.value = overlay.value === 'link' ? null : 'link'
      })}
      {tool('Leave presentation', 'Esc', 'close', () => present(false))}
    </div>
  )
}

/** What the audience is asked before the play, and the answer after it. */
function QuestionCard({ run, answered }: { readonly run: ShownRun; readonly answered: boolean }) {
  const elects = algorithmOfRun(run)?.network !== 'gossip'
  const answer = answered ? answerOf(run) : null
  return (
    <div class="question-card" role="status">
      <p>{elects ? 'Who will lead, and after how many messages?' : 'How many messages in all?'}</p>
      {answered && <p class="answer">{answer ?? 'The run has not ended yet.'}</p>}
    </div>
  )
}

function answerOf(run: ShownRun): string | null {
  const result = run.result.value
  const frame = run.frame(run.known.value)
  if (frame === null || result === null) return null
  const total = counted(result.messages.total, 'message')
  if (!('leading' in result)) return total
  const who =
    result.leader === null ? 'no node leads alone' : `${nodeName(frame, result.leader.node)} leads`
  return `${sentenceStart(who)}, after ${total}.`
}

/** The link to what is shown as a QR code, for the phones of the audience. */
function LinkCode() {
  const link = useSignal<string | null>(null)
  useEffect(() => {
    void sharedLink().then((made) => {
      link.value = made
    })
  }, [link])
  if (link.value === null) return null
  return (
    <figure class="link-code">
      <QrCode text={link.value} />
      <figcaption>
        <code>{link.value.length > 100 ? `${link.value.slice(0, 100)}…` : link.value}</code>
        {isLocal() && elsewhere.value === '' && (
          <p>This address works on this computer only. Share has a file for others.</p>
        )}
      </figcaption>
    </figure>
  )
}
