import { useMemo } from 'preact/hooks'
import { momentText } from '../../../../src/core/text-format.ts'
import type { ShownRun } from '../../model/run.ts'
import { KINDS } from '../../recording/events.ts'
import { RunFrame } from '../../recording/frame.ts'
import { describeStep, flightName, momentName } from '../../words/describe-step.ts'
import { nodeName, sentenceStart } from '../../words/names.ts'

/** A step or a message of the diagram, and the place of the pointer on it. */
export interface TipPlace {
  readonly step: number | null
  readonly flight: number | null
  readonly x: number
  readonly y: number
  /** Whether there is more room to the left of it, or above it. */
  readonly late: boolean
  readonly low: boolean
}

/** What the pointer is on, in words. */
export function DiagramTip({ run, place }: { readonly run: ShownRun; readonly place: TipPlace }) {
  const log = run.log.value
  const frame = useMemo(() => log && new RunFrame(log), [log])
  if (log === null || frame === null) return null
  const { step, flight, x, y, late, low } = place
  const words =
    step !== null
      ? stepWords(frame.seek(step + 1))
      : flight === null
        ? ''
        : flightWords(frame.seek(log.sentIn.at(flight) + 1), flight)
  const style = {
    [late ? 'right' : 'left']: late ? `calc(100% - ${x - 14}px)` : `${x + 14}px`,
    [low ? 'bottom' : 'top']: low ? `calc(100% - ${y - 10}px)` : `${y + 10}px`,
  }
  return (
    <p class="diagram-tip" style={style}>
      {words}
    </p>
  )
}

function stepWords(frame: RunFrame): string {
  const { log, step } = frame
  const reason = log.reason(step - 1)
  const why = reason === null ? '' : ` It ${reason}.`
  const moment = sentenceStart(momentName(log.world, log.timeOf(step - 1)))
  return `${moment}: ${describeStep(frame)}${why}`
}

/** A message with its way and its fate; nodes have the names that they had when it was sent. */
export function flightWords(frame: RunFrame, flight: number): string {
  const { log } = frame
  const way = `${flightName(frame, flight)}, sent at ${momentText(log.departure(flight))}`
  const ended = log.endedIn.at(flight)
  if (ended < 0) return `${way}, still in flight at the end.`
  const at = momentText(log.timeOf(ended))
  const first = log.first.at(ended)
  const kind = log.flight.at(first) === flight ? KINDS[log.kind.at(first)] : 'lose'
  if (kind === 'lose') return `${way}, lost at ${at}.`
  if (kind === 'receive') return `${way}, received at ${at}.`
  return `${way}, lost at ${at}: ${nodeName(frame, log.nodeOf(ended))} has crashed.`
}
