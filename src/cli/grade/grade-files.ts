import { availableParallelism } from 'node:os'
import type { CompiledFile } from '../../compiler/compiled-file.ts'
import { UsageError } from '../../core/index.ts'
import type { ThrownError } from '../../experiment/grade/findings.ts'
import type { Grade } from '../../experiment/grade/grade.ts'
import type { IdUse } from '../../experiment/grade/graded-world.ts'
import { type Points, pointsFor, type Rubric } from '../../experiment/grade/rubric.ts'
import { gradedScript } from './bundle.ts'
import type { RealmRequest } from './realm.ts'
import { runInSandbox, type SandboxLimits, type SandboxResult } from './sandbox.ts'
import type { Submission } from './submissions.ts'

/** The grade of one file. */
export interface FileGrade {
  readonly file: string
  /** The name of the algorithm; null if it was not loaded. */
  readonly name: string | null
  readonly verdict: Grade['verdict']
  /** Why, in one sentence; empty if it is right. */
  readonly reason: string
  /** Null if it could not be graded. */
  readonly grade: Grade | null
  /** The mistake in the file because of which it was not graded, with its place. */
  readonly error: string | null
  /** Only with a rubric. */
  readonly points: Points | null
  /** The protection that was in force while it ran. */
  readonly sandbox: readonly string[]
}

export interface GradeOptions extends SandboxLimits {
  readonly reference: string | null
  readonly require: readonly string[]
  readonly rubric: Rubric | null
  readonly types: boolean
}

/** What is going on, for a line of progress. */
export interface GradeProgress {
  readonly done: number
  readonly of: number
  readonly file: string
  readonly doing: string
}

/** Grades all files, as many at once as there are processors; the results are in their order. */
export async function gradeFiles(
  submissions: readonly Submission[],
  options: GradeOptions,
  onProgress: (progress: GradeProgress) => void,
): Promise<FileGrade[]> {
  const grades: FileGrade[] = []
  let [next, done] = [0, 0]
  const work = async () => {
    while (next < submissions.length) {
      const i = next++
      const { file } = submissions[i]
      const show = (doing: string) => onProgress({ done, of: submissions.length, file, doing })
      show('compiling')
      grades[i] = await gradeFile(submissions[i], options, show)
      done++
    }
  }
  const workers = Math.min(submissions.length, availableParallelism())
  await Promise.all(Array.from({ length: workers }, work))
  return grades
}

async function gradeFile(
  submission: Submission,
  options: GradeOptions,
  onProgress: (doing: string) => void,
): Promise<FileGrade> {
  const { file, wanted, root } = submission
  const { reference, require, rubric } = options
  const ungraded = {
    ...{ file, name: null, grade: null, error: null, sandbox: [] },
    points: rubric && pointsFor(rubric, null),
  }
  let script: CompiledFile
  try {
    script = await gradedScript(file, root, options.types)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { ...ungraded, verdict: 'wrong', reason: firstLine(error.message), error: error.message }
  }
  const request: RealmRequest = {
    ...{ file, wanted, reference, require },
    numbers: script.numbers,
    idUse: idUseOf(script.ids),
    costs: (rubric?.costs ?? []).map(({ bound, sizes }) => ({ measure: bound.measure, sizes })),
  }
  const [{ thrownByOwnFile }, { register }] = await Promise.all([
    import('../../compiler/execution.ts'),
    import('../../compiler/own-frames.ts'),
  ])
  const { result, layers } = await runInSandbox(
    { code: script.code, name: register(script), request: JSON.stringify(request) },
    options,
    onProgress,
  )
  const located: Locate = (thrown) =>
    thrownByOwnFile(errorOf(thrown), file)?.message ?? thrown.message
  return { ...ungraded, sandbox: layers, ...outcomeOf(result, file, located, options) }
}

function idUseOf(ids: CompiledFile['ids']): IdUse {
  if (ids.kind === 'proved') return { kind: 'proved', detail: '' }
  return { kind: ids.kind, detail: `${ids.where}: ${ids.why}` }
}

/** The text of an error with its place in the file. */
type Locate = (error: ThrownError) => string

/** An error as it was in the other process. */
function errorOf({ name, message, stack, details, cause }: ThrownError): Error {
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message)
  return Object.assign(error, {
    ...details,
    ...{ name, stack },
    ...(cause !== null && { cause: errorOf(cause) }),
  })
}

/** Errors that the definition threw are told with their places. */
function withPlaces(grade: Grade, located: Locate): Grade {
  const broken = grade.broken.map((one) =>
    one.thrown === undefined ? one : { ...one, detail: located(one.thrown) },
  )
  const [first] = broken
  const { counterexample } = grade
  if (counterexample === null || first.thrown === undefined) return { ...grade, broken }
  return { ...grade, broken, counterexample: { ...counterexample, broken: first.detail } }
}

function outcomeOf(
  result: SandboxResult,
  file: string,
  located: Locate,
  { rubric, seconds, memoryMB }: GradeOptions,
): Partial<FileGrade> & Pick<FileGrade, 'verdict' | 'reason'> {
  if ('done' in result) {
    const { name, grade: found } = result.done as { name: string; grade: Grade }
    const grade = withPlaces(found, located)
    const points = rubric && pointsFor(rubric, grade)
    return { name, grade, points, verdict: grade.verdict, reason: reasonOf(grade) }
  }
  if ('failed' in result) {
    const message = located(result.failed)
    const error =
      /^[^\n]*:\d+:\d+: /.test(message) || message.startsWith(file)
        ? message
        : `${file}: ${message}`
    return { verdict: 'wrong', reason: firstLine(error), error }
  }
  const { stopped, progress } = result
  const { doing, violated } = progress
  if (stopped === 'ended')
    return { verdict: 'wrong', reason: `the file ended the process while ${doing}` }
  const why = {
    time: `not finished after ${seconds} s of processor time, while ${doing}`,
    memory: `more than ${memoryMB} MB of memory needed, while ${doing}`,
  }
  // What was found before remains true.
  if (violated.length > 0)
    return { verdict: 'wrong', reason: `${violated.join(', ')}; ${why[stopped]}` }
  return { verdict: 'none', reason: why[stopped] }
}

function reasonOf({ verdict, refused, broken, properties }: Grade): string {
  if (verdict === 'right') return ''
  if (refused.length > 0)
    return refused.map(({ require, reason }) => `not ${require}: ${reason}`).join('; ')
  if (verdict === 'none') {
    const open = properties.filter(({ holds }) => holds === null).map(({ name }) => name)
    return `not decided: ${open.join(', ')}`
  }
  const [{ property, detail, thrown }] = broken
  return thrown === undefined ? property : firstLine(detail)
}

function firstLine(text: string): string {
  return text.split('\n')[0].trimEnd()
}
