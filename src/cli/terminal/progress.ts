import type { PermutationSummary } from '../../check/index.ts'
import type { Io } from '../io.ts'
import { grouped } from './format.ts'

const QUIET_MS = 1000
const REFRESH_MS = 200

/** How many arrangements are done, on a terminal and where it takes long. */
export class PermutationProgress {
  private readonly begun = Date.now()
  private shown = 0

  constructor(
    private readonly all: number,
    private readonly tally: PermutationSummary,
    private readonly io: Io,
  ) {}

  show(): void {
    const now = Date.now()
    if (!this.io.progress || now - this.begun < QUIET_MS || now - this.shown < REFRESH_MS) return
    this.shown = now
    const { explored, states } = this.tally
    const done = `${grouped(explored)} of ${grouped(this.all)} arrangements`
    this.io.err(`\r\x1b[K${done}, ${grouped(states)} states`)
  }

  clear(): void {
    if (this.shown > 0) this.io.err('\r\x1b[K')
  }
}
