import { type Algorithm, ceilLog2, floorLog2, type Property, Random } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { exploredProperties, propertiesOf } from '../../problems/algorithm-properties.ts'
import { commandLine } from '../../scenario/command-line.ts'
import { type Preparation, prepare, type ScenarioInput } from '../../scenario/index.ts'
import { measuredRun } from '../study/run-job.ts'
import { type Findings, type GradeSubject, TERMINATION, thrownError } from './findings.ts'
import { type GradedWorld, isOwnProblem } from './graded-world.ts'
import { randomIds } from './small-worlds.ts'

/** The largest network of a random world. */
export const LARGEST_RANDOM = 32
/** The most messages of one run in such a network; larger networks may send more. */
const MOST_MESSAGES = 200_000
/** The same where runs are known not to end: every run, or most of them, would get there. */
const MOST_OF_ENDLESS = 2_000
/** Up to this size the properties that a file demands itself are judged. */
const LARGEST_OWN = 64
/** Runs between two reports of progress. */
const BATCH = 50

/** Simulates random worlds, keeps the smallest that violates a property, yields now and then. */
export function* simulateWorlds(
  subject: GradeSubject,
  findings: Findings,
  worlds: number,
): Generator<string, number> {
  const random = Random.from(1)
  let led = false
  for (let seed = 1; seed <= worlds && !findings.threw; seed++) {
    if (seed % BATCH === 1) yield 'simulating random worlds'
    const given = randomWorld(subject, findings.world, seed, random)
    const judged = judgedRun(subject, findings, given)
    led ||= (judged?.result.leaders.length ?? 0) > 0
  }
  if (!led && !findings.threw && !isOwnProblem(findings.world)) {
    const given = explicitWorld(subject.algorithm, { n: 2 })
    const detail = `no node led in any of ${worlds} simulated worlds`
    findings.add({ property: 'some node leads', detail, ...placeOf(subject, given), steps: [] })
  }
  return worlds
}

/** A run, and whether it was stopped before its end. */
type JudgedRun = ReturnType<typeof measuredRun<Preparation>> & { readonly cut: boolean }

/**
 * Simulates a world and judges the run: what it violates is added to the findings. Null if the
 * definition throws an error.
 */
export function judgedRun(
  subject: GradeSubject,
  findings: Findings,
  world: ScenarioInput,
  most = Number.MAX_SAFE_INTEGER,
): JudgedRun | null {
  // In large worlds the properties of the file itself would take most of the time.
  const large = sizeOf(world) > LARGEST_OWN
  const algorithm = large ? { ...subject.algorithm, demands: [] } : subject.algorithm
  const endless = findings.names.includes(TERMINATION) || algorithm.quiet === 'never'
  // Nodes meet for ever, but such a run ends when it is stable.
  const usual = endless && algorithm.meet === null ? MOST_OF_ENDLESS : MOST_MESSAGES
  const limit = Math.ceil(usual * Math.max(1, (sizeOf(world) / LARGEST_RANDOM) ** 2))
  const given = { ...world, 'max-messages': Math.min(limit, most) }
  const place = placeOf(subject, given)
  try {
    const run = measuredRun(prepare(given, algorithm, String))
    const { result } = run
    const promised = promisedBy(algorithm).filter(({ name }) => !findings.uncounted.includes(name))
    const judged = result.verdict.properties.filter(({ name }) =>
      promised.some((property) => property.name === name),
    )
    findings.decide(judged)
    for (const { name, holds, detail } of judged)
      if (holds === false) findings.add({ property: name, detail, ...place, steps: [] })
    const ends = promised.filter(({ when }) => when === 'at the end').map(({ name }) => name)
    const cut = judged.find(({ name, holds }) => holds === null && ends.includes(name))
    if (cut === undefined || endless) return { ...run, cut: false }
    if (limit <= most) findings.leaveOpen(TERMINATION, `${cut.detail}: ${place.replay}`)
    return { ...run, cut: true }
  } catch (error) {
    findings.addError(thrownError(error), place)
    return null
  }
}

/** A world with every option that has a default, so that it replays exactly. */
export function explicitWorld(
  { needs, meet, starters }: Algorithm,
  { n, ...more }: ScenarioInput & { readonly n: number },
): ScenarioInput {
  const timing = meet !== null ? 'pairs' : needs.time === 'rounds' ? 'sync' : 'async'
  return {
    topology: neededNetworks[needs.topology].sized(n),
    ...(needs.ids !== undefined && { ids: 'random' }),
    timing,
    ...(timing === 'async' && { delay: 'unit', order: 'fifo' }),
    ...(meet === null && { wake: starters === 'first' ? '0' : 'all' }),
    seed: 1,
    ...more,
  }
}

/** The number of nodes in the text of a network. */
function sizeOf({ topology }: ScenarioInput): number {
  const [, kind, n] = /^(\w[\w-]*):(\d+)/.exec(String(topology))!
  return kind === 'hypercube' ? 2 ** Number(n) : Number(n)
}

function placeOf({ file }: GradeSubject, given: ScenarioInput) {
  const ids = Array.isArray(given.ids) ? (given.ids as readonly number[]) : undefined
  return { n: sizeOf(given), ...(ids && { ids }), replay: commandLine('run', file, given) }
}

/** The sizes at which a definition was simulated once. */
export interface GradedSizes {
  /** Every size up to this one. */
  readonly every: number
  /** Larger sizes, since numbers of the source are near. */
  readonly larger: readonly number[]
  /** Such sizes beyond the budget. */
  readonly left: readonly number[]
}

const LARGEST_SIZE = 4096
/** Up to this size ids and values are taken from the source. */
const NUMBERED = [3, 5]
const LARGEST_NUMBER = 10_000

/** Simulates each size once, then larger sizes near the numbers in the source, and those as ids. */
export function* simulateSizes(
  subject: GradeSubject,
  findings: Findings,
  { every: most, messages: budget }: { readonly every: number; readonly messages: number },
): Generator<string, GradedSizes> {
  const { algorithm, numbers } = subject
  const { network, ids, knows, idUse } = findings.world
  const possible = (n: number) => neededNetworks[network].sized(n) !== null
  let left = budget
  /** Whether the budget was enough. */
  const simulated = (n: number, more: ScenarioInput = {}): boolean => {
    const least = network === 'complete' || algorithm.meet !== null ? Math.ceil((n * n) / 2) : n
    if (n > LARGEST_SIZE || least > left) return false
    const given = explicitWorld(algorithm, { n, seed: n, ...more })
    const outcome = judgedRun(subject, findings, given, left)
    left -= Math.max(least, (outcome?.result.messages.total ?? 0) + (outcome?.result.links ?? 0))
    return outcome !== null && !outcome.cut
  }
  let every = 0
  yield 'simulating every size'
  for (let n = 1; n <= most && left > budget / 2 && !findings.settled; n++) {
    if (possible(n) && !simulated(n)) break
    every = n
  }
  left = Math.min(left, budget / 2)
  yield 'simulating the numbers in the source'
  const near = numbers.filter((c) => c >= 1)
  const compared = ids === 'none' || (ids === 'unique' && idUse.kind === 'proved')
  if (!compared || knows.includes('inputs'))
    for (const c of near.filter((number) => number <= LARGEST_NUMBER))
      for (const n of NUMBERED.filter(possible)) {
        const about = Array.from({ length: n }, (_, i) => Math.max(0, c - 2) + i)
        const given = {
          ...(!compared && { ids: about }),
          ...(knows.includes('inputs') && { values: about }),
        }
        if (!findings.settled) simulated(n, given)
      }
  const asked = near
    .flatMap((c) => [c - 1, c, c + 1, 2 * c + 1])
    .map((n) => (possible(n) ? n : 2 ** ceilLog2(n)))
  const sizes = [...new Set(asked)].filter((n) => n > every).sort((a, b) => a - b)
  const larger = sizes.filter((n) => !findings.settled && simulated(n))
  // What an error cut short was not beyond the budget.
  return { every, larger, left: findings.settled ? [] : sizes.filter((n) => !larger.includes(n)) }
}

/** What the algorithm promises in every world, with and without faults. */
export function promisedBy(algorithm: Algorithm): readonly Property[] {
  return [false, true].flatMap((faults) =>
    exploredProperties(algorithm, faults, propertiesOf(algorithm, faults)),
  )
}

/** Shapes besides the usual network of an algorithm. */
const SHAPES: Readonly<Partial<Record<GradedWorld['network'], readonly string[]>>> = {
  any: ['ring', 'path', 'star', 'complete'],
  tree: ['path', 'star', 'scale-free:n:1'],
}

/** A world of the kind that the definition declares. */
function randomWorld(
  { algorithm, numbers }: GradeSubject,
  world: GradedWorld,
  seed: number,
  random: Random,
): ScenarioInput {
  const { network, time, start, order } = world
  const one = <T>(of: readonly T[]): T => of[random.below(of.length)]
  const drawn = 1 + random.below(LARGEST_RANDOM)
  const n = neededNetworks[network].sized(drawn) === null ? 2 ** floorLog2(drawn) : drawn
  // Half of the networks for which anything may be declared are random graphs.
  const shapes = SHAPES[network] ?? []
  const shape = shapes.length > 0 && n > 2 ? one([null, one(shapes)]) : null
  const delays = ['unit', 'uniform:1:10', ...(time === 'asynchronous' ? ['exponential:3'] : [])]
  const wakes = start === 'together' ? ['all'] : ['all', 'rate:0.5', '0']
  const ids = randomIds(world.ids, n, numbers, random)
  const untimed = time === 'rounds' || time === 'meetings'
  const crash = world.crashes && n > 2 && random.below(2) === 0
  return explicitWorld(algorithm, {
    n,
    ...(shape !== null && { topology: shape.replace(/:n|$/, `:${n}`) }),
    ...(ids && { ids }),
    seed,
    ...(time !== 'meetings' && { wake: one(wakes) }),
    ...(!untimed && { delay: one(delays) }),
    ...(!untimed && order === 'any' && { order: one(['any', 'fifo']) }),
    ...(crash && { crash: `${random.below(n)}@${1 + random.below(3 * n)}` }),
  })
}
