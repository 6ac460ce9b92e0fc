import { describe, expect, it } from 'vitest'
import { readable } from './text-format.ts'

describe('numbers within a text', () => {
  it.each([
    ['time 2.163210815 to 3.588575401481501: node 7', 'time 2.163 to 3.589: node 7'],
    [
      'stopped after 100000000 messages, the limit',
      'stopped after 100,000,000 messages, the limit',
    ],
    ['the sum was 12 and is 11.25', 'the sum was 12 and is 11.25'],
    ['value 0.7032193003780944.', 'value 0.703.'],
    ['since 0.00001234567', 'since 0.0000123'],
  ])('%s is rounded and grouped', (text, shown) => {
    expect(readable(text)).toBe(shown)
  })

  it.each(['1.5e-7', '9.5367431640625e-7', 'v1.2.34567', 'p10000', '10000x', '7 (position 3)'])(
    '%s stays',
    (text) => expect(readable(text)).toBe(text),
  )

  it.each(['node 770011 (position 3) leads', 'follows id 770011', 'ids 770011,770012,770013'])(
    '%s: ids are shown as they were given',
    (text) => expect(readable(text)).toBe(text),
  )
})
