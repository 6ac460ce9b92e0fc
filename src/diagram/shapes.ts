import type { Pen } from './pen.ts'

/* Shapes around a point. `fill` and `stroke` of the path are left to those who need only one. */

export function circle(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath()
  pen.arc(x, y, radius, 0, 2 * Math.PI)
}

export function disc(pen: Pen, x: number, y: number, radius: number, fill: string, edge: string) {
  pen.fillStyle = fill
  pen.strokeStyle = edge
  pen.lineWidth = radius > 6 ? 2 : 1
  circle(pen, x, y, radius)
  pen.fill()
  pen.stroke()
}

export function square(pen: Pen, x: number, y: number, reach: number): void {
  polygon(pen, [
    [x - reach, y - reach],
    [x + reach, y - reach],
    [x + reach, y + reach],
    [x - reach, y + reach],
  ])
  pen.fill()
  pen.stroke()
}

export function halo(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.strokeStyle = colour
  pen.lineWidth = 3
  circle(pen, x, y, radius)
  pen.stroke()
}

export function starShape(
  pen: Pen,
  x: number,
  y: number,
  radius: number,
  fill: string,
  edge: string,
): void {
  pen.fillStyle = fill
  pen.strokeStyle = edge
  pen.lineWidth = 1.5
  polygon(
    pen,
    Array.from({ length: 16 }, (_, point) => {
      const reach = point % 2 === 0 ? radius : radius * 0.78
      const angle = (Math.PI * point) / 8 - Math.PI / 2
      return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)]
    }),
  )
  pen.fill()
  pen.stroke()
}

export function cross(
  pen: Pen,
  x: number,
  y: number,
  reach: number,
  colour: string,
  width = 2.5,
): void {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.setLineDash([])
  pen.beginPath()
  pen.moveTo(x - reach, y - reach)
  pen.lineTo(x + reach, y + reach)
  pen.moveTo(x - reach, y + reach)
  pen.lineTo(x + reach, y - reach)
  pen.stroke()
}

/** A closed path through the corners, neither filled nor stroked yet. */
export function polygon(pen: Pen, corners: readonly (readonly [number, number])[]): void {
  pen.beginPath()
  outline(pen, corners)
  pen.closePath()
}

/** Adds a line through the points to the path. */
export function outline(pen: Pen, points: readonly (readonly [number, number])[]): void {
  for (const [i, [x, y]] of points.entries())
    if (i === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
}
