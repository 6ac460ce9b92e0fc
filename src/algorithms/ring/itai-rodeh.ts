import { algorithm, flag, left, type My, message, type Net, nat } from '../../core/index.ts'

const TOKEN = message({ round: nat, id: nat, hop: nat, unique: flag })
const LEADER = message({})

const needs = { topology: 'ring', knows: ['n'], order: 'fifo', coins: true } as const
const state = { passive: flag, round: nat, drawn: nat }

/** Takes part in the next round, under an id that others may draw too. */
function draw(my: My<typeof needs, typeof state>, net: Net<'ring' | 'n' | 'coins'>): void {
  my.round++
  my.drawn = 1 + net.choose(net.n)
  net.send(left, TOKEN, { round: my.round, id: my.drawn, hop: 1, unique: true })
}

function win(net: Net<'ring'>): void {
  net.lead()
  net.send(left, LEADER, {})
}

/**
 * Itai and Rodeh 1981. Nodes without ids that know n draw some. The largest id survives its trip
 * round the ring, which its hop count ends; on the way it learns whether others have the same.
 * Those who share the largest draw again; who has it alone leads. 7 tokens are expected for n = 2,
 * n H_n + O(n) in general, and no number of them is certain to be enough.
 */
export const itaiRodeh = algorithm({
  name: 'itai-rodeh',
  needs,
  messages: { TOKEN, LEADER },
  announcement: 'LEADER',
  state,
  wakes: true,
  elects: 'another',

  start: draw,

  on: {
    TOKEN(my, { round, id, hop, unique }, net) {
      const order = round - my.round || id - my.drawn
      if (!my.passive) {
        if (hop === net.n) return unique ? win(net) : draw(my, net)
        if (order < 0) return
        if (order > 0) my.passive = true
      }
      const twin = order === 0 && !my.passive
      net.send(left, TOKEN, { round, id, hop: hop + 1, unique: unique && !twin })
    },
    LEADER(my, _, net) {
      if (my.status !== 'leader') {
        net.follow(null)
        net.send(left, LEADER, {})
      }
      net.stop()
    },
  },

  theory: {
    authors: 'Itai and Rodeh 1981',
    texts: [],
    idea: 'In each round every active node draws an id from 1 to n and sends it round the ring. A token is swallowed by a node with a larger id, makes one with a smaller id passive, and is marked where it meets an equal one. After n hops it is home: unmarked, its owner leads; marked, its owner plays another round.',
    because:
      'The tokens with the largest id of the latest round come home, so somebody always goes on. An unmarked one has met no equal and has made all others passive. Each round leaves fewer active nodes with a probability of at least a half, so the election ends with probability 1.',
    breaks:
      'An unknown n: then nodes cannot tell when a token is home, and no algorithm, even with coins, can be sure to end with one leader. A crash that nobody is told of: nothing passes the dead node.',
    example: 'conclave run itai-rodeh -n 6 --seed 3',
    cost: 'n H_n + O(n) messages expected',
    bounds: [
      {
        of: 'messages',
        kind: 'average',
        formula: 'n H_n + O(n), 7 for n = 2',
        value: ({ n }) => expectedTokens(n),
        where: 'over the coins, whatever the schedule',
      },
    ],
  },
})

/** That more nodes share the largest id is less likely than n / 25!, which no float64 notices. */
const MOST_TIED = 25

/**
 * The exact expectation. A node has one input and reads it in order, so the coins alone decide what
 * is sent: it may be counted round by round. Those who share the largest id are equally likely to
 * be any nodes, so that only their number k matters. From one active node to the next it is n / k
 * places on average, and the token of id x gets beyond j of them with probability (x/n)^j.
 */
function expectedTokens(n: number): number {
  const shares = Array.from({ length: n }, (_, i) => (i + 1) / n)
  const sum = (term: (share: number) => number) => shares.reduce((a, share) => a + term(share), 0)
  const allSmaller = (others: number) => sum((share) => (share - 1 / n) ** others)
  const fewSmaller = Array.from({ length: MOST_TIED }, (_, others) => allSmaller(others))
  const further = [0, 0]
  const expected = (k: number) => {
    let tokens = sum((share) => (share === 1 ? k : (1 - share ** k) / (1 - share)))
    let ways = k / n
    for (let tied = 2; tied <= Math.min(k, MOST_TIED); tied++) {
      ways *= (k - tied + 1) / (tied * n)
      const chance = ways * (fewSmaller[k - tied] ?? allSmaller(k - tied))
      if (tied === k) tokens /= 1 - chance
      else tokens += chance * further[tied]
    }
    return tokens
  }
  for (let k = 2; k < n && k <= MOST_TIED; k++) further.push(expected(k))
  return expected(n)
}
