/** Where a figure comes from, as it says in small print. */
export interface Provenance {
  readonly command: string
  readonly version: string
}
