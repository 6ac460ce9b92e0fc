import type { Pen } from './pen.ts'
import { type Attributes, element, escaped, px, textWidth } from './svg.ts'

interface Transform {
  readonly x: number
  readonly y: number
  readonly angle: number
}

const NOWHERE: Transform = { x: 0, y: 0, angle: 0 }

interface PictureFrame {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly paper: string
  /** The radius of the corners. */
  readonly corner?: number
}

const FONT = /^(?:(\d+) )?([\d.]+)px/
const FONTS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
const ANCHORS = {
  left: undefined,
  start: undefined,
  center: 'middle',
  right: 'end',
  end: 'end',
} as const

/** Writes into SVG what painters paint on a canvas. */
export class SvgPen implements Pen {
  fillStyle: string | object = '#000'
  strokeStyle: string | object = '#000'
  lineWidth = 1
  lineJoin: Pen['lineJoin'] = 'miter'
  globalAlpha = 1
  font = '12px system-ui'
  textAlign: Pen['textAlign'] = 'left'
  textBaseline: Pen['textBaseline'] = 'alphabetic'
  private elements: string[] = []
  private readonly outer: {
    readonly elements: string[]
    readonly open: Attributes
    title: string
  }[] = []
  private path = ''
  /** The path last filled: an edge around it belongs to the same element. */
  private filled: Attributes | null = null
  private rim: Attributes = {}
  private dash = ''
  private transform: Transform | null = null
  private readonly transforms: (Transform | null)[] = []

  setLineDash(segments: readonly number[]): void {
    this.dash = segments.join(' ')
  }

  beginPath(): void {
    this.path = ''
    this.filled = null
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

  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void {
    this.path += `Q${this.point(cx, cy)} ${this.point(x, y)}`
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

  roundRect(x: number, y: number, width: number, height: number, radius: number): void {
    const r = px(radius)
    const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${px(dx)} ${px(dy)}`
    const [across, down] = [px(width - 2 * radius), px(height - 2 * radius)]
    this.path += `M${this.point(x + radius, y)}h${across}${corner(radius, radius)}v${down}`
    this.path += `${corner(-radius, radius)}h-${across}${corner(-radius, -radius)}v-${down}`
    this.path += `${corner(radius, -radius)}Z`
  }

  fill(): void {
    const attributes = { d: this.path, fill: String(this.fillStyle) }
    this.add('path', attributes)
    this.filled = attributes
  }

  stroke(): void {
    const fill = this.filled
    if (fill !== null) this.elements.pop()
    this.filled = null
    this.add('path', {
      ...(fill ?? { d: this.path, fill: 'none' }),
      stroke: String(this.strokeStyle),
      'stroke-width': this.lineWidth === 1 ? undefined : this.lineWidth,
      'stroke-dasharray': this.dash || undefined,
      'stroke-linejoin': this.lineJoin === 'miter' ? undefined : this.lineJoin,
    })
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const place = { x, y, width, height, fill: String(this.fillStyle) }
    this.add('rect', { ...place, transform: this.transformation() })
  }

  fillText(text: string, x: number, y: number): void {
    const [, weight, size = '12'] = FONT.exec(this.font) ?? []
    const attributes = {
      x,
      y,
      'font-size': Number(size),
      'font-weight': weight,
      'text-anchor': ANCHORS[this.textAlign],
      'dominant-baseline': this.textBaseline === 'middle' ? 'central' : undefined,
      fill: String(this.fillStyle),
      ...this.rim,
      transform: this.transformation(),
    }
    this.rim = {}
    this.add('text', attributes, escaped(text))
  }

  /** The rim of the text that follows: SVG paints it under the letters of the same element. */
  strokeText(): void {
    this.rim = {
      stroke: String(this.strokeStyle),
      'stroke-width': this.lineWidth,
      'paint-order': 'stroke',
    }
  }

  measureText(text: string): { readonly width: number } {
    const [, , size = '12'] = FONT.exec(this.font) ?? []
    return { width: textWidth(text, Number(size)) * 0.85 }
  }

  save(): void {
    this.transforms.push(this.transform)
  }

  restore(): void {
    this.transform = this.transforms.pop() ?? null
  }

  translate(x: number, y: number): void {
    const { x: left, y: top, angle } = this.transform ?? NOWHERE
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    this.transform = { x: left + x * cos - y * sin, y: top + x * sin + y * cos, angle }
  }

  rotate(angle: number): void {
    const before = this.transform ?? NOWHERE
    this.transform = { ...before, angle: before.angle + angle }
  }

  beginGroup(name: string, title = ''): void {
    this.outer.push({ elements: this.elements, open: { class: name }, title })
    this.elements = []
    this.filled = null
  }

  endGroup(): void {
    const inner = this.elements
    const { elements, open, title } = this.outer.pop()!
    if (title !== '') inner.unshift(element('title', {}, escaped(title)))
    this.elements = elements
    this.filled = null
    if (inner.length > 0) this.elements.push(element('g', open, ...inner))
  }

  /** The whole picture. */
  picture({ width, height, title, paper, corner }: PictureFrame): string {
    const attributes = {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${px(width)} ${px(height)}`,
      width,
      height,
      role: 'img',
      'aria-label': title,
      'font-family': FONTS,
    }
    const background = element('rect', { width, height, rx: corner, fill: paper })
    const lines = [background, ...this.elements].map((line) => `\n${line}`)
    return `${element('svg', attributes, ...lines, '\n')}\n`
  }

  private add(name: string, attributes: Attributes, ...children: string[]): void {
    const faint = this.globalAlpha < 1 ? this.globalAlpha.toFixed(2) : undefined
    this.filled = null
    this.elements.push(element(name, { ...attributes, opacity: faint }, ...children))
  }

  private transformation(): string | undefined {
    if (this.transform === null) return undefined
    const { x, y, angle } = this.transform
    const turned = angle === 0 ? '' : ` rotate(${px((angle * 180) / Math.PI)})`
    return `translate(${px(x)} ${px(y)})${turned}`
  }

  private point(x: number, y: number): string {
    if (this.transform === null) return `${px(x)} ${px(y)}`
    const { x: left, y: top, angle } = this.transform
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return `${px(left + x * cos - y * sin)} ${px(top + x * sin + y * cos)}`
  }
}
