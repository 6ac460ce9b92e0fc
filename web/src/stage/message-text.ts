/** The longest label of a message; the decisive field is never cut. */
const LABEL_LENGTH_MAX = 30

/**
 * A short text of a message: its type and its content, first the field that decides what the
 * receiver does. A brief text has only that field; an ellipsis says that fields are left out.
 */
export function messageCaption(
  type: string,
  body: string,
  decides?: string,
  brief = false,
): string {
  const fields = body === '' ? [] : Object.entries(JSON.parse(body) as Record<string, unknown>)
  if (fields.length === 0) return type
  const decisive = fields.findIndex(([name]) => name === decides)
  const [first] = fields.splice(Math.max(0, decisive), 1)
  // A truth value says nothing without its name, and a name is not repeated.
  const named = first[0] === type ? type : `${type} ${first[0]}`
  if (fields.length === 0 || (brief && decisive >= 0))
    return `${typeof first[1] === 'boolean' ? named : type} ${show(first[1])}`
  let text = `${named} ${show(first[1])}`
  if (decisive < 0 && text.length > LABEL_LENGTH_MAX)
    return `${text.slice(0, LABEL_LENGTH_MAX - 1)}…`
  for (const [name, value] of fields) {
    const next = `${text}, ${name} ${show(value)}`
    if (next.length > LABEL_LENGTH_MAX) return `${text}, …`
    text = next
  }
  return text
}

function show(value: unknown): string {
  if (typeof value === 'number') return String(Number(shortNumber(value).toPrecision(6)))
  const short = shortRow(value)
  return typeof short === 'object' ? JSON.stringify(short, rounded) : String(short)
}

function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? shortNumber(value) : value
}

/** Four digits of a fraction are enough to read. */
export function shortNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}

/** Longer rows of numbers, as of sketches, show their first ones; lists of ids are shorter. */
const LONGEST_ROW = 16
const SHOWN_OF_ROW = 4

/** A long row of numbers as a short text; any other value as it is. */
export function shortRow(value: unknown): unknown {
  if (!Array.isArray(value) || value.length <= LONGEST_ROW) return value
  if (!value.every((one) => typeof one === 'number')) return value
  const first = value.slice(0, SHOWN_OF_ROW).map(shortNumber)
  return `[${first.join()}, … ${value.length} in all]`
}
