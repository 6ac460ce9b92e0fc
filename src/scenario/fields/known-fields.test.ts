import { expect, it } from 'vitest'
import { aggregations, ghs } from '../../algorithms/index.ts'
import { prepareAggregation } from '../gossip/prepare-gossip.ts'
import { prepare } from '../prepare.ts'

const where = (field: string) => `run.json: ${field}`
const gossip = aggregations[0]

const ELECTION = { ...prepare({}, ghs, where).scenario, n: 8, values: 'index', role: 'a' }
const AGGREGATION = { ...prepareAggregation({}, gossip, where).scenario, n: 8 }

it.each(Object.keys(ELECTION))('null is no value for %s of an election', (field) => {
  expect(() => prepare({ [field]: null }, ghs, where)).toThrow(
    `run.json: ${field}: a value is needed, but null was given`,
  )
})

it.each(Object.keys(AGGREGATION))('null is no value for %s of an aggregation', (field) => {
  expect(() => prepareAggregation({ [field]: null }, gossip, where)).toThrow(
    `run.json: ${field}: a value is needed, but null was given`,
  )
})

it('a field that there is not is named with those that there are', () => {
  expect(() => prepare({ idz: 1 }, ghs, where)).toThrow(
    /a scenario has .*, ids, .* "idz" was given/,
  )
  expect(() => prepareAggregation({ role: 'a' }, gossip, where)).toThrow(
    /by messages has the fields/,
  )
})
