import { closest, distance } from 'fastest-levenshtein'
import { catalogue } from '../algorithms/index.ts'
import { type Algorithm, Complaint } from '../core/index.ts'

/** The algorithm of that name, or a complaint that suggests the nearest. */
export function algorithmNamed(name: string, where = 'algorithm'): Algorithm {
  const found = catalogue.find((algorithm) => algorithm.name === name)
  if (found !== undefined) return found
  const names = catalogue.map((algorithm) => algorithm.name)
  const nearest = closest(name.toLowerCase(), names)
  const near = distance(name.toLowerCase(), nearest) <= Math.max(2, nearest.length / 3)
  throw new Complaint(
    where,
    'a name from conclave list is needed',
    `${JSON.stringify(name)} was given`,
    near ? `Did you mean ${nearest}?` : `There are ${names.join(', ')}.`,
  )
}
