import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { refuseUnknownFields } from '../../options/reading.ts'
import { BUILT_IN_PROBLEMS } from '../../problems/algorithm-properties.ts'
import { everyFairRunElects } from '../../problems/leader-election.ts'
import { type CostBound, readCostBound } from './bound-formula.ts'
import { NO_ERRORS, TERMINATION } from './findings.ts'
import type { CostAt, Grade } from './grade.ts'
import { REQUIREMENTS, readNames, unmetRequirements } from './requirements.ts'

/** Points for what a definition does well. */
export interface Rubric {
  /** For a definition in which no error was found. */
  readonly correct: number
  /** By the name of a property. */
  readonly properties: readonly (readonly [name: string, points: number])[]
  /** By the word of a requirement. */
  readonly requirements: readonly (readonly [word: string, points: number])[]
  readonly costs: readonly RubricCost[]
}

interface RubricCost {
  readonly bound: CostBound
  readonly points: number
  readonly sizes: readonly number[]
}

/** What was earned for one line of the rubric. */
export interface PointItem {
  readonly what: string
  readonly points: number
  readonly of: number
  /** Why points were lost. */
  readonly note: string
}

export interface Points {
  readonly sum: number
  readonly most: number
  readonly items: readonly PointItem[]
}

const FIELDS = ['title', 'notes', 'correct', 'properties', 'requirements', 'costs']
const COST_FIELDS = ['bound', 'points', 'sizes']
const SIZES = [8, 16, 32, 64]
const LARGEST_SIZE = 1024

/** The names of all properties by which the problems of `conclave` judge an election. */
function judgedProperties(): string[] {
  const traits = [{}, { elects: 'another' }, { quiet: 'never' }].map((more) => ({
    needs: { topology: 'complete', ids: 'unique' },
    ...more,
  }))
  const listed = BUILT_IN_PROBLEMS.flatMap(({ properties }) =>
    typeof properties !== 'function'
      ? properties
      : [true, false].flatMap((faults) =>
          traits.flatMap((trait) => properties(faults, trait as never)),
        ),
  )
  return [...new Set([...listed, everyFairRunElects].map(({ name }) => name)), TERMINATION]
}

/** Reads the names of the properties that count. */
export function readProperties(where: string, list: string): string[] {
  return readNames(where, list, judgedProperties(), 'a property', 'The properties are')
}

/** Reads a rubric. */
export function readRubric(where: string, given: Readonly<Record<string, unknown>>): Rubric {
  const names = judgedProperties()
  refuseUnknownFields(given, FIELDS, 'a rubric', () => where)
  const rubric = {
    correct: given.correct === undefined ? 0 : pointsIn(`${where}: correct`, given.correct),
    properties: pointTable(where, 'properties', given.properties, [...names, NO_ERRORS]),
    requirements: pointTable(where, 'requirements', given.requirements, Object.keys(REQUIREMENTS)),
    costs: costsIn(where, given.costs),
  }
  if (mostOf(rubric) > 0) return rubric
  throw new UsageError(
    where,
    'the rubric gives no points.',
    'Write for example {"properties": {"at most one leader": 3}}.',
  )
}

function pointTable(
  where: string,
  field: string,
  value: unknown,
  names: readonly string[],
): [string, number][] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(
      `${where}: ${field}`,
      `names with points are needed, but ${quoted(value)} was given.`,
      `Write for example {${quoted(names[0])}: 2}.`,
    )
  return Object.entries(value).map(([name, points]) => {
    if (!names.includes(name))
      throw new UsageError(
        `${where}: ${field}`,
        `there is no ${quoted(name)}.`,
        `Known are ${names.join(', ')}.`,
      ).withCandidates(name, names)
    return [name, pointsIn(`${where}: ${field}: ${name}`, points)]
  })
}

function costsIn(where: string, value: unknown): RubricCost[] {
  if (value === undefined) return []
  const example = 'Write for example [{"bound": "messages <= 4 n log2 n", "points": 2}].'
  if (!Array.isArray(value))
    throw new UsageError(`${where}: costs`, 'a list of bounds is needed.', example)
  return value.map((one, i) => {
    const at = `${where}: costs[${i}]`
    if (typeof one !== 'object' || one === null)
      throw new UsageError(at, `${quoted(one)} is not a bound with points.`, example)
    const given = one as Readonly<Record<string, unknown>>
    refuseUnknownFields(given, COST_FIELDS, 'a cost', () => at)
    const { bound, points, sizes = SIZES } = given
    return {
      bound: readCostBound(`${at}: bound`, bound),
      points: pointsIn(`${at}: points`, points),
      sizes: sizesIn(`${at}: sizes`, sizes),
    }
  })
}

function pointsIn(where: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new UsageError(
    where,
    `points are a number from 0; ${quoted(value)} was given.`,
    'Write for example 2 or 0.5.',
  )
}

function sizesIn(where: string, value: unknown): number[] {
  const fits = (n: unknown) => Number.isInteger(n) && Number(n) >= 1 && Number(n) <= LARGEST_SIZE
  if (Array.isArray(value) && value.length > 0 && value.every(fits)) return value
  throw new UsageError(
    where,
    `sizes are a list of whole numbers from 1 to ${LARGEST_SIZE}; ${quoted(value)} was given.`,
    'Write for example [8, 16, 32].',
  )
}

/** The most points that a definition can earn. */
function mostOf({ correct, properties, requirements, costs }: Rubric): number {
  const parts = [correct, ...[...properties, ...requirements].map(([, points]) => points)]
  return [...parts, ...costs.map(({ points }) => points)].reduce((sum, one) => sum + one, 0)
}

/** The points of a definition; null if it could not be graded at all. */
export function pointsFor(rubric: Rubric, grade: Grade | null): Points {
  const items: PointItem[] = []
  const add = (what: string, of: number, note: string | null) =>
    items.push({ what, points: note === null ? of : 0, of, note: note ?? '' })
  if (rubric.correct > 0) add('correct', rubric.correct, wrongness(grade))
  for (const [name, of] of rubric.properties) add(name, of, propertyNote(name, grade))
  for (const [word, of] of rubric.requirements) {
    const unmet = grade === null ? [] : unmetRequirements([word], grade.world)
    add(word, of, grade === null ? UNGRADED : (unmet[0]?.reason ?? null))
  }
  for (const [i, { bound, points, sizes }] of rubric.costs.entries())
    add(bound.text, points, costNote(bound, sizes, grade, grade?.costs[i] ?? []))
  const sum = items.reduce((total, item) => total + item.points, 0)
  return { sum, most: mostOf(rubric), items }
}

const UNGRADED = 'not graded'

function wrongness(grade: Grade | null): string | null {
  if (grade === null || grade.refused.length > 0) return UNGRADED
  if (grade.verdict === 'right' || grade.verdict === 'no error found') return null
  return grade.verdict === 'wrong' ? 'an error was found' : 'no verdict'
}

function propertyNote(name: string, grade: Grade | null): string | null {
  if (grade === null || grade.refused.length > 0) return UNGRADED
  const threw = grade.broken.some(({ property }) => property === NO_ERRORS)
  if (name === NO_ERRORS) return threw ? 'it threw an error' : null
  const holds = grade.properties.find((one) => one.name === name)?.holds
  if (holds === false) return 'violated'
  // What an error cut short is not known.
  if (threw) return 'not decided, since it threw an error'
  return holds === true ? null : holds === null ? 'not decided' : 'not judged here'
}

function costNote(
  { measure, value }: CostBound,
  sizes: readonly number[],
  grade: Grade | null,
  costs: readonly CostAt[],
): string | null {
  const wrong = wrongness(grade)
  if (wrong !== null) return wrong
  for (const n of sizes) {
    const found = costs.find((one) => one.n === n)
    if (found === undefined || found.value === null) return `no ${measure} at n = ${n}`
    const most = value({ n, links: found.links })
    if (!(found.value <= most)) return `${rounded(found.value)} > ${rounded(most)} at n = ${n}`
  }
  return null
}

function rounded(value: number): string {
  return String(Number(value.toFixed(1)))
}
