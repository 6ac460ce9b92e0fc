import { suggestionFor } from '../core/did-you-mean.ts'
import { quoted } from '../core/text-format.ts'
import { UsageError } from '../core/usage-error.ts'
import type { CompiledFile } from './compiled-file.ts'
import { sourceColumn } from './loop-guard.ts'
import { publicModules } from './public-modules.ts'
import { type MapSegment, originOf, segmentsOf } from './source-map.ts'
import { placeIn, type SourcePlace, shownPath, usageErrorAt } from './source-place.ts'

/** How code of own files is named in stack traces. */
const PREFIX = 'own-file='

/** A function of an own file in a stack trace. */
interface OwnFrame {
  /** Null for the module itself and for functions without a name. */
  readonly name: string | null
  readonly place: SourcePlace
}

interface LoadedFile {
  readonly compiled: CompiledFile
  segments: MapSegment[][] | null
}

/** The own files that this thread has executed, by their names in stack traces. */
const loaded = new Map<string, LoadedFile>()
/** What `conclave` exports: it may be missing in an import. */
let exported: readonly string[] = []

/** Deep enough to reach the own file through what lies between it and the error. */
const STACK_DEPTH = 50

/**
 * Executes compiled code and returns its exports. What it throws becomes a `UsageError` with the
 * place in the source.
 */
export async function execute(compiled: CompiledFile): Promise<Readonly<Record<string, unknown>>> {
  Error.stackTraceLimit = Math.max(Error.stackTraceLimit, STACK_DEPTH)
  const { code } = publicModules().find(({ name }) => name === 'conclave')!
  const name = register(compiled, Object.keys(await import(code)))
  const text = Buffer.from(`${compiled.code}\n//# sourceURL=${name}`).toString('base64')
  try {
    return await import(`data:text/javascript;${name};base64,${text}`)
  } catch (error) {
    throw locatedError(error, compiled.path)
  }
}

/** Makes the places of a file known; returns its name in stack traces. */
function register(compiled: CompiledFile, exportsOfConclave: readonly string[]): string {
  const name = PREFIX + encodeURIComponent(compiled.path).replace(/['()]/g, escape)
  loaded.set(name, { compiled, segments: null })
  exported = exportsOfConclave
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
    const place = name && placeOf(name, Number(line) - 1, Number(column) - 1)
    return place ? [{ name: functionName(called), place }] : []
  })
}

/** `Object.ELECTION [as handle]` is ELECTION. */
function functionName(called: string | undefined): string | null {
  const [, name] = /(?:^|[. ])([\w$]+)(?: \[as .*\])?$/.exec(called ?? '') ?? []
  return name === undefined || name === 'anonymous' || name.startsWith('<') ? null : name
}

function placeOf(name: string, line: number, column: number): SourcePlace | null {
  const file = loaded.get(name)
  if (file === undefined) return null
  file.segments ??= segmentsOf(file.compiled.mappings)
  const origin = originOf(file.segments, line, column)
  if (origin === null) return null
  const { path, text, insertions } = file.compiled.sources[origin.source]
  const at = sourceColumn(insertions, origin.line, origin.sourceColumn)
  return placeIn(path, text, origin.line + 1, at + 1)
}

/** What `execute` throws: the error at its place in an own file, where it has one. */
function locatedError(error: unknown, path: string): unknown {
  const [frame] = ownFrames(error)
  if (isUsageError(error) && (frame === undefined || /:\d+:\d+$/.test(error.where))) return error
  if (frame === undefined) return withoutPlace(error, path)
  const { problem, hint } = sentenceOf(error as Error)
  return usageErrorAt(frame.place, problem, hint)
}

/** Code that cannot be executed at all has no place, nor has a value that is not an error. */
function withoutPlace(error: unknown, path: string): UsageError {
  const problem =
    error instanceof Error
      ? `the file cannot be executed: ${sentence(error.message)}`
      : `the file threw ${quoted(error)}.`
  return new UsageError(shownPath(path), problem)
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

/**
 * The error for something that an own file threw while it was used; null if no own file took part
 * in it. A value that is not an error has no stack trace: `file` is then the place.
 */
export function thrownByOwnFile(error: unknown, file: string): UsageError | null {
  // This program throws only errors.
  if (!(error instanceof Error))
    return new UsageError(file, `the definition threw ${quoted(error)}.`)
  const frames = ownFrames(error)
  if (frames.length === 0) return null
  const { problem, hint } = sentenceOf(error)
  if (isUsageError(error)) return usageErrorAt(frames[0].place, problem, hint)
  const name = frames.findLast((frame) => frame.name !== null)?.name ?? null
  return usageErrorAt(frames[0].place, `${inWords(name)} threw: ${problem}`, hint)
}

/** A function of a definition: messages and timers are in capitals. */
function inWords(name: string | null): string {
  if (name === null) return 'the definition'
  return /^[A-Z]/.test(name) ? `the handler ${name}` : name
}
