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
import { type ExploredWorld, explore, type Options, SILENT } from './explore.ts'
import { type ExplorationStudy, explorePermutations } from './explored-permutations.ts'
import { IsomorphicIds, idSets } from './isomorphic-ids.ts'

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
export interface ExploredPermutations {
  readonly name: string
  readonly options: Options
  readonly probe: ExploredWorld
  readonly permutations: IdPermutations
  readonly summary: PermutationSummary
  /** Undefined: as much as it takes. */
  readonly secondsLeft: number | undefined
  readonly study: ExplorationStudy
}

/**
 * Finds out what a result without a violation says about other ids; null after Ctrl-C. Where a
 * definition is proved to only compare ids, nothing more is needed, but for the id 0: fields for
 * ids have it until they are set. Others are explored again with other ids in the same orders.
 */
export async function reachOf(explored: ExploredPermutations): Promise<TriedIds | null> {
  const { name, options, probe } = explored
  const { algorithm, topology } = probe.target.world
  if (algorithm.needs.ids === 'numbers') return untried(`${algorithm.name} computes with ids`)
  const { ids, numbers } = await sourceOf(name, options)
  const sets = idSets(topology.n, numbers, probe.target.scenario.seed)
  const dependent = await idsInParameters(name, options, probe, sets)
  if (dependent !== null) return untried(`the parameter ${dependent} is computed from the ids`)
  if (ids.kind !== 'proved') return tried(explored, sets, ` (${ids.where}: ${ids.why})`)
  if (probe.target.ownProperties.length > 0) return tried(explored, sets)
  if (!ids.startsAtZero) return PROVED
  const withZero = Array.from({ length: topology.n }, (_, i) => i)
  const tries = await tried(explored, [withZero], '', true)
  return tries === null || tries.violating !== null || tries.reach.sets === undefined
    ? tries
    : PROVED
}

const PROVED: TriedIds = {
  reach: { evidence: 'proved', detail: 'ids are only compared' },
  violating: null,
}

function untried(why: string): TriedIds {
  const detail = `other ids were not tried: ${why}`
  return { reach: { evidence: 'none', detail }, violating: null }
}

/**
 * What the source of a definition shows, and the numbers in it. Of the catalogue tests show it: one
 * reads the sources, and another compares explorations with and without the id 0.
 */
export async function sourceOf(
  name: string,
  { types }: Readonly<Record<string, unknown>>,
): Promise<SourceFindings> {
  if (!isCode(name)) return OF_CATALOGUE
  const { compiledFile } = await import('../../compiler/compiled-file.ts')
  // With coverage, as it has been compiled to be explored.
  return compiledFile(realpathSync(ownFile(name).path), types !== false, true)
}

type SourceFindings = Pick<CompiledFile, 'ids' | 'use' | 'numbers'>

const OF_CATALOGUE: SourceFindings = {
  ids: { kind: 'proved', startsAtZero: false },
  use: { misuses: {}, startsAtZero: false },
  numbers: [],
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
  { name, options, permutations, summary: first, secondsLeft, study }: ExploredPermutations,
  sets: readonly (readonly number[])[],
  /** What is done with ids, as far as the source shows it. */
  use = '',
  /** Whether every permutation is needed, whatever it takes. */
  whole = false,
): Promise<TriedIds | null> {
  if (secondsLeft !== undefined && secondsLeft <= 0) return untried('there was no time left')
  const count = whole ? permutations.count : first.outlines.length
  const known = { count, at: (i: number) => permutations.at(i) }
  const states = Math.max(STATES, first.states)
  const affordable = Math.ceil((states * known.count) / first.states)
  const runs = whole ? count : Math.min(MOST_RUNS, affordable)
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
  const progressText = () =>
    `${grouped(comparison.explored)} of ${grouped(ids.count)} with other ids`
  const finished = await explorePermutations({
    ...study,
    given: { ...study.given, options: limited },
    permutations: ids,
    summary: comparison,
    progressText,
  })
  if (!finished) return null
  return judged(comparison, ids, name, use)
}

const MORE = 'the definition does more with ids than compare them'

function judged(
  { violatedBy, differing, reason, explored }: OutlineComparison,
  ids: IsomorphicIds,
  name: string,
  use: string,
): TriedIds {
  const sets = ids.setsWithin(explored)
  const others = { sets }
  if (violatedBy !== null) {
    const violating = ids.at(violatedBy)
    const detail = `the ids 1 to ${violating.length} do not show it: ${MORE}${use}`
    return { reach: { evidence: 'none', detail, ...others, differing: violating }, violating }
  }
  if (differing !== null) {
    const different = ids.at(differing)
    const detail = `other ids behave differently, such as ${different}: ${MORE}${use}`
    return { reach: { evidence: 'none', detail, ...others, differing: different }, violating: null }
  }
  if (sets === 0) return untried(reason ?? 'there are none')
  const file = basename(isCode(name) ? ownFile(name).path : name)
  const among = reason === null ? `, with the numbers in ${file} and their neighbours` : ''
  const detail = `tested with ${counted(sets, 'other set')} of ids${among}: nothing differs${use}`
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
