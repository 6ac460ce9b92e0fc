/** The sources of the catalogue and their instrumented code, by path: see web/catalogue-code.js. */
declare module 'virtual:catalogue-code' {
  const modules: Readonly<Record<string, import('./coverage.ts').CoveredSource>>
  export default modules
}
