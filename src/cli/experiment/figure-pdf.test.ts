import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { pdfOf } from './figure-pdf.ts'

const require = createRequire(import.meta.url)
const font = (name: string) => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
const FONTS = { regular: font('DejaVuSans'), bold: font('DejaVuSans-Bold') }

const PICTURE = `<svg viewBox="0 0 200 100" width="400" height="200" aria-label="A (small) figure">
<rect width="200" height="100" fill="#ffffff"/>
<g transform="translate(10,20)" fill="none" stroke="#ff0000" stroke-opacity="0.5">
<path d="M0 0L10 5h4v-2Z" stroke-dasharray="3 6"/><circle cx="5" cy="5" r="2" fill="#0000ff"/>
<line x1="1" y1="2" x2="3" y2="4" stroke-width="2"/></g>
<text x="100" y="50" font-size="10" text-anchor="end" font-weight="bold">R² (5·10⁶) ≤</text>
</svg>`

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** The operators of the page: the first stream. */
function operatorsOf(bytes: Uint8Array): string {
  const text = textOf(bytes)
  const [whole, length] = /\/Length (\d+)[^>]*>>\nstream\n/.exec(text)!
  const start = text.indexOf(whole) + whole.length
  return textOf(inflateSync(bytes.subarray(start, start + Number(length))))
}

const file = await pdfOf(PICTURE, FONTS)

it('is one page of the size of the picture, in points', () => {
  // Opacity is of this version.
  expect(textOf(file)).toMatch(/^%PDF-1\.4\n/)
  expect(textOf(file)).toContain('/MediaBox [0 0 300 150]')
  expect(textOf(file)).toContain('(A \\(small\\) figure)')
  expect(textOf(file).trimEnd()).toMatch(/%%EOF$/)
})

it('draws shapes with their colours, dashes and opacity', () => {
  const page = operatorsOf(file).replaceAll('\n', ' ')
  expect(page).toContain('1 0 0 1 10 20 cm')
  expect(page).toMatch(/\[3 6\] 0 d 0 0 m 10 5 l 14 5 l 14 3 l h \/DeviceRGB CS 1 0 0 SCN S/)
  expect(page).toMatch(/2 w 1 2 m 3 4 l \/DeviceRGB CS 1 0 0 SCN S/)
  expect(page).toMatch(/0 0 1 scn \/DeviceRGB CS 1 0 0 SCN B/)
  expect(textOf(file)).toContain('/CA 0.5')
})

it('places text at its anchor', async () => {
  const startOf = async (anchor: string) => {
    const page = operatorsOf(await pdfOf(PICTURE.replace('="end"', `="${anchor}"`), FONTS))
    return Number(/1 0 0 1 ([\d.]+) 100 Tm/.exec(page)![1])
  }
  const [start, middle, end] = await Promise.all(['start', 'middle', 'end'].map(startOf))
  expect(start).toBe(100)
  expect(end).toBeLessThan(50)
  expect(2 * middle).toBeCloseTo(start + end, 4)
})

it('has a glyph for every character that figures use', () => {
  const [, glyphs] = /\[<([\da-f]+)> 0\] TJ/.exec(operatorsOf(file))!
  expect(glyphs.match(/.{4}/g)).toHaveLength('R² (5·10⁶) ≤'.length)
  expect(glyphs.match(/.{4}/g)).not.toContain('0000')
})

it('is the same each time', async () => {
  expect(textOf(await pdfOf(PICTURE, FONTS))).toBe(textOf(file))
})
