import { type Algorithm, type Random, type Topology, UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { electingLargest, keysBy } from '../../core/runtime/election-keys.ts'
import { unexpected } from '../../options/reading.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'
import { readValues, valuesOf } from './values.ts'

const NEAR = /^near:(-?[\d.]+):(-?[\d.]+)$/

/** The part of a world that determines how nodes are compared. */
type Attributes = Pick<World, 'ids' | 'names' | 'values'>

/** Reads the fields that determine how nodes are compared. */
export function attributeFields(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): Pick<Scenario, 'values' | 'elect-by'> {
  // Algorithms that compute with inputs always have values, and elect by id. In terms the input is
  // how much of a log a node has: nothing, unless values are given.
  const inputs = algorithm.needs.knows?.includes('inputs') === true
  const drawn = inputs && algorithm.problem?.terms !== true
  const held = given.values ?? (drawn ? 'uniform:0:1' : undefined)
  const values = held === undefined ? undefined : readValues(where('values'), held)
  const by = given['elect-by'] ?? (inputs ? 'id' : undefined)
  const electBy = readElectBy(where('elect-by'), by, values !== undefined)
  if (electBy !== 'id') {
    const place = where(given['elect-by'] === undefined ? 'values' : 'elect-by')
    refuseKeys(place, algorithm, given)
    electingLargest(place, algorithm)
  }
  if (values !== undefined) refuseKeys(where('values'), algorithm, given)
  return {
    ...(values !== undefined && { values }),
    ...(algorithm.needs.ids === 'unique' && { 'elect-by': electBy }),
  }
}

/** The ids, or keys in their place where another attribute is compared first. */
export function attributesOf(
  where: FieldLocator,
  { values: listed, 'elect-by': electBy = 'id' }: Scenario,
  topology: Topology,
  ids: Float64Array,
  random: Random,
  room = 0,
): Attributes {
  const values = listed === undefined ? null : valuesOf(where('values'), listed, topology.n, random)
  const attribute = attributeOf(where('elect-by'), electBy, topology, values)
  if (attribute === null && room === 0) return { ids, ...(values && { values }) }
  const smallestWins = electBy === 'value:min' || NEAR.test(electBy)
  const { keys, names } = keysBy(ids, attribute ?? (() => 0), smallestWins, room)
  return { ids: keys, names, ...(values && { values }) }
}

/** The attribute that is compared before the ids; null if there is none. */
function attributeOf(
  where: string,
  electBy: string,
  topology: Topology,
  values: Float64Array | null,
): ((node: number) => number) | null {
  if (electBy === 'degree') return (node) => topology.degree(node)
  const near = NEAR.exec(electBy)
  if (near === null) return electBy === 'id' || values === null ? null : (node) => values[node]
  const { coordinates } = topology
  if (coordinates !== undefined) {
    const [x, y] = [Number(near[1]), Number(near[2])]
    return (node) => (coordinates[2 * node] - x) ** 2 + (coordinates[2 * node + 1] - y) ** 2
  }
  throw new UsageError(
    where,
    `near:X:Y needs coordinates, which the nodes of ${topology.name} do not have.`,
    'Use a network such as geometric:100:0.2.',
  )
}

function readElectBy(where: string, value: unknown, valued: boolean): string {
  if (value === undefined) return valued ? 'value' : 'id'
  if (value === 'value' || value === 'value:min') {
    if (valued) return value
    throw new UsageError(
      where,
      'nodes cannot be elected by value without values.',
      'Give them values, for example uniform:0:1.',
    )
  }
  if (value === 'id' || value === 'degree') return value
  const near = typeof value === 'string' ? NEAR.exec(value) : null
  if (near && [near[1], near[2]].every((part) => Number.isFinite(Number(part)))) return near[0]
  throw unexpected(
    where,
    'id, value, value:min, degree or near:X:Y',
    value,
    /^near/.test(String(value))
      ? 'Write for example near:0.5:0.5.'
      : 'Choose one of them; any other attribute is given as values.',
  ).withCandidates(value, ['id', 'value', 'degree', 'near'])
}

/** Keys can replace ids only in algorithms that do nothing but compare ids, and if ids differ. */
function refuseKeys(where: string, { name, needs }: Algorithm, { ids }: ScenarioInput): void {
  if (needs.ids === 'unique' && ids !== 'same') return
  const [reason, hint] =
    needs.ids === 'unique'
      ? ['all ids are equal and cannot break ties', 'Give every node an id of its own.']
      : needs.ids === 'numbers'
        ? [`${name} computes with ids`, 'Run another algorithm.']
        : [`${name} uses no ids`, 'Run another algorithm.']
  throw new UsageError(where, `nodes cannot be elected by attributes: ${reason}.`, hint)
}
