import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changRoberts } from '../../../../src/algorithms/ring/chang-roberts.ts'
import { SvgPen } from '../../../../src/diagram/svg-pen.ts'
import { recordingSession } from '../../engine/sessions.ts'
import { RunFrame } from '../../recording/frame.ts'
import { RunLog } from '../../recording/run-log.ts'
import type { PageTheme } from '../../view/theme.ts'
import { flightWords } from './diagram-tip.tsx'
import { LaneGrid, laneOrder } from './lanes.ts'
import { paintDiagram } from './live-diagram.ts'
import { messagesWith, nextFound } from './message-search.ts'
import { distanceTo, flightAt, stepAt } from './pointing.ts'

const theme = new Proxy({}, { get: (_, name) => (name === 'types' ? ['red', 'blue'] : 'grey') })

function runOf(given: Readonly<Record<string, unknown>>): RunLog {
  let log: RunLog | undefined
  const take = (answer: { what: string }) => {
    if (answer.what === 'begun') log = new RunLog((answer as never as { world: never }).world)
    if (answer.what === 'chunk') log?.append((answer as never as { chunk: never }).chunk)
  }
  for (const _ of recordingSession(given, changRoberts, take));
  return log!
}

const log = runOf({
  ids: [3, 2, 7, 8, 5, 4, 1, 6],
  loss: 0.15,
  crash: '3@1.5',
  detect: 'off',
  seed: 5,
})

function painted(hidden: readonly number[] = []) {
  const span = { from: 0, to: 20 }
  const grid = new LaneGrid(laneOrder(log, 'id', new Set(hidden)), 900, 500, span)
  const view = { span, time: 0, step: 0, chosen: null, past: null, secret: false }
  const pen = new SvgPen()
  const { arrows } = paintDiagram(pen, new RunFrame(log), view, grid, theme as PageTheme)
  const picture = pen.picture({ width: 900, height: 500, title: '', paper: 'white' })
  return { grid, arrows, picture }
}

describe('pointing at the diagram', () => {
  it('finds the message whose arrow is there, from its beginning to its end', () => {
    const { arrows } = painted()
    expect(arrows.length).toBeGreaterThan(10)
    for (const { flight, arrow } of arrows) {
      const [{ x1, y1, x2, y2 }] = arrow.legs
      const found = flightAt(arrows, (x1 + x2) / 2, (y1 + y2) / 2)
      // Another arrow may cross it there.
      const other = arrows.find((one) => one.flight === found)!
      expect(distanceTo(other.arrow.legs[0], (x1 + x2) / 2, (y1 + y2) / 2)).toBeLessThan(1e-6)
      expect(arrow.flight.from).toBe(log.event(log.sending.at(flight)).node)
    }
    expect(flightAt(arrows, -100, -100)).toBe(null)
  })

  it('finds each step at its place', () => {
    const { grid } = painted()
    for (let step = 0; step < log.steps; step++) {
      const found = stepAt(log, grid, grid.x(log.timeOf(step)), grid.y(log.nodeOf(step)))!
      expect([log.timeOf(found), log.nodeOf(found)]).toEqual([log.timeOf(step), log.nodeOf(step)])
    }
  })

  it('measures the distance from a segment, not from its line', () => {
    const coordinate = fc.integer({ min: -50, max: 50 })
    fc.assert(
      fc.property(fc.array(coordinate, { minLength: 6, maxLength: 6 }), (all) => {
        const [x1, y1, x2, y2, x, y] = all
        const dense = Array.from({ length: 2001 }, (_, i) => i / 2000)
        const least = Math.min(
          ...dense.map((t) => Math.hypot(x1 + t * (x2 - x1) - x, y1 + t * (y2 - y1) - y)),
        )
        expect(distanceTo({ x1, y1, x2, y2 }, x, y)).toBeCloseTo(least, 0)
      }),
    )
  })
})

describe('the fate of messages in words', () => {
  it('is that of the event that ends them', () => {
    const words = Array.from({ length: log.sending.length }, (_, i) =>
      flightWords(new RunFrame(log).seek(log.sentIn.at(i) + 1), i),
    )
    const kinds = Array.from({ length: log.at.length }, (_, i) => log.event(i).kind)
    const count = (kind: string) => kinds.filter((one) => one === kind).length
    expect(words.filter((text) => /lost at [\d.]+\.$/.test(text))).toHaveLength(count('lose'))
    expect(words.filter((text) => /has crashed\.$/.test(text))).toHaveLength(count('vanish'))
    expect(words.filter((text) => /received at/.test(text))).toHaveLength(count('receive'))
    expect([count('lose'), count('vanish')].every((number) => number > 0)).toBe(true)
  })

  it('ends in a cross and a dashed shaft for each lost message, and in no other', () => {
    const { picture } = painted()
    expect(picture).toMatch(/stroke-dasharray="4 3|stroke-dasharray="4,3/)
  })
})

describe('lanes', () => {
  it('are sorted by id, the largest at the top', () => {
    const { nodes } = laneOrder(log, 'id', new Set())
    expect(nodes.map((node) => log.world.ids![node])).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  })

  it('are hidden with all messages of their nodes', () => {
    const { arrows, grid } = painted([0, 3])
    expect(grid.order.nodes).toHaveLength(6)
    for (const { arrow } of arrows) expect([0, 3]).not.toContain(arrow.flight.from)
    for (const { arrow } of arrows) expect([0, 3]).not.toContain(arrow.flight.to)
    expect(painted([0, 3]).picture).not.toContain('NaN')
  })
})

describe('the search for a message', () => {
  it('finds those whose text has all words', () => {
    const found = [...messagesWith(log, 'ELECTION 7')!]
    expect(found.length).toBeGreaterThan(0)
    for (const flight of found) expect(log.event(log.sending.at(flight)).body).toContain('7')
    expect(messagesWith(log, ' ')).toBe(null)
    expect(messagesWith(log, 'nothing')!.size).toBe(0)
  })

  it('goes on from a step, and around at the end', () => {
    const found = messagesWith(log, 'election')!
    const [first] = found
    expect(nextFound(log, found, 0)).toBe(first)
    expect(nextFound(log, found, log.steps)).toBe(first)
    expect(nextFound(log, new Set(), 0)).toBe(null)
  })
})
