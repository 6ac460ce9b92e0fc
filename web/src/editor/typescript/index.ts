/**
 * The compiler and the declarations of the language, built as one separate file: the
 * worker of the editor loads it, and the command line can. It is the largest part of the page.
 */
export { default as ts } from 'typescript'

const FILES = import.meta.glob<string>(
  '../../../node_modules/typescript/lib/lib.{es5,es20*,decorators*}.d.ts',
  { query: '?raw', import: 'default', eager: true },
)

/** The declarations of JavaScript's own objects, by the names of their files. */
export const LIBRARY: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FILES).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
)
