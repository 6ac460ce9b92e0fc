import { parentPort, workerData } from 'node:worker_threads'
import { UsageError } from '../../core/index.ts'
import { gradeOf } from '../../experiment/grade.ts'
import { electionOf } from '../input/user-algorithm.ts'

/* Runs in its own thread: a handler that does not return can only be stopped from outside. */

export interface GradeRequest {
  readonly path: string
  /** Null: the default one for the network that the definition needs. */
  readonly reference: string | null
}

const REFERENCES = { ring: 'hirschberg-sinclair', complete: 'afek-gafni', any: 'echo-extinction' }

try {
  const { path, reference } = workerData as GradeRequest
  const algorithm = await electionOf(path)
  const against = await electionOf(reference ?? REFERENCES[algorithm.needs.topology], {
    where: '--reference',
  })
  const { name } = algorithm
  parentPort?.postMessage({ name, grade: cloneable(gradeOf(algorithm, path, against)) })
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  parentPort?.postMessage({ error: error.parts })
}

/** Functions cannot be posted between threads. */
function cloneable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
