import {
  type Algorithm,
  algorithm,
  type Fields,
  type GlobalState,
  message,
  type Property,
  UsageError,
} from '../../core/index.ts'
import { NoElection } from '../../experiment/grade/findings.ts'
import { BUILT_IN_PROBLEMS } from '../../problems/algorithm-properties.ts'
import * as language from '../../problems/index.ts'

/*
 * What a graded file gets as `conclave`. A definition is code in the same realm as the engines that
 * judge it, so it must never hold one of their objects: with its prototype it could change how all
 * others work. An algorithm is a token here; types of values are those that were made here; and the
 * functions of a definition get copies.
 */

export interface OfferedLanguage {
  /** The exports of `conclave`. */
  readonly exports: Readonly<Record<string, unknown>>
  /** The algorithm behind a token; the value itself if it is none. */
  resolved(value: unknown): unknown
}

type AnyFunction = (...given: never[]) => unknown

const TYPE_MAKERS = 'below list map pair record set maybe oneOf stable vector bytes'.split(' ')

export function offeredLanguage(): OfferedLanguage {
  const all = language as unknown as Readonly<Record<string, unknown>>
  const types = new WeakSet<object>(Object.values(all).filter(isType))
  const algorithms = new WeakMap<object, Algorithm>()
  const makers = TYPE_MAKERS.map((name) => [
    name,
    (...given: never[]) => {
      const type = (all[name] as AnyFunction)(...given) as object
      // A type of an unknown type would bring it in.
      const parts = given.filter((one) => typeof one !== 'number')
      if (name !== 'oneOf') refuseForeign(name, typesAmong(parts), types)
      types.add(type)
      return Object.freeze(type)
    },
  ])
  const offered = {
    ...all,
    ...Object.fromEntries(makers),
    message(fields: Fields) {
      const copy = copyOf(fields)
      if (isObject(copy)) refuseForeign('message', Object.values(copy), types)
      return Object.freeze({ ...message(copy), fields: Object.freeze(copy) })
    },
    algorithm(given: Record<string, unknown>) {
      const definition = copyOf(given)
      if (isObject(definition)) narrow(definition, types, algorithms)
      const made = algorithm(definition as never) as Algorithm
      const token = Object.freeze({ name: made.name })
      algorithms.set(token, made)
      return token
    },
  }
  return {
    exports: offered,
    resolved: (value) => (isObject(value) ? (algorithms.get(value) ?? value) : value),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Its own members as they are at this moment: a getter may answer differently later. */
function copyOf<T>(value: T): T {
  return isObject(value) && !Array.isArray(value) ? { ...value } : value
}

/** Types that were given to a maker of types, as arguments or as fields. */
function typesAmong(given: readonly unknown[]): unknown[] {
  return given.flatMap((one) => (isType(one) || !isObject(one) ? [one] : Object.values(one)))
}

function isType(value: unknown): value is object {
  return isObject(value) && 'write' in value
}

/** Refuses objects that look like types of values and were not made by the language. */
function refuseForeign(where: string, given: readonly unknown[], types: WeakSet<object>): void {
  for (const one of given)
    if (isType(one) && !types.has(one as object))
      throw new UsageError(
        where,
        'a graded definition can use only the types of conclave.',
        'Use uid, nat, flag and the others of docs/language.md.',
      )
}

/** Leaves what an election needs, with functions that get copies of what they are given. */
function narrow(
  definition: Record<string, unknown>,
  types: WeakSet<object>,
  algorithms: WeakMap<object, Algorithm>,
): void {
  if (definition.computes !== undefined)
    throw new NoElection('algorithm', 'computes makes it an aggregation.')
  // Nothing else of the theory, and nothing of these, changes what is judged.
  const { fails } = (isObject(definition.theory) ? definition.theory : {}) as { fails?: unknown }
  definition.theory = typeof fails === 'function' ? { fails: ofCopies(fails as AnyFunction) } : {}
  delete definition.display
  delete definition.reasons
  delete definition.byAttribute
  definition.needs = jsonOf(definition.needs)
  definition.state = copyOf(definition.state)
  if (isObject(definition.state)) refuseForeign('state', Object.values(definition.state), types)
  for (const name of ['handover', 'beyond'])
    if (typeof definition[name] === 'function')
      definition[name] = ofCopies(definition[name] as AnyFunction)
  const { variant, problem, properties } = definition
  if (typeof variant === 'function')
    definition.variant = (settings: object) => {
      const chosen: unknown = variant({ ...settings })
      return isObject(chosen) ? (algorithms.get(chosen) ?? null) : null
    }
  if (Array.isArray(properties)) definition.properties = judgedByCopies(properties)
  if (isObject(problem) && !(BUILT_IN_PROBLEMS as readonly object[]).includes(problem))
    definition.problem = ownProblem(problem)
}

function jsonOf(value: unknown): unknown {
  return isObject(value) ? JSON.parse(JSON.stringify(value)) : value
}

function ofCopies(act: AnyFunction) {
  return (...given: unknown[]) => act(...(given.map(copyOf) as never[]))
}

function ownProblem(problem: object): object {
  const { properties, ...rest } = problem as { properties: unknown }
  if (Array.isArray(properties)) return { ...rest, properties: judgedByCopies(properties) }
  if (typeof properties !== 'function') return problem
  return {
    ...rest,
    properties: (faults: boolean, traits: object) =>
      judgedByCopies(properties(faults, { ...traits, candidate: null })),
  }
}

/** Properties whose functions see a copy of the global state. */
export function judgedByCopies(properties: unknown): unknown {
  if (!Array.isArray(properties)) return properties
  return properties.map((property: Property) => {
    if (!isObject(property)) return property
    const { broken, moot, unpromised } = property
    return Object.freeze({
      ...property,
      ...(typeof broken === 'function' && { broken: onCopy(broken, property) }),
      ...(typeof moot === 'function' && { moot: onCopy(moot, property) }),
      ...(typeof unpromised === 'function' && { unpromised: onCopy(unpromised, property) }),
    })
  })
}

function onCopy(judge: (global: GlobalState) => string | null, property: Property) {
  return (global: GlobalState) => judge.call(property, copiedState(global))
}

/** The global state without a way to that of the engine. */
function copiedState(global: GlobalState): GlobalState {
  const { n, leaders, deposed, idle, leads, followed } = global
  const { handover } = global
  return Object.freeze({
    n,
    leaders: [...leaders],
    deposed: [...deposed],
    ...(idle !== undefined && { idle }),
    ...(leads !== undefined && { leads: leads.map((one) => ({ ...one })) }),
    ...(followed !== undefined && { followed: followed.map((one) => ({ ...one })) }),
    state: (node: number) => copiedValue(global.state(node)) as ReturnType<GlobalState['state']>,
    alive: (node: number) => global.alive(node),
    name: (node: number) => global.name(node),
    component: (node: number) => global.component(node),
    ...(handover !== undefined && {
      handover: (first: number, second: number) => handover.call(global, first, second),
    }),
  })
}

function copiedValue(value: unknown): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(copiedValue)
  if (value instanceof Float64Array || value instanceof Uint8Array) return value.slice()
  if (value instanceof Set) return new Set([...value].map(copiedValue))
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [copiedValue(key), copiedValue(one)]))
  const fields: Record<string, unknown> = {}
  for (const key in value) fields[key] = copiedValue((value as Record<string, unknown>)[key])
  return fields
}
