/** What the editor asks of the compiler's worker, about one file as it is now. */
export type CompilerQuestion = {
  readonly number: number
  readonly path: string
  readonly source: string
} & (
  | { readonly what: 'compile' }
  | { readonly what: 'complete' | 'explain'; readonly position: number }
)

/** Something that the compiler has to say about a part of the source. */
export interface Diagnosis {
  readonly from: number
  readonly to: number
  readonly message: string
  readonly grave: boolean
}

export interface Compiled {
  readonly diagnoses: readonly Diagnosis[]
  /** JavaScript, and for each of its lines the line of the source that it comes from. */
  readonly compiled: string
  readonly lines: readonly number[]
}

export interface Completions {
  readonly completions: readonly { readonly name: string; readonly kind: string }[]
}

export interface Explanation {
  readonly text: string
}

export type Reply = { readonly number: number } & (Compiled | Completions | Explanation)
