import { delays, type FieldContext, offersWaking, orders, timings } from './available-fields.ts'
import { change, draft, whole } from './draft.ts'
import { ChoiceRow, TextRow, textOf } from './field.tsx'

const TIMINGS: Readonly<Record<string, string>> = {
  async: 'asynchronous',
  sync: 'synchronous rounds',
  cycles: 'cycles without messages in flight',
}
const ORDERS: Readonly<Record<string, string>> = {
  fifo: 'FIFO on each link',
  any: 'any: messages may overtake',
}
const DELAYS: Readonly<Record<string, readonly [start: string, words: string]>> = {
  unit: ['unit', 'unit: each takes 1'],
  constant: ['constant:2', 'constant'],
  uniform: ['uniform:1:10', 'uniform, from A to B'],
  exponential: ['exponential:1', 'exponential, no bound'],
  lognormal: ['lognormal:0:0.5', 'lognormal, no bound'],
  pareto: ['pareto:2:1', 'Pareto, no bound'],
}

/** Delays and order of messages, and the nodes that start. */
export function Timing({ context }: { readonly context: FieldContext }) {
  const { timing } = context
  const delay = textOf(draft.value.delay ?? whole.value.delay ?? 'unit')
  const [model] = delay.split(':')
  const models = delays(context)
  return (
    <>
      <ChoiceRow
        name="timing"
        label="Timing"
        choices={timings(context).map((word) => [word, TIMINGS[word]])}
        value={timing}
        onPick={(word) =>
          change({ timing: word, ...(word !== 'async' && { delay: undefined, order: undefined }) })
        }
      />
      <ChoiceRow
        name={model === 'unit' ? 'delay' : 'model of delay'}
        label="Delay"
        choices={models.map((word) => [word, DELAYS[word][1]])}
        value={model}
        onPick={(word) => change({ delay: word === 'unit' ? undefined : DELAYS[word][0] })}
      />
      {models.length > 0 && model !== 'unit' && (
        <TextRow
          name="delay"
          label="Delay as text"
          hint="constant:D uniform:A:B exponential:MEAN lognormal:MU:SIGMA pareto:ALPHA:MIN"
        />
      )}
      <ChoiceRow
        name="order"
        label="Order of messages"
        choices={orders(context).map((word) => [word, ORDERS[word]])}
        value={textOf(draft.value.order ?? 'fifo')}
        onPick={(word) => change({ order: word === 'fifo' ? undefined : word })}
      />
      {offersWaking(context) && (
        <TextRow
          name="wake"
          label="Starting nodes"
          hint="all; positions 0,4; with moments 0@1,4@3; rate:0.8"
        />
      )}
    </>
  )
}
