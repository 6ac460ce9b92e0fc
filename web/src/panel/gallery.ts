import type { ScenarioInput } from '../../../src/scenario/index.ts'

/** A scenario that is worth seeing. */
export interface Exhibit {
  readonly title: string
  /** What to watch, in one sentence. */
  readonly watch: string
  /** Where it comes from: one of the five texts. */
  readonly text?: string
  readonly scenario: ScenarioInput
  /** How fast it is best seen, where that is not one unit of time in a second. */
  readonly speed?: number
}

export interface GalleryRoom {
  readonly title: string
  readonly exhibits: readonly Exhibit[]
}

const TEXT_000_RING = [3, 2, 7, 8, 5, 4, 1, 6]
const HALVING_RING = [1, 5, 3, 7, 2, 6, 4, 8]
const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]
/** The wireless network of text 004: nodes a to j and their capacities. */
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
      text: '000',
      watch: 'Ids travel clockwise until a larger one swallows them; only 8 comes home.',
      scenario: { algorithm: 'chang-roberts', ids: TEXT_000_RING },
    },
    {
      title: 'Chang-Roberts, one starter',
      text: '000',
      watch: 'Nodes woken by a larger id only pass it on: 11 messages where LCR takes 21.',
      scenario: { algorithm: 'chang-roberts', ids: TEXT_000_RING, wake: '0', timing: 'sync' },
    },
    {
      title: 'LCR, worst ring',
      text: '002',
      watch:
        'Ids decrease clockwise, so that each travels until it meets 8: 8 + 7 + ... + 1 messages.',
      scenario: { algorithm: 'lcr', n: 8, ids: 'decreasing' },
    },
    {
      title: 'LCR, best ring',
      text: '002',
      watch: 'Ids increase clockwise: all but the largest are swallowed at the first step.',
      scenario: { algorithm: 'lcr', n: 8, ids: 'increasing' },
    },
    {
      title: 'Hirschberg-Sinclair in phases',
      text: '000',
      watch:
        'Probes go 1, 2, 4 and 8 nodes far to both sides; fewer candidates are left each time.',
      scenario: { algorithm: 'hirschberg-sinclair', ids: TEXT_000_RING, timing: 'sync' },
    },
    {
      title: 'Hirschberg-Sinclair one way',
      text: '000',
      watch:
        'The third homework: with probes to one side only, a decreasing ring is quadratic again.',
      scenario: { algorithm: 'hirschberg-sinclair-one-way', n: 8, ids: 'decreasing' },
      speed: 2,
    },
    {
      title: 'Time-slice',
      text: '000',
      watch:
        'Nothing is sent in the phases of ids that nobody has; then id 2 needs 6 messages in all.',
      scenario: { algorithm: 'time-slice', ids: [5, 2, 7, 3, 6, 4] },
      speed: 2,
    },
    {
      title: 'Slow-fast homework',
      text: '000',
      watch:
        'Each id waits 2^id rounds at every node that competes, so that the smallest outruns all.',
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
        'Candidates compare themselves with both neighbours that are left: 4 phases of 16 messages.',
      scenario: { algorithm: 'franklin', ids: HALVING_RING },
    },
    {
      title: 'Chang-Roberts loses its largest',
      text: '001',
      watch:
        'The largest dies before its id is home; the ring closes over it and the rest begins anew.',
      scenario: { algorithm: 'chang-roberts', ids: TEXT_000_RING, crash: '3@5' },
    },
  ],
}

const symmetry: GalleryRoom = {
  title: 'Symmetry',
  exhibits: [
    {
      title: 'An anonymous ring never breaks symmetry',
      text: '000',
      watch: 'Equal nodes do equal things in every round: all six take office at once.',
      scenario: { algorithm: 'lcr', n: 6, ids: 'same' },
    },
    {
      title: 'Itai-Rodeh breaks it with coins',
      watch:
        'Nobody has an id: candidates draw numbers, and draw again while the largest is not alone.',
      scenario: { algorithm: 'itai-rodeh', n: 6, seed: 3 },
    },
  ],
}

const complete: GalleryRoom = {
  title: 'Complete networks',
  exhibits: [
    {
      title: 'Bully, the lowest starts',
      text: '001',
      watch:
        'Everybody asks everybody above: 28 elections, 28 answers, 7 announcements, n^2 - 1 in all.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', detect: 'off' },
      speed: 0.5,
    },
    {
      title: 'Bully, the leader dies and returns',
      text: '004',
      watch:
        'The leader dies at 6 and the next takes over; at 16 it is back and bullies its way in.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', crash: '7@6', recover: '7@16' },
    },
    {
      title: 'Bully with too tight a deadline',
      text: '001',
      watch: 'Position 0 waits 1 for answers that take 2, and leads beside 7.',
      scenario: { algorithm: 'bully', ids: EIGHT, wake: '0', set: { patience: 1 } },
      speed: 0.5,
    },
    {
      title: 'Bully, an id reappears',
      text: '001',
      watch:
        'Position 3 comes back under the id of a living node: both are the highest, and both lead.',
      scenario: { algorithm: 'bully', ids: EIGHT, crash: '3@8', recover: '3@16:id=7' },
    },
    {
      title: 'Two ring elections at once',
      text: '004',
      watch:
        '2 and 5 both start a list; each list comes home with all seven ids, and both elect 6.',
      scenario: { algorithm: 'ring-list', ids: EIGHT, crash: '7', wake: '2,5' },
    },
    {
      title: 'Singh on 16',
      text: '003',
      watch: 'Knowing the directions, candidates capture a few nodes, then win in doubling steps.',
      scenario: { algorithm: 'singh', n: 16, wake: 'rate:0.8' },
    },
    {
      title: 'Afek-Gafni',
      watch: 'Links have no order: candidates capture nodes one by one until one holds a majority.',
      scenario: { algorithm: 'afek-gafni', n: 12 },
    },
  ],
}

const graphs: GalleryRoom = {
  title: 'Any network',
  exhibits: [
    {
      title: 'Wireless tree',
      text: '004',
      watch:
        'The wave builds a tree, answers carry the best capacity up it, and 7 (h in the text) leads.',
      scenario: { algorithm: 'wireless', ...WIRELESS, wake: '0' },
    },
    {
      title: 'Wireless nodes that move',
      text: '004',
      watch: 'Links come and go as the nodes move; whoever loses or finds others elects anew.',
      scenario: { algorithm: 'wireless', topology: 'geometric:16:0.4', mobility: 0.01, until: 60 },
      speed: 2,
    },
    {
      title: 'Waves that extinguish each other',
      text: '000',
      watch: 'Every node starts a wave; those of smaller ids die where they meet a larger one.',
      scenario: { algorithm: 'echo-extinction', topology: 'grid:4x4', delay: 'uniform:1:4' },
      speed: 2,
    },
    {
      title: 'Gallager-Humblet-Spira',
      text: '000',
      watch: 'Fragments join over their lightest links until one minimum spanning tree is left.',
      scenario: { algorithm: 'ghs', topology: 'random:12:0.3' },
    },
    {
      title: 'One wave computes a sum',
      text: '004',
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
      text: '004',
      watch: 'Neighbours meet halfway, again and again; all estimates come to the average.',
      scenario: { algorithm: 'gossip-average', topology: 'small-world:24:4:0.25', until: 16 },
      speed: 5,
    },
    {
      title: 'Average, cycle by cycle',
      text: '004',
      watch: 'With anybody to meet, the variance shrinks to three tenths in each cycle.',
      scenario: { algorithm: 'gossip-average', n: 40, timing: 'cycles', values: 'peak', until: 20 },
      speed: 2,
    },
    {
      title: 'Half of them die',
      text: '004',
      watch: 'Who dies early takes its share with it: the others agree, but on another number.',
      scenario: { algorithm: 'gossip-average', n: 20, values: 'peak', crash: '0.5@3', until: 12 },
      speed: 5,
    },
    {
      title: 'The sum drifts',
      text: '004',
      watch: 'As the text prints it, exchanges that overlap lose or invent a little of the sum.',
      scenario: { algorithm: 'gossip-average-naive', n: 20, values: 'peak', until: 12 },
      speed: 5,
    },
    {
      title: 'Counting by gossip',
      text: '004',
      watch: 'One node holds 1, all others 0: the average is 1/n, and everybody learns n.',
      scenario: { algorithm: 'gossip-count', topology: 'scale-free:30:2', until: 20 },
      speed: 5,
    },
  ],
}

export const gallery: readonly GalleryRoom[] = [rings, symmetry, complete, graphs, gossip]

/** The exhibit that a scenario is, if it is one. */
export function exhibitOf(scenario: ScenarioInput): Exhibit | null {
  const text = JSON.stringify(scenario)
  const all = gallery.flatMap(({ exhibits }) => exhibits)
  return all.find((exhibit) => JSON.stringify(exhibit.scenario) === text) ?? null
}
