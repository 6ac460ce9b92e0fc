import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { startCoding } from '../editor/editor-panel.tsx'
import { offeredAlgorithm } from '../model/algorithm-list.ts'
import type { Player } from '../model/player.ts'
import type { ShownRun } from '../model/run.ts'
import { chosenNodes } from '../model/selection.ts'
import { begins } from '../panel/draft.ts'
import type { RunFrame } from '../recording/frame.ts'
import { Icon } from '../view/icon.tsx'
import { firstOfMoment } from '../words/describe-moment.ts'
import { causeClause } from '../words/describe-step.ts'
import { type CodeCoverage, coverageOf } from './coverage.ts'
import { type CodeSection, sectionsOf } from './listing.ts'
import './code-view.css'

interface Props {
  readonly run: ShownRun
  readonly player: Player
  readonly close: () => void
}

/** The handlers of the definition; what of them has just run is marked. */
export function CodeView({ run, player, close }: Props) {
  const coverage = useSignal<CodeCoverage | 'failed' | null>(null)
  useEffect(() => {
    let wanted = true
    coverage.value = null
    coverageOf(run).then(
      (known) => {
        if (wanted) coverage.value = known
      },
      () => {
        if (wanted) coverage.value = 'failed'
      },
    )
    return () => {
      wanted = false
    }
  }, [run])
  const known = coverage.value
  return (
    <section class="panel code-view" aria-label="Code">
      <header class="bar">
        <h2>Code</h2>
        <TextbookButton run={run} />
        <button type="button" class="small" onClick={() => void startCoding()}>
          <Icon name="code" />
          Edit
        </button>
        <button type="button" class="flat" aria-label="Close the code" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {known === null && <p role="status">The code is being fetched.</p>}
      {known === 'failed' && (
        <p role="alert">The code is not in this file: export it with --with-editor.</p>
      )}
      {known instanceof Object && <Listing run={run} player={player} coverage={known} />}
    </section>
  )
}

/** Where the catalogue also has the form that lectures show: the same run with that form. */
function TextbookButton({ run }: { readonly run: ShownRun }) {
  const { scenario, code } = run
  const textbook = offeredAlgorithm(`${scenario.algorithm}-textbook`)
  if (textbook === null || code !== null) return null
  return (
    <button
      type="button"
      class="small"
      title="The same algorithm without what recoveries need"
      onClick={() => begins({ ...scenario, algorithm: textbook.name })}
    >
      As in lectures
    </button>
  )
}

interface ListingProps extends Omit<Props, 'close'> {
  readonly coverage: CodeCoverage
}

function Listing({ run, player, coverage }: ListingProps) {
  const place = useRef<HTMLElement>(null)
  run.known.value
  coverage.known.value
  const frame = run.frame(player.step.value)
  const step = frame === null ? -1 : stepShown(frame, player.single.value)
  const sections = sectionsOf(coverage, coverage.ran(step))
  useEffect(() => {
    const listing = place.current
    const line = listing?.querySelector('.handler .ran-line') ?? listing?.querySelector('.ran-line')
    const section = line?.closest('.function')
    if (line && section && listing) reveal(listing, section, line)
  }, [step, coverage.known.value, coverage])
  return (
    <>
      <p class="note">{frame !== null && noteOf(frame, step, coverage)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll it. */}
      <section class="listing" ref={place} tabIndex={0} aria-label="Handlers">
        {sections.map((section, i) => (
          <Section key={i} {...section} />
        ))}
      </section>
    </>
  )
}

function Section({ title, lines, ran }: CodeSection) {
  return (
    <div class={`function${ran ? ' ran' : ''}${title === null ? '' : ' handler'}`}>
      {title !== null && <h3>{title}</h3>}
      <pre>
        {lines.map(({ spans, ran }, i) => (
          <code key={i} class={ran ? 'ran-line' : ''}>
            {spans.map(({ text, kind, ran }, j) => (
              <span key={j} class={ran ? `${kind} ran` : kind}>
                {text}
              </span>
            ))}
            {'\n'}
          </code>
        ))}
      </pre>
    </div>
  )
}

/** The step whose code is shown: the last one, or that of the chosen node in the same moment. */
function stepShown({ log, step }: RunFrame, single: boolean): number {
  const chosen = [...chosenNodes.value].at(-1)
  if (single || chosen === undefined || step === 0) return step - 1
  const first = firstOfMoment(log, step)
  for (let one = step - 1; one >= first; one--) if (log.nodeOf(one) === chosen) return one
  return step - 1
}

/** What happened in the step, and whether code ran. */
function noteOf(frame: RunFrame, step: number, coverage: CodeCoverage): string {
  if (step < 0) return 'Nothing has run yet.'
  const [cause] = frame.log.eventsOf(step)
  const happened = causeClause(frame, cause)
  const ran = coverage.ran(step)
  if (ran === null) return `${happened}.`
  return ran.size === 0 ? `${happened}: no code runs.` : `${happened}:`
}

/** Scrolls the listing alone: to the whole function if it fits, else to the line. */
function reveal(listing: HTMLElement, section: Element, line: Element): void {
  const room = listing.getBoundingClientRect()
  const whole = section.getBoundingClientRect()
  const place = line.getBoundingClientRect()
  if (place.top >= room.top && place.bottom <= room.bottom) return
  const target = whole.height <= room.height ? whole.top : place.top - room.height / 3
  listing.scrollTop += target - room.top
}
