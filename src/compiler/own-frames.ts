import type { MappedCode, OwnSource } from './compiled-file.ts'
import { sourceColumn } from './loop-guard.ts'
import { type MapSegment, originOf, segmentsOf } from './source-map.ts'
import { placeIn, type SourcePlace } from './source-place.ts'

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
export function ownFrames(error: unknown): OwnFrame[] {
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
