/**
 * The folder of the built program. Every built file lies two folders below the package, and so does
 * this source: the address is right for both.
 */
export const BUILT = new URL('../../dist/', import.meta.url)
