/** Why nothing can be proved about a definition: a condition of the theorem is not met. */
export class UnmetCondition extends Error {
  /** The last one: code of the user may catch what is thrown through it. */
  private static last: UnmetCondition | null = null

  constructor(
    readonly problem: string,
    readonly hint: string,
  ) {
    super(`${problem} ${hint}`)
    UnmetCondition.last = this
  }

  /** Runs code of the user, and throws what was refused in it, even if it was caught there. */
  static within<T>(run: () => T): T {
    UnmetCondition.last = null
    const result = run()
    if (UnmetCondition.last !== null) throw UnmetCondition.last
    return result
  }
}

/** A clause speaks of the order of messages: it cannot be proved where they overtake each other. */
export class OrderNeeded extends UnmetCondition {}
