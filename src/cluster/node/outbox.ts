import type { StableStorage } from './node-options.ts'

/** The effects of one handler. */
interface Batch {
  readonly effects: readonly (() => void)[]
  /** Whether the stable fields that they rest on are committed. */
  committed: boolean
}

interface OutboxOwner {
  /** Runs effects after a commit has ended. */
  run(step: () => void): void
  failed(error: unknown): void
}

/**
 * The effects of handlers on the outside world. They leave in the order of the handlers, after the
 * stable fields that their handler changed are committed.
 */
export class Outbox {
  private effects: (() => void)[] = []
  private readonly batches: Batch[] = []
  private flushing = false
  private failed = false

  constructor(
    private readonly storage: StableStorage | null,
    private readonly owner: OutboxOwner,
  ) {}

  /** Whether something waits for a commit. */
  get pending(): boolean {
    return this.batches.length > 0
  }

  /** An effect of the present handler. */
  add(effect: () => void): void {
    this.effects.push(effect)
  }

  /** The present handler failed: it has no effects. */
  discard(): void {
    this.effects = []
  }

  /** The present handler ended; `fields` are its stable fields if they changed. */
  close(fields: Uint8Array | null): void {
    const { effects } = this
    this.effects = []
    if (this.failed || (effects.length === 0 && fields === null)) return
    const batch: Batch = { effects, committed: true }
    this.batches.push(batch)
    if (fields !== null) this.commit(fields, batch)
    this.flush()
  }

  private commit(fields: Uint8Array, batch: Batch): void {
    try {
      const writing = this.storage?.commit(fields)
      if (writing === undefined) return
      batch.committed = false
      writing.then(
        () => {
          batch.committed = true
          if (!this.failed) this.owner.run(() => this.flush())
        },
        (error) => this.fail(error),
      )
    } catch (error) {
      this.fail(error)
    }
  }

  /** What has not left yet never leaves. */
  private fail(error: unknown): void {
    if (this.failed) return
    this.stop()
    this.owner.failed(error)
  }

  stop(): void {
    this.failed = true
    this.batches.length = 0
  }

  /** An effect may lead to another event of this node, whose effects then follow. */
  private flush(): void {
    if (this.flushing) return
    this.flushing = true
    try {
      while (this.batches[0]?.committed)
        for (const effect of this.batches.shift()!.effects) effect()
    } finally {
      this.flushing = false
    }
  }
}
