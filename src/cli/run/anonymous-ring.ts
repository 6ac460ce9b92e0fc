import { grouped, wrapped } from '../../core/text-format.ts'
import type { RoundSymmetry } from '../../sim/symmetry.ts'
import { type Colours, columns, WIDTH } from '../terminal/format.ts'

/** Why equal nodes cannot elect, as a page to read. */
export const anonymousRings = {
  name: 'anonymous',
  title: 'why no deterministic algorithm elects a leader on an anonymous ring',
  sections: [
    [
      'Claim',
      'The nodes of a ring have no ids, or all the same one, and run the same deterministic program. Then no program elects exactly one leader, however long it runs: not if rounds are synchronous, not if all start together, not if n is known, not if messages may go both ways. Angluin 1980.',
    ],
    [
      'Before round 1',
      'All nodes start together in the same state, since they have the same program and nothing of their own. The ring looks the same from every place.',
    ],
    [
      'From round r to round r + 1',
      'Let all states be equal after round r. Equal programs in equal states have sent equal messages: what one sent to the left all sent to the left, and so to the right. So every node reads the same in round r + 1, and goes from the same state by the same rule to the same state. All states are equal again.',
    ],
    [
      'So',
      'All states are equal after every round. As soon as one node leads, all n lead in that round; as long as one does not, none does. With n above 1 there is never exactly one leader. Asynchronous rings are no easier, since a synchronous run is one of their runs.',
    ],
    [
      'What escapes',
      'Ids: the rule may then compare its own with what it reads, and two nodes that read the same do different things. Every algorithm of conclave list without the word anonymous does that. Coins: two nodes in the same state may toss differently. itai-rodeh draws ids and draws again where the largest is shared; it must know n to see that its token is home, and it ends with probability 1, not after any number of rounds that could be promised. A place that looks different, such as the middle of a star: a ring has none.',
    ],
  ],
  examples: [
    ['conclave run lcr -n 6 --ids same', 'all lead at once'],
    ['conclave run franklin -n 6 --ids same', 'both directions do not help'],
    ['conclave run time-slice -n 6 --ids same', 'nor do rounds and a known n'],
    ['conclave run itai-rodeh -n 6 --ids same', 'coins do'],
  ],
} as const

/** More rounds than these tell nothing new. */
const ROUNDS_SHOWN = 16

const INDUCTION =
  'Equal nodes that read equal messages do equal things. They were equal before round 1, so they are equal after every round: all lead, or none does. No deterministic algorithm can do better, whatever it knows and however long it runs; conclave explain anonymous tells why.'

const TOLD_APART =
  'something other than ids told the nodes apart: coins, or that not all of them start or live as long as the others.'

/** Round by round how alike the nodes were, and what follows from it. */
export function symmetryLines(
  rounds: readonly RoundSymmetry[],
  n: number,
  paint: Colours,
): string[] {
  const rows = rounds
    .slice(0, ROUNDS_SHOWN)
    .map((one) => [grouped(one.round), grouped(one.distinctStates), deedOf(one, n)])
  const [head, ...lines] = columns([['after round', 'different states', 'every node'], ...rows])
  const left = rounds.length - rows.length
  const apart = rounds.find(({ distinctStates }) => distinctStates > 1)
  const moral = apart === undefined ? INDUCTION : `In round ${grouped(apart.round)} ${TOLD_APART}`
  return [
    '',
    `  ${paint.bold(head)}`,
    ...lines.map((line) => `  ${line}`),
    ...(left === 0 ? [] : [`  and ${grouped(left)} more`]),
    ...(n === 1 ? [] : wrapped(moral, WIDTH - 2).map((line) => paint.dim(`  ${line}`))),
  ]
}

/** What all nodes are in a round, and what each of them sends. */
function deedOf({ state, sent }: RoundSymmetry, n: number): string {
  if (state === null) return 'not all do the same'
  const { status, leader: _, stopped, ...own } = state
  const words = [
    STANDING[status as keyof typeof STANDING],
    ...Object.entries(own).flatMap(([name, value]) => fieldText(name, value)),
    ...(stopped ? ['has stopped'] : []),
  ]
  const sends = Object.entries(sent)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => (count === n ? type : `${grouped(count / n)} x ${type}`))
  return `${words.join(', ')}${sends.length === 0 ? '' : `; sends ${sends.join(' and ')}`}`
}

const STANDING = { asleep: 'sleeps', unknown: 'is undecided', leader: 'leads', lost: 'follows' }

/** A field in few words; what is false or empty goes without saying. */
function fieldText(name: string, value: unknown): string[] {
  if (value === false || value === null) return []
  if (value === true) return [name]
  return [`${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`]
}
