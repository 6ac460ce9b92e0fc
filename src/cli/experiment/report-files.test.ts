import { describe, expect, it } from 'vitest'
import { pngRenderer } from './report-files.ts'

describe('a PNG', () => {
  const svg = (text: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><text y="20">${text}</text></svg>`

  it('has twice the size of its SVG, the same bytes each time, and shipped glyphs', async () => {
    const pngOf = (await pngRenderer())!
    const png = Buffer.from(pngOf(svg('n')))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([180, 60])
    expect(png.equals(Buffer.from(pngOf(svg('n'))))).toBe(true)
    expect(pngOf(svg('10⁻⁶ WwMm')).length).toBeGreaterThan(pngOf(svg('')).length + 100)
  })
})
