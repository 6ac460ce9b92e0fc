import type { GalleryRoom } from './exhibit.ts'

const LECTURE_RING = [3, 2, 7, 8, 5, 4, 1, 6]
const HALVING_RING = [1, 5, 3, 7, 2, 6, 4, 8]
/** The most steps of alternating comparisons: 8, 5, 3, 2 and 1 candidates. */
const FIBONACCI_RING = [1, 2, 7, 3, 4, 8, 5, 6]

export const rings: GalleryRoom = {
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

export const symmetry: GalleryRoom = {
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
