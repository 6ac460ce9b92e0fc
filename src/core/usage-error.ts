/** A word that is none of those known, and what follows it. */
interface Slip {
  readonly typed: string
  readonly words: readonly string[]
  readonly rest: string
}

/**
 * A mistake of the user, told in one line: where it is, what is needed, what was given and what to
 * do about it. Everything else that is thrown is a defect of the program.
 */
export class Complaint extends Error {
  private slip: Slip | null = null

  constructor(
    readonly where: string,
    readonly needed: string,
    readonly given: string,
    readonly remedy: string,
  ) {
    super(`${where}: ${needed}, but ${given}. ${remedy}`)
    this.name = 'Complaint'
  }

  /** The same about another place: who notices a mistake need not know where it was written. */
  at(where: string): Complaint {
    const moved = new Complaint(where, this.needed, this.given, this.remedy)
    moved.slip = this.slip
    return moved
  }

  /** What was given begins with a word, up to a colon, that may be one of these misspelt. */
  meaning(given: unknown, words: readonly string[]): this {
    const [, typed, rest] = /^([^:]+)(.*)$/s.exec(String(given)) ?? []
    const known = words.length === 0 || words.includes(typed)
    if (typed !== undefined && !known) this.slip = { typed, words, rest }
    return this
  }

  /** The same with the word for a remedy that was meant, if somebody finds it. */
  suggesting(nearest: (typed: string, words: readonly string[]) => string | null): Complaint {
    if (this.slip === null) return this
    const { typed, words, rest } = this.slip
    const meant = nearest(typed, words)
    if (meant === null) return this
    return new Complaint(this.where, this.needed, this.given, `Did you mean ${meant}${rest}?`)
  }
}
