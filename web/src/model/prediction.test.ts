import { expect, it } from 'vitest'
import { judgeMessages } from './prediction.ts'

it.each([
  [29, true, '29 messages: exact!'],
  [30, true, '29 messages: very close, you said 30.'],
  [35, true, '29 messages: near, you said 35.'],
  [40, false, '29 messages; you said 40, 11 too many.'],
  [10, false, '29 messages; you said 10, 19 far too few.'],
])('judges a guess of %i for 29 messages', (guessed, right, words) => {
  expect(judgeMessages(guessed, 29)).toEqual({ right, words })
})

it('does not call a guess near because the number is small', () => {
  expect(judgeMessages(0, 1)).toMatchObject({ right: true })
  expect(judgeMessages(2, 0)).toMatchObject({ right: false })
})
