import { type Algorithm, type Random, type Topology, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { drawn, type ValueSource, type ValueType } from '../../core/language/value-types.ts'
import type { CorruptedStart } from '../../core/language/world.ts'
import { quoted } from '../../core/text-format.ts'
import { integer } from '../../options/reading.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'

const EXAMPLE = '[[null], [[99, 0], null], [null]]'

/** The fields of a run that begins in any state. */
type CorruptionFields = Pick<Scenario, 'corrupt' | 'tables'>

/** Reads the seed of a corrupted start, or its tables, for algorithms that begin in any state. */
export function corruptionFields(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): CorruptionFields {
  const { corrupt, tables } = given
  const field = corrupt === undefined ? 'tables' : 'corrupt'
  if (given[field] === undefined) return {}
  if (algorithm.problem?.anyStart !== true)
    throw new UsageError(
      where(field),
      `${algorithm.name} begins in its initial state, and promises nothing for any other.`,
      'Leave it out, or run stabilizing.',
    )
  if (corrupt !== undefined && tables !== undefined)
    throw new UsageError(
      where('tables'),
      `the beginning is either drawn or given, but ${where('corrupt')} is set, too.`,
      'Leave one of them out.',
    )
  return corrupt === undefined
    ? { tables: tablesText(where('tables'), tables) }
    : { corrupt: integer(where('corrupt'), corrupt, 0, Number.MAX_SAFE_INTEGER, 'a seed') }
}

/** The beginning of a run that a scenario corrupts; undefined where it does not. */
export function corruptedStart(
  where: FieldLocator,
  { corrupt, tables }: CorruptionFields,
  algorithm: Algorithm,
  world: { readonly topology: Topology; readonly ids: Float64Array },
  random: Random,
): CorruptedStart | undefined {
  if (corrupt !== undefined) return drawnStart(algorithm, world, random.split(`corrupt ${corrupt}`))
  if (tables === undefined) return undefined
  return { fields: tableFields(where('tables'), tables, algorithm, world.topology), messages: [] }
}

/** Every field of every node, and on every second link a message. */
function drawnStart(
  { layout, kinds }: Algorithm,
  { topology, ids }: { readonly topology: Topology; readonly ids: Float64Array },
  random: Random,
): CorruptedStart {
  const below = (k: number) => random.below(k)
  const largestId = ids.reduce((a, b) => Math.max(a, b), 0)
  const sources = Array.from({ length: topology.n }, (_, node): ValueSource => {
    return { below, largestId, n: topology.n, links: linksOf(topology, node) }
  })
  const values = (fields: object, source: ValueSource) =>
    Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, drawn(type, source)]))
  const fields = sources.map((source) => values(layout.own, source))
  const messages = sources.flatMap((source, node) =>
    source.links
      .filter(() => below(2) === 0)
      .map((link) => {
        const kind = below(kinds.length)
        const receiver = sources[topology.neighbor(node, link)]
        return { node, link, kind, body: values(kinds[kind].codec.fields, receiver) }
      }),
  )
  return { fields, messages }
}

function tablesText(where: string, value: unknown): string {
  const tables = typeof value === 'string' ? parsed(where, value) : value
  if (Array.isArray(tables) && tables.every((row) => Array.isArray(row)))
    return JSON.stringify(tables)
  throw unreadable(where, value)
}

function parsed(where: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(where, text)
  }
}

function unreadable(where: string, value: unknown): UsageError {
  return new UsageError(
    where,
    `expected a list for each position, with an entry or null for each neighbour, got ${quoted(value)}.`,
    `Write for example ${EXAMPLE} for path:3.`,
  )
}

/** What nodes believe of their neighbours, which are listed in the order of their positions. */
function tableFields(
  where: string,
  text: string,
  { name, layout }: Algorithm,
  topology: Topology,
): CorruptedStart['fields'] {
  const found = Object.entries(layout.own).find(([, { schema }]) => schema.startsWith('map(nat,'))
  if (found === undefined)
    throw new UsageError(where, `${name} keeps nothing by link.`, 'Leave them out.')
  const [field, type] = found
  const rows = JSON.parse(text) as unknown[][]
  if (rows.length !== topology.n)
    throw new UsageError(
      where,
      `${rows.length} tables are given, but there are ${topology.n} nodes.`,
      'Write one for each position.',
    )
  return rows.map((row, node) => {
    const links = [...linksOf(topology, node)].sort(
      (a, b) => topology.neighbor(node, a) - topology.neighbor(node, b),
    )
    if (row.length !== links.length)
      throw new UsageError(
        where,
        `the table of position ${node} has ${row.length} entries, but the node has ${links.length} links.`,
        'Write an entry or null for each neighbour, in the order of positions.',
      )
    const entries = links.map((link, i) => [link, row[i]] as const)
    const given = entries.filter(([, value]) => value !== null)
    for (const [link, value] of given) {
      const problem = entryProblem(type, link, value)
      if (problem === null) continue
      const neighbour = `its neighbour at position ${topology.neighbor(node, link)}`
      const entry = `the entry of position ${node} on ${neighbour}`
      throw new UsageError(
        where,
        `${entry} is ${JSON.stringify(value)}, but ${problem}.`,
        `Write null, or an entry as in ${EXAMPLE} for path:3.`,
      )
    }
    return { [field]: type.copy(new Map(given)) }
  })
}

/** What a type says of a value in a map: where in the value, and what must be there. */
const MISMATCH = /^it\.get\(.*?\)(\[[01]\])? is .*, but \w+ must be (.*)$/s
const PLACES: Readonly<Record<string, string>> = { '[0]': 'its first', '[1]': 'its second' }

/** Why an entry is none, in the words of the document, which knows nothing of maps and types. */
function entryProblem(type: ValueType<unknown>, link: number, value: unknown): string | null {
  const problem = type.check(new Map([[link, value]]), 'it')
  if (problem === null) return null
  const [, place, needed] = MISMATCH.exec(problem) ?? []
  if (needed === undefined) return problem
  return place === undefined ? `it must be ${needed}` : `${PLACES[place]} value must be ${needed}`
}
