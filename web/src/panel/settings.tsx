import type { AlgorithmSetting } from '../engine/algorithm-settings.ts'
import type { FieldContext } from './available-fields.ts'
import { change, draft, tryOut, whole } from './draft.ts'
import { errorAbout, Row, textOf } from './field.tsx'
import { type FieldPattern, PatternRow } from './pattern-row.tsx'

/** The parameters of the algorithm. */
export function Settings({ context }: { readonly context: FieldContext }) {
  const { entry, timing } = context
  const fitting = entry.settings.filter(({ only = timing }) => only === timing)
  if (fitting.length === 0) return null
  return (
    <>
      {errorAbout('set') !== null && (
        <p class="error" role="alert">
          {errorAbout('set')}
        </p>
      )}
      {fitting.map((setting) => (
        <SettingRow key={setting.name} setting={setting} />
      ))}
    </>
  )
}

function SettingRow({ setting }: { readonly setting: AlgorithmSetting }) {
  const { name, says, choices, fallback } = setting
  const given = settingsIn(draft.value.set)
  const known = textOf(settingsIn(whole.value.set)[name])
  // One error message stands for all parameters.
  const invalid = errorAbout('set') !== null && given[name] !== undefined
  const put = (value: string) => {
    const { [name]: _, ...others } = given
    const next = value.trim() === '' ? others : { ...others, [name]: value }
    change({ set: Object.keys(next).length === 0 ? undefined : next })
  }
  return (
    <Row name={`set ${name}`} label={name} hint={says}>
      {({ id, describedBy }) =>
        choices ? (
          <select
            id={id}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            value={textOf(given[name] ?? fallback)}
            onChange={({ currentTarget }) => {
              put(currentTarget.value)
              tryOut()
            }}
          >
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            class="field"
            aria-invalid={invalid}
            aria-describedby={describedBy}
            placeholder={known || fallback}
            value={textOf(given[name])}
            onInput={({ currentTarget }) => put(currentTarget.value)}
            onChange={tryOut}
          />
        )
      }
    </Row>
  )
}

/** Settings as an object, given as an object or as text. */
function settingsIn(set: unknown): Readonly<Record<string, unknown>> {
  if (typeof set === 'object' && set !== null && !Array.isArray(set)) return { ...set }
  const entries = (Array.isArray(set) ? set : set === undefined ? [] : [set]).map(String)
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)))
}

/** The values of nodes, and whether they decide the election. */
export function ValuesRow({
  decides,
  held,
}: {
  readonly decides: boolean
  readonly held: boolean
}) {
  return (
    <>
      {(decides || held) && (
        <PatternRow
          name="values"
          label={held ? 'Values of the nodes' : 'Values: the largest leads'}
          patterns={held ? [...VALUES, PEAK] : VALUES}
          other={LISTED}
        />
      )}
      {decides && (
        <PatternRow name="elect-by" label="Who leads" patterns={DECIDING} fallback="id" />
      )}
    </>
  )
}

/** The values of nodes that elect in terms. */
export function LogRow() {
  return (
    <PatternRow
      name="values"
      label="How much of the log a node has"
      patterns={[EMPTY_LOGS, ...VALUES]}
      other={LISTED}
      fallback=""
    />
  )
}

const EMPTY_LOGS: FieldPattern = {
  kind: '',
  words: 'nothing: all logs are empty',
  start: '',
  numbers: [],
}
const VALUES: readonly FieldPattern[] = [
  {
    kind: 'uniform',
    words: 'random, between two numbers',
    start: 'uniform:0:1',
    numbers: ['From', 'To'],
  },
  { kind: 'index', words: 'the position of each node', numbers: [], start: 'index' },
]
const PEAK: FieldPattern = {
  kind: 'peak',
  words: 'one node has all, the others nothing',
  start: 'peak',
  numbers: [],
}
const LISTED = {
  words: 'a list, by position',
  hint: 'One number for each node: 3,1,4. Changes follow semicolons: ;3@20=7',
  start: '1,2,3,4,5,6,7,8',
}
const DECIDING: readonly FieldPattern[] = [
  { kind: 'id', words: 'the largest id', numbers: [], start: 'id' },
  { kind: 'value', words: 'the largest value', numbers: [], start: 'value' },
  { kind: 'degree', words: 'the most neighbours', numbers: [], start: 'degree' },
  {
    kind: 'near',
    words: 'the nearest to a point',
    start: 'near:0.5:0.5',
    numbers: ['x', 'y'],
  },
]
