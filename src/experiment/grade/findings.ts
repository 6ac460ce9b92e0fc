import { inNeither, type NeverHappened } from '../../check/index.ts'
import { type Algorithm, UsageError, type Verdict } from '../../core/index.ts'
import type { UseEvidence } from '../../core/language/validation/only-compared.ts'
import type { GradedWorld, IdUse } from './graded-world.ts'

/** What is graded. */
export interface GradeSubject {
  readonly algorithm: Algorithm
  /** The same with its very handlers, as a proof runs them. */
  readonly bare: Algorithm
  /** The file, for commands that reproduce a failure. */
  readonly file: string
  /** The numbers in the source. */
  readonly numbers: readonly number[]
  /** What its types show about its use of ids. */
  readonly idUse: IdUse
  /** What its source shows about its use of ids and all the rest that a proof compares. */
  readonly use: UseEvidence
}

/** A violated property in the smallest world that shows it. */
export interface BrokenProperty {
  readonly property: string
  readonly detail: string
  readonly n: number
  /** The ids by position, if the nodes have any. */
  readonly ids?: readonly number[]
  /** The counterexample, if the checker found it. */
  readonly steps: readonly string[]
  /** The steps from this one, counted from 1, repeat forever. */
  readonly loop?: number
  readonly hint?: string
  /** The command that reproduces it. */
  readonly replay: string
  /** The error, if the definition threw one. */
  readonly thrown?: ThrownError
}

/** The explorations of one size. */
export interface GradeExploration {
  readonly n: number
  readonly worlds: number
  readonly states: number
  readonly exhausted: boolean
  /** In some world there were too many orders: only runs over fifo links were explored. */
  readonly inOrder?: boolean
}

/** An error that left the definition, as data. */
export interface ThrownError {
  readonly name: string
  readonly message: string
  readonly stack: string
  /** What else it says: the handler, the node, the time. */
  readonly details: Readonly<Record<string, unknown>>
  readonly cause: ThrownError | null
}

/** The file is no mistake, but it defines something else than an election. */
export class NoElection extends UsageError {
  constructor(where: string, problem: string) {
    super(where, problem, 'Only elections are graded.')
    this.name = 'NoElection'
  }
}

const DETAILS = ['handler', 'position', 'id', 'time', 'where', 'problem', 'hint', 'loop']
const MOST_CAUSES = 5

/** What was thrown, as data. */
export function thrownError(error: unknown, causes = MOST_CAUSES): ThrownError {
  const nothing = { name: 'Error', stack: '', details: {}, cause: null }
  try {
    if (!(error instanceof Error)) return { ...nothing, message: `it threw ${String(error)}` }
    const { name, message, stack, cause } = error
    const given = error as unknown as Readonly<Record<string, unknown>>
    return {
      name: String(name),
      message: String(message),
      stack: String(stack),
      details: Object.fromEntries(
        DETAILS.filter((key) => key in error).map((key) => [key, given[key]]),
      ),
      cause: cause === undefined || causes === 0 ? null : thrownError(cause, causes - 1),
    }
  } catch {
    return { ...nothing, message: 'it threw something that has no text' }
  }
}

/** The name under which an error is listed among violated properties. */
export const NO_ERRORS = 'runs without an error'

/** The checker's name for termination. */
export const TERMINATION = 'every fair run ends'

type Place = Pick<BrokenProperty, 'n' | 'ids' | 'replay'>

/** Collects violated properties, each in its smallest world. */
export class Findings {
  threw = false
  /** What has happened in no exploration. */
  never: NeverHappened | null = null
  private readonly best = new Map<string, BrokenProperty>()
  private readonly timesFound = new Map<string, number>()
  private readonly verdicts = new Map<string, boolean | null>()
  /** Runs that were cut off, by the property that they leave open. */
  private readonly cutOff = new Map<string, string>()

  /** Some properties do not count; all others must be decided. */
  constructor(
    readonly world: GradedWorld,
    readonly uncounted: readonly string[] = [],
    counted: readonly string[] = [],
  ) {
    for (const name of counted) this.verdicts.set(name, null)
  }

  /** The violated properties found so far. */
  get names(): string[] {
    return [...this.best.keys()]
  }

  add(broken: BrokenProperty): void {
    const { property, n } = broken
    const known = this.best.get(property)
    const times = known?.n === n ? (this.timesFound.get(property) ?? 0) : 0
    this.timesFound.set(property, times + 1)
    if (known && (known.n < n || (known.n === n && length(known) <= length(broken)))) return
    this.best.set(property, broken)
  }

  addError(thrown: ThrownError, place: Place): void {
    this.threw = true
    this.add({ property: NO_ERRORS, detail: thrown.message, ...place, steps: [], thrown })
  }

  /** Notes what did not happen in an exploration. */
  noteNever(never: NeverHappened): void {
    this.never = this.never === null ? never : inNeither(this.never, never)
  }

  /** Notes which properties held in a world, and which were not decided there. */
  decide(verdicts: readonly Verdict[]): void {
    for (const { name, holds } of verdicts)
      if (!this.uncounted.includes(name))
        this.verdicts.set(name, this.verdicts.get(name) === true || holds)
  }

  /** Notes a run that was cut off before a property was decided: other worlds do not decide it. */
  leaveOpen(name: string, why: string): void {
    if (!this.uncounted.includes(name) && !this.cutOff.has(name)) this.cutOff.set(name, why)
  }

  /** Whether larger worlds cannot change the verdict for the better. */
  get settled(): boolean {
    return this.names.length > 0 || this.open.length > 0
  }

  /** Properties that were violated in this many worlds of this size. */
  foundOften(n: number, times: number): string[] {
    return this.names.filter(
      (name) => this.best.get(name)!.n === n && this.timesFound.get(name)! >= times,
    )
  }

  /** Every property: false if it was violated somewhere, null if it was not decided. */
  get properties(): { readonly name: string; readonly holds: boolean | null }[] {
    const names = new Set([...this.verdicts.keys(), ...this.cutOff.keys(), ...this.best.keys()])
    return [...names].map((name) => {
      const decided = this.cutOff.has(name) ? null : (this.verdicts.get(name) ?? null)
      return { name, holds: this.best.has(name) ? false : decided }
    })
  }

  /** What is not decided, each with the reason if there is one. */
  get open(): string[] {
    return this.properties.flatMap(({ name, holds }) =>
      holds === null
        ? [`${name}${this.cutOff.has(name) ? ` (${this.cutOff.get(name)})` : ''}`]
        : [],
    )
  }

  /** Smallest worlds and shortest runs first. */
  get broken(): BrokenProperty[] {
    return [...this.best.values()].sort((a, b) => a.n - b.n || length(a) - length(b))
  }
}

/** An error needs no steps; a random run has none to show, which is the worst. */
function length({ steps, thrown }: BrokenProperty): number {
  return steps.length === 0 && thrown === undefined ? Number.MAX_SAFE_INTEGER : steps.length
}
