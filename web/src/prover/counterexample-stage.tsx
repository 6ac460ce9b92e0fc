import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { valueText } from '../../../src/core/trace/event-words.ts'
import type { PageCounterexample } from '../engine/checker/protocol.ts'
import { belongsToControl } from '../keys/keys.ts'
import { counterexampleShown, type ShownCounterexample } from '../model/check-outcome.ts'
import { run } from '../model/lab.ts'
import { Icon } from '../view/icon.tsx'
import {
  angleOf,
  arcPath,
  CARD,
  CENTRE,
  cardOf,
  NODE,
  type PlacedMessage,
  placed,
  pointAt,
  RADIUS,
  viewBoxOf,
} from './counterexample-layout.ts'
import { CounterexampleWords } from './counterexample-words.tsx'
import './prover.css'

type Fields = Readonly<Record<string, unknown>>

function close(): void {
  counterexampleShown.value = null
}

/**
 * A counterexample to induction in the place of the run: a small network before and after the step.
 * `words`: also in sentences, where nothing beside it has them.
 */
export function CounterexampleStage(props: {
  readonly shown: ShownCounterexample
  readonly words: boolean
}) {
  const { shown, words } = props
  const { clause, counterexample } = shown
  const after = useSignal(false)
  const steps = counterexample.step !== null
  const isAfter = steps && after.value
  useEffect(() => {
    after.value = false
  }, [counterexample])
  useKeys(after)
  // Another run on the stage takes its place back.
  const { serial } = run.value
  useEffect(() => close, [serial])
  return (
    <section class="counterexample" aria-label="Counterexample to induction">
      <header class="bar">
        <h2>
          {steps
            ? isAfter
              ? `After the step: "${clause}" is broken`
              : `Before the step: "${clause}" still holds`
            : `At the beginning: "${clause}" does not hold`}
        </h2>
        <button type="button" class="flat" aria-label="Back to the run" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <Picture counterexample={counterexample} after={isAfter} />
      <footer class="bar">
        {steps && (
          <>
            <button
              type="button"
              aria-pressed={!isAfter}
              onClick={() => {
                after.value = false
              }}
            >
              <Icon name="back" /> Before
            </button>
            <button
              type="button"
              class={isAfter ? '' : 'primary'}
              aria-pressed={isAfter}
              onClick={() => {
                after.value = true
              }}
            >
              <Icon name="step" /> After the step
            </button>
          </>
        )}
        <Signs acts={steps} arcs={counterexample.arcs.length > 0} />
      </footer>
      {words && <CounterexampleWords shown={shown} />}
    </section>
  )
}

/** The keys of the run step here, and Escape goes back to it. */
function useKeys(after: { value: boolean }): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || belongsToControl(event)) return
      if (event.key === 'Escape') close()
      else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
        after.value = event.key === 'ArrowRight'
      else if (event.key === ' ') after.value = !after.value
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', press, true)
    return () => removeEventListener('keydown', press, true)
  }, [])
}

/** What colours mean; the same before and after, so that the picture stays in its place. */
function Signs({ acts, arcs }: { readonly acts: boolean; readonly arcs: boolean }) {
  return (
    <ul class="signs">
      {acts && <li class="acts">takes the step</li>}
      <li class="broken">what breaks the clause</li>
      {arcs && <li class="way">the way that it speaks of</li>}
      <li class="open">may be anything</li>
    </ul>
  )
}

function Picture(props: { readonly counterexample: PageCounterexample; readonly after: boolean }) {
  const { counterexample, after } = props
  const { nodes, messages, step, broken, arcs, topology, text } = counterexample
  const n = nodes.length
  const judged = after || step === null
  const received = step?.event === 'receive' ? messages[0] : null
  // A message may be delivered twice, or be deferred.
  const stays = broken.messages.some((one) => 'inFlight' in one && one.inFlight === 0)
  const kept = messages.filter((message) => message !== received || stays)
  const flying = after ? [...kept, ...(step?.sends ?? [])] : messages
  const failing = new Set(
    judged
      ? broken.messages.map((one) =>
          'sent' in one ? step!.sends[one.sent] : messages[one.inFlight],
        )
      : [],
  )
  const states = nodes.map((state, at) => (after && at === 0 ? step!.after : state))
  const fields = counterexample.fields
  const inFlight = flying.filter(({ type }) => type in fields.messages)
  const kinds = Object.keys(fields.messages)
  const hasLed = (node: number) =>
    flying.filter(({ type, to }) => to === node && !(type in fields.messages))
  return (
    <svg viewBox={viewBoxOf(n)} role="img" aria-label={text.join('. ')}>
      <Links n={n} topology={topology} />
      {judged &&
        arcs.map(({ from, to }, i) => (
          <path key={i} class="way" d={arcPath(from, to, n, RADIUS)} />
        ))}
      {states.map((state, at) => (
        <Node
          key={at}
          position={at}
          n={n}
          state={state}
          before={nodes[at]}
          names={fields.node}
          led={hasLed(at)}
          acts={at === 0 && step !== null}
          broken={
            judged && (broken.nodes.includes(at) || hasLed(at).some((one) => failing.has(one)))
          }
        />
      ))}
      {placed(inFlight, counterexample).map((one, i) => (
        <Message
          key={i}
          placed={one}
          kind={fields.messages[one.message.type]}
          type={kinds.indexOf(one.message.type)}
          taken={after ? step!.sends.includes(one.message) : one.message === received}
          broken={failing.has(one.message)}
        />
      ))}
    </svg>
  )
}

function Links({ n, topology }: { readonly n: number; readonly topology: 'ring' | 'complete' }) {
  if (topology === 'ring') return <circle class="links" cx={CENTRE.x} cy={CENTRE.y} r={RADIUS} />
  const points = Array.from({ length: n }, (_, at) => pointAt(angleOf(at, n)))
  const pairs = points.flatMap((a, i) => points.slice(i + 1).map((b) => [a, b] as const))
  return (
    <>
      {pairs.map(([a, b], i) => (
        <line key={i} class="links" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
      ))}
    </>
  )
}

function Node(props: {
  readonly position: number
  readonly n: number
  readonly state: Fields
  readonly before: Fields
  readonly names: readonly string[]
  /** Messages that the definition does not have: what is kept of its leaderships. */
  readonly led: PageCounterexample['messages']
  readonly acts: boolean
  readonly broken: boolean
}) {
  const { position, n, state, before, names, led, acts, broken } = props
  const angle = angleOf(position, n)
  const { x, y } = pointAt(angle)
  const card = cardOf(angle)
  const decided = names.filter((name) => name !== 'id' && state[name] !== undefined)
  const open = names.filter((name) => name !== 'id' && state[name] === undefined)
  const dense = decided.length + led.length > 5 ? 'dense' : ''
  const status = typeof state.status === 'string' ? state.status : 'open'
  return (
    <g>
      {broken && <circle class="broken" cx={x} cy={y} r={NODE + 6} />}
      {acts && <circle class="acts" cx={x} cy={y} r={NODE + 2} />}
      <circle class={`node ${status}`} cx={x} cy={y} r={NODE} />
      <text class={`id ${state.id === undefined ? 'open' : status}`} x={x} y={y}>
        {state.id === undefined ? '?' : String(state.id)}
      </text>
      <foreignObject x={card.x} y={card.y} width={card.width} height={CARD.height}>
        <div class={`node-state ${card.side} ${dense} ${Math.sin(angle) < 0 ? 'upper' : 'lower'}`}>
          <p>
            <strong>p{position}</strong>
          </p>
          {decided.map((name) => (
            <p key={name} class={state[name] === before[name] ? '' : 'changed'}>
              {name} {valueText(state[name])}
            </p>
          ))}
          {led.map(({ body }, i) => (
            <p key={i}>has led: {Object.entries(body).map(fieldText).join(', ')}</p>
          ))}
          {open.length > 0 && <p class="open">{open.join(', ')}: anything</p>}
        </div>
      </foreignObject>
    </g>
  )
}

function fieldText([name, value]: readonly [string, unknown]): string {
  return `${name} ${valueText(value)}`
}

/** The width of a character of a message, and the room around its words. */
const [LETTER, ROOM] = [7.4, 22]

function Message(props: {
  readonly placed: PlacedMessage
  readonly kind: PageCounterexample['fields']['messages'][string]
  /** The number of its type, which decides its colour. */
  readonly type: number
  /** The step receives or sends it. */
  readonly taken: boolean
  readonly broken: boolean
}) {
  const { placed: one, kind, type, taken, broken } = props
  const { message, at, towards } = one
  const values = kind.fields.map((name) => [name, message.body[name]] as const)
  const parts = values.map(
    ([name, value]) => `${name} ${value === undefined ? '?' : valueText(value)}`,
  )
  const words = `${kind.word}${parts.length > 0 ? ` ${parts.join(', ')}` : ''}`
  const width = words.length * LETTER + ROOM
  const turn = (Math.atan2(towards.y - at.y, towards.x - at.x) * 180) / Math.PI
  // The head is where the way to the receiver leaves the words.
  const reach = headDistance((turn * Math.PI) / 180, width / 2, 13)
  const classes = ['message', taken && 'taken', broken && 'broken'].filter(Boolean).join(' ')
  return (
    <g class={classes} style={{ '--kind': `var(--type-${Math.max(0, type) % 8})` }}>
      <path
        class="head"
        d="M0 -9L15 0L0 9Z"
        transform={`translate(${at.x} ${at.y}) rotate(${turn}) translate(${reach} 0)`}
      />
      <rect x={at.x - width / 2} y={at.y - 13} width={width} height={26} rx={13} />
      <text x={at.x} y={at.y}>
        {kind.word}
        {values.map(([name, value], i) => (
          <tspan key={name} class={value === undefined ? 'open' : ''}>
            {i === 0 ? ' ' : ', '}
            {name} {value === undefined ? '?' : valueText(value)}
          </tspan>
        ))}
      </text>
    </g>
  )
}

/** How far a ray from the middle of a box goes until it leaves the box. */
function headDistance(angle: number, halfWidth: number, halfHeight: number): number {
  const [across, down] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return Math.min(halfWidth / Math.max(across, 1e-6), halfHeight / Math.max(down, 1e-6))
}
