/**
 * Ctrl-C while jobs are executed elsewhere: they are aborted in order. While this thread computes,
 * it could not notice, and Ctrl-C ends the process at once, as without this.
 */
export class Interruption {
  happened = false
  private expected = false

  constructor(private readonly abort: () => void) {}

  /** Called when something is executed elsewhere; a second Ctrl-C then ends the process. */
  expect(): void {
    if (this.expected) return
    this.expected = true
    process.once('SIGINT', this.interrupt)
  }

  end(): void {
    process.off('SIGINT', this.interrupt)
  }

  private readonly interrupt = () => {
    this.happened = true
    this.abort()
  }
}
