import type { Algorithm, Random } from '../../src/core/index.ts'
import { ByteWriter } from '../../src/core/runtime/bytes.ts'

/** Numbers at which handlers may overflow or compare wrongly, beside small ones. */
const EXTREMES = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 47, 2 ** 48 - 1, 2 ** 52, 2 ** 53 - 1]
const REALS = [0, -1, 0.5, 1e-308, 1e300, -1.7e308, Number.NaN, Infinity, -Infinity]

/** A frame with a message of the algorithm that has the right form and any content. */
export function randomMessage({ kinds }: Algorithm, random: Random): Uint8Array {
  const kind = random.below(kinds.length)
  const values = Object.values(kinds[kind].codec.fields).map(({ schema }) =>
    randomBytes(schema, random),
  )
  return Uint8Array.of(kind, ...values.flat())
}

/** The bytes of a random value, by the text of its type. */
function randomBytes(schema: string, random: Random): number[] {
  const out = new ByteWriter()
  const [, name, inner] = /^(\w+)(?:\((.*)\))?$/s.exec(schema) ?? []
  if (schema.startsWith('{')) {
    const fields = parts(schema.slice(1, -1)).map((field) => field.slice(field.indexOf(':') + 1))
    return fields.flatMap((field) => randomBytes(field, random))
  }
  if (name === 'uid' || name === 'nat') {
    out.nat(random.below(3) === 0 ? EXTREMES[random.below(EXTREMES.length)] : random.below(9))
    return [...out.take()]
  }
  if (name === 'real') {
    out.real(random.below(3) === 0 ? REALS[random.below(REALS.length)] : random.unit())
    return [...out.take()]
  }
  if (name === 'incarnation') {
    out.text(['', '1', '2', 'x'.repeat(random.below(40))][random.below(4)])
    return [...out.take()]
  }
  if (name === 'flag') return [random.below(2)]
  if (name === 'oneOf') return [random.below(inner.split('|').length)]
  if (name === 'maybe') return random.below(2) === 0 ? [0] : [1, ...randomBytes(inner, random)]
  if (name === 'pair') return parts(inner).flatMap((part) => randomBytes(part, random))
  if (name === 'bytes') return Array.from({ length: Number(inner) }, () => random.below(256))
  const [element, value] = parts(inner)
  if (name === 'vector')
    return Array.from({ length: Number(value) }, () => randomBytes(element, random)).flat()
  const keys = Array.from({ length: random.below(5) }, () => randomBytes(element, random))
  if (name === 'list') return [keys.length, ...keys.flat()]
  const ordered = [...new Map(keys.map((key) => [key.join(), key])).values()].sort(byBytes)
  if (name === 'set') return [ordered.length, ...ordered.flat()]
  if (name !== 'map') throw new Error(`a type that this generator does not know: ${schema}`)
  return [ordered.length, ...ordered.flatMap((key) => [...key, ...randomBytes(value, random)])]
}

/** Splits at the commas that are not within brackets. */
function parts(text: string): string[] {
  const found = ['']
  let depth = 0
  for (const letter of text) {
    if ('({'.includes(letter)) depth++
    if (')}'.includes(letter)) depth--
    if (letter === ',' && depth === 0) found.push('')
    else found[found.length - 1] += letter
  }
  return found
}

function byBytes(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at < 0 ? one.length - other.length : one[at] - (other[at] ?? -1)
}
