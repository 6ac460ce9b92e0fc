import { type ExperimentDocument, exactly } from 'conclave/engines'

const wave = ({ n }: { n: number }, means: Readonly<Record<string, number>>) =>
  2 * means.links - (n - 1)

export default {
  title: 'Wireless election on geometric networks',
  discussion:
    'Zambonelli (2023): one source floods, a tree answers. On any graph ELECTION and ACK cost 2E - (N - 1) each and LEADER N - 1, whatever the schedule.',
  base: { algorithm: 'wireless', topology: 'geometric:{n}:{range}', delay: 'uniform:1:10' },
  sweep: { range: '0.2,0.3', n: '100..500:50' },
  repeat: 10,
  measure: ['messages.election', 'messages.ack', 'messages.leader', 'links', 'time'],
  quick: { sweep: { range: '0.3', n: '100..200:50' }, repeat: 2 },
  claims: [
    exactly('ELECTION costs 2E - (N - 1)', 'messages.election', wave),
    exactly('ACK costs the same', 'messages.ack', wave),
    exactly('LEADER costs N - 1', 'messages.leader', ({ n }) => n - 1),
  ],
} satisfies ExperimentDocument
