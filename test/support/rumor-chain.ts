type How = 'push' | 'pull' | 'pushpull'

interface Expectation {
  readonly rounds: number
  readonly messages: number
}

/** The probabilities of 0, 1, 2 and so on successes. */
function binomial(trials: number, success: number): number[] {
  let chances = [1]
  for (let trial = 0; trial < trials; trial++) {
    const next = new Array<number>(chances.length + 1).fill(0)
    for (const [count, chance] of chances.entries()) {
      next[count] += chance * (1 - success)
      next[count + 1] += chance * success
    }
    chances = next
  }
  return chances
}

/** How many different ones of `free` nodes are hit by calls, each to one of `others` nodes. */
function occupied(calls: number, free: number, others: number): number[] {
  const chances = new Array<number>(free + 1).fill(0)
  chances[0] = 1
  for (let call = 0; call < calls; call++)
    for (let hit = free; hit >= 0; hit--) {
      const fresh = (free - hit) / others
      const before = hit > 0 ? chances[hit - 1] * ((free - hit + 1) / others) : 0
      chances[hit] = chances[hit] * (1 - fresh) + before
    }
  return chances
}

/** How many nodes learn the rumor in a round, if `k` of n know it: the probabilities. */
function learning(how: How, n: number, k: number): number[] {
  const free = n - k
  const pushed = how === 'pull' ? [1] : occupied(k, free, n - 1)
  const learn = new Array<number>(free + 1).fill(0)
  for (const [hit, chance] of pushed.entries()) {
    const asking = how === 'push' ? [1] : binomial(free - hit, k / (n - 1))
    for (const [asked, also] of asking.entries()) learn[hit + asked] += chance * also
  }
  return learn
}

/** Calls and answers of a round, in expectation. */
function messagesOf(how: How, n: number, k: number): number {
  const answers = ((n - k) * k) / (n - 1)
  if (how === 'push') return k
  return how === 'pull' ? n - k + answers : n + answers
}

/**
 * The exact expectation of rounds and messages until all nodes of a complete network know a rumor:
 * the number of those that know it is a Markov chain. It shares nothing with the program.
 */
export function rumorChain(how: How, n: number): Expectation {
  const expected: Expectation[] = new Array(n + 1)
  expected[n] = { rounds: 0, messages: 0 }
  for (let k = n - 1; k >= 1; k--) {
    const learn = learning(how, n, k)
    let [rounds, messages] = [1, messagesOf(how, n, k)]
    for (let more = 1; more < learn.length; more++) {
      rounds += learn[more] * expected[k + more].rounds
      messages += learn[more] * expected[k + more].messages
    }
    const leaves = 1 - learn[0]
    expected[k] = { rounds: rounds / leaves, messages: messages / leaves }
  }
  return expected[1]
}
