import { UsageError } from '../core/usage-error.ts'
import type { JobFunction, Work, WorkKinds } from './executor.ts'
import { workModule } from './this-thread.ts'

/** The time that a batch should take: long enough to post it, short enough for an even finish. */
export const BATCH_MS = 100
/** After this time a thread hands back the rest of a batch. */
const LONGEST_BATCH_MS = 2 * BATCH_MS
/** Studies that a thread keeps open. */
const MOST_OPEN = 4

/** Some jobs of a study, for a thread. */
export interface ThreadBatch {
  /** The number of the study in the pool. */
  readonly study: number
  readonly work: Work
  readonly inputs: readonly unknown[]
  /** The number of threads. */
  readonly parallel: number
}

/** The answer of a thread: the outputs of the first jobs, and how long they took. */
export interface ThreadReply {
  readonly outputs: readonly unknown[]
  readonly ms: number
  /** Errors lose their class between threads: the parts of a UsageError, which ended the batch. */
  readonly error: ConstructorParameters<typeof UsageError> | null
}

/** Whether an error is a mistake of the user, such as one in an own file. */
type ToldError = (error: unknown) => Promise<UsageError | null>

/** The function of a thread: executes one batch after another, and opens each study once. */
export function batches(
  kinds: WorkKinds,
  told: ToldError = async () => null,
): (batch: ThreadBatch) => Promise<ThreadReply> {
  const opened = new Map<number, Promise<JobFunction>>()
  const jobFunction = ({ study, work, parallel }: ThreadBatch): Promise<JobFunction> => {
    const known = opened.get(study)
    if (known !== undefined) return known
    const [oldest] = opened.keys()
    if (opened.size === MOST_OPEN) opened.delete(oldest)
    const open = async () => (await workModule(kinds, work)).open(work.given as never, { parallel })
    const opening = open()
    opened.set(study, opening)
    return opening
  }
  return async (batch) => {
    const outputs: unknown[] = []
    let begun = performance.now()
    try {
      const execute = await jobFunction(batch)
      begun = performance.now()
      for (const input of batch.inputs) {
        if (outputs.length > 0 && performance.now() - begun > LONGEST_BATCH_MS) break
        outputs.push(await execute(input as never, {}))
      }
      return { outputs, ms: performance.now() - begun, error: null }
    } catch (error) {
      const mistake = (await told(error)) ?? error
      if (!(mistake instanceof UsageError)) throw error
      return { outputs, ms: performance.now() - begun, error: mistake.parts }
    }
  }
}
