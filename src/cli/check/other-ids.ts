import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type IdPermutations,
  PermutationSummary,
  type SummarisedResult,
} from '../../check/index.ts'
import type { CompiledFile } from '../../compiler/compiled-file.ts'
import { counted, grouped } from '../../core/text-format.ts'
import { isCode, ownFile } from '../input/user-algorithm.ts'
import type { Io } from '../io.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { type ExploredWorld, explore, type Options, SILENT } from './explore.ts'
import { IsomorphicIds, idSets, numbersInText } from './isomorphic-ids.ts'
import { PermutationPool } from './permutation-pool.ts'

/** About as many states as can be explored in a few seconds. */
const STATES = 1_000_000
/** The most explorations: each takes some time, however small it is. */
const MOST_RUNS = 1500

/**
 * Whether a result for the ids 1 to n is one for all ids. proved: the definition only compares ids.
 * tested: others were tried, and nothing differed. none: it is about the ids 1 to n alone.
 */
export interface IdReach {
  readonly evidence: 'proved' | 'tested' | 'none'
  /** What shows it, or why nothing does. */
  readonly detail: string
  /** The number of other sets of ids that were tried. */
  readonly sets?: number
  /** Ids with which something is different, in the same order as a permutation of 1 to n. */
  readonly differing?: readonly number[]
}

/** The reach of a result, and the ids with which a property is violated, if there are any. */
export interface TriedIds {
  readonly reach: IdReach
  readonly violating: readonly number[] | null
}

/** What was explored with the ids 1 to n, and the time that is left. */
interface ExploredPermutations {
  readonly name: string
  readonly options: Options
  readonly probe: ExploredWorld
  readonly permutations: IdPermutations
  readonly summary: PermutationSummary
  /** Undefined: as much as it takes. */
  readonly secondsLeft: number | undefined
}

/**
 * Finds out what a result without a violation says about other ids; null after Ctrl-C. Algorithms
 * of the catalogue are proved to only compare ids, by a test that reads their sources, and so are
 * own definitions by their types. Others are explored again with other ids in the same orders.
 */
export async function reachOf(explored: ExploredPermutations, io: Io): Promise<TriedIds | null> {
  const { name, options, probe } = explored
  const { world } = probe.target
  const { needs } = world.algorithm
  if (needs.ids === 'numbers') return untried(`${world.algorithm.name} computes with ids`)
  const { n } = world.topology
  const sets = idSets(n, await numbersOf(name), probe.target.scenario.seed)
  const dependent = await idsInParameters(name, options, probe, sets)
  if (dependent !== null) return untried(`the parameter ${dependent} is computed from the ids`)
  if (probe.target.ownProperties.length === 0 && (await onlyCompares(name)))
    return { reach: PROVED, violating: null }
  return tried(explored, sets, io)
}

const PROVED: IdReach = { evidence: 'proved', detail: 'ids are only compared' }

function untried(why: string): TriedIds {
  const detail = `other ids were not tried: ${why}`
  return { reach: { evidence: 'none', detail }, violating: null }
}

/** Whether the types of a definition show that it does nothing with ids but compare them. */
async function onlyCompares(name: string): Promise<boolean> {
  if (!isCode(name)) return true
  const { ids } = await compiledOf(name)
  // A field that starts as 0 makes a difference where 0 is an id.
  return ids.kind === 'proved' && !ids.startsAtZero
}

/** The numbers in the sources of an own definition. */
async function numbersOf(name: string): Promise<number[]> {
  if (!isCode(name)) return []
  const { sources } = await compiledOf(name)
  return sources.flatMap(({ text }) => numbersInText(text))
}

/** The code of an own file, as it was compiled for this command. */
async function compiledOf(name: string): Promise<CompiledFile> {
  const { compiledFile } = await import('../../compiler/compiled-file.ts')
  return compiledFile(realpathSync(ownFile(name).path), false)
}

/** A parameter whose value depends on the ids; null if there is none. */
async function idsInParameters(
  name: string,
  options: Options,
  { target }: ExploredWorld,
  sets: readonly (readonly number[])[],
): Promise<string | null> {
  if (Object.keys(target.world.params).length === 0) return null
  const { walk: _, worst: __, ...plain } = options
  for (const ids of sets.slice(0, 3)) {
    const others = await explore(name, { ...plain, ids: ids.join(), states: '1' }, SILENT)
    const { params } = others.target.world
    for (const [key, value] of Object.entries(target.world.params))
      if (params[key] !== value) return key
  }
  return null
}

/** Explores the same with other ids, and compares. */
async function tried(
  { name, options, permutations, summary: first, secondsLeft }: ExploredPermutations,
  sets: readonly (readonly number[])[],
  io: Io,
): Promise<TriedIds | null> {
  if (secondsLeft !== undefined && secondsLeft <= 0) return untried('there was no time left')
  const known = { count: first.outlines.length, at: (i: number) => permutations.at(i) }
  const states = Math.max(STATES, first.states)
  const affordable = Math.ceil((states * known.count) / first.states)
  const runs = Math.min(MOST_RUNS, affordable)
  const perSet = Math.max(1, Math.min(known.count, Math.floor(runs / sets.length)))
  const ids = new IsomorphicIds(sets.slice(0, Math.ceil(runs / perSet)), known, perSet)
  const { walk: _, worst: __, ...rest } = options
  const limited = {
    ...rest,
    // Some room for ids with which there are more states.
    states: String(4 * states),
    ...(secondsLeft !== undefined && { seconds: String(secondsLeft) }),
  }
  const comparison = new OutlineComparison(4 * states, first.outlines, ids)
  const progress = new ProgressLine(io)
  const pool = new PermutationPool(name, limited, ids)
  const finished = await pool.run(comparison, () =>
    progress.show(() => `${grouped(comparison.explored)} of ${grouped(ids.count)} with other ids`),
  )
  progress.clear()
  if (!finished) return null
  return judged(comparison, ids, name)
}

const MORE = 'the definition does more with ids than compare them'

function judged(
  { violatedBy, differing, reason, explored }: OutlineComparison,
  ids: IsomorphicIds,
  name: string,
): TriedIds {
  const sets = ids.setsWithin(explored)
  const others = { sets }
  if (violatedBy !== null) {
    const violating = ids.at(violatedBy)
    const detail = `the ids 1 to ${violating.length} do not show it: ${MORE}`
    return { reach: { evidence: 'none', detail, ...others, differing: violating }, violating }
  }
  if (differing !== null) {
    const different = ids.at(differing)
    const detail = `other ids behave differently, such as ${different}: ${MORE}`
    return { reach: { evidence: 'none', detail, ...others, differing: different }, violating: null }
  }
  if (sets === 0) return untried(reason ?? 'there are none')
  const file = basename(isCode(name) ? ownFile(name).path : name)
  const among = reason === null ? `, with the numbers in ${file} and their neighbours` : ''
  const detail = `tested with ${counted(sets, 'other set')} of ids${among}: nothing differs`
  return { reach: { evidence: 'tested', detail, ...others }, violating: null }
}

/**
 * Compares explorations with those of the permutation of 1 to n in the same order. The id 0 is
 * special in the language: fields for ids have it until they are set. So sets with 0 are compared
 * with each other.
 */
class OutlineComparison extends PermutationSummary {
  /** The first that is different, though nothing is violated. */
  differing: number | null = null
  private readonly expectedWithZero: string[] = []

  constructor(
    states: number,
    private readonly expected: readonly string[],
    private readonly ids: IsomorphicIds,
  ) {
    super(states)
  }

  override add(result: SummarisedResult): void {
    const number = this.explored
    super.add(result)
    if (this.explored === number || result.violated || this.reason !== null) return
    const outline = this.outlines[number]
    const permutation = this.ids.permutation(number)
    const zero = this.ids.at(number).includes(0)
    if (zero) this.expectedWithZero[permutation] ??= outline
    const expected = zero ? this.expectedWithZero : this.expected
    if (outline !== expected[permutation]) this.differing ??= number
  }
}
