import { describe, expect, it } from 'vitest'
import { quoted } from '../core/text-format.ts'
import { decimal, integer, text, word } from './reading.ts'

describe('whole numbers', () => {
  const read = (value: unknown) => integer('-n', value, 1, 20)

  it('are digits or JSON numbers within the limits', () => {
    expect(['1', '007', 20, '20'].map(read)).toEqual([1, 7, 20, 20])
  })

  it.each([0, 21, '0', '1.0', '1e1', ' 1', '', '-1', 1.5, null, true, [3], undefined])(
    '%j is refused',
    (value) => {
      expect(() => read(value)).toThrow(/^-n: expected a whole number from 1 to 20, got .+\. Write/)
    },
  )

  it('are named in the error, with an example within the limits', () => {
    expect(() => integer('x', 'y', 30, 40, 'a year')).toThrow(
      'x: expected a year from 30 to 40, got "y". Write a whole number such as 30.',
    )
    expect(() => integer('x', -1, 0, Number.MAX_SAFE_INTEGER)).toThrow('from 0 to 2^53 - 1')
  })
})

describe('decimal numbers', () => {
  const read = (value: unknown) => decimal('--rate', value, 'a rate', 0.5, (rate) => rate <= 1)

  it('are accepted in the usual notations', () => {
    expect(['0.5', '.25', '1', '1.', '5e-1', 0.75].map(read)).toEqual([0.5, 0.25, 1, 1, 0.5, 0.75])
  })

  it.each(['', '.', '-0.5', '+1', '1,5', '2', 'NaN', 'Infinity', '0x1', Number.NaN, null])(
    '%j is refused',
    (value) => {
      expect(() => read(value)).toThrow(/^--rate: expected a rate, got .+\. Write .+ 0\.5\.$/)
    },
  )
})

it('texts are trimmed and must not be empty', () => {
  expect(text('x', ' ring:8 ', 'y')).toBe('ring:8')
  for (const value of ['', '  ', 5, null, ['ring:8']]) {
    expect(() => text('x', value, 'ring:8')).toThrow('Write something like ring:8.')
  }
})

it('words are one of a few', () => {
  expect(word('x', 'sync', ['sync', 'async'])).toBe('sync')
  for (const value of ['Sync', '', null, 1]) {
    expect(() => word('x', value, ['sync', 'async'])).toThrow('expected one of sync, async')
  }
})

it('quoted values are on one line and not too long', () => {
  expect([quoted('a\nb'), quoted(3), quoted([1, 'x'])]).toEqual(['"a\\nb"', '3', '[1,"x"]'])
  expect(quoted('x'.repeat(500)).length).toBeLessThanOrEqual(62)
})
