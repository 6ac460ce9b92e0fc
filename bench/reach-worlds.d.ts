/** A world of bench/reach.js: with a model for Spin, or `none`: why there is no model. */
export interface ReachWorld {
  readonly title: string
  readonly sizes: readonly number[]
  readonly words: (n: number) => string
  readonly none?: string
  readonly model?: string
  readonly spinSizes?: readonly number[]
  readonly defines?: (n: number) => readonly string[]
  readonly flags?: readonly string[]
  /** The sizes of rings whose nodes all start first. */
  readonly eagerSizes?: readonly number[]
}
export const worlds: readonly ReachWorld[]
