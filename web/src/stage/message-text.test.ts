import fc from 'fast-check'
import { expect, it } from 'vitest'
import { messageCaption } from './message-text.ts'

it('has the field that decides first, and never cuts it', () => {
  const body = JSON.stringify({ round: 1, hop: 3, id: 5, unique: true })
  expect(messageCaption('token', body, 'id')).toBe('token id 5, round 1, hop 3, …')
  expect(messageCaption('token', body, 'id', true)).toBe('token 5')
  expect(messageCaption('election', '{"id":8}', 'id')).toBe('election 8')
  expect(messageCaption('accept', '{}')).toBe('accept')
  const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,12}$/), fc.nat(), { minKeys: 2 })
  fc.assert(
    fc.property(fields, fc.nat(), fc.boolean(), (record, pick, brief) => {
      const names = Object.keys(record)
      const decides = names[pick % names.length]
      const text = messageCaption('probe', JSON.stringify(record), decides, brief)
      const value = String(Number(record[decides].toPrecision(6)))
      expect(text).toMatch(brief ? `probe ${value}` : `probe ${decides} ${value}`)
    }),
  )
})

it('names a truth value, and no field twice', () => {
  expect(messageCaption('call', '{"knows":false}')).toBe('call knows false')
  expect(messageCaption('vote', '{"yes":true,"prune":"no"}', 'yes', true)).toBe('vote yes true')
  expect(messageCaption('flow', '{"flow":-0.387996,"est":7.25}')).toBe('flow -0.388, est 7.25')
})

it('shows the first numbers of a long row', () => {
  const row = Array.from({ length: 256 }, (_, i) => i / 8)
  const body = JSON.stringify({ row })
  expect(messageCaption('push', body)).toBe('push [0,0.125,0.25,0.375, … 256 in all]')
  expect(messageCaption('list', '{"ids":[3,1,2]}')).toBe('list [3,1,2]')
  expect(messageCaption('list', '{"ids":[123456,0.0107421875]}')).toBe('list [123456,0.01074]')
})
