import { CLOCK } from '../../compiler/loop-guard.ts'

/** What a definition may use of the global object: values, collections, text and numbers. */
const KEPT =
  `Object Array Math JSON Map Set WeakMap WeakSet Number String Boolean Symbol BigInt Error
  TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Promise Proxy
  Reflect RegExp Date NaN Infinity undefined parseInt parseFloat isNaN isFinite ArrayBuffer DataView
  Uint8Array Int8Array Uint8ClampedArray Uint16Array Int16Array Uint32Array Int32Array Float32Array
  Float64Array BigInt64Array BigUint64Array globalThis Iterator`.split(/\s+/)

/**
 * Locks the realm: globals that a definition does not need are removed, code cannot be made from
 * text, chance and the clock are refused, and every object of the language is frozen. The engines
 * keep their own references to what they need.
 */
export function lockRealm(others: readonly object[]): void {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!KEPT.includes(name)) delete (globalThis as Record<string, unknown>)[name]
  refuseCodeFromText()
  refuseClockAndChance()
  const silent = () => {}
  const console = { log: silent, info: silent, warn: silent, error: silent, debug: silent }
  Object.defineProperty(globalThis, 'console', { value: console })
  for (const { prototype } of [Object, Error, TypeError, RangeError, SyntaxError, ReferenceError])
    keepAssignable(prototype)
  // Objects that no global leads to: iterators, and the kinds of functions.
  const hidden = [
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
    (function* () {})(),
    (async function* () {})(),
    async () => {},
  ]
  freezeAll([globalThis, ...others, ...hidden])
}

/**
 * An object cannot be given a property that its frozen prototype has as a value: `this.name = ...`
 * in an error would throw. As an accessor the property can still be assigned.
 */
function keepAssignable(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    const found = Object.getOwnPropertyDescriptor(prototype, key)!
    if (!found.configurable || !('value' in found)) continue
    const { value, enumerable = false } = found
    Object.freeze(value)
    Object.defineProperty(prototype, key, {
      get: () => value,
      set(this: object, given: unknown) {
        const property = { value: given, writable: true, enumerable: true, configurable: true }
        if (this !== prototype) Object.defineProperty(this, key, property)
      },
      enumerable,
      configurable: false,
    })
  }
}

/** Freezes these objects and all that can be reached from them. */
function freezeAll(roots: readonly unknown[]): void {
  const seen = new Set<unknown>()
  const left = [...roots]
  while (left.length > 0) {
    const one = left.pop()
    if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one))
      continue
    seen.add(one)
    left.push(Object.getPrototypeOf(one))
    for (const key of Reflect.ownKeys(one)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(one, key)!
      left.push(value, get, set)
    }
    Object.freeze(one)
  }
}

/** The constructors of functions are the only way from text to code, once eval is gone. */
export function refuseCodeFromText(): void {
  const refuse = () => {
    throw new TypeError('code cannot be made from text in a definition')
  }
  for (const one of [() => {}, async () => {}, function* () {}, async function* () {}])
    Object.defineProperty(Object.getPrototypeOf(one), 'constructor', {
      value: refuse,
      writable: false,
      configurable: false,
    })
}

/** Code that stops endless loops is put before a definition, and takes the clock once. */
function refuseClockAndChance(): void {
  let clock: (() => number) | undefined = Date.now
  Object.defineProperty(globalThis, Symbol.for(CLOCK), {
    get() {
      const taken = clock
      clock = undefined
      return taken
    },
  })
  const refusal = (what: string, instead: string) => () => {
    throw new Error(`${what} is not available to an algorithm: ${instead}`)
  }
  Math.random = refusal('Math.random', 'declare coins: true and use net.choose')
  const now = refusal('the clock (Date)', 'time passes only between events; use a timer')
  class Clock {
    static now = now
    static parse = now
    static UTC = now
    constructor() {
      now()
    }
  }
  Object.defineProperty(globalThis, 'Date', { value: Clock })
}
