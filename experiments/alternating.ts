import {
  type At,
  atMost,
  type Claim,
  claimedBy,
  type ExperimentDocument,
  exactly,
  grows,
} from 'conclave/engines'

/** The largest S with F(S+1) <= n. */
function longest(n: number): number {
  let steps = 1
  for (let [a, b] = [1, 2]; b <= n; [a, b] = [b, a + b]) steps++
  return steps
}

const alternates = { where: ({ algorithm }: At) => String(algorithm).includes('alternat') }

/** Two algorithms have the same mean at every size. */
function alike(says: string, one: string, other: string): Claim {
  return {
    says,
    judge({ points }) {
      const means = (algorithm: string) =>
        points
          .filter(({ point }) => point.algorithm === algorithm)
          .map(({ measures }) => measures.cost?.mean)
      const [first, second] = [means(one), means(other)]
      const holds = first.length > 0 && first.every((mean, i) => mean === second[i])
      return { holds, found: `${holds ? '' : 'not '}equal at ${first.length} points` }
    },
  }
}

export default {
  title: 'Alternating steps: one comparison at a time',
  discussion:
    "A phase of Peterson's or Franklin's algorithm compares with two neighbours and takes 2n messages. A step of alternating-steps compares with one, on alternating sides, and takes n. There are more steps than phases, but never more than S with F(S+1) <= n, where F are the Fibonacci numbers: 1.44 n log2 n + O(n) messages, against 2 n log2 n. One direction is enough: uni-alternate takes the same messages on the same ring. The same random rings for all of them.",
  base: { ids: 'random' },
  sweep: { algorithm: 'alternating-steps,uni-alternate,peterson,franklin', n: '2^3..2^13' },
  repeat: 5,
  measure: ['cost', 'time', 'bound.messages', 'cost/bound.messages'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: {
    sweep: { algorithm: 'alternating-steps,uni-alternate,peterson,franklin', n: '2^3..2^9' },
    repeat: 3,
  },
  claims: [
    claimedBy(
      'Santoro (2007)',
      atMost('never more than n S with F(S+1) <= n', 'cost', ({ n }) => n * longest(n), alternates),
    ),
    exactly('n messages for every step of the ring', 'cost/bound.messages', 1, alternates),
    alike('one way costs exactly what two ways cost', 'alternating-steps', 'uni-alternate'),
    grows('alternating steps grow like n log n', 'cost', 'n log2 n', 'alternating-steps'),
    grows('so do they in one direction', 'cost', 'n log2 n', 'uni-alternate'),
  ],
} satisfies ExperimentDocument
