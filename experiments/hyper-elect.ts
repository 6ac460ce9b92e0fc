import {
  type At,
  atMost,
  claimedBy,
  type ExperimentDocument,
  exactly,
  grows,
} from 'conclave/engines'

const on = (ids: string) => ({ where: (at: At) => at.ids === ids })

export default {
  title: 'HyperElect is linear',
  discussion:
    'Santoro: on a hypercube whose links are numbered by coordinates an election takes at most 7n - (log n)^2 - 3 log n - 7 messages, the announcement included. Ids in the order of the positions need one hop for each duel.',
  base: { algorithm: 'hyper-elect', delay: 'uniform:1:10', order: 'any' },
  sweep: { ids: 'random,increasing,decreasing', n: '2^1..2^12' },
  repeat: 20,
  measure: ['cost', 'bound.messages', 'cost/bound.messages', 'messages.leader'],
  fit: ['cost ~ auto'],
  log: ['x', 'y'],
  quick: { sweep: { ids: 'random,increasing,decreasing', n: '2^1..2^7' }, repeat: 5 },
  claims: [
    claimedBy('Santoro (2007)', atMost('never more than the bound', 'cost/bound.messages', 1)),
    exactly('increasing ids cost 2n - 2', 'cost', ({ n }) => 2 * n - 2, on('increasing')),
    exactly('decreasing ids cost 2n - 2', 'cost', ({ n }) => 2 * n - 2, on('decreasing')),
    exactly('n - 1 announcements', 'messages.leader', ({ n }) => n - 1),
    claimedBy('Santoro (2007)', grows('the cost is linear', 'cost', 'n', 'ids random')),
  ],
} satisfies ExperimentDocument
