import { describe, expect, it } from 'vitest'
import { pdfOf } from './pdf.ts'
import { textRuns } from './pdf-text.ts'
import { pathOperators } from './svg-path.ts'

function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

const PICTURE = `<svg viewBox="0 0 200 100" width="400" height="200" aria-label="A (small) figure">
<rect width="200" height="100" fill="#ffffff"/>
<g transform="translate(10,20)" fill="none" stroke="#ff0000" stroke-opacity="0.5">
<path d="M0 0L10 5h4v-2Z" stroke-dasharray="3 6"/><circle cx="5" cy="5" r="2" fill="#0000ff"/>
<line x1="1" y1="2" x2="3" y2="4" stroke-width="2"/></g>
<text x="100" y="50" font-size="10" text-anchor="end" font-weight="bold">R² (5·10⁶)</text>
</svg>`

describe('a figure as PDF', () => {
  const file = textOf(pdfOf(PICTURE))

  it('is one page of the size of the picture, in points', () => {
    expect(file).toMatch(/^%PDF-1\.4\n/)
    expect(file).toContain('/MediaBox [0 0 300 150]')
    expect(file).toContain('/Title (A \\(small\\) figure)')
    expect(file.endsWith('%%EOF\n')).toBe(true)
  })

  it('has a table of contents whose offsets are right', () => {
    const [, start] = /startxref\n(\d+)\n/.exec(file)!
    expect(file.slice(Number(start), Number(start) + 4)).toBe('xref')
    const offsets = [...file.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) => Number(at))
    expect(offsets).toHaveLength(7)
    for (const [i, at] of offsets.entries())
      expect(file.slice(at, at + 8)).toMatch(new RegExp(`^${i + 1} 0 obj`))
    const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file)!
    expect(stream).toHaveLength(Number(length))
  })

  it('draws shapes with their colours, dashes and opacity', () => {
    expect(file).toContain('q 1 0 0 1 10 20 cm')
    expect(file).toContain('1 0 0 RG 1 w [3 6] 0 d 0 0 m 10 5 l 14 5 l 14 3 l h S')
    expect(file).toContain('1 0 0 RG 2 w [] 0 d 1 2 m 3 4 l S')
    expect(file).toMatch(/0 0 1 rg 1 0 0 RG .* c h B/)
    expect(file).toContain('<< /ca 1 /CA 0.5 >>')
  })

  it('writes text with its anchor, and raised digits above the line', () => {
    const runs = textRuns('R² (5·10⁶)', 10, true)
    expect(runs.map(({ text }) => text)).toEqual(['R', '2', ' \\(5\xb710', '6', '\\)'])
    const width = runs.reduce((sum, run) => sum + run.width, 0)
    const x = Math.round((100 - width) * 1000) / 1000
    expect(file).toContain(`/F2 10 Tf 1 0 0 -1 ${x} 50 Tm (R) Tj`)
    expect(file).toContain('/F2 6.5 Tf')
  })

  it('is the same each time', () => {
    expect(textOf(pdfOf(PICTURE))).toBe(file)
  })
})

describe('arcs', () => {
  it('are curves through the same points', () => {
    // A half circle of radius 10 around the origin, by way of (0, -10) on a screen.
    const curve = pathOperators('M-10 0A10 10 0 0 1 10 0')
    expect(curve).toBe('-10 0 m -10 -5.523 -5.523 -10 0 -10 c 5.523 -10 10 -5.523 10 0 c')
    const other = pathOperators('M-10 0A10 10 0 0 0 10 0')
    expect(other).toBe('-10 0 m -10 5.523 -5.523 10 0 10 c 5.523 10 10 5.523 10 0 c')
  })

  it('grow where their radius is too small', () => {
    expect(pathOperators('M0 0a1 1 0 0 1 8 0')).toMatch(/ 8 0 c$/)
  })
})
