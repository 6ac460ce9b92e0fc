import { type At, claimedBy, type ExperimentDocument, grows, nearly } from 'conclave/engines'

/** The rounds that were simulated for 10,000 nodes by a program of its own. */
const ROUNDS: Readonly<Record<string, number>> = { push: 23.3, pull: 17.9, pushpull: 11.8 }

const by = (how: string) => (at: At) => at['set.how'] === how

export default {
  title: 'A rumor: logarithmic, whoever calls',
  discussion:
    'By push the number of nodes that know doubles in each round at first, and in the end each node that does not know stays so with probability 1/e: log2 n + ln n rounds, up to a constant. By pull the end is quicker, since the share of those that do not know is about squared. Pushpull triples at first, and takes log3 n + O(log log n) rounds.',
  base: { algorithm: 'rumor', timing: 'cycles' },
  sweep: {
    'set.how': ['push', 'pull', 'pushpull'],
    n: [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 10_000],
  },
  repeat: 40,
  measure: ['rounds', 'messages/n'],
  fit: ['rounds ~ auto'],
  log: ['x'],
  quick: {
    sweep: { 'set.how': ['push', 'pull', 'pushpull'], n: [16, 64, 256, 1024, 10_000] },
    repeat: 20,
  },
  claims: [
    claimedBy(
      'Pittel (1987)',
      nearly(
        'push: log2 n + ln n rounds, up to a constant below 1.5',
        'rounds',
        ({ n }: At) => Math.log2(n) + Math.log(n),
        { within: 1.5, where: by('push') },
      ),
    ),
    nearly(
      'pushpull: log3 n + log2 log2 n rounds, up to a constant below 1',
      'rounds',
      ({ n }: At) => Math.log(n) / Math.log(3) + Math.log2(Math.log2(n)),
      { within: 1, where: by('pushpull') },
    ),
    nearly(
      '10,000 nodes: 23.3, 17.9 and 11.8 rounds',
      'rounds',
      (at: At) => ROUNDS[String(at['set.how'])],
      { within: 0.7, where: ({ n }: At) => n === 10_000 },
    ),
    grows('push grows like log n', 'rounds', 'log2 n', 'set.how push'),
    grows('pull grows like log n', 'rounds', 'log2 n', 'set.how pull'),
    grows('pushpull grows like log n', 'rounds', 'log2 n', 'set.how pushpull'),
  ],
} satisfies ExperimentDocument
