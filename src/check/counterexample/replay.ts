import type { Property, Verdict } from '../../core/language/problem.ts'
import type { World } from '../../core/language/world.ts'
import { namingIn } from '../../core/language/world.ts'
import { UsageError } from '../../core/usage-error.ts'
import { isFairRound, roundInWords, type Turn } from '../liveness/weak-fairness.ts'
import type { Transition } from '../model/transition.ts'
import type { ModelOptions } from '../options.ts'
import { WITHIN_TYPES } from '../properties/property-evaluator.ts'
import { ENDS } from '../properties/verdicts.ts'
import { validateOptions } from '../validate-options.ts'
import { type ExplainedRun, explainRun } from './explain.ts'
import { PathReplay } from './path-replay.ts'
import type { TransitionJson } from './transition-json.ts'

/** A run of the explorer made again from its moves, and what holds in it. */
export interface ReplayResult extends ExplainedRun {
  readonly properties: readonly Verdict[]
}

/** A step, and the state before it. */
interface Stride extends Turn {
  readonly place: string | null
}

/**
 * Makes the moves again, with the same handlers, and judges every state on the way. Where they lead
 * back to a state on the way, they can be made for ever; that runs end is told only if so broken.
 */
export function replay(
  world: World,
  rules: ModelOptions,
  properties: readonly Property[],
  moves: readonly TransitionJson[],
): ReplayResult {
  validateOptions(world, rules)
  const retracing = new PathReplay(world, rules, properties)
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
  const strides: Stride[] = []
  for (const plain of moves) {
    const before = { place: retracing.place, ...retracing.look() }
    const did = retracing.perform(plain)
    if (did === null) throw impossible(strides.length + 1, plain)
    strides.push({ ...before, did })
    note()
  }
  const { quiet } = retracing
  const round = roundAtTheEnd(strides, retracing)
  const forEver = roundInWords(round)
  const asked = broken.has(WITHIN_TYPES) ? [...properties, WITHIN_TYPES] : properties
  const verdicts = asked.map((property): Verdict => {
    const { name, when } = property
    const what = broken.get(property)
    if (what !== undefined) return { name, holds: false, detail: what }
    if (when === 'always')
      return { name, holds: true, detail: `in each of the ${moves.length + 1} states of this run` }
    if (when === 'eventually' && !awaited.has(property))
      return { name, holds: true, detail: 'in some state of this run' }
    if (when === 'eventually' && round > 0) return { name, holds: false, detail: forEver }
    if (!quiet)
      return { name, holds: null, detail: 'not decided, since this run does not end here' }
    if (awaited.has(property))
      return { name, holds: false, detail: `${retracing.wrong(property)} when this run ends` }
    return { name, holds: true, detail: 'where this run ends' }
  })
  if (round > 0) verdicts.push({ name: ENDS, holds: false, detail: forEver })
  const { effects } = retracing.system
  const made = strides.map(({ did }) => did)
  return { ...explainRun(made, rules.mode, effects, rules.faults?.dead), properties: verdicts }
}

/** How many of the last steps a fair run can make for ever: they lead back to where they began. */
function roundAtTheEnd(strides: readonly Stride[], { place: end, system }: PathReplay): number {
  const start = strides.findIndex(({ place }) => place !== null && place === end)
  const round = start < 0 ? [] : strides.slice(start)
  return round.length > 0 && isFairRound(round, system) ? round.length : 0
}

function impossible(number: number, plain: TransitionJson): UsageError {
  return new UsageError(
    `move ${number}`,
    `a move that can come next is needed, but ${JSON.stringify(plain)} cannot.`,
    'Make the trace again: the algorithm is another one now, or the file was changed.',
  )
}

/** How all nodes are when so many events of a run have happened. */
export interface Snapshot {
  readonly events: number
  /** By position, as people read it. */
  readonly states: readonly Readonly<Record<string, unknown>>[]
}

/** Makes the moves of a run of the explorer again, and tells how all nodes are after each. */
export function snapshotsOf(
  world: World,
  rules: ModelOptions,
  moves: readonly TransitionJson[],
): Snapshot[] {
  const retracing = new PathReplay(world, rules, [])
  const { effects, vector } = retracing.system
  const naming = namingIn(world)
  const made: Transition[] = []
  const scenes: Snapshot[] = []
  for (const plain of moves) {
    const move = retracing.perform(plain)
    if (move === null) break
    made.push(move)
    retracing.settle()
    const { events } = explainRun(made, rules.mode, effects, rules.faults?.dead)
    const states = effects.locals.map(({ list }, node) =>
      world.algorithm.layout.json(list[vector.cells[node]].state, naming),
    )
    scenes.push({ events: events.length, states })
  }
  return scenes
}
