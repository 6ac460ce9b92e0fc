import { suggestionFor } from './did-you-mean.ts'

/**
 * A mistake of the user, reported in one line: where it is (a flag, a field, file:line), what is
 * wrong, and how to fix it. Anything else that is thrown is a defect of the program.
 */
export class UsageError extends Error {
  constructor(
    readonly where: string,
    /** Full sentences: what is wrong. */
    readonly problem: string,
    /** Full sentences: how to fix it. Further lines, such as a line of source, may follow them. */
    readonly hint = '',
  ) {
    super(`${where}: ${problem}${hint && !hint.startsWith('\n') ? ` ${hint}` : hint}`)
    this.name = 'UsageError'
  }

  /** The arguments of the constructor, to rebuild the error in another thread. */
  get parts(): [where: string, problem: string, hint: string] {
    return [this.where, this.problem, this.hint]
  }

  /** The same error at another place: the code that notices it may not know the place. */
  at(where: string): UsageError {
    return new UsageError(where, this.problem, this.hint)
  }

  /** The same error; if the given text misspells one of these names, it suggests that name. */
  withCandidates(given: unknown, names: readonly string[]): UsageError {
    const meant = typeof given === 'string' ? suggestionFor(given, names) : null
    return meant === null
      ? this
      : new UsageError(this.where, this.problem, `Did you mean ${meant}?`)
  }
}
