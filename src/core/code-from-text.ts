/**
 * The constructor of functions from text. It is taken when the engines are loaded: where code of
 * others runs, the global one is removed before that code is loaded.
 */
export const CodeFromText: FunctionConstructor = Function
