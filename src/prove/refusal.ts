/** Why nothing can be proved about a definition: a condition of the theorem is not met. */
export class UnmetCondition extends Error {
  constructor(
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${problem} ${hint}`)
  }
}

/** A clause speaks of the order of messages: it cannot be proved where they overtake each other. */
export class OrderNeeded extends UnmetCondition {}
