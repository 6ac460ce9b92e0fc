import type { SourceText } from '../../../../../src/core/language/theory.ts'
import type { ScenarioInput } from '../../../../../src/scenario/index.ts'

/** A scenario of the gallery. */
export interface Exhibit {
  readonly title: string
  /** What to watch, in one sentence. */
  readonly watch: string
  /** The source text, by its number. */
  readonly source?: SourceText
  readonly scenario: ScenarioInput
  /** The speed, where it is not one unit of time per second. */
  readonly speed?: number
}

export interface GalleryRoom {
  readonly title: string
  readonly exhibits: readonly Exhibit[]
}
