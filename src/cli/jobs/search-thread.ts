import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import type { ThreadSetup } from '../../check/search/threads/search-threads.ts'
import { runSearchThread } from '../../check/search/threads/thread-loop.ts'

/*
 * The code of a thread that helps in one search after another. It is bundled apart from the rest of
 * the program, since loading that would take longer than many a search.
 */

/** A search that a thread takes part in. */
export interface SearchCall {
  readonly setup: ThreadSetup
  /** The updates. */
  readonly port: MessagePort
}

parentPort?.on('message', ({ setup, port }: SearchCall) => {
  try {
    runSearchThread(setup, () => receiveMessageOnPort(port)?.message ?? null)
  } finally {
    port.close()
  }
})
