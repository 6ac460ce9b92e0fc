import type { TheoryComparison } from '../../core/index.ts'
import type { Aggregate } from '../../core/language/aggregate.ts'
import type { Aggregation, AggregationSetting } from '../aggregation.ts'
import { waveOrGossip } from '../wave-or-gossip.ts'
import * as aggregates from './aggregates.ts'
import { latest } from './algorithm-cache.ts'
import { distinct } from './distinct.ts'
import { extrema } from './extrema.ts'
import { flowUpdating } from './flow-updating.ts'
import { gossipAlgorithm } from './gossip.ts'
import { histogram } from './histogram.ts'
import { metropolis } from './metropolis.ts'
import { pushSum } from './push-sum.ts'
import { quantile } from './quantile.ts'
import { rumor } from './rumor.ts'
import { topK } from './top-k.ts'

const AUTHORS = 'Jelasity, Montresor, Babaoglu 2005'
const EXCHANGE =
  'In every cycle each node exchanges numbers with a random neighbour, and both take the mean'
const KEEPS =
  'An exchange keeps the sum and makes two nodes equal, so that all nodes converge to the average; on complete networks the variance shrinks by the factor 1/(2 sqrt e) per cycle.'
const LOSES =
  'A node that crashes removes its share of the sum, the more the earlier it crashes; a lost answer does, too. Changed values have no effect. Epochs (epoch=30) restart the computation, evaporation (evaporation=0.1) forgets old values.'
const COST = '2n messages per cycle; variance factor 0.303 per cycle'

const instances: AggregationSetting = {
  says: 'the number of simultaneous counts, of which the median is taken',
  otherwise: 1,
  needed: 'a whole number from 1 to 99',
  accepts: (k) => Number.isInteger(k) && Number(k) >= 1 && Number(k) <= 99,
}

const anyNumber = { needed: 'a number', accepts: () => true }

/** The settings of entries below are numbers. */
type Numbers = Readonly<Record<string, number>>

interface Entry {
  readonly idea: string
  readonly because?: string
  readonly breaks?: string
  readonly cost?: string
  readonly flags?: string
  readonly settings?: Readonly<Record<string, AggregationSetting>>
  /** The form of Zambonelli (2023), which does not keep the sum if exchanges overlap. */
  readonly literal?: true
  readonly comparison?: TheoryComparison
}

function ofCatalogue<Name extends string>(
  name: Name,
  aggregate: (settings: Numbers) => Aggregate,
  entry: Entry,
): Aggregation<Name> {
  const {
    idea,
    because = KEEPS,
    breaks = LOSES,
    cost = COST,
    flags = '',
    literal,
    comparison,
  } = entry
  const example = `conclave run ${name} -n 1000${flags} --until 20`
  const texts = ['004'] as const
  const title = name.replace('gossip-', 'Gossip: ').replaceAll('-', ' ')
  const theory = {
    title,
    authors: AUTHORS,
    texts,
    idea,
    because,
    breaks,
    cost,
    example,
    bounds: [],
    ...(comparison && { comparison }),
  }
  const form = { name, theory, literal: literal === true }
  return {
    name,
    settings: entry.settings ?? {},
    aggregate,
    theory,
    algorithm: latest(Object.keys(entry.settings ?? {}), (settings) =>
      gossipAlgorithm({ ...form, aggregate: aggregate(settings as Numbers) }),
    ),
  }
}

const extremes = {
  because:
    'The extreme value is never lost, and at first more than five times as many nodes know it after every cycle: 1, 5.5, 30, 161, 870, 4,578 of 100,000 on average (measured with --timing cycles --set tolerance=0, 100 seeds). The cycles until all know it are measured, too: conclave experiment gossip-max --timing cycles --set tolerance=0 --sweep n=100,1000,100000 --repeat 20 --measure reached.',
  breaks: 'An outdated extreme persists: only epochs or evaporation (evaporation=0.1) forget it.',
  cost: '2n messages per cycle; all nodes know it after 4.7 cycles at n = 100, 6.6 at 1,000, 10 at 100,000 (measured on complete networks)',
}

const all = [
  ofCatalogue('gossip-max', () => aggregates.max, {
    idea: 'In every cycle each node exchanges numbers with a random neighbour, and both keep the larger one.',
    ...extremes,
  }),
  ofCatalogue('gossip-min', () => aggregates.min, {
    idea: 'In every cycle each node exchanges numbers with a random neighbour, and both keep the smaller one.',
    ...extremes,
  }),
  ofCatalogue('gossip-average', () => aggregates.mean, {
    idea: `${EXCHANGE}.`,
    comparison: waveOrGossip,
  }),
  ofCatalogue('gossip-average-naive', () => aggregates.mean, {
    idea: `${EXCHANGE}, as printed by Zambonelli (2023): each sets the mean of its own number and the received one.`,
    because:
      'It is not correct: both set the same mean only if neither number changes between the message and its answer.',
    breaks:
      'Overlapping exchanges: the number of a node has changed when the answer arrives, and the sum drifts. Compare gossip-average.',
    flags: ' --values peak',
    literal: true,
  }),
  ofCatalogue('gossip-geometric-mean', () => aggregates.geometricMean, {
    idea: `${EXCHANGE}: of the logarithms, whose average is the logarithm of the geometric mean.`,
  }),
  ofCatalogue('gossip-harmonic-mean', () => aggregates.harmonicMean, {
    idea: `${EXCHANGE}: of 1/x, whose average is 1 over the harmonic mean.`,
  }),
  ofCatalogue('gossip-power-mean', ({ p }) => aggregates.powerMean(Number(p)), {
    idea: `${EXCHANGE}: of x^p; the mean is the p-th root of the average.`,
    flags: ' --set p=3',
    settings: {
      p: {
        says: 'the power: 1 is the arithmetic mean, -1 the harmonic one',
        otherwise: 2,
        needed: 'a number other than 0',
        accepts: (p) => p !== 0,
      },
    },
  }),
  ofCatalogue('gossip-variance', () => aggregates.variance, {
    idea: `${EXCHANGE}: of x and of x^2; the variance is the second average minus the square of the first. Nodes hold that difference in place of the second average, since two large squares would cancel: two nodes with means a and b and variances v and w take (v + w)/2 + ((a - b)/2)^2.`,
    cost: '2n messages of three numbers per cycle; the averages of x and x^2 have the variance factor 0.303 per cycle',
  }),
  ofCatalogue('gossip-count', (set) => aggregates.count(Number(set.instances)), {
    idea: `${EXCHANGE}: of 1 at one node and 0 at all others, so that the average is 1/n.`,
    settings: { instances },
  }),
  ofCatalogue('gossip-count-where', (s) => aggregates.countWhere(+s.threshold, +s.instances), {
    idea: `${EXCHANGE}: of 1 if the value is at least the threshold, and of 0 otherwise; the result is this fraction times the count.`,
    flags: ' --set threshold=0.75',
    settings: {
      threshold: { says: 'values from this one on are counted', otherwise: 0.5, ...anyNumber },
      instances,
    },
  }),
  ofCatalogue('gossip-sum', (set) => aggregates.sum(Number(set.instances)), {
    idea: `${EXCHANGE}: the average times the count.`,
    settings: { instances },
  }),
  ofCatalogue('gossip-product', (set) => aggregates.product(Number(set.instances)), {
    idea: `${EXCHANGE}: of the logarithms; the average times the count is the product's logarithm.`,
    flags: ' --values uniform:0.5:2',
    settings: { instances },
  }),
  pushSum,
  rumor,
  flowUpdating,
  metropolis,
  extrema,
  distinct,
  quantile,
  histogram,
  topK,
]

/** The name of an aggregation of the catalogue. */
export type AggregationName = (typeof all)[number]['name']

/** All aggregations. */
export const aggregations: readonly Aggregation<AggregationName>[] = all
