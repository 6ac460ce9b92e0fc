/**
 * The folder of the built program. Every built file lies two folders below the package, and so does
 * this source: the address is right for both.
 */
export const BUILT = /* @__PURE__ */ new URL('../../dist/', here())

/** Bundlers of web pages would take an address beside `import.meta.url` for a file to copy. */
function here(): string {
  return import.meta.url
}
