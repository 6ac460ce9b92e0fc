import { parseHTML } from 'linkedom'
import PDFDocument from 'pdfkit'

/*
 * Figures as PDF: one page of vectors. It draws the part of SVG that our figures use: groups,
 * rectangles, lines, circles, paths and lines of text.
 */

/** The fonts that are embedded. */
export interface FigureFonts {
  readonly regular: Uint8Array
  readonly bold: Uint8Array
}

/** The part of a parsed element that is read here. */
interface SvgNode {
  readonly tagName: string
  readonly children: Iterable<SvgNode>
  readonly textContent: string | null
  getAttribute(name: string): string | null
}

/** Properties that elements inherit from the groups around them. */
interface Paint {
  readonly fill: string
  readonly stroke: string
  readonly strokeWidth: number
  readonly dashes: string
  readonly fillOpacity: number
  readonly strokeOpacity: number
  readonly fontSize: number
  readonly bold: boolean
  readonly anchor: string
}

const DEFAULT: Paint = {
  fill: '#000000',
  stroke: 'none',
  strokeWidth: 1,
  dashes: 'none',
  fillOpacity: 1,
  strokeOpacity: 1,
  fontSize: 16,
  bold: false,
  anchor: 'start',
}

/** A pixel is three quarters of a point. */
const POINTS_PER_PIXEL = 0.75

/** The figure as a PDF file; the same bytes for the same figure. */
export async function pdfOf(svg: string, fonts: FigureFonts): Promise<Uint8Array> {
  const { document } = parseHTML(`<!doctype html><html><body>${svg}</body></html>`)
  const root = document.querySelector('svg') as unknown as SvgNode
  const [, , across, down] = (root.getAttribute('viewBox') ?? '0 0 1280 720')
    .split(/[\s,]+/)
    .map(Number)
  const width = Number(root.getAttribute('width') ?? across) * POINTS_PER_PIXEL
  const height = Number(root.getAttribute('height') ?? down) * POINTS_PER_PIXEL
  const page = new PDFDocument({
    // Shades that let through what is behind them are of this version.
    pdfVersion: '1.4',
    size: [width, height],
    margin: 0,
    font: fonts.regular as unknown as string,
    info: {
      Title: root.getAttribute('aria-label') ?? '',
      Creator: 'conclave',
      Producer: 'conclave',
      CreationDate: new Date(0),
    },
  })
  page.registerFont('regular', fonts.regular as Buffer).registerFont('bold', fonts.bold as Buffer)
  const scale = Math.min(width / across, height / down)
  page.translate((width - scale * across) / 2, (height - scale * down) / 2).scale(scale)
  draw(page, root, DEFAULT)
  page.end()
  const parts: Uint8Array[] = []
  for await (const part of page) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}

type Page = InstanceType<typeof PDFDocument>

function draw(page: Page, node: SvgNode, around: Paint): void {
  const paint = inherited(node, around)
  const name = node.tagName.toLowerCase()
  page.save()
  move(page, node.getAttribute('transform') ?? '')
  page.fillOpacity(paint.fillOpacity).strokeOpacity(paint.strokeOpacity)
  if (name === 'text') write(page, node, paint)
  else if (SHAPES[name] !== undefined) shape(page, SHAPES[name], node, paint)
  else for (const child of node.children) draw(page, child, paint)
  page.restore()
}

/** Only what our figures have: moved or turned groups. */
function move(page: Page, transform: string): void {
  const [, name, list = ''] = /^\s*(translate|rotate)\(([^)]*)\)\s*$/.exec(transform) ?? []
  const [first = 0, second = 0] = list.split(/[\s,]+/).map(Number)
  if (name === 'translate') page.translate(first, second)
  if (name === 'rotate') page.rotate(first)
}

type Outline = (page: Page, node: SvgNode) => void

const SHAPES: Readonly<Record<string, Outline>> = {
  rect(page, node) {
    const [x, y, width, height] = attributes(node, 'x', 'y', 'width', 'height')
    page.rect(x, y, width, height)
  },
  line(page, node) {
    const [x1, y1, x2, y2] = attributes(node, 'x1', 'y1', 'x2', 'y2')
    page.moveTo(x1, y1).lineTo(x2, y2)
  },
  circle(page, node) {
    const [x, y, radius] = attributes(node, 'cx', 'cy', 'r')
    page.circle(x, y, radius)
  },
  path: (page, node) => void page.path(node.getAttribute('d') ?? ''),
}

function shape(page: Page, outline: Outline, node: SvgNode, paint: Paint): void {
  const { fill, stroke, strokeWidth, dashes } = paint
  const [fills, strokes] = [fill !== 'none', stroke !== 'none']
  if (!fills && !strokes) return
  page.lineWidth(strokeWidth)
  // The declarations do not know lists of lengths.
  if (dashes !== 'none') page.dash(dashes.split(/[\s,]+/).map(Number) as unknown as number, {})
  outline(page, node)
  if (fills && strokes) page.fillAndStroke(fill, stroke)
  else if (fills) page.fill(fill)
  else page.stroke(stroke)
}

function write(page: Page, node: SvgNode, paint: Paint): void {
  const { fontSize, bold, anchor, fill } = paint
  const text = node.textContent ?? ''
  page.font(bold ? 'bold' : 'regular', fontSize).fillColor(fill)
  const width = page.widthOfString(text)
  const shift = anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0
  const length = (name: string) => lengthOf(node.getAttribute(name) ?? '0', fontSize)
  const [x, y] = [length('x') + length('dx') - shift, length('y') + length('dy')]
  page.text(text, x, y, { lineBreak: false, baseline: 'alphabetic' })
}

function attributes(node: SvgNode, ...names: string[]): number[] {
  return names.map((name) => Number(node.getAttribute(name) ?? 0))
}

function inherited(node: SvgNode, around: Paint): Paint {
  const given = (name: string) => node.getAttribute(name)
  const number = (name: string, otherwise: number) => Number(given(name) ?? otherwise)
  const opacity = number('opacity', 1)
  return {
    fill: given('fill') ?? around.fill,
    stroke: given('stroke') ?? around.stroke,
    strokeWidth: number('stroke-width', around.strokeWidth),
    dashes: given('stroke-dasharray') ?? around.dashes,
    fillOpacity: number('fill-opacity', around.fillOpacity) * opacity,
    strokeOpacity: number('stroke-opacity', around.strokeOpacity) * opacity,
    fontSize: number('font-size', around.fontSize),
    bold: (given('font-weight') ?? (around.bold ? 'bold' : '')) === 'bold',
    anchor: given('text-anchor') ?? around.anchor,
  }
}

function lengthOf(text: string, fontSize: number): number {
  const number = Number.parseFloat(text) || 0
  return text.endsWith('em') ? number * fontSize : number
}
