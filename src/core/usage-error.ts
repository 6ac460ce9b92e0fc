/** An unknown word, the known words, and the text after the word. */
interface Misspelling {
  readonly typed: string
  readonly words: readonly string[]
  readonly rest: string
}

/**
 * A mistake of the user, reported in one line: where it is (a flag, a field, file:line), what is
 * wrong, and how to fix it. Anything else that is thrown is a defect of the program.
 */
export class UsageError extends Error {
  private misspelling: Misspelling | null = null

  constructor(
    readonly where: string,
    /** Full sentences: what is wrong. */
    readonly problem: string,
    /** Full sentences: how to fix it. */
    readonly hint = '',
  ) {
    super(`${where}: ${problem}${hint && ` ${hint}`}`)
    this.name = 'UsageError'
  }

  /** The arguments of the constructor, to rebuild the error in another thread. */
  get parts(): [where: string, problem: string, hint: string] {
    return [this.where, this.problem, this.hint]
  }

  /** The same error at another place: the code that notices it may not know the place. */
  at(where: string): UsageError {
    const moved = new UsageError(where, this.problem, this.hint)
    moved.misspelling = this.misspelling
    return moved
  }

  /** The given text begins with a word, up to a colon, that may be one of these misspelt. */
  withCandidates(given: unknown, words: readonly string[]): this {
    const [, typed, rest] = /^([^:]+)(.*)$/s.exec(String(given)) ?? []
    const known = words.length === 0 || words.includes(typed)
    if (typed !== undefined && !known) this.misspelling = { typed, words, rest }
    return this
  }

  /** The same error with a suggestion in place of the hint, if a known word is near. */
  suggesting(nearest: (typed: string, words: readonly string[]) => string | null): UsageError {
    if (this.misspelling === null) return this
    const { typed, words, rest } = this.misspelling
    const meant = nearest(typed, words)
    if (meant === null) return this
    return new UsageError(this.where, this.problem, `Did you mean ${meant}${rest}?`)
  }
}
