import type { SourceText } from '../../../src/core/language/theory.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'

/** A scenario of the gallery. */
export interface Exhibit {
  readonly title: string
  /** What to watch, in one sentence. */
  readonly watch: string
  /** The source text, by its number. */
  readonly source?: SourceText
  readonly scenario: ScenarioInput
  /** The speed, where it is not one unit of time per second. */
  readonly speed?: number
}

export interface GalleryRoom {
  readonly title: string
  readonly exhibits: readonly Exhibit[]
}

const LECTURE_RING = [3, 2, 7, 8, 5, 4, 1, 6]
const HALVING_RING = [1, 5, 3, 7, 2, 6, 4, 8]
/** The most steps of alternating comparisons: 8, 5, 3, 2 and 1 candidates. */
const FIBONACCI_RING = [1, 2, 7, 3, 4, 8, 5, 6]
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]
/** The wireless network of Zambonelli (2023): nodes a to j and their capacities. */
const WIRELESS = {
  topology: 'edges:0-1,0-9,1-2,1-6,2-3,2-4,3-4,4-5,4-6,5-8,6-7,6-9,7-8,8-9',
  ids: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  values: [4, 6, 3, 2, 1, 4, 2, 8, 5, 4],
}

const rings: GalleryRoom = {
  title: 'Rings',
  exhibits: [
    {
      title: 'Chang-Roberts, all start',
      source: '000',
      watch: 'Ids travel clockwise until a larger one swallows them; only 8 returns to its node.',
      scenario: { algorithm: 'chang-roberts', ids: LECTURE_RING },
    },
    {
      title: 'Chang-Roberts, one starter',
      source: '000',
      watch: 'Nodes woken by a larger id only pass it on: 11 messages where LCR takes 21.',
      scenario: { algorithm: 'chang-roberts', ids: LECTURE_RING, wake: '0', timing: 'sync' },
    },
    {
      title: 'LCR, worst ring',
      source: '002',
      watch:
        'Ids decrease clockwise, so that each travels until it meets 8: 8 + 7 + … + 1 messages.',
      scenario: { algorithm: 'lcr', n: 8, ids: 'decreasing' },
    },
    {
      title: 'LCR, best ring',
      source: '002',
      watch: 'Ids increase clockwise: all but the largest are swallowed at the first step.',
      scenario: { algorithm: 'lcr', n: 8, ids: 'increasing' },
    },
    {
      title: 'Le Lann: every id goes all the way',
      watch:
        'Two nodes start, and each id makes the whole trip: 16 tokens. 5 leads, since 8 never took part.',
      scenario: { algorithm: 'le-lann', ids: LECTURE_RING, wake: '0,4' },
    },
    {
      title: 'Hirschberg-Sinclair in phases',
      source: '000',
      watch:
        'Probes go 1, 2, 4 and 8 nodes far to both sides; fewer candidates are left each time.',
      scenario: { algorithm: 'hirschberg-sinclair', ids: LECTURE_RING, timing: 'sync' },
    },
    {
      title: 'Hirschberg-Sinclair one way',
      source: '000',
      watch:
        'With probes to one side only, a decreasing ring takes a quadratic number of messages again.',
      scenario: { algorithm: 'hirschberg-sinclair-one-way', n: 8, ids: 'decreasing' },
      speed: 2,
    },
    {
      title: 'Time-slice',
      source: '000',
      watch:
        'Nothing is sent in the phases of ids that no node has; then id 2 needs 6 messages in all.',
      scenario: { algorithm: 'time-slice', ids: [5, 2, 7, 3, 6, 4] },
      speed: 2,
    },
    {
      title: 'Slow-fast: small ids are fast',
      source: '000',
      watch:
        'Each id waits twice as long at a node as the next smaller one: the smallest overtakes all others.',
      scenario: { algorithm: 'slow-fast', n: 8, ids: 'increasing', wake: '0@1,4@1,7@1,2@2' },
    },
    {
      title: 'Peterson',
      watch:
        'Each phase leaves at most half of the candidates, with messages in one direction only.',
      scenario: { algorithm: 'peterson', ids: HALVING_RING },
    },
    {
      title: 'Franklin',
      watch:
        'Candidates compare ids with the nearest candidates on both sides: 4 phases of 16 messages.',
      scenario: { algorithm: 'franklin', ids: HALVING_RING },
    },
    {
      title: 'Alternating steps, worst ring',
      watch:
        'Candidates compare with one side at a time: 8, 5, 3, 2 and 1 of them, with 8 messages per step.',
      scenario: { algorithm: 'alternating-steps', ids: FIBONACCI_RING },
    },
    {
      title: 'Alternating steps in one direction',
      watch:
        'The same comparisons one way: in even steps the larger value moves on to the next candidate.',
      scenario: { algorithm: 'uni-alternate', ids: FIBONACCI_RING },
    },
    {
      title: 'Chang-Roberts loses its largest',
      source: '001',
      watch:
        'The largest crashes before its id returns; the ring closes over it and the others start again.',
      scenario: { algorithm: 'chang-roberts', ids: LECTURE_RING, crash: '3@5' },
    },
  ],
}

const symmetry: GalleryRoom = {
  title: 'Symmetry',
  exhibits: [
    {
      title: 'An anonymous ring never breaks symmetry',
      source: '000',
      watch: 'Equal nodes do equal things in every round: all six become leader at once.',
      scenario: { algorithm: 'lcr', n: 6, ids: 'same' },
    },
    {
      title: 'Itai-Rodeh breaks it with random numbers',
      watch:
        'No node has an id: candidates draw numbers, and draw again while the largest is not unique.',
      scenario: { algorithm: 'itai-rodeh', n: 6, seed: 3 },
    },
    {
      title: 'Itai-Rodeh with two numbers and a bit',
      watch:
        'Only 1 and 2 can be drawn: a token that meets its own number is marked, and its owner draws again.',
      scenario: { algorithm: 'itai-rodeh-bit', n: 6, set: { ids: 2 }, seed: 3 },
      speed: 2,
    },
    {
      title: 'Itai-Rodeh without the bit',
      watch:
        'Whoever receives the number that it has drawn itself swallows it and draws again at once.',
      scenario: { algorithm: 'itai-rodeh-bare', n: 6, set: { ids: 2 }, seed: 3 },
    },
  ],
}

const complete: GalleryRoom = {
  title: 'Complete networks',
  exhibits: [
    {
      title: 'Bully, the lowest starts',
      source: '001',
      watch:
        'Each node asks all higher ones: 28 elections, 28 answers, 7 announcements, n² − 1 in all.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', detect: 'off' },
      speed: 0.5,
    },
    {
      title: 'Bully, as in lectures',
      source: '001',
      watch: '4 begins without 7: 5 and 6 answer and take over, and 6 leads after a silence.',
      scenario: {
        ...{ algorithm: 'bully-textbook', ids: EIGHT, crash: '7', wake: '4', detect: 'off' },
      },
      speed: 0.5,
    },
    {
      title: 'Bully, the leader crashes and recovers',
      source: '004',
      watch:
        'The leader crashes at 6 and the next one takes over; at 16 it recovers and leads again.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', crash: '7@6', recover: '7@16' },
    },
    {
      title: 'Bully with too tight a deadline',
      source: '001',
      watch: '0 waits 1 for answers that take 2, and leads at the same time as 7.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', set: { patience: 1 } },
      speed: 0.5,
    },
    {
      title: 'Bully, an id reappears',
      source: '001',
      watch: '3 comes back as a second 7: both have the highest id, and both lead.',
      scenario: { algorithm: 'bully', ids: EIGHT, crash: '3@8', recover: '3@16:id=7' },
    },
    {
      title: 'Two ring elections at once',
      source: '004',
      watch: '2 and 5 both start a list; each list returns with all seven ids, and both elect 6.',
      scenario: { algorithm: 'ring-list', ids: EIGHT, crash: '7', wake: '2,5' },
    },
    {
      title: 'A list that is lost',
      source: '004',
      watch: 'As in lectures: 3 crashes while the list is on its way to it, and nobody is elected.',
      scenario: { algorithm: 'ring-list-textbook', ids: EIGHT, crash: '3@2.5', wake: '0' },
    },
    {
      title: 'Singh on 16',
      source: '003',
      watch: 'Knowing the directions, candidates capture a few nodes, then win in doubling steps.',
      scenario: { algorithm: 'singh', n: 16, wake: 'rate:0.8' },
    },
    {
      title: 'Afek-Gafni',
      watch: 'Links have no order: candidates capture nodes one by one until one holds a majority.',
      scenario: { algorithm: 'afek-gafni', n: 12 },
    },
    {
      title: 'Raft, the returning server',
      watch:
        'Position 2 is cut off at 30 and stands in vain, term after term; it returns, and the leader falls.',
      scenario: { algorithm: 'raft', n: 5, partition: '2/0,1,3,4@30..90', until: 130 },
      speed: 5,
    },
    {
      title: 'Raft with pre-votes',
      watch:
        'The same, but nobody would vote for position 2: its term stays, and so does the leader.',
      scenario: {
        ...{ algorithm: 'raft', n: 5, partition: '2/0,1,3,4@30..90', until: 130 },
        set: { prevote: 'on' },
      },
      speed: 5,
    },
    {
      title: 'Omega, one sender in the long run',
      watch:
        'All trust 7, then 6, then 5, as they die; whoever is trusted is the only one to send.',
      scenario: { algorithm: 'omega', ids: EIGHT, crash: '7@20,6@20,5@75', until: 130 },
      speed: 5,
    },
    {
      title: 'Few ask few',
      watch: 'Candidates ask random referees; only the largest rank hears of no larger one.',
      scenario: { algorithm: 'sublinear', n: 32 },
      speed: 0.5,
    },
  ],
}

const shapes: GalleryRoom = {
  title: 'Trees and hypercubes',
  exhibits: [
    {
      title: 'A tree is saturated from its leaves',
      watch: 'Values meet at two neighbours, which know the largest id and tell it both ways.',
      scenario: { algorithm: 'tree', topology: 'tree:15:2', wake: '7', seed: 4 },
    },
    {
      title: 'Two candidates and a coin',
      watch:
        'No node has an id: the tree leaves two neighbours, which toss until the coins differ.',
      scenario: { algorithm: 'tree-coin', topology: 'path:6', seed: 3 },
    },
    {
      title: 'Duels across the coordinates of a cube',
      watch:
        'Winners of halves duel in each stage; beaten nodes pass duels on: 24 messages, the most.',
      scenario: {
        ...{ algorithm: 'hyper-elect', topology: 'hypercube:3' },
        ids: [1, 2, 4, 3, 8, 5, 6, 7],
      },
    },
  ],
}

const graphs: GalleryRoom = {
  title: 'Any network',
  exhibits: [
    {
      title: 'Wireless tree',
      source: '004',
      watch: 'The wave builds a tree, answers carry the best capacity up it, and 7 leads.',
      scenario: { algorithm: 'wireless', ...WIRELESS, wake: '0' },
    },
    {
      title: 'Wireless nodes that move',
      source: '004',
      watch:
        'Links change as the nodes move; a node that loses or finds neighbours starts an election.',
      scenario: {
        ...{ algorithm: 'wireless', topology: 'geometric:10:0.45', seed: 4 },
        ...{ mobility: 0.005, until: 60 },
      },
      speed: 2,
    },
    {
      title: 'Waves that extinguish each other',
      source: '000',
      watch: 'Every node starts a wave; those of smaller ids end where they meet a larger one.',
      scenario: { algorithm: 'echo-extinction', topology: 'grid:4x4', delay: 'uniform:1:4' },
      speed: 2,
    },
    {
      title: 'Gallager-Humblet-Spira',
      source: '000',
      watch: 'Fragments join over their lightest links until one minimum spanning tree is left.',
      scenario: { algorithm: 'ghs', topology: 'random:12:0.3' },
    },
    {
      title: 'Everybody believes in a ghost',
      watch:
        'All nodes believe in 99, which does not exist; its distance grows until it is too far, in round 9.',
      scenario: {
        ...{ algorithm: 'stabilizing', topology: 'grid:3x3', timing: 'sync', until: 20 },
        ids: '1,2,3,4,5,6,7,8,9',
        tables: JSON.stringify(
          [2, 3, 2, 3, 4, 3, 2, 3, 2].map((degree) =>
            Array.from({ length: degree }, () => [99, 0]),
          ),
        ),
      },
    },
    {
      title: 'Random pairs, one leader',
      watch:
        'All lead at first; of two leaders that meet one stops, and no node knows the last one.',
      scenario: { algorithm: 'pairwise', topology: 'complete:9', seed: 3, set: { walk: 'off' } },
      speed: 2,
    },
    {
      title: 'Leaders that walk',
      watch: 'On a ring leaders hand over to whom they meet, and walk until two of them are one.',
      scenario: { algorithm: 'pairwise', topology: 'ring:8', seed: 4, until: 40 },
      speed: 2,
    },
    {
      title: 'The largest id floods a grid',
      watch: 'In every round the largest id known spreads by one step; after five all know 12.',
      scenario: { algorithm: 'flood-max', topology: 'grid:3x4', ids: 'increasing' },
    },
    {
      title: 'Yo-yo',
      watch:
        'Five local maxima send their ids down; losers turn their links, until only 9 is left.',
      scenario: { algorithm: 'yo-yo', topology: 'path:9', ids: [9, 1, 5, 2, 7, 3, 6, 4, 8] },
      speed: 2,
    },
    {
      title: 'One wave computes a sum',
      source: '004',
      watch: 'The same tree carries count, sum, least and largest up, and the result down again.',
      scenario: { algorithm: 'tree-aggregate', ...WIRELESS, wake: '0' },
    },
  ],
}

const gossip: GalleryRoom = {
  title: 'Gossip',
  exhibits: [
    {
      title: 'Average on a small world',
      source: '004',
      watch: 'Neighbours meet halfway, again and again; all estimates come to the average.',
      scenario: { algorithm: 'gossip-average', topology: 'small-world:24:4:0.25', until: 16 },
      speed: 5,
    },
    {
      title: 'Average, cycle by cycle',
      source: '004',
      watch: 'On a complete network the variance shrinks to three tenths in each cycle.',
      scenario: { algorithm: 'gossip-average', n: 40, timing: 'cycles', values: 'peak', until: 20 },
      speed: 2,
    },
    {
      title: 'Half of the nodes crash',
      source: '004',
      watch: 'A node that crashes early takes its share along: the others agree on another number.',
      scenario: { algorithm: 'gossip-average', n: 20, values: 'peak', crash: '0.5@3', until: 12 },
      speed: 5,
    },
    {
      title: 'The sum drifts',
      source: '004',
      watch:
        'Where both sides just take the mean, overlapping exchanges lose or add a little of the sum.',
      scenario: { algorithm: 'gossip-average-naive', n: 20, values: 'peak', until: 12 },
      speed: 5,
    },
    {
      title: 'Counting by gossip',
      source: '004',
      watch: 'One node holds 1, all others 0: the average is 1/n, and every node learns n.',
      scenario: { algorithm: 'gossip-count', topology: 'scale-free:30:2', until: 20 },
      speed: 5,
    },
    {
      title: 'Push-sum: halves that wander',
      watch: 'Each node gives half of its sum and weight away; their ratio comes to the average.',
      scenario: { algorithm: 'push-sum', n: 16, timing: 'async', until: 16 },
      speed: 5,
    },
    {
      title: 'A rumor spreads',
      watch:
        'All nodes call at once: who knows tells, who does not asks. Most learn it in the end.',
      scenario: {
        algorithm: 'rumor',
        topology: 'small-world:30:4:0.2',
        timing: 'async',
        set: { how: 'pushpull' },
      },
      speed: 5,
    },
    {
      title: 'Flows survive a crash',
      watch: 'A third of the messages is lost and a node crashes; the estimates recover from both.',
      scenario: {
        algorithm: 'flow-updating',
        topology: 'torus:4x4',
        timing: 'async',
        values: 'index',
        loss: 0.3,
        crash: '5@15',
        until: 40,
      },
      speed: 8,
    },
    {
      title: 'Metropolis weights on a ring',
      watch:
        'No randomness: in every round all neighbours pull, and waves flatten at a fixed rate.',
      scenario: {
        algorithm: 'metropolis',
        topology: 'ring:16',
        timing: 'cycles',
        values: 'peak',
        until: 30,
      },
      speed: 3,
    },
    {
      title: 'Counting by minima',
      watch:
        'The smallest of many random numbers tell how many nodes have drawn: after as many rounds as the diameter all say the same.',
      scenario: {
        algorithm: 'extrema',
        topology: 'grid:5x8',
        timing: 'cycles',
        set: { K: 100 },
        until: 11,
      },
      speed: 1,
    },
    {
      title: 'The median by halving',
      watch:
        'Each stage asks which share of the values is below the middle, and halves the interval.',
      scenario: {
        algorithm: 'quantile',
        n: 20,
        timing: 'cycles',
        set: { precision: 0.01 },
      },
      speed: 5,
    },
  ],
}

export const gallery: readonly GalleryRoom[] = [rings, symmetry, complete, shapes, graphs, gossip]

/** The name of an exhibit in addresses: lcr-worst-ring. */
export function slugOf({ title }: Exhibit): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** The exhibit with this name in addresses, if there is one. */
export function exhibitNamed(slug: string): Exhibit | null {
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return all.find((exhibit) => slugOf(exhibit) === slug) ?? null
}

/** The exhibit with this scenario, if there is one. */
export function exhibitOf(scenario: ScenarioInput): Exhibit | null {
  const text = JSON.stringify(scenario)
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return all.find((exhibit) => JSON.stringify(exhibit.scenario) === text) ?? null
}
