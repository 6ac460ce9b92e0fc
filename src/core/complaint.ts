/**
 * A mistake of the user, told in one line: where it is, what is needed, what was given and what to
 * do about it. Everything else that is thrown is a defect of the program.
 */
export class Complaint extends Error {
  constructor(
    where: string,
    private readonly needed: string,
    private readonly given: string,
    private readonly remedy: string,
  ) {
    super(`${where}: ${needed}, but ${given}. ${remedy}`)
    this.name = 'Complaint'
  }

  /** The same about another place: who notices a mistake need not know where it was written. */
  at(where: string): Complaint {
    return new Complaint(where, this.needed, this.given, this.remedy)
  }
}
