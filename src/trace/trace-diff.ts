import { UsageError } from '../core/index.ts'

/** Holds what happens against the events of a file, and refuses it at the first that differs. */
export class TraceDiff {
  private met = 0

  constructor(
    private readonly path: string,
    private readonly events: readonly string[],
  ) {}

  /** Something happens, written as in the file. */
  meet(event: string): void {
    const written = this.events[this.met]
    if (written !== event)
      throw this.difference(
        `${event} happens here`,
        written === undefined ? 'the file ends before it' : `the file has ${written}`,
      )
    this.met++
  }

  /** Nothing more happens. */
  end(): void {
    const written = this.events[this.met]
    if (written !== undefined)
      throw this.difference('the run is over here', `the file has ${written}`)
  }

  private difference(happens: string, given: string): UsageError {
    return new UsageError(
      `${this.path}, line ${this.met + 2}`,
      `${happens}, but ${given}.`,
      'Make the trace again, or name the definition it is from: conclave run mine.ts --replay FILE.',
    )
  }
}
