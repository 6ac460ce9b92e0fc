import { createInterface } from 'node:readline'

/** Lines that the parent sends after the addresses. */
export const PARENT_COMMANDS = { start: 'start', report: 'report' } as const

/** Commands of the process that started this one, as lines on standard input. */
export class ParentPipe {
  private readonly lines = createInterface({ input: process.stdin })
  private closed = false

  constructor() {
    this.lines.once('close', () => {
      this.closed = true
    })
  }

  /** The first line; null if the input is empty. */
  firstLine(): Promise<string | null> {
    return new Promise((resolve) => {
      this.lines.once('line', resolve)
      this.lines.once('close', () => resolve(null))
    })
  }

  /** Calls `received` for every further line, and `ended` when the parent has ended. */
  onCommand(received: (command: string) => void, ended: () => void): void {
    if (this.closed) ended()
    this.lines.on('line', (line) => received(line)).on('close', ended)
  }

  close(): void {
    this.lines.removeAllListeners()
    this.lines.close()
    process.stdin.destroy()
  }
}
