/*
 * Types of the platform that the declarations of the library name. A project that declares them, by
 * the types of Node.js or of a browser, gets its own; every other one gets what is used of them.
 */

/** The global `AbortSignal`. */
export type AbortSignal = typeof globalThis extends {
  readonly AbortSignal: { readonly prototype: infer Declared }
}
  ? Declared
  : {
      readonly aborted: boolean
      readonly reason: unknown
      addEventListener(name: 'abort', listener: () => void): void
      removeEventListener(name: 'abort', listener: () => void): void
    }

/** What `await using` needs, where the project knows of it. */
export type AsyncDisposing = SymbolConstructor extends {
  readonly asyncDispose: infer Key extends symbol
}
  ? { readonly [Name in Key]: () => Promise<void> }
  : Record<never, never>
