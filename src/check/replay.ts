import { Complaint } from '../core/complaint.ts'
import type { Property } from '../core/problem.ts'
import type { World } from '../core/world.ts'
import { WITHIN_TYPES } from './judge.ts'
import type { Move } from './move.ts'
import type { PlainMove } from './plain-move.ts'
import { Retracing } from './retracing.ts'
import { type Rules, refuseNonsense } from './rules.ts'
import { type Story, tell } from './story.ts'
import type { Verdict } from './verdicts.ts'

/** A run of the explorer made again from its moves, and what holds in it. */
export interface Replay extends Story {
  readonly properties: readonly Verdict[]
}

/** Makes the moves again, with the same handlers, and judges every state on the way. */
export function replay(
  world: World,
  rules: Rules,
  properties: readonly Property[],
  moves: readonly PlainMove[],
): Replay {
  refuseNonsense(world, rules)
  const retracing = new Retracing(world, rules, properties)
  const { findings } = retracing.judge
  const broken = new Map<Property, string>()
  // What must come about has not, until there is a state in which nothing is wrong with it.
  const awaited = new Set(properties.filter(({ when }) => when === 'eventually'))
  const note = () => {
    for (const { property, broken: what } of findings)
      if (what !== null && !broken.has(property)) broken.set(property, what)
    for (const property of awaited) if (retracing.wrong(property) === null) awaited.delete(property)
  }
  note()
  const made: Move[] = []
  for (const plain of moves) {
    const move = retracing.perform(plain)
    if (move === null) throw impossible(made.length + 1, plain)
    made.push(move)
    note()
  }
  const { quiet } = retracing
  const asked = broken.has(WITHIN_TYPES) ? [...properties, WITHIN_TYPES] : properties
  const verdicts = asked.map((property): Verdict => {
    const { name, when } = property
    const what = broken.get(property)
    if (what !== undefined) return { name, holds: false, detail: what }
    if (when === 'always')
      return { name, holds: true, detail: `in each of the ${moves.length + 1} states of this run` }
    if (when === 'eventually' && !awaited.has(property))
      return { name, holds: true, detail: 'in some state of this run' }
    if (!quiet)
      return { name, holds: null, detail: 'not decided, since this run does not end here' }
    if (awaited.has(property))
      return { name, holds: false, detail: `${retracing.wrong(property)} when this run ends` }
    return { name, holds: true, detail: 'where this run ends' }
  })
  const { effects } = retracing.system
  return { ...tell(made, rules.mode, effects, rules.faults?.dead), properties: verdicts }
}

function impossible(number: number, plain: PlainMove): Complaint {
  return new Complaint(
    `move ${number}`,
    'a move that can come next is needed',
    `${JSON.stringify(plain)} cannot`,
    'Make the trace again: the algorithm is another one now, or the file was changed.',
  )
}
