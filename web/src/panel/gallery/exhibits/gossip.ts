import type { GalleryRoom } from './exhibit.ts'

export const gossip: GalleryRoom = {
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
      title: 'The largest value spreads',
      source: '004',
      watch: 'Of two nodes that meet both keep the larger value: in a few cycles all have it.',
      scenario: {
        algorithm: 'gossip-max',
        topology: 'small-world:24:4:0.25',
        values: 'index',
        timing: 'async',
        until: 8,
      },
      speed: 5,
    },
    {
      title: 'The smallest value on a ring',
      watch: 'A ring has no short ways: the smallest value goes a few links in every cycle.',
      scenario: { algorithm: 'gossip-min', topology: 'ring:32', timing: 'cycles', until: 16 },
      speed: 2,
    },
    {
      title: 'A geometric mean',
      watch: 'Logarithms are averaged: the estimates come to the geometric mean of all values.',
      scenario: {
        algorithm: 'gossip-geometric-mean',
        n: 20,
        values: 'uniform:1:10',
        timing: 'cycles',
        until: 14,
      },
      speed: 2,
    },
    {
      title: 'A harmonic mean',
      watch: 'Reciprocals are averaged, so that the small values weigh most.',
      scenario: {
        algorithm: 'gossip-harmonic-mean',
        n: 20,
        values: 'uniform:1:10',
        timing: 'cycles',
        until: 14,
      },
      speed: 2,
    },
    {
      title: 'A mean of third powers',
      watch: 'Third powers are averaged, so that the large values weigh most.',
      scenario: {
        algorithm: 'gossip-power-mean',
        n: 20,
        values: 'uniform:1:10',
        set: { p: 3 },
        timing: 'cycles',
        until: 14,
      },
      speed: 2,
    },
    {
      title: 'The variance of all values',
      watch: 'Two averages at once, of values and of squares, tell every node the variance.',
      scenario: { algorithm: 'gossip-variance', n: 24, timing: 'cycles', until: 14 },
      speed: 2,
    },
    {
      title: 'How many are above a threshold',
      watch: 'The count of all nodes, times the share of values from 0.75 on.',
      scenario: {
        algorithm: 'gossip-count-where',
        n: 24,
        set: { threshold: 0.75 },
        timing: 'cycles',
        until: 20,
      },
      speed: 2,
    },
    {
      title: 'The sum of all values',
      watch: 'The average times the count, both by exchanges: 0 to 23 make 276.',
      scenario: { algorithm: 'gossip-sum', n: 24, values: 'index', timing: 'cycles', until: 20 },
      speed: 2,
    },
    {
      title: 'The product of all values',
      watch: 'The geometric mean to the power of the count: small errors of both grow.',
      scenario: {
        algorithm: 'gossip-product',
        n: 24,
        values: 'uniform:0.5:2',
        timing: 'cycles',
        until: 24,
      },
      speed: 2,
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
      speed: 10,
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
      title: 'Counting different values',
      watch:
        '40 nodes have only ten different values: what arrives twice counts once, and all say about 10.',
      scenario: {
        algorithm: 'distinct',
        topology: 'grid:5x8',
        timing: 'cycles',
        values: Array.from({ length: 40 }, (_, node) => Math.floor(node / 4)).join(),
        until: 6,
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
    {
      title: 'A histogram of all values',
      watch:
        'Each node starts with all of its weight in one bin; in the end all know the share of every bin.',
      scenario: { algorithm: 'histogram', n: 24, timing: 'async', until: 12 },
      speed: 5,
    },
    {
      title: 'The three largest values',
      watch:
        'Lists are joined and cut to the three largest: soon 19, 18 and 17 are in all of them.',
      scenario: {
        algorithm: 'top-k',
        topology: 'grid:4x5',
        timing: 'async',
        values: 'index',
        set: { how: 'exchange' },
        until: 8,
      },
      speed: 5,
    },
  ],
}
