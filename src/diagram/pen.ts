/**
 * What painters use of a canvas. A `CanvasRenderingContext2D` satisfies it; `SvgPen` writes
 * the same strokes into a file.
 */
export interface Pen {
  fillStyle: string | object
  strokeStyle: string | object
  lineWidth: number
  lineJoin: 'bevel' | 'miter' | 'round'
  globalAlpha: number
  font: string
  textAlign: 'center' | 'end' | 'left' | 'right' | 'start'
  textBaseline: 'alphabetic' | 'bottom' | 'hanging' | 'ideographic' | 'middle' | 'top'
  setLineDash(segments: number[]): void
  beginPath(): void
  closePath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void
  arc(x: number, y: number, radius: number, from: number, to: number): void
  rect(x: number, y: number, width: number, height: number): void
  roundRect(x: number, y: number, width: number, height: number, radius: number): void
  fill(): void
  stroke(): void
  fillRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number): void
  strokeText(text: string, x: number, y: number): void
  measureText(text: string): { readonly width: number }
  save(): void
  restore(): void
  translate(x: number, y: number): void
  rotate(angle: number): void
  /** Only files have groups: with a class, and a title that viewers show as a tooltip. */
  beginGroup?(name: string, title?: string): void
  endGroup?(): void
}

export interface TextStyle {
  readonly size: number
  readonly fill: string
  readonly bold?: boolean
  readonly align?: 'left' | 'center' | 'right'
  /** The colour of a rim that separates the text from lines nearby. */
  readonly rim?: string
}

/** Writes a text whose baseline is at y. */
export function paintText(pen: Pen, text: string, x: number, y: number, style: TextStyle): void {
  pen.font = `${style.bold ? '700 ' : ''}${style.size}px system-ui`
  pen.textAlign = style.align ?? 'left'
  pen.textBaseline = 'alphabetic'
  if (style.rim !== undefined) {
    pen.strokeStyle = style.rim
    pen.lineWidth = 3
    pen.lineJoin = 'round'
    pen.setLineDash([])
    pen.strokeText(text, x, y)
    pen.lineJoin = 'miter'
  }
  pen.fillStyle = style.fill
  pen.fillText(text, x, y)
}

export interface LineStyle {
  readonly colour: string
  readonly width: number
  readonly dash?: readonly number[]
}

/** A straight line. */
export function paintLine(
  pen: Pen,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  style: LineStyle,
): void {
  strokeWith(pen, style)
  pen.beginPath()
  pen.moveTo(x1, y1)
  pen.lineTo(x2, y2)
  pen.stroke()
}

export function strokeWith(pen: Pen, { colour, width, dash = [] }: LineStyle): void {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.setLineDash([...dash])
}

/** Runs a painter within a group of this name, where the pen knows groups. */
export function inGroup(pen: Pen, name: string, paint: () => void, title?: string): void {
  pen.beginGroup?.(name, title)
  paint()
  pen.endGroup?.()
}
