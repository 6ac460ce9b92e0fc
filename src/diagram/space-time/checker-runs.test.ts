import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TraceEvent } from '../../core/trace/trace-event.ts'
import { type EventMark, historyOf } from './history.ts'
import { halfOf, shiftsOf } from './marks.ts'
import { spaceTime } from './space-time.ts'
import { timeAxis } from './time-axis.ts'

const body = { id: 4 }
const letter = { message: 0, type: 'token', link: 0, body }
const wake = (at: number, node: number): TraceEvent => ({ at, node, event: 'wake' })
const send: TraceEvent = { at: 1, node: 0, event: 'send', to: 1, ...letter }
const lose: TraceEvent = { at: 3, node: 0, event: 'lose', to: 1, ...letter }
const double: TraceEvent = { at: 2, node: 0, event: 'double', to: 1, ...letter }
const receive = (at: number): TraceEvent => ({ at, node: 1, event: 'receive', from: 0, ...letter })

const about = { n: 2, ring: false, origin: 1 }
const limits = { lanes: 10, flights: 10 }
const flights = (...events: TraceEvent[]) =>
  historyOf([wake(1, 0), send, ...events], about, limits).flights.map(({ arrived, lost }) => [
    arrived,
    lost,
  ])

const draw = (events: readonly TraceEvent[], more: object = {}) => {
  const [plot, legend] = spaceTime(events, {
    title: 'A run',
    n: 2,
    unit: 'step',
    ...more,
  }).split('class="legend"')
  return { plot, legend }
}
const count = (text: string, piece: string | RegExp) => text.split(piece).length - 1

test('a message is in flight until it arrives or is lost', () => {
  expect(flights()).toEqual([[null, null]])
  expect(flights(lose)).toEqual([[null, 3]])
  expect(flights(receive(2))).toEqual([[2, null]])
})

test('a duplicated message is two, each with its own end', () => {
  expect(flights(double)).toHaveLength(2)
  expect(flights(double, receive(3), receive(5))).toEqual([
    [3, null],
    [5, null],
  ])
  expect(flights(double, lose, receive(5))).toEqual([
    [null, 3],
    [5, null],
  ])
})

test('a lost message ends in a cross half-way, and is not called in flight', () => {
  const { plot, legend } = draw([wake(1, 0), send, lose])
  expect(plot).toContain('lost at 3')
  expect(legend).toContain('message is lost')
  expect(legend).not.toContain('in flight')
  // Lost where it is sent, as the simulator has it: a stub with a cross.
  const atOnce = draw([wake(1, 0), send, { ...lose, at: 1 }])
  expect(atOnce.legend).toContain('message is lost')
  expect(atOnce.legend).not.toContain('in flight')
})

test('messages in flight to different nodes have different directions', () => {
  const two = { ...send, to: 2, message: 1 } as TraceEvent
  const { plot } = draw([wake(1, 0), send, two], { n: 3 })
  const ends = [...plot.matchAll(/class="message".*?<path d="M\S+ \S+L(\S+ [\d.]+)/g)]
  expect(new Set(ends.map(([, end]) => end)).size).toBe(2)
})

test('random choices are shown with their outcomes, after the event that caused them', () => {
  const { plot, legend } = draw([{ ...wake(1, 0), draws: [1, 0] }])
  expect(plot).toMatch(/class="mark wake".*\n.*class="mark draw".*>1,0<\/text>/)
  expect(legend).toContain('draws')
  expect(draw([wake(1, 0)]).legend).not.toContain('draws')
})

test('a cut is marked at both ends of the link, unless links change all the time', () => {
  const cut = (at: number): TraceEvent => ({ at, node: 0, event: 'cut', to: 1 })
  expect(count(draw([wake(1, 0), cut(2)]).plot, 'class="mark cut"')).toBe(2)
  const many = Array.from({ length: 50 }, (_, i) => cut(i + 2))
  expect(count(draw([wake(1, 0), ...many]).plot, 'class="mark cut"')).toBe(0)
})

test('a violation is marked, also at a moment without other events', () => {
  const run = [wake(1, 0), send, receive(2)]
  const marked = draw(run, { broken: { at: 2, node: 1 } })
  expect(count(marked.plot, 'class="broken"')).toBe(1)
  expect(marked.legend).toContain('violation')
  const later = draw(run, { unit: 'round', broken: { at: 9 } })
  expect(later.plot).not.toContain('class="broken"')
  expect(later.plot).toContain('>9</text>')
  expect(draw(run).legend).not.toContain('violation')
})

test('steps are counted from 1, each has room, and no silence is cut out of them', () => {
  const moments = Array.from({ length: 200 }, (_, i) => i + 1)
  const axis = timeAxis([1, ...moments.slice(150)], [1], 'step')
  expect(axis.breaks).toEqual([])
  const whole = timeAxis(moments, [150], 'step')
  for (const at of moments.slice(1)) expect(whole.x(at) - whole.x(at - 1)).toBeGreaterThan(30)
  expect(draw([wake(1, 0)]).plot).toContain('>step</text>')
  expect(draw([wake(1, 0)]).plot).not.toContain('>0</text>')
})

test('signs of one moment stand side by side, whatever they are', () => {
  const kinds: EventMark['kind'][] = [
    ...(['wake', 'timeout', 'lead', 'follow', 'stop', 'crash', 'recover'] as const),
    ...(['retire', 'down', 'up', 'cut', 'mend', 'draw'] as const),
  ]
  const marks = fc.array(
    fc.record({ kind: fc.constantFrom(...kinds), node: fc.nat(1), at: fc.nat(1) }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(marks, (marks: EventMark[]) => {
      const shift = shiftsOf(marks)
      marks.forEach((one, i) => {
        for (const other of marks.slice(i + 1)) {
          if (one.node !== other.node || one.at !== other.at) continue
          const apart = shift(other) - shift(one)
          expect(apart).toBeGreaterThan(halfOf(one) + halfOf(other))
        }
      })
    }),
  )
})
