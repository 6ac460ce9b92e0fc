import { element, escaped, px, widthOf } from '../../../src/diagram/svg.ts'
import type { Pen } from './pen.ts'

interface Turn {
  readonly x: number
  readonly y: number
  readonly angle: number
}

const WEIGHT = /^(?:(\d+) )?([\d.]+)px/
const ANCHORS = { left: undefined, center: 'middle', right: 'end' } as const

/** Paints into SVG what painters paint on a canvas. */
export class SvgPen implements Pen {
  fillStyle: string | CanvasGradient | CanvasPattern = '#000'
  strokeStyle: string | CanvasGradient | CanvasPattern = '#000'
  lineWidth = 1
  globalAlpha = 1
  font = '12px system-ui'
  textAlign: CanvasTextAlign = 'left'
  textBaseline: CanvasTextBaseline = 'alphabetic'
  private readonly elements: string[] = []
  private path = ''
  private dash = ''
  private turn: Turn | null = null
  private readonly turns: (Turn | null)[] = []

  setLineDash(segments: Iterable<number>): void {
    this.dash = [...segments].join(' ')
  }

  beginPath(): void {
    this.path = ''
  }

  closePath(): void {
    this.path += 'Z'
  }

  moveTo(x: number, y: number): void {
    this.path += `M${this.point(x, y)}`
  }

  lineTo(x: number, y: number): void {
    this.path += `${this.path === '' ? 'M' : 'L'}${this.point(x, y)}`
  }

  arc(x: number, y: number, radius: number): void {
    // Painters draw whole circles only: two halves.
    const r = px(radius)
    this.path += `M${this.point(x - radius, y)}a${r} ${r} 0 1 0 ${px(2 * radius)} 0`
    this.path += `a${r} ${r} 0 1 0 ${px(-2 * radius)} 0Z`
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path += `M${this.point(x, y)}h${px(width)}v${px(height)}h${px(-width)}Z`
  }

  fill(): void {
    this.add('path', { d: this.path, fill: String(this.fillStyle) })
  }

  stroke(): void {
    this.add('path', {
      d: this.path,
      fill: 'none',
      stroke: String(this.strokeStyle),
      'stroke-width': this.lineWidth,
      'stroke-dasharray': this.dash || undefined,
    })
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.add('rect', { x, y, width, height, fill: String(this.fillStyle) })
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight, size = '12'] = WEIGHT.exec(this.font) ?? []
    const attributes = {
      x,
      y,
      fill: String(this.fillStyle),
      'font-size': Number(size),
      'font-weight': weight,
      'text-anchor': ANCHORS[this.textAlign as keyof typeof ANCHORS],
      'dominant-baseline': this.textBaseline === 'middle' ? 'central' : undefined,
    }
    this.add('text', attributes, escaped(text))
  }

  measureText(text: string): TextMetrics {
    const [, , size = '12'] = WEIGHT.exec(this.font) ?? []
    return { width: widthOf(text, Number(size)) * 0.85 } as TextMetrics
  }

  save(): void {
    this.turns.push(this.turn)
  }

  restore(): void {
    this.turn = this.turns.pop() ?? null
  }

  translate(x: number, y: number): void {
    this.turn = { x, y, angle: 0 }
  }

  rotate(angle: number): void {
    if (this.turn !== null) this.turn = { ...this.turn, angle }
  }

  /** The whole picture. */
  picture(width: number, height: number, title: string, paper: string): string {
    const ground = element('rect', { width, height, fill: paper })
    const attributes = {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${px(width)} ${px(height)}`,
      'font-family': 'system-ui, sans-serif',
      role: 'img',
    }
    return element(
      'svg',
      attributes,
      element('title', {}, escaped(title)),
      ground,
      ...this.elements,
    )
  }

  private add(
    name: string,
    attributes: Readonly<Record<string, string | number | undefined>>,
    ...children: string[]
  ): void {
    const faint = this.globalAlpha < 1 ? this.globalAlpha.toFixed(2) : undefined
    this.elements.push(element(name, { ...attributes, opacity: faint }, ...children))
  }

  private point(x: number, y: number): string {
    if (this.turn === null) return `${px(x)} ${px(y)}`
    const { x: left, y: top, angle } = this.turn
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return `${px(left + x * cos - y * sin)} ${px(top + x * sin + y * cos)}`
  }
}
