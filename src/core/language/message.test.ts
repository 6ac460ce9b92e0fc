import { expect, it } from 'vitest'
import { message, timer } from './message.ts'
import { uid } from './value-types.ts'

it('no two messages and no two timers are the same, however alike they look', () => {
  const messages = Array.from({ length: 5 }, () => message({ id: uid }))
  const timers = Array.from({ length: 5 }, timer)
  expect(new Set(messages.map(({ serial }) => serial)).size).toBe(5)
  expect(new Set(timers.map(({ serial }) => serial)).size).toBe(5)
  expect(messages[0].fields).toEqual({ id: uid })
})
