import { expect, it } from 'vitest'
import { aggregations, ghs } from '../algorithms/index.ts'
import { prepare } from './prepare.ts'

const where = (field: string) => `run.json: ${field}`
const gossip = aggregations[0]

const ELECTION = { ...prepare({}, ghs, where).scenario, n: 8, values: 'index', role: 'a' }
const AGGREGATION = { ...prepare({}, gossip, where).scenario, n: 8 }

it.each(Object.keys(ELECTION))('null is not a value of %s in an election', (field) => {
  expect(() => prepare({ [field]: null }, ghs, where)).toThrow(
    `run.json: ${field}: null is not a value`,
  )
})

it.each(Object.keys(AGGREGATION))('null is not a value of %s in an aggregation', (field) => {
  expect(() => prepare({ [field]: null }, gossip, where)).toThrow(
    `run.json: ${field}: null is not a value`,
  )
})

it('the error for an unknown field names the one that was meant, or lists all', () => {
  expect(() => prepare({ idz: 1 }, ghs, where)).toThrow(/has no field "idz". Did you mean ids\?/)
  expect(() => prepare({ colour: 1 }, ghs, where)).toThrow(/has no field "colour".* ids, /)
  expect(() => prepare({ role: 'a' }, gossip, where)).toThrow(/by messages has no field "role"/)
})
