import { left, message, type Net, type NetworkFacts } from '../../core/index.ts'

/* What elections on anonymous rings share: random ids, and an announcement without an id. */

/** Ids drawn from 1 to k; different nodes may draw the same one. */
export const drawnIds = {
  ids: {
    says: 'random ids are drawn from 1 to this number',
    value: ({ n }: Pick<NetworkFacts, 'n'>) => n,
  },
}

/** How many ids there are. */
export function idCount({ n, settings }: Pick<NetworkFacts, 'n' | 'settings'>): number {
  return Number(settings?.ids ?? n)
}

/** If all nodes draw the same id for ever, nothing tells them apart. */
export function refuseOneId(facts: Pick<NetworkFacts, 'n' | 'settings'>) {
  const ids = idCount(facts)
  const fewest = Math.min(facts.n, 2)
  if (Number.isSafeInteger(ids) && ids >= fewest) return null
  return {
    field: 'set',
    problem: `ids must be a whole number from ${fewest}: ${ids} was given.`,
    hint: `Set it to ${Math.max(2, facts.n)}, or leave it out.`,
  }
}

export const LEADER = message({})

interface Node {
  readonly status: string
}

export function win(net: Net<'ring'>): void {
  net.lead()
  net.send(left, LEADER, {})
}

/** The announcement goes round once. */
export function onLeader(my: Node, _: object, net: Net<'ring'>): void {
  if (my.status !== 'leader') {
    net.follow(null)
    net.send(left, LEADER, {})
  }
  net.stop()
}

export function leaderReason(my: Node): string {
  return my.status === 'leader'
    ? 'stops: its announcement has gone round'
    : 'has lost, and passes it on'
}

/* The expected numbers of tokens on anonymous rings of n nodes that draw ids from 1 to k. */

/**
 * Many nodes rarely share the largest id: `tied` of them do with a probability below k (n/k)^tied /
 * tied!. This is the number from which on that is less than a float64 resolves.
 */
function mostTied(n: number, k: number): number {
  let tied = 1
  for (let chance = n; chance > 1e-18 && tied < n; tied++) chance *= n / k / (tied + 1)
  return tied
}

/** Whether `expectedInRounds` is computed in a moment, and without overflow. */
export function isFeasible(n: number, k: number): boolean {
  return n === 1 || (k > 1 && mostTied(n, k) <= 500)
}

/**
 * The expectation for Itai-Rodeh, with numbered rounds or with a bit. A node has one input and
 * reads it in order, so the messages depend only on the random choices and can be counted round by
 * round. The nodes that share the largest id are a uniformly random set, so that only their number
 * matters. The distance of two of m active nodes is n / m on average, and the token of id x passes
 * j of them with probability (x/k)^j.
 */
export function expectedInRounds(n: number, k = n): number {
  const shares = Array.from({ length: k }, (_, i) => (i + 1) / k)
  const sum = (term: (share: number) => number) => shares.reduce((a, share) => a + term(share), 0)
  const allSmaller = (others: number) => sum((share) => (share - 1 / k) ** others)
  const most = mostTied(n, k)
  const fewSmaller = Array.from({ length: most }, (_, others) => allSmaller(others))
  const further = [0, 0]
  const expected = (active: number) => {
    const passed = sum((share) => (share === 1 ? active : (1 - share ** active) / (1 - share)))
    let tokens = (n / k) * passed
    let ways = active / k
    for (let tied = 2; tied <= Math.min(active, most); tied++) {
      ways *= (active - tied + 1) / (tied * k)
      const chance = ways * (fewSmaller[active - tied] ?? allSmaller(active - tied))
      if (tied === active) tokens /= 1 - chance
      else tokens += chance * further[tied]
    }
    return tokens
  }
  for (let active = 2; active < n && active <= most; active++) further.push(expected(active))
  return expected(n)
}

/** A ring without rounds: what the nodes have drawn, 0 if passive, and the tokens on their way. */
interface BareRing {
  readonly drawn: readonly number[]
  /** By receiver, the next one first. */
  readonly tokens: readonly (readonly Token[])[]
}

type Token = readonly [id: number, hop: number]

/** Small enough to enumerate everything that may be drawn. */
export function isEnumerable(n: number, k: number): boolean {
  return n === 1 || n === 2 || k ** n <= 256
}

/**
 * The expectation without rounds, where nodes draw at once. Again the messages depend only on the
 * random choices: one schedule is enough, and its states are a Markov chain. The equations of their
 * expectations are solved by iteration.
 */
export function expectedBare(n: number, k = n): number {
  if (n === 2) return (3 * k - 1) / (k - 1)
  const numbers = new Map<string, number>()
  const rings: BareRing[] = []
  const numberOf = (ring: BareRing) => {
    const key = JSON.stringify(ring)
    if (!numbers.has(key)) numbers.set(key, rings.push(ring) - 1)
    return numbers.get(key)!
  }
  const starts = everyDraw(n, k).map((drawn) => {
    const tokens = drawn.map((_, node): Token[] => [[drawn[(node + n - 1) % n], 1]])
    return numberOf({ drawn, tokens })
  })
  const next = []
  for (let at = 0; at < rings.length; at++) {
    const { sent, outcomes } = delivery(rings[at], k)
    next.push({ sent, outcomes: outcomes.map(numberOf) })
  }
  const expected = new Float64Array(rings.length)
  const mean = (states: readonly number[]) =>
    states.length === 0 ? 0 : states.reduce((sum, at) => sum + expected[at], 0) / states.length
  for (let change = 1; change > 1e-13; ) {
    change = 0
    for (let at = rings.length - 1; at >= 0; at--) {
      const better = next[at].sent + mean(next[at].outcomes)
      change = Math.max(change, better - expected[at])
      expected[at] = better
    }
  }
  return n + mean(starts)
}

function everyDraw(n: number, k: number): number[][] {
  return Array.from({ length: k ** n }, (_, code) =>
    Array.from({ length: n }, (_, node) => 1 + (Math.floor(code / k ** node) % k)),
  )
}

/** The first node that has a token receives it. Without outcome: it leads. */
function delivery({ drawn, tokens }: BareRing, k: number): { sent: number; outcomes: BareRing[] } {
  const n = drawn.length
  const node = tokens.findIndex(({ length }) => length > 0)
  const [id, hop] = tokens[node][0]
  const after = (own: number, ...sent: Token[]): BareRing => ({
    drawn: drawn.with(node, own),
    tokens: tokens.map((queue, at) => {
      const left = at === node ? queue.slice(1) : queue
      return at === (node + 1) % n ? [...left, ...sent] : left
    }),
  })
  const own = drawn[node]
  if (own !== 0 && hop === n) return { sent: 0, outcomes: [] }
  if (id > own) return { sent: 1, outcomes: [after(0, [id, hop + 1])] }
  if (id < own) return { sent: 0, outcomes: [after(own)] }
  const again = Array.from({ length: k }, (_, i) => after(i + 1, [i + 1, 1]))
  return { sent: 1, outcomes: again }
}
