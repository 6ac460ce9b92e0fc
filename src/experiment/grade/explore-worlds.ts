import {
  boundedDelay,
  type CheckResult,
  checkWorld,
  defaultMode,
  defaultOptions,
  modeText,
  withRestarts,
} from '../../check/index.ts'
import { checkTargetOf } from '../../scenario/check-target.ts'
import { commandLine } from '../../scenario/command-line.ts'
import {
  type BrokenProperty,
  type Findings,
  type GradeExploration,
  type GradeSubject,
  TERMINATION,
  type ThrownError,
  thrownError,
} from './findings.ts'
import { type SmallWorld, smallWorlds } from './small-worlds.ts'

/** The most states of one exploration; beyond them other worlds are more useful. */
const STATES_PER_WORLD = 60_000
const FEWEST_STATES = 2000
/** A property that is violated in this many worlds of one size is not searched in more. */
const VIOLATIONS_MAX = 3

/**
 * Explores all small worlds, smallest first, and yields after each. A violated property is left out
 * and the world is explored again, so that all violated properties are found.
 */
export function* exploreWorlds(
  subject: GradeSubject,
  findings: Findings,
  { largest, states }: { readonly largest: number; readonly states: number },
): Generator<string, GradeExploration[]> {
  const explored: GradeExploration[] = []
  let left = states
  for (let n = 1; n <= largest && left > 0 && !findings.threw; n++) {
    const worlds = smallWorlds(findings.world, n, subject.numbers)
    if (worlds.length === 0) continue
    const known = [...findings.names, ...findings.uncounted]
    // What one size does not use is left for the next.
    const share = left / (largest - n + 1)
    const most = Math.max(FEWEST_STATES, Math.ceil((2 * share) / worlds.length))
    let [seen, exhausted, inOrder, tried] = [0, true, false, 0]
    for (const world of worlds) {
      if (seen >= share || findings.threw) break
      yield `exploring ${String(world.given.topology)}`
      const settled = [...known, ...findings.foundOften(n, VIOLATIONS_MAX)]
      const result = exploreWorld(subject, world, findings, settled, most)
      seen += result.states
      exhausted &&= result.exhausted
      inOrder ||= result.inOrder === true
      tried++
    }
    left -= seen
    exhausted &&= tried === worlds.length
    explored.push({ n, worlds: tried, states: seen, exhausted, ...(inOrder && { inOrder }) })
  }
  return explored
}

/** Explores one world until no further property is violated. */
function exploreWorld(
  subject: GradeSubject,
  world: SmallWorld,
  findings: Findings,
  settled: readonly string[],
  most: number,
): Pick<GradeExploration, 'states' | 'exhausted' | 'inOrder'> {
  const left = new Set(settled)
  let states = 0
  for (;;) {
    const limit = Math.max(1, Math.min(STATES_PER_WORLD, most - states))
    const result = explored(subject, world, world.order, left, limit)
    if ('message' in result) {
      const order =
        world.order === 'any' && throwsInOrder(subject, world, result) ? 'fifo' : world.order
      findings.addError(result, placeOf(subject, world, order))
      return { states, exhausted: false }
    }
    states += result.states
    findings.noteNever(result.never)
    if (result.violated === null) {
      findings.decide(result.properties)
      if (result.exhausted || world.order === 'fifo') return { states, exhausted: result.exhausted }
      // Too many orders of messages: at least all runs over links that keep the order.
      const kept = exploreWorld(subject, { ...world, order: 'fifo' }, findings, [...left], most)
      return { ...kept, states: states + kept.states, inOrder: true }
    }
    const { property } = result.violated
    findings.add(simplest(subject, world, result, left, limit))
    // A value outside its type is reported in any case, and ends every search.
    if (left.has(property)) return { states, exhausted: true }
    left.add(property)
  }
}

/** Whether the error is thrown, too, where links keep the order; a loop is not run twice. */
function throwsInOrder(subject: GradeSubject, world: SmallWorld, error: ThrownError): boolean {
  const endless = error.stack === '' || error.cause?.name === 'EndlessLoopError'
  return endless || 'message' in explored(subject, world, 'fifo', new Set(), STATES_PER_WORLD)
}

/** A violation that also occurs where links keep the order of messages is shown there. */
function simplest(
  subject: GradeSubject,
  world: SmallWorld,
  result: CheckResult,
  left: ReadonlySet<string>,
  limit: number,
): BrokenProperty {
  const { property } = result.violated!
  if (world.order === 'any') {
    const others = result.properties.map(({ name }) => name).filter((name) => name !== property)
    const kept = explored(subject, world, 'fifo', new Set([...left, ...others]), limit)
    if (!('message' in kept) && kept.violated?.property === property)
      return brokenIn(subject, world, 'fifo', kept)
  }
  return brokenIn(subject, world, world.order, result)
}

function brokenIn(
  subject: GradeSubject,
  world: SmallWorld,
  order: SmallWorld['order'],
  { violated, properties }: CheckResult,
): BrokenProperty {
  const { property, trace, loop } = violated!
  const hint = order === 'any' && { hint: REORDERED }
  return {
    property,
    detail: properties.find(({ name }) => name === property)?.detail ?? '',
    ...placeOf(subject, world, order),
    steps: trace.map(({ text }) => text),
    ...(loop !== undefined && { loop }),
    ...hint,
  }
}

const REORDERED =
  "It happens only where messages overtake each other. Declare order: 'fifo' in needs if links must keep their order."

/** Where something went wrong, and the command that shows it: no default of it matters. */
function placeOf(
  { algorithm, file }: GradeSubject,
  { n, given: { topology, ids }, crashes }: SmallWorld,
  order: SmallWorld['order'],
) {
  const { needs } = algorithm
  const drawn = ['weights', 'inputs'].some((what) => needs.knows?.includes(what as never))
  const asked = {
    topology,
    ...(ids !== undefined && { ids }),
    ...(drawn && { seed: 1 }),
    wake: needs.start === 'together' ? 'all' : 'any',
    order,
    ...(crashes > 0 && { crashes }),
    mode: modeText(defaultMode(algorithm)),
  }
  const listed = ids as readonly number[] | undefined
  return { n, ...(listed && { ids: listed }), replay: commandLine('check', file, asked) }
}

/** What the checker finds, apart from settled properties; a text if something was thrown. */
function explored(
  { algorithm }: GradeSubject,
  { given, crashes }: SmallWorld,
  order: SmallWorld['order'],
  settled: ReadonlySet<string>,
  states: number,
): CheckResult | ThrownError {
  try {
    const scenario = { ...given, ...boundedDelay(algorithm, defaultMode(algorithm)) }
    const target = checkTargetOf({ definition: algorithm, ownProperties: [] }, scenario, (it) => it)
    const { mode, wake } = defaultOptions(algorithm, target.conditions.starts.nodes)
    const faults = { crashes, ...(crashes > 0 && { detect: target.detect }) }
    const options = {
      mode,
      wake,
      order,
      faults,
      reduction: 'auto' as const,
      limits: { states },
      properties: target.properties(crashes > 0).filter(({ name }) => !settled.has(name)),
      fairRuns: !settled.has(TERMINATION),
    }
    return checkWorld(withRestarts(target.world, faults), options)
  } catch (error) {
    return thrownError(error)
  }
}
