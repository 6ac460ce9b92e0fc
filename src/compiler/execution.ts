import type { HandlerError } from '../core/language/validation/handler-error.ts'
import { momentText, quoted } from '../core/text-format.ts'
import { suggestionFor, UsageError } from '../core/usage-error.ts'
import type { CompiledFile, MappedCode, OwnSource } from './compiled-file.ts'
import { ENDLESS_LOOP, LOOP_SECONDS, sourceColumn } from './loop-guard.ts'
import { publicModules } from './public-modules.ts'
import { type MapSegment, originOf, segmentsOf } from './source-map.ts'
import {
  placeIn,
  type SourcePlace,
  type SourceProblem,
  shownPath,
  usageErrorAt,
} from './source-place.ts'

/** Deep enough to reach the own file through what lies between it and the error. */
const STACK_DEPTH = 50

/** What an own file exports. */
export type OwnExports = Readonly<Record<string, unknown>>

/** What `conclave` exports: it may be missing in an import. */
let exported: readonly string[] = []

/**
 * Executes compiled code and returns its exports. What it throws becomes a `UsageError` with the
 * place in the source.
 */
export async function executeCompiled(compiled: CompiledFile): Promise<OwnExports> {
  const { code } = publicModules().find(({ name }) => name === 'conclave')!
  watchRejections(compiled.path)
  return evaluated(compiled, Object.keys(await import(code)), (name) => {
    const text = Buffer.from(`${compiled.code}\n//# sourceURL=${name}`).toString('base64')
    return import(`data:text/javascript;${name};base64,${text}`)
  })
}

/**
 * Evaluates compiled code in some way, given its name in stack traces; `offered` are the names that
 * it may have forgotten to import.
 */
export async function evaluated(
  compiled: MappedCode,
  offered: readonly string[],
  evaluate: (name: string) => OwnExports | Promise<OwnExports>,
): Promise<OwnExports> {
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, STACK_DEPTH)
  exported = offered
  try {
    return await evaluate(register(compiled))
  } catch (error) {
    const found = problemOf(error, true)
    if (found !== null) throw usageErrorAt(found.place, found.problem, found.hint)
    throw isUsageError(error) ? error : withoutPlace(error, compiled.path)
  }
}

let watched = false

/**
 * A promise of an own file that fails is a mistake like any other; nobody waits for it. Other
 * failures keep the effect that they have without this listener.
 */
function watchRejections(path: string): void {
  if (watched) return
  watched = true
  process.on('unhandledRejection', (error) => {
    const isOwn = problemOf(error, false) !== null
    if (!isOwn && process.listenerCount('unhandledRejection') > 1) return
    if (!isOwn) throw error
    process.stderr.write(`${thrownByOwnFile(error, path)?.message}\n`)
    process.exit(2)
  })
}

/** Code that cannot be executed at all has no place, nor has a value that is not an error. */
function withoutPlace(error: unknown, path: string): UsageError {
  const problem =
    error instanceof Error
      ? `the file cannot be executed: ${sentence(error.message)}`
      : `the file threw ${quoted(error)}.`
  return new UsageError(shownPath(path), problem)
}

/**
 * The error for something that an own file threw while it was used; null if no own file took part
 * in it. A value that is not an error has no stack trace: `file` is then the place.
 */
export function thrownByOwnFile(error: unknown, file: string): UsageError | null {
  // This program throws only errors.
  if (!(error instanceof Error))
    return new UsageError(file, `the definition threw ${quoted(error)}.`)
  const found = problemOf(error, false)
  if (found !== null) return usageErrorAt(found.place, found.problem, found.hint)
  const context = causesOf(error).find(isHandlerError)
  return context === undefined ? null : new UsageError(file, handlerSentence(context), context.hint)
}

/** What went wrong in an own file, and where; null if no own file took part. */
function problemOf(error: unknown, loading: boolean): SourceProblem | null {
  const chain = causesOf(error)
  // The cause knows the place; what reports it may have been made elsewhere.
  const cause = chain.findLast((one) => ownFrames(one).length > 0)
  if (cause === undefined) return null
  const frames = ownFrames(cause)
  const [{ place, name }] = frames
  const context = chain.find(isHandlerError)
  const subject = loading ? 'the file' : subjectOf(frames, context)
  const when = context === undefined ? '' : momentOf(context)
  if (cause.name === ENDLESS_LOOP) return endlessLoop(cause, frames[0], subject, when)
  if (cause instanceof RangeError && /call stack/.test(cause.message)) {
    const caller = name === null ? 'a function' : `the function ${name}`
    return { place, problem: `${caller} calls itself without end${when}.`, hint: '' }
  }
  const { problem, hint } = sentenceOf(cause)
  if (context !== undefined && !/^it threw /.test(context.problem))
    return { place, problem: handlerSentence(context), hint: context.hint }
  if (loading || isUsageError(cause)) return { place, problem, hint }
  return { place, problem: `${subject} threw${when}: ${problem}`, hint }
}

/** By its parts: an own file may give its errors any name. */
function isHandlerError(error: Error): error is HandlerError {
  const { name, problem, handler, position, time } = error as Partial<HandlerError>
  return (
    name === 'HandlerError' &&
    typeof problem === 'string' &&
    typeof handler === 'string' &&
    typeof position === 'number' &&
    (time === null || typeof time === 'number')
  )
}

/** `the handler ELECTION at position 2 (id 5), time 3: ...` */
function handlerSentence(error: HandlerError): string {
  const subject = subjectOf([], error)
  return `${subject}${momentOf(error)}: ${error.problem.replace(`${subject} `, 'it ')}`
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && !chain.includes(one); one = one.cause)
    chain.push(one)
  return chain
}

/** ` at position 2 (id 5), time 3` */
function momentOf({ position, id, time }: HandlerError): string {
  if (position < 0) return ''
  const node = ` at position ${position}${id === null ? '' : ` (id ${id})`}`
  return time === null ? node : `${node}, time ${momentText(time)}`
}

/** Which handler it was: its message type or timer, or else the outermost function. */
function subjectOf(frames: readonly OwnFrame[], context: HandlerError | undefined): string {
  if (context !== undefined) return `the handler ${context.handler}`
  const name = frames.findLast((frame) => frame.name !== null)?.name ?? null
  if (name === null) return 'the definition'
  return /^[A-Z]/.test(name) ? `the handler ${name}` : name
}

function endlessLoop(
  error: Error & { loop?: { line: number; column: number } },
  { source, place }: OwnFrame,
  subject: string,
  when: string,
): SourceProblem {
  const { line, column } = error.loop ?? { line: place.line - 1, column: place.column - 1 }
  const at = placeIn(source.path, source.text, line + 1, column + 1)
  const header = at.text.slice(column).replace(/\s*\{?\s*$/, '')
  const problem = `${subject} did not return within ${LOOP_SECONDS} s${when}`
  return {
    place: at,
    problem: `${problem} (line ${line + 1}: ${header}).`,
    hint: 'A handler must come to its end.',
  }
}

function sentenceOf(error: Error): { problem: string; hint: string } {
  if (isUsageError(error)) {
    const { where, problem, hint } = error
    return { problem: `${where}: ${problem}`, hint }
  }
  const [, name] = /^(\S+) is not defined$/.exec(error.message) ?? []
  if (name !== undefined) return { problem: `"${name}" is not defined.`, hint: missing(name) }
  return { problem: sentence(error.message), hint: '' }
}

/** Also where the file has imported another copy of this program, as tests of sources do. */
function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === 'UsageError'
}

function missing(name: string): string {
  if (exported.includes(name)) return `Add: import { ${name} } from 'conclave'`
  const meant = suggestionFor(name, exported)
  return meant === null ? '' : `Did you mean ${meant}?`
}

/** A message on one line, with a full stop. */
function sentence(message: string): string {
  const text = message.replace(/\s+/g, ' ').trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** How code of own files is named in stack traces. */
const PREFIX = 'own-file='

/** A function of an own file in a stack trace. */
export interface OwnFrame {
  /** Null for the module itself and for functions without a name. */
  readonly name: string | null
  readonly source: OwnSource
  readonly place: SourcePlace
}

interface LoadedFile {
  readonly compiled: MappedCode
  segments: MapSegment[][] | null
}

/** The own files that this thread has executed, by their names in stack traces. */
const loaded = new Map<string, LoadedFile>()

/** Makes the places of a file known; returns its name in stack traces. */
export function register(compiled: MappedCode): string {
  const name = PREFIX + encodeURIComponent(compiled.path).replace(/['()]/g, escape)
  loaded.set(name, { compiled, segments: null })
  return name
}

/** Tools that format stack traces themselves show the address of the code, which has the name. */
const FRAME =
  /^\s+at (?:async )?(?:(.*?) \()?(?:data:[^;]*;)?(own-file=[^\s;:]+)(?:;[^:]*)?:(\d+):(\d+)\)?$/

/** The functions of own files in the stack trace of an error, innermost first. */
function ownFrames(error: unknown): OwnFrame[] {
  if (!(error instanceof Error)) return []
  return (error.stack ?? '').split('\n').flatMap((text) => {
    const [, called, name, line, column] = FRAME.exec(text) ?? []
    const found = name && originIn(name, Number(line) - 1, Number(column) - 1)
    return found ? [{ name: functionName(called), ...found }] : []
  })
}

/** `Object.ELECTION [as handle]` is ELECTION. */
function functionName(called: string | undefined): string | null {
  const [, name] = /(?:^|[. ])([\w$]+)(?: \[as .*\])?$/.exec(called ?? '') ?? []
  return name === undefined || name === 'anonymous' || name.startsWith('<') ? null : name
}

function originIn(name: string, line: number, column: number): Omit<OwnFrame, 'name'> | null {
  const file = loaded.get(name)
  if (file === undefined) return null
  file.segments ??= segmentsOf(file.compiled.mappings)
  const origin = originOf(file.segments, line, column)
  if (origin === null) return null
  const source = file.compiled.sources[origin.source]
  const at = sourceColumn(source.insertions, origin.line, origin.sourceColumn)
  return { source, place: placeIn(source.path, source.text, origin.line + 1, at + 1) }
}
