import { parentPort } from 'node:worker_threads'
import { UsageError } from '../../core/index.ts'
import type { ThreadBatch, ThreadReply } from '../../jobs/thread-batch.ts'
import { provideModules } from '../input/user-module.ts'
import { work } from '../jobs/job-thread.ts'

/** What a thread of a worker says about a batch: its results, or the reason why there are none. */
export type ThreadAnswer = ThreadReply | { readonly failed: string }

// A caller on another machine has no business with the files of this one.
provideModules((path) => {
  throw new UsageError('worker', `The study names the file ${path}, but brings no code.`)
})

/** The entry of such a thread: one batch after another. */
parentPort?.on('message', async (batch: ThreadBatch) => {
  parentPort?.postMessage(await answerOf(withoutFiles(batch)))
})

/** Files of networks come with the study, or not at all. */
function withoutFiles(batch: ThreadBatch): ThreadBatch {
  const { kind, given } = batch.work
  if (typeof given !== 'object' || given === null) return batch
  const texts = 'texts' in given && given.texts !== null ? given.texts : {}
  return { ...batch, work: { kind, given: { ...given, texts } } }
}

async function answerOf(batch: ThreadBatch): Promise<ThreadAnswer> {
  try {
    return await work(batch)
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}
