import { type Algorithm, floorLog2, type Property, Random, type Verdict } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { exploredProperties, propertiesOf } from '../../problems/algorithm-properties.ts'
import { commandLine } from '../../scenario/command-line.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
import { measuredElection } from '../study/run-job.ts'
import { type Findings, type GradeSubject, TERMINATION, thrownError } from './findings.ts'
import type { GradedWorld } from './graded-world.ts'
import { randomIds } from './small-worlds.ts'

/** The largest network of a random world. */
export const LARGEST_RANDOM = 32
/** The limit on messages of one run, for definitions that do not terminate. */
const MOST_MESSAGES = 200_000
/** The same where runs are known not to end: every run, or most of them, would get there. */
const MOST_OF_ENDLESS = 2_000
/** Runs between two reports of progress. */
const BATCH = 50

/** Simulates random worlds, keeps the smallest that violates a property, yields now and then. */
export function* simulateWorlds(
  subject: GradeSubject,
  findings: Findings,
  worlds: number,
): Generator<string, number> {
  const random = Random.from(1)
  const promised = new Set(promisedBy(subject.algorithm).map(({ name }) => name))
  for (let seed = 1; seed <= worlds && !findings.threw; seed++) {
    if (seed % BATCH === 1) yield 'simulating random worlds'
    const drawn = randomWorld(findings.world, seed, subject.numbers, random)
    const known = findings.names.includes(TERMINATION)
    const endless = known || subject.algorithm.quiet === 'never'
    // Nodes meet for ever, but such a run ends when it is stable.
    const limited = endless && subject.algorithm.meet === null
    const given = limited ? { ...drawn, 'max-messages': MOST_OF_ENDLESS } : drawn
    const n = (given.n as number | undefined) ?? Number(/:(\d+)/.exec(String(given.topology))?.[1])
    const ids = given.ids as readonly number[] | undefined
    const place = { n, ...(ids && { ids }), replay: commandLine('run', subject.file, given) }
    try {
      const { result } = measuredElection(given, subject.algorithm, (field) => field)
      const judged = result.verdict.properties.filter(({ name }) => promised.has(name))
      findings.decide(judged)
      for (const { name, detail } of brokenOf(judged, endless))
        findings.add({ property: name, detail, ...place, steps: [] })
    } catch (error) {
      findings.addError(thrownError(error), place)
    }
  }
  return worlds
}

/** What the algorithm promises in every world, with and without faults. */
function promisedBy(algorithm: Algorithm): readonly Property[] {
  return [false, true].flatMap((faults) =>
    exploredProperties(algorithm, faults, propertiesOf(algorithm, faults)),
  )
}

/** The violated properties; a run that was cut off did not terminate, unless that is known. */
function brokenOf(
  properties: readonly Verdict[],
  endless: boolean,
): { name: string; detail: string }[] {
  const broken = properties.filter(({ holds }) => holds === false)
  const decided = endless || properties.every(({ holds }) => holds !== null)
  if (broken.length > 0 || decided) return broken
  const detail = `more than ${MOST_MESSAGES} messages were sent, and the run had not ended`
  return [{ name: TERMINATION, detail }]
}

/** Shapes besides the usual network of an algorithm. */
const SHAPES: Readonly<Partial<Record<GradedWorld['network'], readonly string[]>>> = {
  any: ['ring', 'path', 'star', 'complete'],
  tree: ['path', 'star', 'scale-free:n:1'],
}

/** A world of the kind that the definition declares. */
function randomWorld(
  world: GradedWorld,
  seed: number,
  numbers: readonly number[],
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
  return {
    ...(shape === null ? { n } : { topology: shape.replace(/:n|$/, `:${n}`) }),
    ...(ids && { ids }),
    seed,
    wake: one(wakes),
    ...(time === 'rounds' && { timing: 'sync' }),
    ...(!untimed && { delay: one(delays) }),
    ...(!untimed && order === 'any' && { order: one(['any', 'fifo']) }),
    ...(crash && { crash: `${random.below(n)}@${1 + random.below(3 * n)}` }),
    'max-messages': MOST_MESSAGES,
  }
}
