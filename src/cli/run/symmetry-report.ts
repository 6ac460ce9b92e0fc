import { grouped } from '../../core/text-format.ts'
import type { RoundSymmetry } from '../../sim/symmetry.ts'
import { type Colours, columnsWithin, paragraph } from '../terminal/format.ts'

/** Further rounds add nothing new. */
const ROUNDS_SHOWN = 16

const INDUCTION =
  'Equal nodes that receive equal messages act equally. They were equal before round 1, so they are equal after every round: all are leaders, or none is. No deterministic algorithm can do better, whatever it knows and however long it runs; see conclave explain anonymous.'

const BROKEN =
  'something other than ids broke the symmetry: randomness, different start times or crashes.'

/** How symmetric the nodes are after each round, and what follows from it. */
export function symmetryLines(
  rounds: readonly RoundSymmetry[],
  n: number,
  paint: Colours,
): string[] {
  const rows = rounds
    .slice(0, ROUNDS_SHOWN)
    .map((one) => [grouped(one.round), grouped(one.distinctStates), actionOf(one, n)])
  const [head, ...lines] = columnsWithin(
    [['after round', 'different states', 'every node'], ...rows],
    paint.width - 2,
  )
  const left = rounds.length - rows.length
  const broken = rounds.find(({ distinctStates }) => distinctStates > 1)
  const conclusion =
    broken === undefined ? INDUCTION : `In round ${grouped(broken.round)} ${BROKEN}`
  return [
    '',
    `  ${paint.bold(head)}`,
    ...lines.map((line) => `  ${line}`),
    ...(left === 0 ? [] : [`  and ${grouped(left)} more`]),
    ...(n === 1 ? [] : paragraph(conclusion, paint.width).map((line) => paint.dim(line))),
  ]
}

/** The state of all nodes after a round, and what each of them sends. */
function actionOf({ state, sent }: RoundSymmetry, n: number): string {
  if (state === null) return 'nodes differ'
  const { status, leader: _, stopped, ...own } = state
  const words = [
    STATUS[status as keyof typeof STATUS],
    ...Object.entries(own).flatMap(([name, value]) => fieldText(name, value)),
    ...(stopped ? ['has stopped'] : []),
  ]
  const sends = Object.entries(sent)
    .filter(([, count]) => count > 0)
    .map(([type, count]) => (count === n ? type : `${grouped(count / n)} x ${type}`))
  return `${words.join(', ')}${sends.length === 0 ? '' : `; sends ${sends.join(' and ')}`}`
}

const STATUS = {
  asleep: 'is asleep',
  unknown: 'is undecided',
  leader: 'is leader',
  lost: 'has lost',
}

/** A field in a few words; false and null are left out. */
function fieldText(name: string, value: unknown): string[] {
  if (value === false || value === null) return []
  if (value === true) return [name]
  return [`${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`]
}
