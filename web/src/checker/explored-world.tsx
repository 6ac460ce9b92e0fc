import { useSignal } from '@preact/signals'
import { MOST_STATES } from '../../../src/check/options.ts'
import { counted, enumerated, grouped } from '../../../src/core/text-format.ts'
import { titleOf } from '../model/algorithm-list.ts'
import {
  adjust,
  adjustSize,
  type CheckedSubject,
  estimate,
  exploredRun,
  isChanged,
  leftOut,
  mostStates,
  resetSettings,
  usualOrder,
} from './exploration.ts'

const MODES = [
  ['untimed', 'messages take any time, timers fire at any time'],
  ['patient', 'timers fire only when no message is in flight'],
  ['clocked:1', 'rounds: every message takes one unit of time'],
  ['clocked:2', 'messages take 1 or 2 units of time, timers are exact'],
  ['clocked:3', 'messages take 1 to 3 units of time, timers are exact'],
  ['clocked:any', 'messages take any number of units, timers are exact'],
] as const

/** Kinds of faults: the flag, and one of them in words. */
const FAULTS = [
  ['crashes', 'crash'],
  ['recoveries', 'recovery'],
  ['losses', 'lost message'],
  ['duplicates', 'duplicated message'],
  ['cuts', 'cut link'],
  ['partitions', 'partition'],
  ['pauses', 'pause'],
] as const

const LIMITS = [10_000, 100_000, MOST_STATES, 10_000_000]
/** More states take more than a minute or so. */
const QUICK_STATES_MAX = 20_000_000

/** What is explored, in a sentence, with a form to change it. */
export function ExploredWorld({ subject }: { readonly subject: CheckedSubject }) {
  const { given, asked } = subject.settings
  const opened = useSignal(false)
  const world = exploredRun.value.log.value?.world
  const n = sizeIn(given) ?? world?.n ?? 0
  const faults = FAULTS.flatMap(([kind, one]) => {
    const count = Number(asked[kind] ?? 0)
    return count === 0 ? [] : [counted(count, one, one === 'crash' ? 'crashes' : plural(one))]
  })
  const starts = given.wake === undefined ? 'any nodes start, at any time' : `start: ${given.wake}`
  return (
    <section class="explored-world" aria-label="What is explored">
      <p>
        Every order of events of{' '}
        <strong>
          {titleOf(world?.algorithm)} with {counted(n, 'node')}
        </strong>
        : {MODES.find(([mode]) => mode === asked.mode)?.[1] ?? String(asked.mode)}; {starts};{' '}
        {(given.order ?? usualOrder.value) === 'any'
          ? 'messages may overtake each other'
          : 'links keep the order'}
        ; {faults.length === 0 ? 'no faults' : `up to ${enumerated(faults)}, at any moment`}
        {asked.draws !== undefined && `; at most ${asked.draws} random choices of a node`}.
      </p>
      {leftOut.value.length > 0 && (
        <p class="note">
          Left out, since the checker does not know it: {enumerated(leftOut.value)}.
        </p>
      )}
      <details
        open={opened.value}
        onToggle={({ currentTarget }) => {
          opened.value = currentTarget.open
        }}
      >
        <summary>Change what is explored</summary>
        <Form subject={subject} n={n} />
      </details>
      <Estimate n={n} />
    </section>
  )
}

function plural(one: string): string {
  return one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`
}

/** The size of a network that has nothing but a size. */
function sizeIn({ topology, n }: Readonly<Record<string, unknown>>): number | null {
  const [, size] = /^(?:ring|complete):(\d+)$/.exec(String(topology ?? '')) ?? []
  if (size !== undefined) return Number(size)
  return topology === undefined && n !== undefined ? Number(n) : null
}

/** A choice among values with words. */
function ChoiceField<T extends string | number>(props: {
  readonly name: string
  readonly chosen: T
  readonly choices: readonly (readonly [value: T, words: string])[]
  readonly set: (value: string) => void
}) {
  const { name, chosen, choices, set } = props
  return (
    <label>
      {name}
      <select class="field" onChange={({ currentTarget: { value } }) => set(value)}>
        {choices.map(([value, words]) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The choices, and the present value first if it is none of them. */
function withPresent(
  choices: readonly (readonly [string, string])[],
  present: string,
): readonly (readonly [string, string])[] {
  return choices.some(([value]) => value === present) ? choices : [[present, present], ...choices]
}

const STARTS = [
  ['any', 'any nodes, at any time'],
  ['all', 'all at the beginning'],
] as const

const ORDERS = [
  ['fifo', 'keep the order of messages'],
  ['any', 'let messages overtake'],
] as const

function Form({ subject, n }: { readonly subject: CheckedSubject; readonly n: number }) {
  const { given, asked } = subject.settings
  const [kind] = String(given.topology ?? '').split(':')
  const resizable = given.topology === undefined || kind === 'ring' || kind === 'complete'
  const modes = MODES.map(([mode, says]) => [mode, `${mode}: ${says}`] as const)
  return (
    <div class="check-form">
      {resizable && (
        <NumberField name="Nodes" value={n} least={1} set={(size) => adjustSize(size)} />
      )}
      <ChoiceField
        name="Timing"
        chosen={String(asked.mode)}
        choices={withPresent(modes, String(asked.mode))}
        set={(mode) => adjust('asked', { mode })}
      />
      <ChoiceField
        name="Start"
        chosen={String(given.wake ?? 'any')}
        choices={withPresent(STARTS, String(given.wake ?? 'any'))}
        set={(wake) => adjust('given', { wake: wake === 'any' ? undefined : wake })}
      />
      <ChoiceField
        name="Links"
        chosen={given.order === 'any' ? 'any' : 'fifo'}
        choices={ORDERS}
        set={(order) => adjust('given', { order: order === 'any' ? order : undefined })}
      />
      <fieldset>
        <legend>Most faults of each kind</legend>
        {FAULTS.map(([kind, one]) => (
          <NumberField
            key={kind}
            name={`${plural(one === 'crash' ? 'crashe' : one)}`}
            value={Number(asked[kind] ?? 0)}
            least={0}
            set={(count) => adjust('asked', { [kind]: count > 0 ? count : undefined })}
          />
        ))}
      </fieldset>
      {asked.draws !== undefined && (
        <NumberField
          name="Random choices of a node"
          value={Number(asked.draws)}
          least={1}
          set={(draws) => adjust('asked', { draws })}
        />
      )}
      <ChoiceField
        name="Most states"
        chosen={mostStates.value}
        choices={LIMITS.map((limit) => [limit, grouped(limit)] as const)}
        set={(limit) => {
          mostStates.value = Number(limit)
        }}
      />
      {isChanged() && (
        <button type="button" class="small" onClick={resetSettings}>
          As the scenario has it
        </button>
      )}
    </div>
  )
}

function NumberField(props: {
  readonly name: string
  readonly value: number
  readonly least: number
  readonly set: (value: number) => void
}) {
  const { name, value, least, set } = props
  return (
    <label class="number">
      {name}
      <input
        class="field"
        type="number"
        min={least}
        max={99}
        value={value}
        onChange={({ currentTarget }) => {
          const next = Math.round(Number(currentTarget.value))
          set(Number.isFinite(next) ? Math.max(least, next) : value)
        }}
      />
    </label>
  )
}

/** How many states there may be, and what to do where they are too many. */
function Estimate({ n }: { readonly n: number }) {
  const { value } = estimate
  if (value === null || value.n !== n) return null
  const { states, counted: sizes } = value
  const smaller = sizes.at(-1)
  if (states === null || smaller === undefined) return null
  const tooMany = states > mostStates.value
  return (
    <p class={tooMany ? 'note warning' : 'note'}>
      About {roughly(states)} states, judged by smaller networks
      {tooMany &&
        (states > QUICK_STATES_MAX
          ? ': too many to explore here'
          : `: more than the limit of ${grouped(mostStates.value)}`)}
      .{' '}
      {tooMany && (
        <button type="button" class="small" onClick={() => adjustSize(smaller.n)}>
          Use {smaller.n} nodes: {grouped(smaller.states)} states
        </button>
      )}
    </p>
  )
}

/** Two digits of a number that is not known better. */
function roughly(states: number): string {
  if (states > 1e15) return `10^${Math.round(Math.log10(states))}`
  return grouped(Math.round(Number(states.toPrecision(2))))
}
