import { branches } from '../model/lab.ts'
import { delays, type FieldContext, offersWaking, orders, timings } from './available-fields.ts'
import { change, draft, tryOut, whole } from './draft.ts'
import { ChoiceRow, textOf } from './field.tsx'
import { type FieldPattern, PatternRow } from './pattern-row.tsx'

const TIMINGS: Readonly<Record<string, string>> = {
  async: 'asynchronous',
  sync: 'synchronous rounds',
  cycles: 'cycles without messages in flight',
  pairs: 'meetings of random pairs',
}
const ORDERS: Readonly<Record<string, string>> = {
  fifo: 'FIFO on each link',
  any: 'any: messages may overtake',
}
const DELAYS: readonly FieldPattern[] = [
  { kind: 'unit', words: 'each takes 1', numbers: [], start: 'unit' },
  { kind: 'constant', words: 'each takes the same', numbers: ['Time'], start: 'constant:2' },
  {
    kind: 'uniform',
    words: 'random, between two times',
    start: 'uniform:1:10',
    numbers: ['From', 'To'],
  },
  {
    kind: 'exponential',
    words: 'exponential, no bound',
    start: 'exponential:1',
    numbers: ['Mean'],
  },
  {
    kind: 'lognormal',
    words: 'lognormal, no bound',
    start: 'lognormal:0:0.5',
    numbers: ['Mu', 'Sigma'],
  },
  {
    kind: 'pareto',
    words: 'Pareto, no bound',
    start: 'pareto:2:1',
    numbers: ['Alpha', 'Least'],
  },
]
const STARTS: readonly FieldPattern[] = [
  { kind: 'all', words: 'all at the beginning', numbers: [], start: 'all' },
  {
    kind: 'rate',
    words: 'at random moments',
    numbers: ['Starts per unit of time'],
    start: 'rate:0.8',
  },
]
/** More nodes than this are not listed. */
const NODES_LISTED = 32
const SOME = {
  words: 'some, by position',
  hint: 'Choose nodes below, or write positions, with times if you like: 0,4@3',
  start: '0',
}

/** Delays and order of messages, and the nodes that start; all of them, or only some fields. */
export function Timing(props: {
  readonly context: FieldContext
  readonly only?: readonly string[]
}) {
  const { context, only } = props
  const { timing } = context
  const has = (name: string) => only === undefined || only.includes(name)
  const models = delays(context)
  return (
    <>
      <ChoiceRow
        name="timing"
        label="Timing"
        choices={has('timing') ? timings(context).map((word) => [word, TIMINGS[word]]) : []}
        value={timing}
        onPick={(word) =>
          change({ timing: word, ...(word !== 'async' && { delay: undefined, order: undefined }) })
        }
      />
      {models.length > 0 && has('delay') && (
        <PatternRow
          name="delay"
          label="Delay"
          patterns={DELAYS.filter(({ kind }) => models.includes(kind))}
          fallback="unit"
        />
      )}
      <ChoiceRow
        name="order"
        label="Order of messages"
        choices={has('order') ? orders(context).map((word) => [word, ORDERS[word]]) : []}
        value={textOf(draft.value.order ?? 'fifo')}
        onPick={(word) => change({ order: word === 'fifo' ? undefined : word })}
      />
      {offersWaking(context) && has('wake') && (
        <>
          <PatternRow name="wake" label="Starting nodes" patterns={STARTS} other={SOME} />
          <Starters />
        </>
      )}
    </>
  )
}

/** The nodes that start, by the names that the picture shows; a time after `@` stays. */
function Starters() {
  const world = branches.value[0].log.value?.world
  const text = textOf(draft.value.wake ?? whole.value.wake)
  if (world === undefined || world.n > NODES_LISTED || !/^\d/.test(text)) return null
  const entries = text.split(',')
  const of = (node: number) => entries.filter((one) => Number(one.split('@')[0]) === node)
  const toggle = (node: number) => {
    const own = of(node)
    const next = own.length > 0 ? entries.filter((one) => !own.includes(one)) : [...entries, node]
    if (next.length === 0) return
    change({ wake: next.join() })
    tryOut()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need its own look
    <div class="orders" role="group" aria-label="Nodes that start">
      {Array.from({ length: world.n }, (_, node) => (
        <button
          key={node}
          type="button"
          class="small"
          aria-pressed={of(node).length > 0}
          onClick={() => toggle(node)}
        >
          {String(world.ids?.[node] ?? node)}
        </button>
      ))}
    </div>
  )
}
