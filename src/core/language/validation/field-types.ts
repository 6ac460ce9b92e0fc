import { UsageError } from '../../usage-error.ts'

/*
 * Checks at run time that what stands in the place of a value type is one. The compiler does the
 * same for typed files, but a definition may be plain JavaScript or loaded without types.
 */

/** What writers of definitions put in the place of a type, and what they mean. */
const MEANT = new Map<unknown, string>([
  [Boolean, 'flag'],
  ['boolean', 'flag'],
  ['bool', 'flag'],
  [Number, 'nat, real or uid'],
  ['number', 'nat, real or uid'],
  ['int', 'nat'],
  ['integer', 'nat'],
  ['float', 'real'],
  ['id', 'uid'],
  [String, "oneOf('first', 'second')"],
  ['string', "oneOf('first', 'second')"],
  [Array, 'list(uid), with the type of its elements'],
  ['array', 'list(uid), with the type of its elements'],
  [Set, 'set(uid), with the type of its elements'],
  [Map, 'map(uid, nat), with the types of keys and values'],
  [Float64Array, 'vector(real, 8), with the number of its elements'],
  [Uint8Array, 'bytes(8), with their number'],
  [Object, 'record({ ... }), with the types of its fields'],
])

const SCALARS = ['uid', 'numericUid', 'nat', 'link', 'real', 'flag']
const CONSTRUCTORS = 'oneOf maybe list pair record set map stable vector bytes'.split(' ')

/** Whether this is a value type, as far as one can see from outside. */
function isValueType(given: unknown): boolean {
  const { schema, start, write, check } = (given ?? {}) as Record<string, unknown>
  return (
    typeof schema === 'string' &&
    [start, write, check].every((method) => typeof method === 'function')
  )
}

/** Refuses anything but a value type; `what` names the place: `the field id`. */
export function requireType(where: string, what: string, given: unknown): void {
  if (isValueType(given)) return
  throw new UsageError(
    where,
    `${what} is ${valueInError(given)}, but a type is needed.`,
    typeHint(given),
  )
}

/** Refuses anything but an object of value types. */
export function requireFields(where: string, given: unknown, example: string): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || isValueType(given))
    throw new UsageError(
      where,
      `expected an object with a type for each field, got ${valueInError(given)}.`,
      `Write ${example}, or {} if there are none.`,
    )
  for (const [name, type] of Object.entries(given)) requireType(where, `the field ${name}`, type)
}

function typeHint(given: unknown): string {
  const meant = MEANT.get(typeof given === 'string' ? given.toLowerCase() : given)
  if (meant !== undefined) return `Write ${meant}.`
  if (typeof given === 'string')
    return SCALARS.includes(given) || CONSTRUCTORS.some((name) => given.startsWith(`${name}(`))
      ? `Write ${given} without quotes, and import it from 'conclave'.`
      : `For one of a few words write oneOf(${JSON.stringify(given)}, ...).`
  if (typeof given === 'boolean') return 'Write flag: it starts as false.'
  if (typeof given === 'number') return 'Write nat, real or uid: they start as 0.'
  if (given === null) return 'Write maybe(uid), with the type of the values that are not null.'
  if (given === undefined) return "Is its name misspelt, or its import from 'conclave' missing?"
  if (typeof given === 'function' && CONSTRUCTORS.includes(given.name))
    return `Call it with the type that it is made of: ${callOf(given.name)}.`
  if (Array.isArray(given)) return 'Write list(uid), with the type of its elements.'
  if (given instanceof Set) return 'Write set(uid), with the type of its elements.'
  if (given instanceof Map) return 'Write map(uid, nat), with the types of keys and values.'
  return 'Write one of uid, nat, real, flag, oneOf, maybe, list, pair, record, set or map.'
}

const EXAMPLES = new Map([
  ['oneOf', "'first', 'second'"],
  ['pair', 'uid, nat'],
  ['map', 'uid, nat'],
  ['record', '{ id: uid }'],
  ['vector', 'real, 8'],
  ['bytes', '8'],
])

function callOf(name: string): string {
  return `${name}(${EXAMPLES.get(name) ?? 'uid'})`
}

/** A value in an error: strings are quoted, and what is no value of the language says its kind. */
export function valueInError(value: unknown): string {
  if (typeof value === 'string') return `${JSON.stringify(value)} (a string)`
  if (typeof value === 'boolean') return `${value} (a boolean)`
  if (typeof value === 'bigint') return `${value}n (a bigint)`
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value === 'function') return value.name ? `the function ${value.name}` : 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  const name = value.constructor?.name
  if (typeof name !== 'string' || name === 'Object') return 'an object'
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
}
