import { offers, refusalOf } from '../../algorithms/kinds.ts'
import { ownProperties } from '../../api/own-properties.ts'
import { UsageError } from '../../core/index.ts'
import type { UseEvidence } from '../../core/language/validation/only-compared.ts'
import { sealed } from '../../core/runtime/sealed/sealed.ts'
import { Violation } from '../../core/runtime/sealed/violation.ts'
import { NoElection, type ThrownError, thrownError } from '../../experiment/grade/findings.ts'
import { type GradeDemands, type GradeStep, gradeOf } from '../../experiment/grade/grade.ts'
import type { IdUse } from '../../experiment/grade/graded-world.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { lockRealm } from './lock-realm.ts'
import { judgedByCopies, offeredLanguage } from './offered-language.ts'

/*
 * Built as one script, which is evaluated in a realm without a host: no process, no files, no
 * network, no timers. The definition is evaluated in the same realm, after it is locked: nobody can
 * change an object of the language any more, nor make code from text. The engines are in a closure
 * that the definition has no reference to. Only texts leave the realm.
 */

/** What the realm is asked to do, as JSON. */
export interface RealmRequest extends GradeDemands {
  /** As the user wrote it: for messages and commands that reproduce a failure. */
  readonly file: string
  /** The export that is meant, if one was named. */
  readonly wanted: string | null
  readonly numbers: readonly number[]
  readonly idUse: IdUse
  readonly use: UseEvidence
}

/** Every text that leaves the realm is one of these, as JSON. */
export type RealmReport =
  | GradeStep
  | { readonly done: { readonly name: string; readonly grade: unknown } }
  | { readonly failed: ThrownError }

/** Deep enough to reach the definition through the engines. */
const STACK_DEPTH = 50

/** Runs the file; one without exports gives nothing. */
type Load = (
  offered: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined

/** Loads the definition; the function that is returned grades it step by step. */
export function open(load: Load, request: string): () => string {
  const { parse, stringify } = JSON
  const steps = grading(load, parse(request) as RealmRequest)
  return () => {
    try {
      const { value } = steps.next()
      return stringify(value)
    } catch (error) {
      return stringify({ failed: thrownError(error) })
    }
  }
}

function* grading(load: Load, request: RealmRequest): Generator<RealmReport, RealmReport> {
  const { file, wanted, numbers, idUse, use } = request
  Error.stackTraceLimit = STACK_DEPTH
  const offered = offeredLanguage()
  lockRealm([offered.exports, Violation])
  yield { doing: 'loading the file', violated: [] }
  const loaded = load(offered.exports) ?? {}
  const exported = Object.fromEntries(
    Object.keys(loaded).map((name) => [name, offered.resolved(loaded[name])]),
  )
  const definition = definitionAmong(exported, file, wanted ?? undefined)
  if (!offers(definition, 'grade')) throw new NoElection(file, refusalOf('grade')[0])
  if (Object.values(loaded).includes(definition))
    throw new UsageError(file, 'the exported algorithm was not made by algorithm({ ... }).')
  const demands = ownProperties(judgedByCopies(exported.properties ?? []), definition, file)
  const algorithm = { ...sealed(definition), demands }
  const subject = { algorithm, bare: definition, file, numbers, idUse, use }
  const steps = gradeOf(subject, request)
  for (;;) {
    const { value, done } = steps.next()
    if (done) return { done: { name: String(definition.name), grade: value } }
    yield value
  }
}
