import { suggestionFor } from '../../usage-error.ts'

/**
 * A mistake of a handler, thrown at its place, so that the stack shows the line. The execution
 * makes a `HandlerError` of it.
 */
export class Violation extends Error {
  constructor(
    readonly problem: string,
    readonly hint: string,
    /** Whether a value in the state is not of its type. */
    readonly wrongValue = false,
    /** The field of the state, where the place in the handler is not known. */
    readonly field: string | null = null,
  ) {
    super(`${problem} ${hint}`)
  }
}

/** Why a member is not there, and how to get it; `exists`: it is no misspelt name. */
export type Remedy = (name: string) => {
  readonly problem: string
  readonly hint: string
  readonly exists?: boolean
}

/**
 * The prototype of an object all of whose members are known: reading or writing any other member
 * throws. Lookups of known members never reach it.
 */
export function unknownMembers(object: string, names: readonly string[], remedy: Remedy): object {
  function violation(name: string): Violation {
    const { problem, hint, exists } = remedy(name)
    const meant = exists ? null : suggestionFor(name, names)
    return new Violation(
      problem,
      meant === null ? hint : `Did you mean ${object}.${meant}? ${hint}`,
    )
  }
  return new Proxy(Object.create(Object.prototype), {
    get(target, name, receiver) {
      // Inspection and conversion ask any object for these.
      if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON')
        return Reflect.get(target, name, receiver)
      throw violation(name)
    },
    set(_target, name) {
      throw violation(String(name))
    },
  })
}
