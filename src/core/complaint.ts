/**
 * A mistake of the user, told in one line: where it is, what is needed, what was given and what to
 * do about it. Everything else that is thrown is a defect of the program.
 */
export class Complaint extends Error {
  constructor(where: string, needed: string, given: string, remedy: string) {
    super(`${where}: ${needed}, but ${given}. ${remedy}`)
    this.name = 'Complaint'
  }
}
