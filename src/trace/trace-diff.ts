import { UsageError } from '../core/index.ts'

/** Compares the events of a run with those of a trace file, up to the first difference. */
export class TraceDiff {
  private compared = 0

  constructor(
    private readonly path: string,
    private readonly events: readonly string[],
  ) {}

  /** The next event of the run, as JSON. */
  compare(event: string): void {
    const written = this.events[this.compared]
    if (written !== event)
      throw this.difference(
        `the run continues with ${event}`,
        written === undefined ? 'the file ends before it' : `the file has ${written}`,
      )
    this.compared++
  }

  /** The run is over. */
  end(): void {
    const written = this.events[this.compared]
    if (written !== undefined) throw this.difference('the run ends here', `the file has ${written}`)
  }

  private difference(run: string, file: string): UsageError {
    return new UsageError(
      `${this.path}, line ${this.compared + 2}`,
      `${run}, but ${file}.`,
      'Record the trace again, or replay it with the definition that wrote it.',
    )
  }
}
