import type { GalleryRoom } from './exhibit.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]
/** The wireless network of Zambonelli (2023): nodes a to j and their capacities. */
const WIRELESS = {
  topology: 'edges:0-1,0-9,1-2,1-6,2-3,2-4,3-4,4-5,4-6,5-8,6-7,6-9,7-8,8-9',
  ids: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  values: [4, 6, 3, 2, 1, 4, 2, 8, 5, 4],
}

export const complete: GalleryRoom = {
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
        algorithm: 'bully-textbook',
        ids: EIGHT,
        crash: '7',
        wake: '4',
        detect: 'off',
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
        algorithm: 'raft',
        n: 5,
        partition: '2/0,1,3,4@30..90',
        until: 130,
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
      title: 'A lease of a quorum',
      watch:
        'The leader holds a lease of a majority and renews it; it crashes, and another leads when the lease has run out.',
      scenario: { algorithm: 'quorum-lease', n: 5, crash: '2@30', until: 90 },
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

export const shapes: GalleryRoom = {
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
        algorithm: 'hyper-elect',
        topology: 'hypercube:3',
        ids: [1, 2, 4, 3, 8, 5, 6, 7],
      },
    },
  ],
}

export const graphs: GalleryRoom = {
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
        algorithm: 'wireless',
        topology: 'geometric:10:0.45',
        seed: 4,
        mobility: 0.005,
        until: 60,
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
        algorithm: 'stabilizing',
        topology: 'grid:3x3',
        timing: 'sync',
        until: 20,
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
      title: 'Yo-yo prunes a graph',
      watch:
        'Arrows lead from larger to smaller ids. A no turns an arrow round; what only repeats a value is pruned.',
      scenario: { algorithm: 'yo-yo', topology: 'random:9:0.35', seed: 8 },
    },
    {
      title: 'One wave computes a sum',
      source: '004',
      watch: 'The same tree carries count, sum, least and largest up, and the result down again.',
      scenario: { algorithm: 'tree-aggregate', ...WIRELESS, wake: '0' },
    },
  ],
}
