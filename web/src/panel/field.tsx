import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { optionOf } from '../../../src/options/scenario.ts'
import type { Refusal } from '../model/run.ts'
import { change, draft, draftError, tryOut, whole } from './draft.ts'

/** A label, an input, and its error message. */
export function Row(props: {
  readonly name: string
  readonly label: string
  readonly children: (ids: {
    id: string
    describedBy: string
    invalid: boolean
  }) => ComponentChildren
  readonly hint?: string
}) {
  const { name, label, hint, children } = props
  const id = useId()
  const error = errorAbout(name)
  return (
    <div class="row">
      <label for={id}>{label}</label>
      {children({ id, describedBy: `${id}-note`, invalid: error !== null })}
      <div id={`${id}-note`} class="row-note">
        {error !== null && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {hint !== undefined && <p class="note">{hint}</p>}
      </div>
    </div>
  )
}

/** A field of the scenario as text; empty is its default, which is shown in grey. */
export function TextRow(props: {
  readonly name: string
  /** In place of the label and the hint that its option has. */
  readonly label?: string
  readonly hint?: string
  readonly numeric?: boolean
  /** The placeholder of an empty field. */
  readonly otherwise?: string
}) {
  const { name, numeric, otherwise } = props
  const option = optionOf(name)
  const { label = option?.label ?? name, hint = option?.hint } = props
  const given = textOf(draft.value[name])
  return (
    <Row name={name} label={label} {...(hint !== undefined && { hint })}>
      {({ id, describedBy, invalid }) => (
        <input
          id={id}
          class="field"
          inputMode={numeric ? 'numeric' : 'text'}
          autocomplete="off"
          spellcheck={false}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          placeholder={otherwise ?? textOf(whole.value[name])}
          value={given}
          onInput={({ currentTarget: { value } }) =>
            change({ [name]: value.trim() === '' ? undefined : value })
          }
          onChange={tryOut}
        />
      )}
    </Row>
  )
}

/** A field of the scenario with a few words to choose from; hidden where there is no choice. */
export function ChoiceRow(props: {
  readonly name: string
  readonly label: string
  readonly choices: readonly (readonly [value: string, words: string])[]
  readonly value: string
  readonly hint?: string
  readonly onPick?: (value: string) => void
}) {
  const { name, label, choices, value, hint, onPick } = props
  if (choices.length < 2 && errorAbout(name) === null) return null
  return (
    <Row name={name} label={label} {...(hint !== undefined && { hint })}>
      {({ id, describedBy, invalid }) => (
        <select
          id={id}
          aria-invalid={invalid}
          aria-describedby={describedBy}
          value={value}
          onChange={({ currentTarget }) => {
            if (onPick) onPick(currentTarget.value)
            else change({ [name]: currentTarget.value })
            tryOut()
          }}
        >
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Row>
  )
}

/** A value of a scenario as it is typed. */
export function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

/** The error message of a field, in the words of the form; null if there is none. */
export function errorAbout(name: string): string | null {
  const { value } = draftError
  return value?.field === name ? errorText(value) : null
}

export function errorText({ message, field }: Refusal): string {
  const text =
    field !== null && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/(^|\s)--?(?=[a-z])/g, '$1')
}
