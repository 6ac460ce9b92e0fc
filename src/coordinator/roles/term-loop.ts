import type { RunningTerm } from './term.ts'

/** The terms of a role at this process, one after the other. */
export interface TermSource {
  /** The present term; null while this process does not lead. */
  readonly current: RunningTerm | null
  readonly closed: boolean
  /** Calls back after every change of the above; returns what stops that. */
  watch(run: () => void): () => void
  /** A loop begins, or has ended. */
  loops(more: 1 | -1): Promise<void>
  end(term: RunningTerm, why: string): void
}

/** A turn for each term, until the signal is aborted or the source is closed. */
export async function* termLoop(
  source: TermSource,
  signal: AbortSignal | undefined,
): AsyncGenerator<RunningTerm, void, undefined> {
  if (signal?.aborted) return
  await source.loops(1)
  const abort = () => {
    if (source.current !== null) source.end(source.current, 'the signal of its loop was aborted')
  }
  signal?.addEventListener('abort', abort)
  try {
    let last: RunningTerm | null = null
    for (;;) {
      const term = await nextTerm(source, last, signal)
      if (term === null) return
      last = term
      term.beginWork()
      try {
        yield term
      } finally {
        term.endWork()
      }
      // Nobody does the work any more: another process should.
      source.end(term, 'its work has ended')
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    await source.loops(-1)
  }
}

/** The term after `last`, as soon as there is one; null where there will be none. */
function nextTerm(
  source: TermSource,
  last: RunningTerm | null,
  signal: AbortSignal | undefined,
): Promise<RunningTerm | null> {
  return new Promise((resolve) => {
    const look = () => {
      const { current: term, closed } = source
      const over = closed || signal?.aborted === true
      const found = term !== null && term !== last && term.ending === null && term.valid
      if (!over && !found) return
      stop()
      signal?.removeEventListener('abort', look)
      resolve(over ? null : term)
    }
    const stop = source.watch(look)
    signal?.addEventListener('abort', look)
    look()
  })
}
