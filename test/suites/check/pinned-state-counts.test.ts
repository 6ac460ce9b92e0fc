import { expect, it } from 'vitest'
import { lcr } from '../../../src/algorithms/index.ts'
import { checkWorld } from '../../../src/check/index.ts'
import { preparation } from '../../support/random-worlds.ts'

/** A machine may have others to serve. */
const SLOWLY = { timeout: 300_000 }

/* Spin, TLC, Stateright, Runway and a prototype count the same on their models of this ring. */
it('has 1,604,676 states and 11,121,225 transitions on twelve decreasing ids', SLOWLY, () => {
  const { world, properties } = preparation(lcr, { n: 12, ids: 'decreasing' })
  const whole = { reduction: 'off' } as const
  const rules = { ...whole, mode: 'untimed', order: 'fifo', wake: 'any' } as const
  const result = checkWorld(world, { ...rules, properties, limits: { states: 2e6 } })
  expect(result).toMatchObject({ states: 1_604_676, transitions: 11_121_225, violated: null })
  expect(result.properties.filter(({ holds }) => holds !== true)).toEqual([])
})
