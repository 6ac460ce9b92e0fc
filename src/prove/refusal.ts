/** Why nothing can be proved about a definition: a condition of the theorem is not met. */
export class Refusal extends Error {
  constructor(
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${problem} ${hint}`)
  }
}
