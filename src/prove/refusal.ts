/** Why nothing can be proved about a definition: a condition of the theorem is not met. */
export class Refusal extends Error {
  constructor(
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${problem} ${hint}`)
  }
}

/** A clause speaks of the order of messages: nothing can be proved where they overtake each other. */
export class OrderNeeded extends Refusal {}
