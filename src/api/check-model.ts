import { byMessages, usualPlace } from '../algorithms/kinds.ts'
import {
  boundedDelay,
  type CheckOptions,
  defaultMode,
  defaultNodes,
  defaultOptions,
  FAULT_KINDS,
  type FaultKind,
  type FaultOptions,
  type IdPermutations,
  MOST_ARRANGED,
  MOST_STATES,
  type Mode,
  type ModelOptions,
  withRestarts,
} from '../check/index.ts'
import { Random, UsageError } from '../core/index.ts'
import { decimal, integer, settingPairs, word } from '../options/reading.ts'
import { type CheckTarget, checkTargetOf, type Explorable } from '../scenario/check-target.ts'
import type { FieldLocator, ScenarioInput } from '../scenario/index.ts'
import { faultCount, readMode, UNSAID } from '../trace/check-options-text.ts'
import { arrangementsOf } from './arrangements.ts'

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
}

type Budget = Pick<CheckOptions, 'reduction' | 'exact' | 'limits' | 'walk'>

const ANY = 'any'
const ALL = 'all'
const COUNT = 'a whole number'
/** Of one node; more would never be reached. */
const MOST_DRAWS = 1_000_000
const MEMORY_MB = 4000
/** Random walks where neither their number nor a time is given. */
const WALKS = 1000
const MOST_WALKS = 1_000_000_000

/** A world to explore, or every arrangement of its ids, in the model of its faults and delays. */
export interface CheckedWorld {
  readonly target: CheckTarget
  readonly model: ModelOptions
  /** Null: only the ids of the target. */
  readonly arrangements: IdPermutations | null
}

/**
 * The world to explore and the model of its faults and delays, out of what was given. This is where
 * everything that was not given gets its default, for the library, the commands and the lab.
 */
export function checkModel(
  what: Explorable,
  input: ScenarioInput,
  asked: ModelInput,
  { where, readFile }: Surroundings,
): CheckedWorld {
  const given = asked.mode === undefined ? null : modeOf(where('mode'), asked.mode)
  const { definition } = what
  const explored = byMessages(definition)
  const delay = boundedDelay(explored, given ?? defaultMode(explored))
  // A scenario has no word for nodes that start at any time: that is its own default here.
  // A scenario has a word for the drift of clocks, but as a ratio of rates.
  const { wake: starters, drift: _, ids, ...rest } = input
  const named = starters !== undefined && starters !== ANY
  const scenario = {
    ...sizeOf(what, input),
    ...rest,
    ...(ids !== undefined && { ids: ids === ALL ? 'increasing' : ids }),
    ...(named && { wake: starters }),
    ...delay,
  }
  const found = checkTargetOf(what, scenario, where, readFile)
  const { algorithm, topology } = found.world
  const faults = faultsOf(asked, found, where)
  const usual = defaultOptions(algorithm, found.conditions.starts.nodes)
  const mode = given ?? usual.mode
  refuseAsynchrony(found, mode, where)
  const together = algorithm.needs.start === 'together'
  if (starters === ANY && together) refuseLateStart(found, where)
  const fixed = named || (together && starters !== ANY)
  if (fixed) refuseTimes(found, where)
  else found.refuseAnyStart()
  const bounds = { ...usual.bounds, ...boundsOf(where('bound'), asked.bound ?? {}) }
  const order = input.order === undefined ? usual.order : found.scenario.order
  const model: ModelOptions = {
    mode,
    order: isLossy(asked, where) ? 'lossy' : order,
    wake: fixed ? [...found.conditions.starts.nodes] : ANY,
    faults,
    ...(asked.draws !== undefined && {
      draws: integer(where('draws'), asked.draws, 1, MOST_DRAWS),
    }),
    ...(Object.keys(bounds).length > 0 && { bounds }),
    ...(asked.timeouts !== undefined && {
      timeouts: integer(where('timeouts'), asked.timeouts, 1, MOST_DRAWS),
    }),
  }
  const target = inModel(found, order, faults)
  const every = ids === ALL || (ids === undefined && topology.n <= MOST_ARRANGED)
  const arranged = every && algorithm.needs.ids !== undefined && target.arranges
  return { target, model, arrangements: arranged ? arrangementsOf(target, model, where) : null }
}

/** The size of the network, unless something that is given has one. */
function sizeOf({ definition }: Explorable, given: ScenarioInput): { readonly n?: number } {
  const sized = given.n !== undefined || given.topology !== undefined
  if (sized || isListed(given.ids) || isListed(given.values)) return {}
  return { n: defaultNodes(usualPlace(definition).network) }
}

/** Whether it has an entry for each node, in place of a word such as `random`. */
function isListed(given: unknown): boolean {
  return Array.isArray(given) || /^[\s\d.+-]/.test(String(given ?? ''))
}

/** The target as it is explored, with any ids. */
function inModel(target: CheckTarget, order: 'fifo' | 'any', faults: FaultOptions): CheckTarget {
  return {
    ...target,
    // A scenario in rounds has no order; the model has its own.
    scenario: target.scenario.timing === 'sync' ? target.scenario : { ...target.scenario, order },
    world: withRestarts(target.world, faults),
    permuted: (ids) => inModel(target.permuted(ids), order, faults),
  }
}

function isLossy({ links = 'reliable' }: ModelInput, where: FieldLocator): boolean {
  return word(where('links'), links, ['reliable', 'lossy']) === 'lossy'
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
  const { reduction = 'auto', exact, states = MOST_STATES, memory = MEMORY_MB, walk } = asked
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
      states: integer(where('states'), states, 1, Number.MAX_SAFE_INTEGER, COUNT, MOST_STATES),
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
