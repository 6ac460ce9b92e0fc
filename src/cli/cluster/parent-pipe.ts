import { createInterface } from 'node:readline'

/** What it may say after the addresses: start if you are to, and tell how you are. */
export const WORDS = { start: 'start', report: 'report' } as const

/** The process that started this one and speaks to it, in lines on standard input. */
export class ParentPipe {
  private readonly lines = createInterface({ input: process.stdin })
  private gone = false

  constructor() {
    this.lines.once('close', () => {
      this.gone = true
    })
  }

  /** The first line; null where there is none. */
  first(): Promise<string | null> {
    return new Promise((resolve) => {
      this.lines.once('line', resolve)
      this.lines.once('close', () => resolve(null))
    })
  }

  /** Hears every word from now on; if the parent is gone, nobody is left to report to. */
  attend(heard: (word: string) => void, left: () => void): void {
    if (this.gone) left()
    this.lines.on('line', (line) => heard(line)).on('close', left)
  }

  release(): void {
    this.lines.removeAllListeners()
    this.lines.close()
    process.stdin.destroy()
  }
}
