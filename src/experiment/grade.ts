import {
  boundedDelay,
  type CheckResult,
  check,
  defaultMode,
  defaultOptions,
  modeText,
} from '../check/index.ts'
import { type Algorithm, Random, type Verdict } from '../core/index.ts'
import { factorial, permutationAt } from '../core/runtime/permutation.ts'
import { commandLine } from '../scenario/command-line.ts'
import { prepare, type ScenarioInput } from '../scenario/index.ts'
import type { DataPoint } from './statistics/fit.ts'
import { type Growth, growthOf } from './statistics/growth.ts'
import { measured } from './study/measures.ts'
import { measuredElection } from './study/run-job.ts'

/** How thoroughly a definition is graded. */
export interface GradeEffort {
  /** All interleavings of networks up to this size, within a budget of states. */
  readonly largest: number
  readonly states: number
  /** The number of random worlds to simulate. */
  readonly worlds: number
  /** The sizes at which the cost is measured, and the runs per size. */
  readonly sizes: readonly number[]
  readonly repeats: number
}

const THOROUGH: GradeEffort = {
  largest: 4,
  states: 2_000_000,
  worlds: 500,
  sizes: [8, 16, 32, 64, 128, 256],
  repeats: 10,
}

/** The failure in the smallest world that has one. */
export interface GradeCounterexample {
  readonly n: number
  /** The violated property, or the error that the definition threw. */
  readonly broken: string
  /** The counterexample, if the checker found it. */
  readonly steps: readonly string[]
  /** The command that reproduces it. */
  readonly replay: string
}

export interface GradeExploration {
  readonly n: number
  readonly worlds: number
  readonly states: number
  readonly exhausted: boolean
}

/** The cost of the definition and of a reference in the same worlds. */
export interface GradeMeasurement {
  readonly measure: 'cost' | 'time'
  /** The mean over random ids, or the maximum over ascending, descending and bit-reversed ids. */
  readonly on: 'random' | 'worst'
  readonly growth: Growth
  /** The largest size, and the value there. */
  readonly at: number
  readonly value: number
  readonly reference: {
    readonly name: string
    readonly value: number | null
    readonly bound: number | null
  }
}

export interface Grade {
  readonly explored: readonly GradeExploration[]
  readonly simulated: number
  readonly counterexample: GradeCounterexample | null
  /** Only for correct definitions. */
  readonly measured: readonly GradeMeasurement[]
}

/** Permutations that are the best or worst case of many elections. */
const NOTABLE = ['increasing', 'decreasing', 'bit-reversal']

const ENDLESS = 'it does not terminate'

/** The limit on messages of one run, for definitions that do not terminate. */
const MOST_MESSAGES = 200_000

/** Grades a definition: checks small worlds, simulates random larger ones, measures its cost. */
export function gradeOf(
  algorithm: Algorithm,
  /** Its file, for commands that reproduce a failure. */
  source: string,
  reference: Algorithm,
  { largest, states, worlds, sizes, repeats }: GradeEffort = THOROUGH,
): Grade {
  const { explored, counterexample } = explore(algorithm, source, largest, states)
  const wrong = counterexample ?? simulateSome(algorithm, source, worlds)
  return {
    explored,
    simulated: counterexample === null ? worlds : 0,
    counterexample: wrong,
    measured: wrong === null ? measure(algorithm, reference, sizes, repeats) : [],
  }
}

/** Checks all small networks and permutations; finds the shortest counterexample. */
function explore(algorithm: Algorithm, source: string, largest: number, states: number) {
  const explored: GradeExploration[] = []
  let left = states
  for (let n = 1; n <= largest && left > 0; n++) {
    const failures: GradeCounterexample[] = []
    let exhausted = true
    let seen = 0
    const worlds = smallWorlds(algorithm, n)
    for (const given of worlds) {
      const result = attempt(() => exploreOne(algorithm, given, Math.max(1, left - seen)))
      if (typeof result === 'string' || result.violated !== null || isEndless(result)) {
        const asked = { ...given, ...askedMode(algorithm) }
        failures.push(counterexampleOf(result, n, commandLine('check', source, asked)))
        continue
      }
      seen += result.states
      exhausted &&= result.exhausted
      if (seen >= left) break
    }
    left -= seen
    if (failures.length > 0) {
      const shortest = failures.reduce((a, b) => (b.steps.length < a.steps.length ? b : a))
      return { explored, counterexample: shortest }
    }
    explored.push({ n, worlds: worlds.length, states: seen, exhausted: exhausted && left > 0 })
  }
  return { explored, counterexample: null }
}

function exploreOne(algorithm: Algorithm, given: ScenarioInput, states: number): CheckResult {
  const bounded = { ...given, ...boundedDelay(algorithm, defaultMode(algorithm)) }
  const { world, conditions, properties } = prepare(bounded, algorithm, (field) => field)
  const options = defaultOptions(algorithm, conditions.starts.nodes)
  return check(world, { ...options, properties, limits: { states } })
}

/** The mode for the command that reproduces a violation: by default delays are unbounded. */
function askedMode(algorithm: Algorithm): { readonly mode?: string } {
  const bounded = algorithm.needs.time === 'bounded delay'
  return bounded ? { mode: modeText(defaultMode(algorithm)) } : {}
}

function counterexampleOf(
  result: CheckResult | string,
  n: number,
  replay: string,
): GradeCounterexample {
  if (typeof result === 'string') return { n, broken: result, steps: [], replay }
  if (result.violated === null) return { n, broken: ENDLESS, steps: [], replay }
  const { property, trace } = result.violated
  return { n, broken: property, steps: trace.map(({ text }) => text), replay }
}

/** A property of final states is undecided although all states are known: none is final. */
function isEndless({ exhausted, properties }: CheckResult): boolean {
  return exhausted && properties.some(({ holds }) => holds === null)
}

/** The result, or the message of the error that was thrown. */
function attempt<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** On a ring the largest id is at position 0, since rotations are equivalent. */
function smallWorlds({ needs }: Algorithm, n: number): ScenarioInput[] {
  const shapes =
    needs.topology === 'any'
      ? ['path', 'star', 'complete', ...(n >= 3 ? ['ring'] : [])]
      : [needs.topology]
  const all = Array.from({ length: factorial(n) }, (_, i) => permutationAt(n, i).reverse())
  const distinct = all.filter((ids) => needs.topology !== 'ring' || ids[0] === n)
  const permutations = needs.ids === undefined ? [undefined] : distinct
  const rounds = needs.time === 'rounds' && { timing: 'sync' }
  return shapes.flatMap((shape) =>
    permutations.map((ids) => ({ topology: `${shape}:${n}`, ...(ids && { ids }), ...rounds })),
  )
}

/** Simulates random worlds; returns the smallest one with a violation. */
function simulateSome(
  algorithm: Algorithm,
  source: string,
  worlds: number,
): GradeCounterexample | null {
  const { needs } = algorithm
  const random = Random.from(1)
  const asynchronous = needs.time !== 'rounds'
  const delays = ['unit', 'uniform:1:10', ...(needs.time === undefined ? ['exponential:3'] : [])]
  const wakes = needs.start === 'together' ? ['all'] : ['all', 'rate:0.5', '0']
  let worst: GradeCounterexample | null = null
  for (let seed = 1; seed <= worlds; seed++) {
    const given: ScenarioInput = {
      n: String(1 + random.below(32)),
      seed,
      wake: wakes[random.below(wakes.length)],
      ...(asynchronous ? { delay: delays[random.below(delays.length)] } : { timing: 'sync' }),
      'max-messages': MOST_MESSAGES,
    }
    const n = Number(given.n)
    if (worst !== null && n >= worst.n) continue
    const result = attempt(() => measuredElection(given, algorithm, (field) => field).result)
    const broken = typeof result === 'string' ? result : brokenIn(result.verdict.properties)
    if (broken === undefined) continue
    worst = { n, broken, steps: [], replay: commandLine('run', source, given) }
  }
  return worst
}

/** The violated property; a run that was cut off did not terminate. */
function brokenIn(properties: readonly Verdict[]) {
  const broken = properties.find(({ holds }) => holds === false)?.name
  if (broken !== undefined) return broken
  return properties.some(({ holds }) => holds === null) ? ENDLESS : undefined
}

/** Measures on random ids, and on the worst of some notable permutations. */
function measure(
  algorithm: Algorithm,
  reference: Algorithm,
  sizes: readonly number[],
  repeats: number,
): GradeMeasurement[] {
  const at = sizes[sizes.length - 1]
  const on: GradeMeasurement['on'][] =
    algorithm.needs.ids === undefined ? ['random'] : ['random', 'worst']
  return (['cost', 'time'] as const).flatMap((name) =>
    on.flatMap((ids) => {
      const value = (of: Algorithm, n: number, what: string) =>
        ids === 'random' ? meanOf(of, n, repeats, what) : worstOf(of, n, what)
      const points = sizes.map((n): DataPoint => ({ x: n, y: value(algorithm, n, name) ?? 0 }))
      if (points.every(({ y }) => y === 0)) return []
      const bound = name === 'cost' ? 'bound.messages' : 'bound.time'
      const known = { value: value(reference, at, name), bound: value(reference, at, bound) }
      const found = { at, value: points[points.length - 1].y, growth: growthOf(points) }
      return [{ measure: name, on: ids, ...found, reference: { name: reference.name, ...known } }]
    }),
  )
}

function meanOf(algorithm: Algorithm, n: number, repeats: number, name: string): number | null {
  const seeds = Array.from({ length: repeats }, (_, i) => i + 1)
  const values = seeds.map((seed) => valueIn(algorithm, { n, seed }, name))
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

function worstOf(algorithm: Algorithm, n: number, name: string): number | null {
  const values = NOTABLE.map((ids) => valueIn(algorithm, { n, ids }, name))
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

function valueIn(algorithm: Algorithm, given: ScenarioInput, name: string): number | null {
  const rounds = algorithm.needs.time === 'rounds' && { timing: 'sync' }
  return measured(
    name,
    measuredElection({ ...given, ...rounds }, algorithm, (field) => field),
  )
}
