import { type At, type Claim, type ExperimentDocument, grows, inInterval } from 'conclave/engines'

/** By n, with ids from 1 to n: exact, by Markov chains. */
const IN_ROUNDS: Readonly<Record<number, number>> = { 2: 7, 3: 10.1875, 4: 14.0825 }
const BARE: Readonly<Record<number, number>> = { 2: 5, 3: 8.416666667, 4: 12.029596561 }
const small = (name: string) => ({
  where: ({ n, algorithm }: At) => n <= 4 && algorithm === name,
})

const fewer: Claim = {
  says: 'without the bit fewer tokens are expected, at every size',
  judge({ points }) {
    const mean = (name: string, n: number) =>
      points.find((one) => one.n === n && one.point.algorithm === name)?.measures.cost?.mean ?? 0
    const sizes = [...new Set(points.map(({ n }) => n))]
    const shares = sizes.map((n) => mean('itai-rodeh-bare', n) / mean('itai-rodeh-bit', n))
    const range = `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}`
    return { holds: shares.every((share) => share < 1), found: `${range} of the tokens` }
  },
}

export default {
  title: 'Anonymous rings: what a bit costs',
  discussion:
    'Three forms of the same election: Itai and Rodeh number their rounds, Fokkink and Pang need one bit on FIFO links (A), or none if whoever receives its own number draws again at once (B). The states of the latter two are finite, so that the checker explores them to the end. Ids are drawn from 1 to n.',
  base: { wake: 'all' },
  sweep: {
    algorithm: 'itai-rodeh,itai-rodeh-bit,itai-rodeh-bare',
    n: [2, 3, 4, 8, 16, 32, 64, 128, 256],
  },
  repeat: 500,
  measure: ['cost', 'bits'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: {
    sweep: { algorithm: 'itai-rodeh-bit,itai-rodeh-bare', n: [2, 3, 4, 8, 16] },
    repeat: 300,
  },
  claims: [
    inInterval(
      'with a bit 7, 10.1875 and 14.0825 tokens are expected for n = 2, 3 and 4',
      'cost',
      ({ n }) => IN_ROUNDS[n],
      small('itai-rodeh-bit'),
    ),
    inInterval(
      'without a bit 5, 8.4167 and 12.0296 are',
      'cost',
      ({ n }) => BARE[n],
      small('itai-rodeh-bare'),
    ),
    fewer,
    grows('it grows like n log n', 'cost', 'n log2 n', 'itai-rodeh-bare'),
  ],
} satisfies ExperimentDocument
