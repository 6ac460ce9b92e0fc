import { distance } from 'fastest-levenshtein'
import { type Aggregation, aggregations, catalogue } from '../../algorithms/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { quoted } from '../../scenario/fields/reading.ts'

/** The aggregation of that name, if it is one. */
export function aggregationNamed(name: string): Aggregation | undefined {
  return aggregations.find((aggregation) => aggregation.name === name)
}

/** The algorithm of an aggregation of which nothing is set. */
export function usualAlgorithm({ settings, algorithm }: Aggregation): Algorithm {
  const usual = Object.entries(settings).map(([name, { otherwise }]) => [name, otherwise])
  return algorithm(Object.fromEntries(usual))
}

/** The election of that name, or a complaint that suggests the nearest. */
export function algorithmNamed(name: string, where = 'algorithm'): Algorithm {
  const found = catalogue.find((algorithm) => algorithm.name === name)
  if (found !== undefined) return found
  if (aggregationNamed(name)) {
    throw new UsageError(
      where,
      `an election is needed, but ${name} is an aggregation.`,
      `Use conclave run ${name}.`,
    )
  }
  const names = [...catalogue, ...aggregations].map((algorithm) => algorithm.name)
  throw new UsageError(
    where,
    `a name from conclave list is needed, but ${quoted(name)} was given.`,
    `There are ${names.join(', ')}.`,
  ).withCandidates(name, names)
}

/** Fewer letters are the beginning of anything. */
const FEWEST = 4

/** The name that somebody meant who mistyped it, or the beginning of it; null if none is near. */
export function nearestOf(text: string, names: readonly string[]): string | null {
  const typed = text.toLowerCase()
  const [best] = names
    .map((name) => {
      const beginning = typed.length < FEWEST ? name : name.slice(0, typed.length)
      return { name, slips: Math.min(distance(typed, name), distance(typed, beginning)) }
    })
    .sort((a, b) => a.slips - b.slips || a.name.length - b.name.length)
  const near = best.slips <= Math.max(2, typed.length / 3) && best.slips < typed.length
  return near ? best.name : null
}
