import {
  type At,
  atMost,
  claimedBy,
  type ExperimentDocument,
  exactly,
  grows,
} from 'conclave/engines'

const log2 = (n: number) => Math.ceil(Math.log2(n))
const on = (ids: string) => ({ where: (at: At) => at.ids === ids })

export default {
  title: 'Hirschberg-Sinclair against its bounds',
  discussion:
    'Burman: at most 8 n ceil(log2 n) + 4 n messages on any ring. On rings in bit-reversal order, where competitors survive longest, it needs exactly 3 n log2 n + 2 n; on rising ids 5 n + 4 (n - 2).',
  base: { algorithm: 'hirschberg-sinclair' },
  sweep: { ids: 'bit-reversal,random,increasing', n: '2^2..2^12' },
  repeat: 10,
  measure: ['cost', 'time', 'bound.messages', 'bound.time'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { ids: 'bit-reversal,random,increasing', n: '2^2..2^8' }, repeat: 3 },
  claims: [
    claimedBy(
      'Burman',
      atMost('never more than 8 n ceil(log2 n) + 4 n', 'cost', ({ n }) => 8 * n * log2(n) + 4 * n),
    ),
    exactly(
      'bit reversal costs 3 n log2 n + 2 n',
      'cost',
      ({ n }) => 3 * n * log2(n) + 2 * n,
      on('bit-reversal'),
    ),
    exactly('ascending ids cost 5 n + 4 (n - 2)', 'cost', ({ n }) => 9 * n - 8, on('increasing')),
    claimedBy(
      'Burman',
      exactly('elected after 2 (n - 1) + n hops', 'time', ({ n }) => 3 * n - 2),
    ),
    grows('bit reversal grows like n log n', 'cost', 'n log2 n', 'ids bit-reversal'),
  ],
} satisfies ExperimentDocument
