import { expect, test } from 'vitest'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { historyOf } from './history.ts'

const RING_OF_TWO = { n: 2, ring: true, origin: 0 }
const PLENTY = { lanes: 9, flights: 9 }
const token = { message: 0, type: 'token', body: {} }

function happen(...names: ('wake' | 'lead' | 'stop' | 'crash')[]): TraceEvent[] {
  return names.map((event, i) => ({ at: i + 1, node: 0, event }))
}

test('a line has spans for sleep, life and leadership, ends with a crash and begins again', () => {
  const events = happen('wake', 'lead', 'crash', 'wake', 'stop')
  const [lane] = historyOf(events, RING_OF_TWO, PLENTY).lanes
  expect(lane.lives).toMatchObject([
    { kind: 'asleep', from: 0, to: 1 },
    { kind: 'awake', from: 1, to: 3 },
    { kind: 'awake', from: 4, to: 5 },
    { kind: 'stopped', from: 5, to: null },
  ])
  expect(lane.leaderships).toEqual([{ kind: 'leader', from: 2, to: 3 }])
})

test('who follows no longer leads', () => {
  const events: TraceEvent[] = [
    ...happen('wake', 'lead'),
    { at: 3, node: 0, event: 'follow', leader: 7 },
  ]
  expect(historyOf(events, RING_OF_TWO, PLENTY).lanes[0].leaderships).toMatchObject([{ to: 3 }])
})

test('a message wakes a sleeper, but not a dead one', () => {
  const arrival = { at: 2, node: 0, from: 1, link: 1, ...token }
  const send: TraceEvent = { at: 1, node: 1, event: 'send', to: 0, link: 0, ...token }
  const lives = (event: TraceEvent) =>
    historyOf([send, event], RING_OF_TWO, PLENTY).lanes[0].lives.map(({ kind }) => kind)
  expect(lives({ ...arrival, event: 'receive', woken: true })).toEqual(['asleep', 'awake'])
  expect(lives({ ...arrival, event: 'vanish' })).toEqual(['asleep'])
})

test('between two nodes the link says which way round a message goes', () => {
  const wraps = (node: number, link: number) => {
    const send: TraceEvent = { at: 0, node, event: 'send', to: 1 - node, link, ...token }
    return historyOf([send], RING_OF_TWO, PLENTY).flights[0].wraps
  }
  expect([wraps(0, 0), wraps(1, 1)]).toEqual([null, null])
  expect([wraps(1, 0), wraps(0, 1)]).toEqual(['down', 'up'])
})

test('notices are marked, and wake no node', () => {
  const notices: TraceEvent[] = [
    { at: 3, node: 0, event: 'down', link: 0, peer: 1 },
    { at: 5, node: 0, event: 'up', link: 0, peer: 1 },
  ]
  const { lanes, marks } = historyOf(notices, RING_OF_TWO, PLENTY)
  expect(lanes[0].lives).toMatchObject([{ kind: 'asleep', from: 0, to: null }])
  expect(marks).toEqual([
    { kind: 'down', node: 0, at: 3, peer: 1 },
    { kind: 'up', node: 0, at: 5, peer: 1 },
  ])
})
