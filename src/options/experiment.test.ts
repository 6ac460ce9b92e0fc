import { expect, it } from 'vitest'
import { withOwnNames } from './experiment.ts'

const inFile = (field: string) => `study.json: ${field}`

it('fields by other names are read as their own, and errors name them as they were given', () => {
  const [fields, where] = withOwnNames({ base: {}, measures: ['time'], fit: 'auto' }, inFile)
  expect(fields).toEqual({ base: {}, measure: ['time'], fit: 'auto' })
  expect([where('measure'), where('fit')]).toEqual(['study.json: measures', 'study.json: fit'])
})

it('the own name of a field comes before another one', () => {
  const [fields, where] = withOwnNames({ fit: 'auto', fits: ['messages ~ n'] }, inFile)
  expect(fields).toEqual({ fit: 'auto' })
  expect(where('fit')).toBe('study.json: fit')
})
