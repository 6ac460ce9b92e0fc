import { expect, test } from 'vitest'
import type { TraceEvent } from '../core/trace/trace-event.ts'
import { transcript } from './transcript.ts'

const token = (message: number, id: number) => ({ message, type: 'token', link: 0, body: { id } })

test('one line per handler, its cause first, the moment where it changes', () => {
  const events: TraceEvent[] = [
    { at: 1, node: 2, event: 'crash' },
    { at: 1, node: 0, event: 'wake' },
    { at: 1, node: 0, event: 'send', to: 1, ...token(0, 3) },
    { at: 1, node: 0, event: 'send', to: 2, ...token(1, 3) },
    { at: 1, node: 0, event: 'send', to: 2, ...token(2, 9) },
    { at: 2, node: 1, event: 'receive', from: 0, woken: true, ...token(0, 3) },
    { at: 2, node: 1, event: 'send', to: 0, ...token(3, 12) },
    { at: 2, node: 2, event: 'vanish', from: 0, ...token(1, 3) },
    { at: 2, node: 2, event: 'vanish', from: 0, ...token(2, 9) },
    { at: 3, node: 0, event: 'receive', from: 1, ...token(3, 12) },
    { at: 3, node: 0, event: 'follow', leader: 12 },
    { at: 3, node: 0, event: 'stop' },
    { at: 1200, node: 1, event: 'timeout', timer: 'silence' },
    { at: 1200, node: 1, event: 'lead' },
    { at: 1200, node: 1, event: 'send', to: 0, message: 4, type: 'ok', link: 1, body: {} },
    { at: 1201, node: 0, event: 'receive', from: 1, ignored: true, ...token(4, 12) },
  ]
  expect(transcript(events, { ids: [3, 12, 7], unit: 'round' }).split('\n')).toEqual([
    'round 1       p2(7)   crashes',
    '              p0(3)   wakes, sends token(id 3) to p1(12), p2(7), sends token(id 9) to p2(7)',
    'round 2       p1(12)  is woken by token(id 3) from p0(3), sends token(id 12) to p0(3)',
    '              p2(7)   has crashed, so token(id 3) from p0(3) is lost',
    '              p2(7)   has crashed, so token(id 9) from p0(3) is lost',
    'round 3       p0(3)   receives token(id 12) from p1(12), follows p1(12), stops',
    'round 1,200   p1(12): timer silence fires, becomes leader, sends ok to p0(3)',
    'round 1,201   p0(3)   has stopped and ignores token(id 12) from p1(12)',
  ])
})

test('anonymous nodes have positions only, and times are short', () => {
  const body = { id: null, list: [1, 2] }
  const events: TraceEvent[] = [
    { at: 0.1 + 0.2, node: 0, event: 'wake' },
    { at: 0.1 + 0.2, node: 0, event: 'send', to: 0, message: 0, type: 'token', link: 0, body },
    { at: 2, node: 0, event: 'follow', leader: null },
    { at: 2, node: 1, event: 'follow', leader: 99 },
  ]
  expect(transcript(events, { unit: 'time' }).split('\n')).toEqual([
    'time 0.3   p0 wakes, sends token(id -, list [1,2]) to itself',
    'time 2     p0 follows a leader without a name',
    '           p1 follows id 99',
  ])
})

test('nothing happened', () => {
  expect(transcript([], { unit: 'time' })).toBe('')
})

test('describes the loss and duplication of messages in flight, and random choices', () => {
  const letter = { message: 0, type: 'token', link: 0, body: {}, to: 1 }
  const text = transcript(
    [
      { at: 1, node: 0, event: 'wake', draws: [1, 0] },
      { at: 1, node: 0, event: 'send', ...letter },
      { at: 2, node: 0, event: 'double', ...letter },
      { at: 3, node: 0, event: 'lose', ...letter },
    ],
    { unit: 'step' },
  )
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'step 1   p0  wakes, draws 1, 0, sends token to p1',
    'step 2   p0: its message token to p1 is duplicated',
    'step 3   p0: its message token to p1 is lost',
  ])
})
