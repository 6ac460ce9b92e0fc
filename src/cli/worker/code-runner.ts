import { UsageError } from '../../core/usage-error.ts'
import type { JobRunner, StudyCode } from '../../jobs/jetstream/batch-execution.ts'
import { type ConfinedWork, openConfined } from '../own-code/confined-work.ts'

/** What the code of a study may use, in each of its processes. */
const MEMORY_MB = 2048
/** After this time the rest of a batch waits for the next call. */
const LONGEST_MS = 200
/** Studies whose processes are kept; more of them are ended when they have no jobs. */
const MOST_OPEN = 2

/** A study with its processes. */
interface OpenStudy {
  readonly confined: Promise<ConfinedWork>
  busy: number
}

/** Executes jobs with the code of their study, in processes that only compute. */
export function codeRunner(parallel: number, jobMs: number): JobRunner {
  const open = new Map<string, OpenStudy>()
  const limits = { memoryMB: MEMORY_MB, seconds: jobMs / 1000 }
  const opened = ({ study, work, code }: StudyCode): OpenStudy => {
    const known = open.get(study)
    if (known !== undefined) return known
    for (const [name, { busy }] of open)
      if (busy === 0 && open.size >= MOST_OPEN) void close(name, open)
    const found = { confined: openConfined(work, code!, { parallel }, limits), busy: 0 }
    // Whoever waits for it gets the error, and the next one tries again.
    found.confined.catch(() => open.delete(study))
    open.set(study, found)
    return found
  }
  return {
    async run(study, inputs, signal) {
      const outputs: unknown[] = []
      const begun = performance.now()
      const used = opened(study)
      used.busy++
      try {
        const confined = await used.confined
        for (const input of inputs) {
          if (outputs.length > 0 && performance.now() - begun > LONGEST_MS) break
          outputs.push(await confined.execute(input, { signal }))
        }
        return { outputs, ms: performance.now() - begun, error: null }
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        return { outputs, ms: performance.now() - begun, error: error.parts }
      } finally {
        used.busy--
      }
    },
    async close() {
      await Promise.all([...open.keys()].map((study) => close(study, open)))
    },
  }
}

async function close(study: string, open: Map<string, OpenStudy>): Promise<void> {
  const closing = open.get(study)
  open.delete(study)
  const confined = await closing?.confined.catch(() => null)
  confined?.close()
}
