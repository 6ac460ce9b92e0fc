import type { PageTheme } from '../view/theme.ts'
import type { Pen } from './pen.ts'

export function disc(
  context: Pen,
  x: number,
  y: number,
  radius: number,
  fill: string,
  edge: string,
) {
  context.fillStyle = fill
  context.strokeStyle = edge
  context.lineWidth = radius > 6 ? 2 : 1
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.fill()
  context.stroke()
}

export function square(context: Pen, x: number, y: number, reach: number): void {
  context.beginPath()
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.lineTo(x - reach, y + reach)
  context.closePath()
  context.fill()
  context.stroke()
}

export function halo(context: Pen, x: number, y: number, radius: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 3
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.stroke()
}

export function star(context: Pen, x: number, y: number, radius: number, colours: PageTheme): void {
  context.fillStyle = colours.leader
  context.strokeStyle = colours.ink
  context.lineWidth = 1.5
  context.beginPath()
  for (let point = 0; point < 16; point++) {
    const reach = point % 2 === 0 ? radius : radius * 0.78
    const angle = (Math.PI * point) / 8 - Math.PI / 2
    context.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle))
  }
  context.closePath()
  context.fill()
  context.stroke()
}

export function cross(context: Pen, x: number, y: number, reach: number, colour: string): void {
  context.strokeStyle = colour
  context.lineWidth = 2.5
  context.beginPath()
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.moveTo(x + reach, y - reach)
  context.lineTo(x - reach, y + reach)
  context.stroke()
}
