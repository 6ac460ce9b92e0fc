import { type At, type ExperimentDocument, inInterval } from 'conclave/engines'

/** Rounds and messages that are expected by the Markov chain of the number of those that know. */
const EXPECTED: Readonly<Record<string, Readonly<Record<number, readonly [number, number]>>>> = {
  push: {
    2: [1, 1],
    5: [3.933116, 9.913415],
    10: [6.047132, 29.428325],
    20: [8.041986, 76.351788],
    50: [10.514641, 243.412218],
    100: [12.304524, 561.488459],
  },
  pull: {
    2: [1, 2],
    5: [3.341714, 13.752163],
    10: [5.063386, 40.042998],
    20: [6.627259, 103.487924],
    50: [8.491448, 331.319807],
    100: [9.793209, 767.963929],
  },
  pushpull: {
    2: [1, 3],
    5: [2.367382, 14.664641],
    10: [3.460514, 40.758692],
    20: [4.46509, 102.126413],
    50: [5.676872, 316.692018],
    100: [6.528611, 719.08518],
  },
}

const expected = (at: At) => EXPECTED[String(at['set.how'])][at.n]

export default {
  title: 'A rumor: rounds and messages as expected',
  discussion:
    'How many nodes of a complete network know a rumor is a Markov chain; from its transition probabilities follows exactly how many rounds and messages are expected until all know it. Push tells, pull asks, pushpull does both: it takes the fewest rounds. Every call and every answer counts as a message.',
  base: { algorithm: 'rumor', timing: 'cycles' },
  sweep: { 'set.how': ['push', 'pull', 'pushpull'], n: [2, 5, 10, 20, 50, 100] },
  repeat: 2000,
  measure: ['rounds', 'messages'],
  log: ['x'],
  quick: { sweep: { 'set.how': ['push', 'pull', 'pushpull'], n: [10, 100] }, repeat: 200 },
  claims: [
    inInterval('as many rounds as the chain expects', 'rounds', (at: At) => expected(at)[0]),
    inInterval('as many messages as the chain expects', 'messages', (at: At) => expected(at)[1]),
  ],
} satisfies ExperimentDocument
