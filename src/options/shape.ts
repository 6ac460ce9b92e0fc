import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'
import { unexpected } from './reading.ts'

/*
 * Shapes of data that a caller without types may have written in any way. The types of the library
 * are written by hand; the compiler checks that the shape of each has exactly its members.
 */

/** What data of a type looks like. */
export interface DataShape<T> {
  /** Whether a value has this form; its numbers may still be out of range. */
  fits(value: unknown): value is T
  /** Rejects numbers out of range in a value of this form, and says where they are. */
  check(where: string, value: unknown): void
  /** The members of an object of this form, by name: whether each may be left out. */
  membersOf?(value: unknown): Readonly<Record<string, { readonly optional?: true }>>
}

/** The shape of a member that may be left out. */
export interface OptionalShape<T> extends DataShape<T | undefined> {
  readonly optional: true
}

/** A shape for each member of a type; an optional one for what is optional there. */
type Members<T> = {
  readonly [K in keyof T]-?: undefined extends T[K]
    ? OptionalShape<Exclude<T[K], undefined>>
    : DataShape<T[K]>
}

export function number(
  expected: string,
  example: number,
  accepts: (number: number) => boolean,
): DataShape<number> {
  return {
    fits: (value) => typeof value === 'number',
    check(where, value) {
      if (typeof value !== 'number' || !accepts(value))
        throw unexpected(where, expected, value, `Write a number such as ${example}.`)
    },
  }
}

function wholeNumber(what: string, example: number): DataShape<number> {
  const expected = `${what}, which is a whole number from 0`
  return number(expected, example, (value) => Number.isSafeInteger(value) && value >= 0)
}

export const position = wholeNumber('a position', 1)
export const id = wholeNumber('an id', 2)
export const messageNumber = wholeNumber('the number of a message', 17)
export const time = number(
  'a time of at least 0',
  10,
  (value) => Number.isFinite(value) && value >= 0,
)
export const share = number('a share from 0 to 1', 0.5, (value) => value >= 0 && value <= 1)

export const yes: DataShape<boolean> = {
  fits: (value) => typeof value === 'boolean',
  check() {},
}

/** The two ends of a link. */
export const link: DataShape<readonly [number, number]> = {
  fits: (value): value is readonly [number, number] =>
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(position.fits) &&
    value[0] !== value[1],
  check: checkPositions,
}

/** Two or more groups of nodes, none of them empty. */
export const groups: DataShape<readonly (readonly number[])[]> = {
  fits: (value): value is readonly (readonly number[])[] =>
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((group) => Array.isArray(group) && group.length > 0),
  check(where, value) {
    for (const [i, group] of (value as readonly unknown[]).entries())
      checkPositions(`${where}[${i}]`, group)
  },
}

function checkPositions(where: string, value: unknown): void {
  for (const [i, entry] of (value as readonly unknown[]).entries())
    position.check(`${where}[${i}]`, entry)
}

export function optional<T>(shape: DataShape<T>): OptionalShape<T> {
  return {
    optional: true,
    fits: (value): value is T | undefined => value === undefined || shape.fits(value),
    check(where, value) {
      if (value !== undefined) shape.check(where, value)
    },
  }
}

/** An object with these members and no others. Where it has both, `from` is before `to`. */
export function record<T extends object>(members: Members<T>): DataShape<T> {
  const shapes = Object.entries<DataShape<unknown>>(members)
  return {
    membersOf: () => members as Readonly<Record<string, { readonly optional?: true }>>,
    fits: (value): value is T =>
      isObjectLiteral(value) &&
      Object.keys(value).every((name) => Object.hasOwn(members, name)) &&
      shapes.every(([name, shape]) => shape.fits(value[name])),
    check(where, value) {
      const given = value as Readonly<Record<string, unknown>>
      for (const [name, shape] of shapes) shape.check(`${where}.${name}`, given[name])
      refuseReversed(where, given)
    },
  }
}

/** Any of several shapes. */
export function either<S extends readonly DataShape<unknown>[]>(
  ...shapes: S
): DataShape<S[number] extends DataShape<infer T> ? T : never> {
  type Any = S[number] extends DataShape<infer T> ? T : never
  return {
    fits: (value): value is Any => shapes.some((shape) => shape.fits(value)),
    check: (where, value) => shapes.find((shape) => shape.fits(value))?.check(where, value),
    membersOf(value) {
      const records = shapes.filter((shape) => shape.membersOf !== undefined)
      const found = records.find((shape) => shape.fits(value)) ?? records[0]
      return found.membersOf!(value)
    },
  }
}

function refuseReversed(where: string, { from, to }: Readonly<Record<string, unknown>>): void {
  if (typeof from !== 'number' || typeof to !== 'number' || to > from) return
  const problem = `expected a time after ${quoted(from)}, at which it begins, got ${quoted(to)}.`
  throw new UsageError(`${where}.to`, problem, 'Swap the two times.')
}

/** Whether a value is an object literal, rather than a list, a map or an instance of a class. */
export function isObjectLiteral(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  // Object.prototype of another realm is no other object's child either.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The entries of a list, each of the shape; `example` completes the hint of an error. */
export function entriesOf<T>(
  where: string,
  value: unknown,
  shape: DataShape<T>,
  example: string,
  least = 0,
): readonly T[] {
  if (!Array.isArray(value) || value.length < least) throw unreadable(where, value, example)
  const wrong = value.findIndex((entry) => !shape.fits(entry))
  if (wrong >= 0) throw unreadable(`${where}[${wrong}]`, value[wrong], example)
  for (const [i, entry] of value.entries()) shape.check(`${where}[${i}]`, entry)
  return value
}

/** The error for data of another shape. */
export function unreadable(where: string, given: unknown, example: string): UsageError {
  const what = given === undefined ? 'it is missing' : `cannot read ${quoted(given)}`
  return new UsageError(where, `${what}.`, `Write for example ${example}.`)
}

/** Rejects members that an object of this kind does not have. */
export function refuseOthers(where: string, value: object, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name))
  if (other === undefined) return
  throw new UsageError(
    `${where}.${other}`,
    'there is no field of this name.',
    `The fields are ${known.join(', ')}.`,
  ).withCandidates(other, known)
}
