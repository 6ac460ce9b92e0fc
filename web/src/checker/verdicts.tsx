import { useSignal } from '@preact/signals'
import type { WorstReport } from '../../../src/api/worst-report.ts'
import { type CostFigure, neverInWords, type TransitionJson } from '../../../src/check/index.ts'
import { counted, grouped } from '../../../src/core/text-format.ts'
import { Icon } from '../view/icon.tsx'
import type { Explored } from './exploration.ts'
import { openRun } from './opened-run.ts'
import { explainedDetail, transitionWords } from './transition-words.ts'
import { follow } from './walk.ts'

/**
 * The result of a search: a line, a verdict for each property, and runs to look at. `alone`: there
 * is no walk beside it.
 */
export function Verdicts(props: { readonly found: Explored; readonly alone?: boolean }) {
  const { found, alone = false } = props
  const { result, headline, worst, seconds } = found
  const { properties, violated } = result
  return (
    <div class="verdicts">
      <p role="status" class={`headline ${toneOf(found)}`}>
        {headline}.
      </p>
      <p class="note">
        {sizeOf(result)}, {seconds.toFixed(1)} s. {coverage(found)}
      </p>
      <ul>
        {properties.map(({ name, holds, detail }) => (
          <li key={name} class={holds === null ? 'open' : holds ? 'holds' : 'broken'}>
            <Icon name={holds === null ? 'question' : holds ? 'holds' : 'violation'} />
            <span>
              <strong>{name}</strong>: {explainedDetail(detail, found.world)}
            </span>
          </li>
        ))}
      </ul>
      {violated === null && <Never never={result.never} exhausted={result.exhausted} />}
      {violated !== null && (
        <RunOffer
          title={titleOf(violated)}
          found={found}
          path={violated.transitions}
          property={violated.property}
          name={`counterexample to "${violated.property}"`}
          alone={alone || found.result.ids === 'all'}
        />
      )}
      {worst !== null && <WorstCase found={found} worst={worst} />}
    </div>
  )
}

/** What did not happen; a search that was stopped cannot say more than that. */
function Never({ never, exhausted }: Pick<Explored['result'], 'never' | 'exhausted'>) {
  const texts = neverInWords(never)
  if (texts.length === 0) return null
  return (
    <details>
      <summary>{exhausted ? 'Never happened' : 'Not seen so far'}</summary>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </details>
  )
}

function sizeOf({ states, transitions, depth }: Explored['result']): string {
  const size = `${counted(states, 'state')}, ${counted(transitions, 'transition')}`
  return `${size}, depth ${grouped(depth)}`
}

function toneOf({ result }: Explored): string {
  if (result.violated !== null) return 'broken'
  return result.exhausted && result.properties.every(({ holds }) => holds) ? 'holds' : 'open'
}

function titleOf({ shortest, trace, loop }: NonNullable<Explored['result']['violated']>): string {
  const steps = counted(trace.length, 'step')
  if (loop !== undefined) return `A counterexample of ${steps}, of which those from ${loop} repeat`
  return `${shortest ? 'A shortest counterexample' : 'A counterexample'}: ${steps}`
}

/** What the result says about other ids. */
function coverage({ result, world }: Explored): string {
  if (result.violated !== null || !result.exhausted) return ''
  if (result.ids === 'all') return `It holds for every order of the ids 1 to ${world.n}.`
  return world.ids === null
    ? 'Nodes have no ids: it holds for every network like this.'
    : `It holds for these ids: ${Array.from(world.ids).join(', ')}.`
}

/** The subject with the ids of the run that was found. */
function subjectOf({ subject, result: { ids, violated } }: Explored): Explored['subject'] {
  if (ids !== 'all' || violated === null) return subject
  const { settings } = subject
  const given = { ...settings.given, ids: violated.ids.join() }
  return { ...subject, settings: { ...settings, given } }
}

/** Opens a run that was found. */
function RunOffer(props: {
  readonly title: string
  readonly found: Explored
  readonly path: readonly TransitionJson[]
  readonly property: string | null
  readonly name: string
  readonly alone?: boolean
}) {
  const { title, found, path, property, name, alone = false } = props
  const why = useSignal<string | null>(null)
  const open = async () => {
    why.value = await openRun(subjectOf(found), path, property, name)
  }
  return (
    <div class="run-offer">
      <p>
        <strong>{title}</strong>
      </p>
      <p class="bar">
        <button type="button" class="primary" onClick={open}>
          <Icon name="play" /> Watch it
        </button>
        {!alone && (
          <button type="button" onClick={() => void follow(path, 0)}>
            <Icon name="step" /> Walk through it
          </button>
        )}
      </p>
      <details>
        <summary>Its steps</summary>
        <ol>
          {path.map((transition, i) => (
            <li key={i}>{transitionWords(transition, found.world)}</li>
          ))}
        </ol>
      </details>
      {why.value !== null && (
        <p role="status" class="note">
          It is shown as a recording, and cannot be changed: {why.value}.
        </p>
      )}
    </div>
  )
}

function WorstCase({ found, worst }: { readonly found: Explored; readonly worst: WorstReport }) {
  const { figures, samples, reason, bounds, of, unit, largestDelay = 1 } = worst
  const inClockUnits = (formula: string) =>
    largestDelay === 1 ? formula : `${largestDelay} (${formula})`
  const counts = unit === 'chains' ? 'messages in a row' : unit === 'clock' ? 'units' : 'messages'
  return (
    <div class="worst-case">
      <h3>Over all orders of events</h3>
      {reason !== undefined && <p class="note">Not known: {reason}.</p>}
      <ul>
        {figures.map((figure) => (
          <li key={figure.name}>
            {figure.name}: {rangeOf(figure)} {counts}
          </li>
        ))}
        {bounds.map(({ kind, formula, value, within, reached }) => (
          <li key={kind}>
            proven: at {kind === 'worst' ? 'most' : 'least'} {inClockUnits(formula)} ={' '}
            {grouped(largestDelay * value)}
            {reached ? ', which is reached' : within ? '' : ', which is exceeded'}
          </li>
        ))}
      </ul>
      {samples !== null && (
        <>
          <RunOffer
            title={`A run with the most ${of}`}
            found={found}
            path={samples.most.transitions}
            property={null}
            name={`worst case of ${of}`}
          />
          <RunOffer
            title={`A run with the fewest ${of}`}
            found={found}
            path={samples.least.transitions}
            property={null}
            name={`best case of ${of}`}
          />
        </>
      )}
    </div>
  )
}

function rangeOf({ most, least }: CostFigure): string {
  const shown = (cost: CostFigure['most']) =>
    cost === null ? 'no' : cost === 'unbounded' ? 'any number of' : grouped(cost)
  return most === least ? `always ${shown(most)}` : `${shown(least)} to ${shown(most)}`
}

/** The command line of an exploration. */
export function Commands({ command }: { readonly command: string }) {
  const copied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(command)
    copied.value = true
    setTimeout(() => {
      copied.value = false
    }, 1500)
  }
  return (
    <div class="command">
      <h3>The same in a terminal</h3>
      <code>{command}</code>
      <button type="button" class="small" onClick={copy}>
        {copied.value ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}
