import { describe, expect, it } from 'vitest'
import { entries, loadDefinition } from './catalogue.ts'
import { familyOf } from './families.ts'
import { aggregations, catalogue, definitionNamed, otherNames } from './index.ts'
import { isAggregation } from './kinds.ts'

const definitions = [...catalogue, ...aggregations]

describe('the table of the catalogue', () => {
  it('has a line for every definition: elections by name, and aggregations', () => {
    const [elections, others] = [catalogue, aggregations].map((all) => all.map(({ name }) => name))
    expect(entries.map(({ name }) => name)).toEqual([...elections.toSorted(), ...others])
  })

  it.each(definitions.map((one) => [one.name, one] as const))(
    'knows the other names and the family of %s',
    (name, definition) => {
      const entry = entries.find((one) => one.name === name)!
      expect(entry.others).toEqual(otherNames(definition))
      expect(entry.family).toBe(familyOf(definition).name)
      expect(entry.family === 'aggregations').toBe(isAggregation(definition))
    },
  )

  it.each(definitions.map((one) => [one.name, one] as const))('loads %s', async (name, one) => {
    expect(await loadDefinition(name)).toBe(one)
  })

  it('loads an election under a lease', async () => {
    expect(await loadDefinition('leased:Bully')).toBe(definitionNamed('leased:bully'))
  })
})
