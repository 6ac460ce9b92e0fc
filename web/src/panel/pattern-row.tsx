import { change, draft, tryOut, whole } from './draft.ts'
import { Row, TextRow, textOf } from './field.tsx'

/** A way to write a field: a word, and numbers after colons. */
export interface FieldPattern {
  readonly kind: string
  readonly words: string
  /** The names of its numbers. */
  readonly numbers: readonly string[]
  /** The text that it begins with. */
  readonly start: string
}

interface Props {
  readonly name: string
  readonly label: string
  readonly patterns: readonly FieldPattern[]
  /** A list or notation that no pattern covers, in words, and its start; left out for none. */
  readonly other?: { readonly words: string; readonly hint: string; readonly start: string }
  /** What an empty field stands for, where that is the same for all algorithms. */
  readonly fallback?: string
}

const OTHER = 'other'

/** A field as a choice of patterns with their numbers, so that nobody has to know a notation. */
export function PatternRow({ name, label, patterns, other, fallback }: Props) {
  const text = textOf(draft.value[name] ?? whole.value[name] ?? fallback ?? '')
  const [kind, ...numbers] = text.split(':')
  const pattern = patterns.find((one) => one.kind === kind && one.numbers.length === numbers.length)
  const put = (value: string) => {
    change({ [name]: value === fallback ? undefined : value })
    tryOut()
  }
  const pick = (chosen: string) => {
    const start = patterns.find((one) => one.kind === chosen)?.start ?? other?.start
    if (start !== undefined) put(start)
  }
  return (
    <>
      <Row name={pattern === undefined ? `kind of ${name}` : name} label={label}>
        {({ id, describedBy, invalid }) => (
          <select
            id={id}
            aria-invalid={invalid}
            aria-describedby={describedBy}
            value={pattern?.kind ?? OTHER}
            onChange={({ currentTarget }) => pick(currentTarget.value)}
          >
            {patterns.map((one) => (
              <option key={one.kind} value={one.kind}>
                {one.words}
              </option>
            ))}
            {(other !== undefined || pattern === undefined) && (
              <option value={OTHER}>{other?.words ?? 'as text'}</option>
            )}
          </select>
        )}
      </Row>
      {pattern !== undefined && pattern.numbers.length > 0 && (
        <div class="numbers">
          {pattern.numbers.map((words, i) => (
            <Row key={`${kind} ${words}`} name={`${name} ${words}`} label={words}>
              {({ id }) => (
                <input
                  id={id}
                  class="field"
                  inputMode="decimal"
                  value={numbers[i]}
                  onInput={({ currentTarget: { value } }) =>
                    change({ [name]: [kind, ...numbers.with(i, value)].join(':') })
                  }
                  onChange={tryOut}
                />
              )}
            </Row>
          ))}
        </div>
      )}
      {pattern === undefined && (
        <TextRow
          name={name}
          label={`${label}: ${other?.words ?? 'as text'}`}
          hint={other?.hint ?? ''}
        />
      )}
    </>
  )
}
