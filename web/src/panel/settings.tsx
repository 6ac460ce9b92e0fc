import type { AlgorithmSetting } from '../engine/algorithm-settings.ts'
import type { FieldContext } from './available-fields.ts'
import { change, draft, tryOut, whole } from './draft.ts'
import { errorAbout, Row, TextRow, textOf } from './field.tsx'

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
        <TextRow
          name="values"
          label="Values by position"
          hint={
            held ? '3,1,4 uniform:0:1 index peak' : '3,1,4 uniform:0:1 index; the largest leads'
          }
        />
      )}
      {decides && (
        <TextRow name="elect-by" label="Elect by" hint="id value value:min degree near:0.5:0.5" />
      )}
    </>
  )
}
