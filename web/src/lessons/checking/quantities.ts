import type { CycleResult, RunResult } from '../../../../src/sim/index.ts'
import { numberOf, STATUSES } from '../../recording/events.ts'
import type { RunLog } from '../../recording/run-log.ts'
import { isOfChecker, type QuantityName } from '../format/goal.ts'
import type { GoalValue } from '../format/lesson.ts'

/** A run that has ended, as answers and goals see it. */
export interface LessonRun {
  readonly log: RunLog
  readonly result: RunResult | CycleResult
  readonly algorithm: string
  /** Message types that announce the leader: costs leave them out. */
  readonly announces: readonly string[]
  /** The number of changes that were made in the picture. */
  readonly changes: number
}

/** What the checker found about a scenario; null where it was not asked. */
export interface CheckFigures {
  readonly states: number | null
  readonly counterexample: boolean | null
  /** The most messages of any order of events; null where that was not asked. */
  readonly worst: number | null
  /** Whether it is proved for every n. */
  readonly proved: boolean | null
}

/** The value of a quantity; null where the run has none, several names for `violated`. */
export type QuantityValue = GoalValue | readonly string[]

type Reading = (run: LessonRun) => QuantityValue
type SimulatedName = Exclude<QuantityName, keyof CheckFigures>

const LEADER = STATUSES.indexOf('leader')

const READINGS: Readonly<Record<SimulatedName, Reading>> = {
  n: ({ result }) => result.n,
  links: ({ result }) => result.links,
  algorithm: ({ algorithm }) => algorithm,
  messages: total,
  cost: (run) => run.announces.reduce((rest, type) => rest - ofType(run, type), total(run)),
  bits: ({ result }) => result.bits,
  lost: ({ result }) => result.messages.lost,
  toDead: (run) => eventsOf(run, 'vanish'),
  time: ({ result }) => result.time.last,
  elected: ({ log }) => lastTime(log, 'lead'),
  leader: ({ result: { leader } }) => leader?.id ?? leader?.node ?? null,
  leaders: ({ result }) => ('leading' in result ? result.leading.length : 0),
  leadersAtOnce: ({ log }) => leadersAtOnce(log),
  elections: ({ result }) => result.leaders.length,
  term: ({ result }) => ('leads' in result ? (result.leads?.at(-1)?.term ?? null) : null),
  undecided: ({ result }) => result.nodes?.filter(({ status }) => status === 'unknown').length ?? 0,
  holds: ({ result }) => result.verdict.properties.every(({ holds }) => holds !== false),
  violated: ({ result }) =>
    result.verdict.properties.filter(({ holds }) => holds === false).map(({ name }) => name),
  crashes: (run) => eventsOf(run, 'crash'),
  recoveries: (run) => eventsOf(run, 'recover'),
  cuts: ({ log }) => linksCut(log),
  alive: ({ result }) =>
    gossip(result)?.cycles.at(-1)?.alive ??
    result.nodes?.filter(({ status }) => status !== 'dead').length ??
    null,
  changes: ({ changes }) => changes,
  weight: ({ result }) => ('tree' in result ? (result.tree?.weight ?? null) : null),
  converged: ({ result }) => {
    const found = gossip(result)
    return found === null ? null : found.time.reached !== null
  },
  reached: ({ result }) => gossip(result)?.cycles.find(isReached)?.cycle ?? null,
  error: ({ result }) => largestError(gossip(result)),
  estimate: ({ result }) => gossip(result)?.cycles.at(-1)?.mean ?? null,
  truth: ({ result }) => gossip(result)?.truth ?? null,
  variance: ({ result }) => gossip(result)?.cycles.at(-1)?.variance ?? null,
  factor: ({ result }) => gossip(result)?.factor ?? null,
}

/** The value of a quantity by its name; null where the run or the checker has not got so far. */
export function quantityOf(
  name: string,
  run: LessonRun | null,
  check: CheckFigures | null = null,
): QuantityValue {
  if (isOfChecker(name)) return check?.[name] ?? null
  if (run === null) return null
  const [, type] = /^messages\.(.+)$/.exec(name) ?? []
  return type === undefined ? READINGS[name as SimulatedName](run) : ofType(run, type)
}

function total({ result }: LessonRun): number {
  return result.messages.total
}

function ofType({ result }: LessonRun, type: string): number {
  const byType: Readonly<Record<string, number>> = result.messages.byType
  return byType[type] ?? 0
}

function gossip(result: LessonRun['result']): CycleResult | null {
  return 'cycles' in result ? result : null
}

/** Whether all estimates are near the truth from a cycle on. */
function isReached(_: unknown, i: number, cycles: CycleResult['cycles']): boolean {
  return cycles.slice(i).every(({ within }) => within === 1)
}

function largestError(result: CycleResult | null): number | null {
  const last = result?.cycles.at(-1)
  if (last === undefined || last.min === null || last.max === null) return null
  const error = Math.max(Math.abs(last.min - last.truth), Math.abs(last.max - last.truth))
  return last.truth === 0 ? error : error / Math.abs(last.truth)
}

function eventsOf({ log }: LessonRun, kind: Parameters<typeof numberOf>[0]): number {
  const wanted = numberOf(kind)
  let count = 0
  for (let event = 0; event < log.kind.length; event++) if (log.kind.at(event) === wanted) count++
  return count
}

/** When an event happened last; null if it never did. */
function lastTime(log: RunLog, kind: Parameters<typeof numberOf>[0]): number | null {
  const wanted = numberOf(kind)
  for (let event = log.kind.length - 1; event >= 0; event--)
    if (log.kind.at(event) === wanted) return log.at.at(event)
  return null
}

/** Links that were cut; each has an event for each direction. */
function linksCut(log: RunLog): number {
  const cut = numberOf('cut')
  const links = new Set<string>()
  for (let event = 0; event < log.kind.length; event++)
    if (log.kind.at(event) === cut)
      links.add([log.node.at(event), log.peer.at(event)].toSorted((a, b) => a - b).join())
  return links.size
}

/** The most leaders after any moment of a run. */
function leadersAtOnce(log: RunLog): number {
  const leading = new Set<number>()
  let most = 0
  for (let step = 0; step < log.steps; step++) {
    const node = log.nodeOf(step)
    if (log.status.at(step) === LEADER) leading.add(node)
    else leading.delete(node)
    if (step + 1 === log.steps || log.timeOf(step + 1) > log.timeOf(step))
      most = Math.max(most, leading.size)
  }
  return most
}
