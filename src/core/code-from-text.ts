/**
 * The constructor of functions from text. It is taken when the engines are loaded: where code of
 * others runs, the global one is removed before that code is loaded.
 */
export const CodeFromText: FunctionConstructor = Function

let copies = 0

/**
 * A copy of a function that uses nothing but its parameters. V8 inlines a call if all calls at that
 * place went to the same function, and counts them for each text: every copy has another.
 */
export function copyOf<F extends (...args: never[]) => unknown>(original: F): F {
  return new CodeFromText(`return ${original} // ${copies++}`)() as F
}
