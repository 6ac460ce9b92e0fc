import { availableParallelism } from 'node:os'
import type { CompiledFile } from '../../compiler/compiled-file.ts'
import { UsageError } from '../../core/index.ts'
import { NoElection, type ThrownError } from '../../experiment/grade/findings.ts'
import type { Grade, GradeVerdict } from '../../experiment/grade/grade.ts'
import { type IdUse, judgedBy } from '../../experiment/grade/graded-world.ts'
import { type Points, pointsFor, type Rubric } from '../../experiment/grade/rubric.ts'
import type { StudyListener } from '../../jobs/executor.ts'
import { readText } from '../input/read-file.ts'
import { Interrupted } from '../io.ts'
import type { ChosenExecutor } from '../jobs/chosen-executor.ts'
import { Interruption } from '../jobs/interruption.ts'
import { gradedScript } from './bundle.ts'
import type { RealmRequest } from './realm.ts'
import {
  type GradeJob,
  type SandboxLimits,
  type SandboxResult,
  type SandboxRun,
  STARTING,
} from './sandbox.ts'
import type { Submission } from './submissions.ts'

/** The grade of one file. */
export interface FileGrade {
  readonly file: string
  /** The name of the algorithm; null if it was not loaded. */
  readonly name: string | null
  readonly verdict: GradeVerdict
  /** Why, in one sentence; empty if no error was found in an election. */
  readonly reason: string
  /** Null if it could not be graded. */
  readonly grade: Grade | null
  /** The mistake in the file because of which it was not graded, with its place. */
  readonly error: string | null
  /** The error of this program because of which it was not graded. */
  readonly defect: Error | null
  /** Only with a rubric. */
  readonly points: Points | null
  /** The protection that was in force while it ran. */
  readonly sandbox: readonly string[]
  /** Other files of the same text, or of the same code. */
  readonly equals: readonly EqualFile[]
}

/** code: equal but for comments, white space, types and the names of variables. */
interface EqualFile {
  readonly file: string
  readonly how: 'text' | 'code'
}

export interface GradeOptions extends SandboxLimits {
  readonly reference: string | null
  readonly require: readonly string[]
  readonly properties: readonly string[]
  readonly allowOwnProblem: boolean
  readonly rubric: Rubric | null
  readonly types: boolean
}

/** A file that is compiled, and what its process is asked for; or the grade of one that is not. */
type CompiledSubmission =
  | { readonly index: number; readonly job: GradeJob; readonly code: string }
  | { readonly index: number; readonly grade: FileGrade }

/** Grades all files; the results are in their order. */
export async function gradeFiles(
  submissions: readonly Submission[],
  options: GradeOptions,
  { executor, remote, report }: ChosenExecutor,
): Promise<FileGrade[]> {
  const grades: FileGrade[] = []
  const codes: string[] = []
  /** The submissions of the jobs. */
  const graded: number[] = []
  let done = 0
  const of = submissions.length
  const show = (index: number, doing: string) =>
    report.show(() => `${done} of ${of}: ${submissions[index].file}: ${doing}`, done, of)
  const grade = (index: number, found: FileGrade) => {
    grades[index] = found
    done++
  }
  async function* jobs(): AsyncGenerator<GradeJob> {
    for await (const compiled of compiledSubmissions(submissions, options, show)) {
      if ('grade' in compiled) grade(compiled.index, compiled.grade)
      else {
        graded.push(compiled.index)
        codes[compiled.index] = compiled.code
        yield compiled.job
      }
    }
  }
  const { thrownByOwnFile } = await import('../../compiler/execution.ts')
  const listener: StudyListener<SandboxRun> = {
    done(job, { result, layers }) {
      const { file } = submissions[graded[job]]
      const located: Locate = (thrown) => thrownByOwnFile(errorOf(thrown), file)?.message ?? null
      const outcome = outcomeOf(result, file, located, options)
      grade(graded[job], { ...ungraded(file, options), sandbox: layers, ...outcome })
    },
    failed(job, why) {
      const { file } = submissions[graded[job]]
      report.failed(file, why)
      grade(graded[job], { ...ungraded(file, options), reason: `not graded: ${why}` })
    },
    doing: (job, what) => show(graded[job], what),
    event: report.event,
  }
  const { seconds, memoryMB } = options
  const work = { kind: 'grade', given: { seconds, memoryMB } }
  const ended = new AbortController()
  const interruption = new Interruption(() => ended.abort())
  if (remote) interruption.expect()
  try {
    await executor.execute(work, jobs(), listener, ended.signal)
  } finally {
    interruption.end()
  }
  if (interruption.happened) throw new Interrupted()
  const texts = submissions.map(({ file }) => readText(file))
  return grades.map((one, i) => ({ ...one, equals: equalsOf(i, submissions, texts, codes) }))
}

function equalsOf(
  index: number,
  submissions: readonly Submission[],
  texts: readonly string[],
  codes: readonly string[],
): EqualFile[] {
  return submissions.flatMap(({ file }, other): EqualFile[] => {
    if (other === index) return []
    if (texts[other] === texts[index]) return [{ file, how: 'text' }]
    const equal = codes[index] !== undefined && codes[other] === codes[index]
    return equal ? [{ file, how: 'code' }] : []
  })
}

function ungraded(file: string, { rubric }: GradeOptions): FileGrade {
  return {
    file,
    name: null,
    verdict: 'none',
    reason: '',
    grade: null,
    error: null,
    defect: null,
    sandbox: [],
    equals: [],
    points: rubric && pointsFor(rubric, null),
  }
}

/** Compiles the files in their order, some of them ahead. */
async function* compiledSubmissions(
  submissions: readonly Submission[],
  options: GradeOptions,
  show: (index: number, doing: string) => void,
): AsyncGenerator<CompiledSubmission> {
  const ahead: Promise<CompiledSubmission>[] = []
  let next = 0
  const compile = () => {
    show(next, 'compiling')
    const compiling = compiledSubmission(next, submissions[next], options)
    // It is awaited later, and not at all if an earlier one fails.
    compiling.catch(() => {})
    ahead.push(compiling)
    next++
  }
  for (;;) {
    while (ahead.length < availableParallelism() && next < submissions.length) compile()
    const first = ahead.shift()
    if (first === undefined) return
    yield await first
  }
}

async function compiledSubmission(
  index: number,
  { file, wanted, root }: Submission,
  options: GradeOptions,
): Promise<CompiledSubmission> {
  const { reference, require, properties, allowOwnProblem, rubric } = options
  let script: CompiledFile
  try {
    script = await gradedScript(file, root, options.types)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const reason = firstLine(error.message)
    const grade = { ...ungraded(file, options), reason, error: error.message }
    const verdict = error instanceof NoElection ? 'refused' : 'wrong'
    return { index, grade: { ...grade, verdict } }
  }
  const request: RealmRequest = {
    file,
    wanted,
    reference,
    require,
    properties,
    allowOwnProblem,
    numbers: script.numbers,
    idUse: idUseOf(script.ids),
    use: script.use,
    costs: (rubric?.costs ?? []).map(({ bound, sizes }) => ({ measure: bound.measure, sizes })),
  }
  const { register } = await import('../../compiler/execution.ts')
  const name = register(script)
  const job = { code: script.code, name, request: JSON.stringify(request) }
  return { index, job, code: await comparableCode(script.code) }
}

/** The same for files that differ in comments, white space, types and names of variables alone. */
async function comparableCode(code: string): Promise<string> {
  const { transform } = await import('esbuild')
  // As a mere statement it would be left out.
  const unplaced = `export default ${code.replace(/(\b__conclaveLoop\(__since),\d+,\d+/g, '$1')}`
  const { code: short } = await transform(unplaced, { minify: true, legalComments: 'none' })
  return short
}

function idUseOf(ids: CompiledFile['ids']): IdUse {
  if (ids.kind === 'proved') return { kind: 'proved', detail: '' }
  return { kind: ids.kind, detail: `${ids.where}: ${ids.why}` }
}

/** The text of an error with its place in the file; null if the file took no part in it. */
type Locate = (error: ThrownError) => string | null

/** The first frame of a stack trace, where it is in the engines. */
const ENGINE_FRAME = /^[^\n]*(\n(?!\s+at )[^\n]*)*\n\s+at [^\n]*conclave-engines\.js:\d+:\d+/

/**
 * Whether the engines threw an error by themselves. A handler that throws, or does what it may not,
 * is a `HandlerError`; what a file makes too large is a `RangeError`.
 */
function isDefect(thrown: ThrownError, located: Locate): boolean {
  const ofFile = ['UsageError', 'NoElection', 'HandlerError', 'RangeError']
  if (ofFile.includes(thrown.name)) return false
  return ENGINE_FRAME.test(thrown.stack) && located(thrown) === null
}

function ofDefect(defect: Error): Pick<FileGrade, 'verdict' | 'reason' | 'defect'> {
  return { verdict: 'none', reason: 'not graded: a defect of Conclave', defect }
}

/** An error as it was in the other process. */
function errorOf({ name, message, stack, details, cause }: ThrownError): Error {
  const error = name === 'RangeError' ? new RangeError(message) : new Error(message)
  return Object.assign(error, {
    ...details,
    name,
    stack,
    ...(cause !== null && { cause: errorOf(cause) }),
  })
}

/** Errors that the definition threw are told with their places. */
function withPlaces(grade: Grade, located: Locate): Grade {
  const broken = grade.broken.map((one) =>
    one.thrown === undefined ? one : { ...one, detail: located(one.thrown) ?? one.detail },
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
    const wrong = found.broken.find(({ thrown }) => thrown && isDefect(thrown, located))
    if (wrong !== undefined) return ofDefect(errorOf(wrong.thrown!))
    const grade = withPlaces(found, located)
    const points = rubric && pointsFor(rubric, grade)
    return { name, grade, points, verdict: grade.verdict, reason: reasonOf(grade) }
  }
  if ('failed' in result) {
    if (isDefect(result.failed, located)) return ofDefect(errorOf(result.failed))
    const message = located(result.failed) ?? result.failed.message
    const error =
      /^[^\n]*:\d+:\d+: /.test(message) || message.startsWith(file)
        ? message
        : `${file}: ${message}`
    const verdict = result.failed.name === 'NoElection' ? 'refused' : 'wrong'
    return { verdict, reason: firstLine(error), error }
  }
  const { stopped, progress } = result
  const { doing, violated } = progress
  if (stopped === 'ended' && doing === STARTING)
    return ofDefect(new Error('the process that grades a file did not start'))
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

function reasonOf({ verdict, world, refused, broken, open }: Grade): string {
  if (refused.length > 0)
    return refused.map(({ require, reason }) => `not ${require}: ${reason}`).join('; ')
  if (verdict === 'none') return `not decided: ${open.join(', ')}`
  if (broken.length === 0) return judgedBy(world) ?? ''
  const [{ property, detail, thrown }] = broken
  return thrown === undefined ? property : firstLine(detail)
}

function firstLine(text: string): string {
  return text.split('\n')[0].trimEnd()
}
