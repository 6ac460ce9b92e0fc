import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Pen } from '../../../src/diagram/pen.ts'
import { untangle } from './geometry.ts'
import { Labels } from './labels.ts'

const [WIDTH, HEIGHT] = [600, 400]
const places = (length: number, reach: number) =>
  fc.array(fc.tuple(fc.double({ min: 0, max: reach, noNaN: true }), fc.nat(HEIGHT)), {
    minLength: 1,
    maxLength: length,
  })

function geometry(nodes: readonly (readonly [number, number])[], radius: number) {
  const x = Float64Array.from(nodes, ([across]) => across)
  const y = Float64Array.from(nodes, ([, down]) => down)
  return { width: WIDTH, height: HEIGHT, scale: 1, radius, x, y, bend: 0, grid: null }
}

/** Notes where texts are written; every letter is 6 wide. */
function notebook() {
  const written: { text: string; x: number; y: number }[] = []
  const pen = {
    measureText: (text: string) => ({ width: 6 * text.length }),
    fillText: (text: string, x: number, y: number) => written.push({ text, x, y }),
    fillRect: () => {},
  } as unknown as Pen
  return { pen, written }
}

it('never writes on a node, on another word or beyond the border', () => {
  const words = fc.array(fc.tuple(fc.nat(WIDTH), fc.nat(HEIGHT), fc.integer({ min: 1, max: 20 })))
  fc.assert(
    fc.property(places(12, WIDTH), words, (nodes, wanted) => {
      const labels = new Labels(geometry(nodes, 20), () => 20)
      const { pen, written } = notebook()
      for (const [x, y, length] of wanted) {
        const spots = [
          { x, y },
          { x, y: y + 30 },
        ]
        labels.write(pen, 'x'.repeat(length), spots, 'black', null)
      }
      const boxes = written.map(({ text, x, y }) => ({ x, y, half: 3 * text.length }))
      for (const [i, { x, y, half }] of boxes.entries()) {
        expect(Math.min(x - half, WIDTH - x - half, y - 7, HEIGHT - y - 7)).toBeGreaterThanOrEqual(
          0,
        )
        for (const [across, down] of nodes) {
          const corner = Math.hypot(
            Math.max(0, Math.abs(across - x) - half),
            Math.max(0, Math.abs(down - y) - 7),
          )
          expect(corner).toBeGreaterThanOrEqual(20)
        }
        for (const other of boxes.slice(0, i))
          expect(Math.abs(x - other.x) >= half + other.half || Math.abs(y - other.y) >= 14).toBe(
            true,
          )
      }
    }),
  )
})

it('writes at the first spot where nothing is in the way', () => {
  const labels = new Labels(geometry([[300, 200]], 20), () => 20)
  const { pen, written } = notebook()
  const spots = [
    { x: 300, y: 200 },
    { x: 300, y: 235 },
    { x: 300, y: 165 },
  ]
  for (const text of ['one', 'two', 'three']) labels.write(pen, text, spots, 'black', null)
  expect(written).toEqual([
    { text: 'one', x: 300, y: 235 },
    { text: 'two', x: 300, y: 165 },
  ])
})

it('moves nodes off each other, and leaves alone those that lie apart', () => {
  fc.assert(
    fc.property(places(12, WIDTH), (nodes) => {
      const { x, y } = geometry(nodes, 10)
      const far = nodes.every(([a, b], i) =>
        nodes.every(([c, d], j) => i === j || Math.hypot(a - c, b - d) >= 24),
      )
      const before = [...x, ...y]
      untangle(x, y, 24, WIDTH, HEIGHT)
      if (far) expect([...x, ...y]).toEqual(before)
      for (let a = 0; a < x.length; a++)
        for (let b = 0; b < a; b++) expect(Math.hypot(x[a] - x[b], y[a] - y[b])).toBeGreaterThan(16)
    }),
  )
})
