import { parseHTML } from 'linkedom'
import { HELVETICA, HELVETICA_BOLD, textRuns } from './pdf-text.ts'
import { pathOperators } from './svg-path.ts'

/*
 * Figures as PDF: one page of vectors with the standard fonts, which every reader has. It draws the
 * part of SVG that our figures use: groups, rectangles, lines, circles, paths and lines of text.
 */

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
const POINTS = 0.75

/** The figure as a PDF file; the same bytes for the same figure. */
export function pdfOf(svg: string): Uint8Array {
  const { document } = parseHTML(`<!doctype html><html><body>${svg}</body></html>`)
  const root = document.querySelector('svg') as unknown as SvgNode
  const [, , across, down] = (root.getAttribute('viewBox') ?? '0 0 1280 720')
    .split(/[\s,]+/)
    .map(Number)
  const width = Number(root.getAttribute('width') ?? across) * POINTS
  const height = Number(root.getAttribute('height') ?? down) * POINTS
  const scale = Math.min(width / across, height / down)
  const page = new PdfPage()
  // The origin of a page is below, that of a picture above.
  const [left, bottom] = [(width - scale * across) / 2, (height + scale * down) / 2]
  page.write(`${numbers(scale, 0, 0, -scale, left, bottom)} cm`)
  page.draw(root, DEFAULT)
  return fileOf(page, numbers(0, 0, width, height), root.getAttribute('aria-label') ?? '')
}

class PdfPage {
  readonly operators: string[] = []
  /** Names of graphics states by their opacities, `fill stroke`. */
  readonly opacities = new Map<string, string>()

  write(operator: string): void {
    this.operators.push(operator)
  }

  draw(node: SvgNode, around: Paint): void {
    const paint = inherited(node, around)
    const moved = matrixOf(node.getAttribute('transform') ?? '')
    if (moved !== null) this.write(`q ${numbers(...moved)} cm`)
    const name = node.tagName.toLowerCase()
    if (name === 'text') this.text(node, paint)
    else if (SHAPES[name] !== undefined) this.shape(SHAPES[name](node), paint)
    else for (const child of node.children) this.draw(child, paint)
    if (moved !== null) this.write('Q')
  }

  private shape(path: string, paint: Paint): void {
    const [fills, strokes] = [paint.fill !== 'none', paint.stroke !== 'none']
    if (path === '' || (!fills && !strokes)) return
    const colours = [
      fills ? `${rgb(paint.fill)} rg` : '',
      strokes ? `${rgb(paint.stroke)} RG ${numbers(paint.strokeWidth)} w ${dashesOf(paint)} d` : '',
    ]
    const ink = fills && strokes ? 'B' : fills ? 'f' : 'S'
    this.write(`q ${this.opacity(paint)} ${colours.join(' ')} ${path} ${ink} Q`)
  }

  private text(node: SvgNode, paint: Paint): void {
    const { fontSize, bold, anchor } = paint
    const runs = textRuns(node.textContent ?? '', fontSize, bold)
    const width = runs.reduce((sum, run) => sum + run.width, 0)
    const shift = anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0
    const length = (name: string) => lengthOf(node.getAttribute(name) ?? '0', fontSize)
    let x = length('x') + length('dx') - shift
    const y = length('y') + length('dy')
    for (const run of runs) {
      const place = numbers(1, 0, 0, -1, x, y - run.rise)
      const font = `/${bold ? 'F2' : 'F1'} ${numbers(run.size)} Tf`
      this.write(
        `q ${this.opacity(paint)} ${rgb(paint.fill)} rg BT ${font} ${place} Tm (${run.text}) Tj ET Q`,
      )
      x += run.width
    }
  }

  private opacity({ fillOpacity, strokeOpacity }: Paint): string {
    const key = numbers(fillOpacity, strokeOpacity)
    if (!this.opacities.has(key)) this.opacities.set(key, `G${this.opacities.size}`)
    return `/${this.opacities.get(key)} gs`
  }
}

/** The outline of each shape, as operators. */
const SHAPES: Readonly<Record<string, (node: SvgNode) => string>> = {
  rect: (node) => `${numbers(...attributes(node, 'x', 'y', 'width', 'height'))} re`,
  line(node) {
    const [x1, y1, x2, y2] = attributes(node, 'x1', 'y1', 'x2', 'y2')
    return `${numbers(x1, y1)} m ${numbers(x2, y2)} l`
  },
  circle(node) {
    const [x, y, r] = attributes(node, 'cx', 'cy', 'r')
    const half = `${r} ${r} 0 1 1`
    return pathOperators(`M${x - r} ${y}A${half} ${x + r} ${y}A${half} ${x - r} ${y}Z`)
  },
  path: (node) => pathOperators(node.getAttribute('d') ?? ''),
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

/** Only what our figures have: moved or turned groups. */
function matrixOf(text: string): [number, number, number, number, number, number] | null {
  const [, name, list = ''] = /^\s*(translate|rotate)\(([^)]*)\)\s*$/.exec(text) ?? []
  const [first = 0, second = 0] = list.split(/[\s,]+/).map(Number)
  if (name === 'translate') return [1, 0, 0, 1, first, second]
  if (name === undefined) return null
  const [sine, cosine] = [Math.sin((first * Math.PI) / 180), Math.cos((first * Math.PI) / 180)]
  return [cosine, sine, -sine, cosine, 0, 0]
}

function lengthOf(text: string, fontSize: number): number {
  const number = Number.parseFloat(text) || 0
  return text.endsWith('em') ? number * fontSize : number
}

function dashesOf({ dashes }: Paint): string {
  return dashes === 'none' ? '[] 0' : `[${dashes.split(/[\s,]+/).join(' ')}] 0`
}

function rgb(colour: string): string {
  const names: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' }
  const code = (names[colour] ?? colour).replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3')
  const digits = /^#[\da-f]{6}$/i.test(code) ? code : '#000000'
  return numbers(...[1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255))
}

/** Numbers with three decimals, which is far below a pixel. */
function numbers(...list: number[]): string {
  return list.map((number) => String(Math.round(number * 1000) / 1000 || 0)).join(' ')
}

function fileOf(page: PdfPage, box: string, title: string): Uint8Array {
  const stream = page.operators.join('\n')
  const states = [...page.opacities].map(([key, name]) => {
    const [fill, stroke] = key.split(' ')
    return `/${name} << /ca ${fill} /CA ${stroke} >>`
  })
  const fonts = '/F1 5 0 R /F2 6 0 R'
  const resources = `<< /Font << ${fonts} >> /ExtGState << ${states.join(' ')} >> >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources ${resources} /Contents 4 0 R >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    fontObject(HELVETICA),
    fontObject(HELVETICA_BOLD),
    `<< /Title (${textRuns(title, 1, false)
      .map((run) => run.text)
      .join('')}) /Producer (conclave) >>`,
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const at = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>`
  const whole = `${file}${table}${trailer}\nstartxref\n${file.length}\n%%EOF\n`
  return Uint8Array.from(whole, (character) => character.charCodeAt(0))
}

function fontObject(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
}
