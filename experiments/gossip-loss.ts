import { type At, type ExperimentDocument, nearly } from 'conclave/engines'

const theory = ({ loss }: At) => {
  const kept = (1 - Number(loss)) / 2
  return (1 - kept) * Math.exp(-kept)
}

export default {
  title: 'Averaging when exchanges are lost',
  discussion:
    'An exchange that is lost as a whole with probability l only slows the averaging: the variance shrinks by (1 - (1-l)/2) e^(-(1-l)/2) per cycle, and the sum is preserved.',
  base: { algorithm: 'gossip-average', timing: 'cycles', topology: 'complete:{n}', until: '20' },
  sweep: { n: [100000], loss: '0..0.9:0.1' },
  x: 'loss',
  repeat: 3,
  measure: ['factor', 'massError'],
  quick: { sweep: { n: [20000], loss: '0..0.9:0.3' } },
  claims: [nearly('the factor is (1 - (1-l)/2) e^(-(1-l)/2)', 'factor', theory, { within: 0.01 })],
} satisfies ExperimentDocument
