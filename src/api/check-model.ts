import { isAggregation } from '../algorithms/index.ts'
import {
  boundedDelay,
  type CheckOptions,
  defaultMode,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  type Mode,
  type ModelOptions,
  withRestarts,
} from '../check/index.ts'
import { type Algorithm, Random, UsageError } from '../core/index.ts'
import { type CheckTarget, checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import { decimal, integer, settingPairs, word } from '../scenario/fields/reading.ts'
import type { FieldLocator, ScenarioInput } from '../scenario/index.ts'
import { faultCount, readMode, UNSAID } from '../trace/check-options-text.ts'

/** What an exploration is asked for besides its scenario, as flags or options have it. */
export interface ModelInput extends Readonly<Partial<Record<FaultKind, unknown>>> {
  readonly mode?: unknown
  readonly draws?: unknown
  readonly bound?: unknown
  readonly timeouts?: unknown
  readonly links?: unknown
  readonly reappear?: unknown
  readonly oneWay?: unknown
  readonly drift?: unknown
}

/** What a search may take, as flags or options have it. */
export interface BudgetInput {
  readonly reduction?: unknown
  readonly exact?: unknown
  readonly states?: unknown
  readonly memory?: unknown
  readonly seconds?: unknown
  readonly walk?: unknown
}

/** Names of options, and how files are read where that is possible. */
interface Surroundings {
  readonly where: FieldLocator
  readonly readFile?: (path: string) => string
  /** The mode unless one is given. */
  readonly modeFor?: (algorithm: Algorithm) => Mode
}

type Budget = Pick<CheckOptions, 'reduction' | 'exact' | 'limits' | 'walk'>

const ANY = 'any'
const COUNT = 'a whole number'
/** Of one node; more would never be reached. */
const MOST_DRAWS = 1_000_000
const STATES = 10_000_000
const MEMORY_MB = 4000
/** Random walks where neither their number nor a time is given. */
const WALKS = 1000
const MOST_WALKS = 1_000_000_000

/** The world to explore and the model of its faults and delays, out of what was given. */
export function checkModel(
  what: Explorable,
  input: ScenarioInput,
  asked: ModelInput,
  { where, readFile, modeFor = defaultMode }: Surroundings,
): { readonly target: CheckTarget; readonly model: ModelOptions } {
  const given = asked.mode === undefined ? null : modeOf(where('mode'), asked.mode)
  const mode = (algorithm: Algorithm) => given ?? modeFor(algorithm)
  const { definition } = what
  const delay = isAggregation(definition) ? {} : boundedDelay(definition, mode(definition))
  // A scenario has no word for nodes that start at any time: that is its own default here.
  // A scenario has a word for the drift of clocks, but as a ratio of rates.
  const { wake: starters, drift: _, ...rest } = input
  const named = starters !== undefined && starters !== ANY
  const scenario = { ...rest, ...(named && { wake: starters }), ...delay }
  const found = checkTargetOf(what, scenario, where, readFile)
  const { algorithm } = found.world
  const faults = faultsOf(asked, found, where)
  const clock = mode(algorithm)
  refuseAsynchrony(found, clock, where)
  const together = algorithm.needs.start === 'together'
  if (starters === ANY && together) refuseLateStart(found, where)
  const fixed = named || (together && starters !== ANY)
  if (fixed) refuseTimes(found, where)
  else found.refuseAnyStart()
  const model: ModelOptions = {
    mode: clock,
    order: orderOf(asked, found, where),
    wake: fixed ? [...found.conditions.starts.nodes] : ANY,
    faults,
    ...(asked.draws !== undefined && {
      draws: integer(where('draws'), asked.draws, 1, MOST_DRAWS),
    }),
    ...(asked.bound !== undefined && { bounds: boundsOf(where('bound'), asked.bound) }),
    ...(asked.timeouts !== undefined && {
      timeouts: integer(where('timeouts'), asked.timeouts, 1, MOST_DRAWS),
    }),
  }
  return { target: { ...found, world: withRestarts(found.world, faults) }, model }
}

function orderOf(
  { links }: ModelInput,
  { scenario }: CheckTarget,
  where: FieldLocator,
): ModelOptions['order'] {
  if (links === undefined) return scenario.order
  const lossy = word(where('links'), links, ['reliable', 'lossy']) === 'lossy'
  return lossy ? 'lossy' : scenario.order
}

/** The largest values of state fields: `term=2`. */
function boundsOf(where: string, given: unknown): Readonly<Record<string, number>> {
  return Object.fromEntries(
    settingPairs(given as ScenarioInput).map(([field, most]) => [
      field,
      decimal(where, most, 'a number from 0', 2, (value) => value >= 0),
    ]),
  )
}

/** What a search may take. Half of the time is for random walks, where there are to be some. */
export function searchBudget(
  asked: BudgetInput,
  seed: number,
  where: FieldLocator,
  elapsedMs: () => number,
): Budget {
  const { reduction = 'auto', exact, states = STATES, memory = MEMORY_MB, walk } = asked
  const seconds =
    asked.seconds === undefined
      ? Number.POSITIVE_INFINITY
      : decimal(where('seconds'), asked.seconds, 'a number of seconds above 0', 60, (s) => s > 0)
  const walks =
    walk === undefined || walk === false
      ? null
      : walk !== true
        ? integer(where('walk'), walk, 1, MOST_WALKS, COUNT, WALKS)
        : seconds === Number.POSITIVE_INFINITY
          ? WALKS
          : MOST_WALKS
  const searching = walks === null ? seconds : seconds / 2
  return {
    reduction: word(where('reduction'), reduction, ['off', 'auto']),
    exact: exact === true,
    limits: {
      states: integer(where('states'), states, 1, Number.MAX_SAFE_INTEGER, COUNT, STATES),
      memoryMB: integer(where('memory'), memory, 1, 1_000_000, COUNT, MEMORY_MB),
      expired: () => elapsedMs() > searching * 1000,
    },
    ...(walks !== null && {
      walk: {
        random: Random.from(seed).split('walks'),
        walks,
        expired: () => elapsedMs() > seconds * 1000,
      },
    }),
  }
}

/** A mode as a text, or as data: `clocked:2` is `{ clocked: 2 }`. */
function modeOf(where: string, mode: unknown): Mode {
  const data = typeof mode === 'object' && mode !== null && 'clocked' in mode
  if (data && mode.clocked === Number.POSITIVE_INFINITY) return readMode(where, 'clocked:any')
  return readMode(where, data ? `clocked:${mode.clocked}` : mode)
}

function faultsOf(
  asked: ModelInput,
  { conditions, detect }: CheckTarget,
  where: FieldLocator,
): FaultOptions {
  const { nodes, times } = conditions.crashes
  const timed = times.findIndex((time) => time >= 0)
  if (timed >= 0)
    throw new UsageError(
      where('crash'),
      `the checker takes nodes that are down from the beginning, but position ${nodes[timed]} has a time.`,
      `Leave the time out, or use ${where('crashes')} for crashes at any time.`,
    )
  const counts = FAULT_KINDS.map((kind) => [kind, faultCount(where(kind), asked[kind])] as const)
  const drift = faultCount(where('drift'), asked.drift)
  return {
    ...Object.fromEntries(counts.filter(([kind, count]) => count > 0 || !UNSAID.includes(kind))),
    reappear: asked.reappear === true,
    detect,
    dead: [...nodes],
    ...(asked.oneWay === true && { oneWay: true }),
    ...(drift > 0 && { drift }),
  }
}

function isWeakerAllowed({ scenario }: CheckTarget): boolean {
  return scenario['allow-weaker'] === true
}

function refuseAsynchrony(target: CheckTarget, mode: Mode, where: FieldLocator): void {
  const { name, needs } = target.world.algorithm
  const rounds = typeof mode === 'object' && mode.clocked === 1
  if (needs.time !== 'rounds' || rounds || isWeakerAllowed(target)) return
  throw new UsageError(
    where('mode'),
    `${name} needs synchronous rounds.`,
    `Use clocked:1, or add ${where('allow-weaker')} to see it break.`,
  )
}

function refuseLateStart(target: CheckTarget, where: FieldLocator): void {
  if (isWeakerAllowed(target)) return
  throw new UsageError(
    where('wake'),
    `all nodes of ${target.world.algorithm.name} must start at the beginning; any may not.`,
    `Use all, or add ${where('allow-weaker')} to see it break.`,
  )
}

function refuseTimes({ conditions }: CheckTarget, where: FieldLocator): void {
  const { nodes, times } = conditions.starts
  const late = times.findIndex((time) => time !== 0)
  if (late < 0) return
  throw new UsageError(
    where('wake'),
    `the checker starts nodes at the beginning or at any time, but position ${nodes[late]} has a time.`,
    'Leave the times out.',
  )
}
