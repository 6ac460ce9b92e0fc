import { type Exhibit, slugOf } from '../gallery.ts'

/** How hard an exhibit is to follow, the easiest first. */
export const LEVELS = ['first steps', 'course', 'advanced'] as const
export type Level = (typeof LEVELS)[number]

export interface CardFacts {
  readonly level: Level
  /** How long it plays at its speed. */
  readonly seconds: number
}

const [FIRST, COURSE, ADVANCED] = LEVELS

/** By the name of the exhibit in addresses; a test compares the durations with the runs. */
const FACTS: Readonly<Record<string, readonly [Level, number]>> = {
  'chang-roberts-all-start': [FIRST, 16],
  'chang-roberts-one-starter': [FIRST, 20],
  'lcr-worst-ring': [FIRST, 16],
  'lcr-best-ring': [FIRST, 16],
  'le-lann-every-id-goes-all-the-way': [FIRST, 16],
  'hirschberg-sinclair-in-phases': [COURSE, 31],
  'hirschberg-sinclair-one-way': [COURSE, 15],
  'time-slice': [COURSE, 10],
  'slow-fast-small-ids-are-fast': [ADVANCED, 23],
  peterson: [ADVANCED, 30],
  franklin: [COURSE, 23],
  'alternating-steps-worst-ring': [COURSE, 27],
  'alternating-steps-in-one-direction': [ADVANCED, 27],
  'chang-roberts-loses-its-largest': [COURSE, 20],
  'an-anonymous-ring-never-breaks-symmetry': [FIRST, 3],
  'itai-rodeh-breaks-it-with-random-numbers': [COURSE, 18],
  'itai-rodeh-with-two-numbers-and-a-bit': [ADVANCED, 20],
  'itai-rodeh-without-the-bit': [ADVANCED, 20],
  'bully-the-lowest-starts': [FIRST, 8],
  'bully-as-in-lectures': [FIRST, 12],
  'bully-the-leader-crashes-and-recovers': [COURSE, 19],
  'bully-with-too-tight-a-deadline': [COURSE, 6],
  'bully-an-id-reappears': [COURSE, 22],
  'two-ring-elections-at-once': [COURSE, 14],
  'a-list-that-is-lost': [FIRST, 4],
  'singh-on-16': [ADVANCED, 13],
  'afek-gafni': [ADVANCED, 15],
  'raft-the-returning-server': [COURSE, 26],
  'raft-with-pre-votes': [COURSE, 26],
  'omega-one-sender-in-the-long-run': [COURSE, 26],
  'a-tree-is-saturated-from-its-leaves': [FIRST, 12],
  'two-candidates-and-a-coin': [FIRST, 8],
  'duels-across-the-coordinates-of-a-cube': [COURSE, 10],
  'a-lease-of-a-quorum': [COURSE, 18],
  'few-ask-few': [COURSE, 4],
  'wireless-tree': [FIRST, 11],
  'wireless-nodes-that-move': [ADVANCED, 25],
  'waves-that-extinguish-each-other': [COURSE, 17],
  'gallager-humblet-spira': [ADVANCED, 27],
  'everybody-believes-in-a-ghost': [COURSE, 20],
  'random-pairs-one-leader': [FIRST, 22],
  'leaders-that-walk': [COURSE, 20],
  'the-largest-id-floods-a-grid': [FIRST, 6],
  'yo-yo': [COURSE, 20],
  'yo-yo-prunes-a-graph': [COURSE, 16],
  'one-wave-computes-a-sum': [COURSE, 11],
  'average-on-a-small-world': [FIRST, 32],
  'average-cycle-by-cycle': [FIRST, 10],
  'half-of-the-nodes-crash': [COURSE, 24],
  'the-sum-drifts': [ADVANCED, 24],
  'counting-by-gossip': [COURSE, 40],
  'the-largest-value-spreads': [FIRST, 16],
  'the-smallest-value-on-a-ring': [FIRST, 8],
  'a-geometric-mean': [COURSE, 7],
  'a-harmonic-mean': [COURSE, 7],
  'a-mean-of-third-powers': [COURSE, 7],
  'the-variance-of-all-values': [COURSE, 7],
  'how-many-are-above-a-threshold': [COURSE, 10],
  'the-sum-of-all-values': [COURSE, 10],
  'the-product-of-all-values': [COURSE, 12],
  'push-sum-halves-that-wander': [COURSE, 32],
  'a-rumor-spreads': [FIRST, 14],
  'flows-survive-a-crash': [ADVANCED, 40],
  'metropolis-weights-on-a-ring': [COURSE, 10],
  'counting-by-minima': [COURSE, 5],
  'counting-different-values': [COURSE, 3],
  'the-median-by-halving': [COURSE, 13],
  'a-histogram-of-all-values': [COURSE, 24],
  'the-three-largest-values': [FIRST, 16],
}

export function factsOf(exhibit: Exhibit): CardFacts {
  const [level, seconds] = FACTS[slugOf(exhibit)] ?? [COURSE, 0]
  return { level, seconds }
}
