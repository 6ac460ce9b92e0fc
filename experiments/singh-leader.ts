import { claimedBy, type ExperimentDocument, fitted, type RunResult } from 'conclave/engines'

/** All messages that the leader received. */
function receivedByLeader({ nodes = [], leader }: RunResult): number | null {
  return leader === null ? null : (nodes[leader.node].received ?? null)
}

export default {
  title: "Singh's election as Liu, Li and Huang may have measured it",
  discussion:
    'Liu, Li and Huang fit 0.613 n + 7.3 messages (R² 0.9802) and 1.397 log2 n - 1.971 seconds (R² 0.8157), with a delay of 0.1 s. Neither can be a total in delays: the n - 1 ELECTED messages alone are more, and 14 delays for each doubling are four times what the algorithm takes. They print counts and times of every processor, and use the variant for any n. If the delay is spent by the sender, so that the messages of a node leave one after another (serial:1, in units of 0.1 s), both lines come out: the leader receives about 0.61 n + 8 messages, and is elected after about 14 log2 n units, with nearly the R² that they report for time. What remains is the constant of the time, which is about a second lower here, and their R² of messages, which is higher. This is an explanation, not a proof: their program is not published.',
  base: { algorithm: 'singh', wake: 'rate:0.8', set: { variant: 'two-sided' }, delay: 'serial:1' },
  sweep: { n: '2..100' },
  repeat: 10,
  measure: ['time'],
  ownMeasures: { receivedByLeader },
  fit: ['receivedByLeader ~ n', 'time ~ log2(n)'],
  quick: { sweep: { n: '2..100:7' } },
  claims: [
    claimedBy(
      'Liu, Li and Huang',
      fitted('messages are 0.613 n + 7.3', 'receivedByLeader ~ n + 1', {
        near: { n: [0.613, 0.06], 1: [7.3, 3.5] },
      }),
    ),
    claimedBy(
      'Liu, Li and Huang',
      fitted('time grows by 13.97 delays for each doubling of n', 'time ~ log2 n + 1', {
        near: { 'log2 n': [13.97, 1.5] },
        r2: 0.8,
      }),
    ),
  ],
} satisfies ExperimentDocument
