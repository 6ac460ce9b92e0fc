import type { Algorithm, Theory, TheoryComparison } from '../../core/index.ts'
import type { Aggregate } from '../../core/language/aggregate.ts'
import { waveOrGossip } from '../wave-or-gossip.ts'
import * as aggregates from './aggregates.ts'
import { gossip } from './gossip.ts'

/** A number that the user may set, and what it is otherwise. */
export interface AggregationSetting {
  readonly says: string
  readonly otherwise: number
  /** What is needed, in words, and whether a number is that. */
  readonly needed: string
  accepts(value: number): boolean
}

type Settings = Readonly<Record<string, number>>

/** A function of the values of all nodes that gossip computes. */
export interface Aggregation<Name extends string = string> {
  readonly name: Name
  readonly settings: Readonly<Record<string, AggregationSetting>>
  aggregate(settings: Settings): Aggregate
  readonly theory: Theory
  /** The same with messages that take their time. */
  algorithm(settings: Settings): Algorithm
}

const AUTHORS = 'Jelasity, Montresor, Babaoglu 2005'
const EXCHANGE =
  'In every cycle each node exchanges numbers with a random neighbour, and both go half the way'
const KEEPS =
  'An exchange leaves the sum as it is and halves the distance of two nodes, so that all come to the average; the variance shrinks by 1/(2 sqrt e) in a cycle on complete networks.'
const LOSES =
  'A node that dies takes its share with it, the more the earlier; so does an answer that is lost; values that change are not seen. Epochs (--set epoch=30) begin anew, evaporation (--set evaporation=0.1) forgets.'
const COST = '2n messages a cycle; variance times 0.303 a cycle'

const instances: AggregationSetting = {
  says: 'how many counts go on at once; their median counts',
  otherwise: 1,
  needed: 'a whole number from 1 to 99',
  accepts: (k) => Number.isInteger(k) && k >= 1 && k <= 99,
}

const anyNumber = { needed: 'a number', accepts: () => true }

interface Entry {
  readonly idea: string
  readonly because?: string
  readonly breaks?: string
  readonly cost?: string
  readonly flags?: string
  readonly settings?: Aggregation['settings']
  /** The form of text 004, that loses the sum where exchanges overlap. */
  readonly literal?: true
  readonly comparison?: TheoryComparison
}

function aggregation<Name extends string>(
  name: Name,
  aggregate: Aggregation['aggregate'],
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
  const theory = {
    ...{ authors: AUTHORS, texts, idea, because, breaks, cost, example, bounds: [] },
    ...(comparison && { comparison }),
  }
  const form = { name, theory, literal: literal === true }
  return {
    name,
    settings: entry.settings ?? {},
    aggregate,
    theory,
    algorithm: latest(Object.keys(entry.settings ?? {}), (settings) =>
      gossip({ ...form, aggregate: aggregate(settings) }),
    ),
  }
}

/**
 * The algorithm that was made last, as long as what it is made from stays the same: the engine of
 * JavaScript would compile the code of a new one anew in each run.
 */
function latest(names: readonly string[], make: Aggregation['algorithm']): typeof make {
  let [made, from]: [Algorithm | null, string] = [null, '']
  return (settings) => {
    const key = names.map((name) => settings[name]).join()
    if (made === null || key !== from) made = make(settings)
    from = key
    return made
  }
}

const extremes = {
  because:
    'The extreme value never gets lost, and who knows it doubles at least about every cycle.',
  breaks:
    'An extreme that is gone is still believed: only epochs or evaporation (--set evaporation=0.1) forget it.',
  cost: '2n messages a cycle; all know it after about log2 n cycles',
}

const all = [
  aggregation('gossip-max', () => aggregates.max, {
    idea: 'In every cycle each node exchanges numbers with a random neighbour, and both keep the larger one.',
    ...extremes,
  }),
  aggregation('gossip-min', () => aggregates.min, {
    idea: 'In every cycle each node exchanges numbers with a random neighbour, and both keep the smaller one.',
    ...extremes,
  }),
  aggregation('gossip-average', () => aggregates.mean, {
    idea: `${EXCHANGE}.`,
    comparison: waveOrGossip,
  }),
  aggregation('gossip-average-naive', () => aggregates.mean, {
    idea: `${EXCHANGE}, as text 004 prints it: each sets the mean of what it has and what it hears.`,
    because:
      'It is not: that both set the same mean is true only while neither changes between the message and its answer.',
    breaks:
      'Exchanges that overlap: what a node has when it is answered is not what it sent, and the sum drifts. Compare gossip-average.',
    flags: ' --values peak',
    literal: true,
  }),
  aggregation('gossip-geometric-mean', () => aggregates.geometricMean, {
    idea: `${EXCHANGE}: of the logarithms, whose average is that of the geometric mean.`,
  }),
  aggregation('gossip-harmonic-mean', () => aggregates.harmonicMean, {
    idea: `${EXCHANGE}: of 1/x, whose average is 1 over the harmonic mean.`,
  }),
  aggregation('gossip-power-mean', ({ p }) => aggregates.powerMean(p), {
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
  aggregation('gossip-variance', () => aggregates.variance, {
    idea: `${EXCHANGE}: of x and of x^2; the variance is the second average less the first squared.`,
  }),
  aggregation('gossip-count', (set) => aggregates.count(set.instances), {
    idea: `${EXCHANGE}: of 1 at one node and 0 at all others, so that the average is 1/n.`,
    settings: { instances },
  }),
  aggregation('gossip-count-where', (set) => aggregates.countWhere(set.threshold, set.instances), {
    idea: `${EXCHANGE}: of 1 where the value is at least the threshold, and 0 elsewhere; this share times the count.`,
    flags: ' --set threshold=0.75',
    settings: {
      threshold: { says: 'values from here on are counted', otherwise: 0.5, ...anyNumber },
      instances,
    },
  }),
  aggregation('gossip-sum', (set) => aggregates.sum(set.instances), {
    idea: `${EXCHANGE}: the average times the count.`,
    settings: { instances },
  }),
  aggregation('gossip-product', (set) => aggregates.product(set.instances), {
    idea: `${EXCHANGE}: of the logarithms; the average times the count is the product's logarithm.`,
    flags: ' --values uniform:0.5:2',
    settings: { instances },
  }),
]

/** The name of an aggregation of the catalogue. */
export type AggregationName = (typeof all)[number]['name']

/** Every aggregation there is, in the order of `conclave list`. */
export const aggregations: readonly Aggregation<AggregationName>[] = all
