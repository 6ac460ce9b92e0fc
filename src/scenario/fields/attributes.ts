import { type Algorithm, type Random, type Topology, UsageError } from '../../core/index.ts'
import type { World } from '../../core/language/world.ts'
import { keysBy } from '../../core/runtime/election-keys.ts'
import type { FieldLocator, Scenario, ScenarioInput } from '../scenario.ts'
import { quoted } from './reading.ts'
import { readValues, valuesOf } from './values.ts'

const NEAR = /^near:(-?[\d.]+):(-?[\d.]+)$/

/** The part of a world that says who is compared by what. */
type Attributes = Pick<World, 'ids' | 'names' | 'values'>

/** The fields of a scenario that say what is compared. */
export function attributeFields(
  given: ScenarioInput,
  algorithm: Algorithm,
  where: FieldLocator,
): Pick<Scenario, 'values' | 'elect-by'> {
  // Where nodes compute with what they hold, they always hold something, and ids decide.
  const inputs = algorithm.needs.knows?.includes('inputs') === true
  const held = given.values ?? (inputs ? 'uniform:0:1' : undefined)
  const values = held === undefined ? undefined : readValues(where('values'), held)
  const by = given['elect-by'] ?? (inputs ? 'id' : undefined)
  const electBy = readElectBy(where('elect-by'), by, values !== undefined)
  if (values !== undefined) refuseAttributes(where('values'), algorithm, given)
  if (electBy !== 'id') refuseAttributes(where('elect-by'), algorithm, given)
  return {
    ...(values !== undefined && { values }),
    ...(algorithm.needs.ids === 'unique' && { 'elect-by': electBy }),
  }
}

/** The ids, or keys in their place where something else is compared first. */
export function attributesOf(
  where: FieldLocator,
  { values: listed, 'elect-by': electBy = 'id' }: Scenario,
  topology: Topology,
  ids: Float64Array,
  random: Random,
  room = 0,
): Attributes {
  const values = listed === undefined ? null : valuesOf(where('values'), listed, topology.n, random)
  const worth = worthOf(where('elect-by'), electBy, topology, values)
  if (worth === null && room === 0) return { ids, ...(values && { values }) }
  const smallestWins = electBy === 'value:min' || NEAR.test(electBy)
  const { keys, names } = keysBy(ids, worth ?? (() => 0), smallestWins, room)
  return { ids: keys, names, ...(values && { values }) }
}

/** What is compared before the ids; null where nothing is. */
function worthOf(
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
    `near:X:Y needs nodes that lie somewhere, but those of ${topology.name} do not.`,
    'Use a network such as geometric:100:0.2.',
  )
}

function readElectBy(where: string, value: unknown, valued: boolean): string {
  if (value === undefined) return valued ? 'value' : 'id'
  if (value === 'value' || value === 'value:min') {
    if (valued) return value
    throw new UsageError(
      where,
      'nodes that are elected by value need values, but there are none.',
      'Add for example --values uniform:0:1.',
    )
  }
  if (value === 'id' || value === 'degree') return value
  const near = typeof value === 'string' ? NEAR.exec(value) : null
  if (near && [near[1], near[2]].every((part) => Number.isFinite(Number(part)))) return near[0]
  throw new UsageError(
    where,
    `id, value, value:min, degree or near:X:Y is needed, but ${quoted(value)} was given.`,
    'Write for example near:0.5:0.5.',
  ).withCandidates(value, ['id', 'value', 'degree', 'near'])
}

/** Keys stand in for ids only where ids are compared and nothing else, and where they differ. */
function refuseAttributes(where: string, { name, needs }: Algorithm, { ids }: ScenarioInput): void {
  if (needs.ids === 'unique' && ids !== 'same') return
  throw new UsageError(
    where,
    `attributes are for algorithms that compare ids, and ids break the ties, but ${
      needs.ids === 'unique'
        ? 'these ids are all the same'
        : `${name} ${needs.ids === 'numbers' ? 'computes with ids' : 'knows no ids'}`
    }.`,
    needs.ids === 'unique' ? 'Give every node an id of its own.' : 'Run another algorithm.',
  )
}
