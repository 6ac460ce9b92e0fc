import type { AlgorithmSetting } from '../engine/algorithm-settings.ts'
import type { FieldContext } from './available-fields.ts'
import { change, draft, tryOut, whole } from './draft.ts'
import { complaintAbout, Row, TextRow, textOf } from './field.tsx'

/** What may be set for this algorithm alone. */
export function Settings({ situation }: { readonly situation: FieldContext }) {
  const { subject, timing } = situation
  const fitting = subject.settings.filter(({ only = timing }) => only === timing)
  if (fitting.length === 0) return null
  return (
    <>
      {complaintAbout('set') !== null && (
        <p class="trouble" role="alert">
          {complaintAbout('set')}
        </p>
      )}
      {fitting.map((setting) => (
        <SettingRow key={setting.name} setting={setting} />
      ))}
    </>
  )
}

function SettingRow({ setting }: { readonly setting: AlgorithmSetting }) {
  const { name, says, choices, usual } = setting
  const given = settingsIn(draft.value.set)
  const known = textOf(settingsIn(whole.value.set)[name])
  // One complaint stands for all parameters.
  const invalid = complaintAbout('set') !== null && given[name] !== undefined
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
            value={textOf(given[name] ?? usual)}
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
            placeholder={known || usual}
            value={textOf(given[name])}
            onInput={({ currentTarget }) => put(currentTarget.value)}
            onChange={tryOut}
          />
        )
      }
    </Row>
  )
}

/** Settings as an object, however they were written. */
function settingsIn(set: unknown): Readonly<Record<string, unknown>> {
  if (typeof set === 'object' && set !== null && !Array.isArray(set)) return { ...set }
  const entries = (Array.isArray(set) ? set : set === undefined ? [] : [set]).map(String)
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s).slice(0, 2)))
}

/** What nodes hold, and whether that decides. */
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
