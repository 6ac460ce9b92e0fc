import decodeQR from 'qr/decode.js'
import { describe, expect, it } from 'vitest'
import { qrModules } from './qr-code.tsx'

/** A picture of a code, as a camera sees it. */
function pictureOf(modules: readonly (readonly boolean[])[]) {
  const scale = 4
  const side = scale * modules.length
  const data = new Uint8ClampedArray(4 * side * side).fill(255)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [row, column] = [y, x].map((place) => Math.floor(place / scale))
      if (modules[row]?.[column]) data.fill(0, 4 * (y * side + x), 4 * (y * side + x) + 3)
    }
  return { width: side, height: side, data }
}

const MARGINS = 2 * 4

/** A text of letters of a link, of some length. */
function linkOf(length: number): string {
  const letters = Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i * i + i) % 26)))
  return `https://lab.example/#lab=${letters.join('')}`.slice(0, length)
}

describe('QR codes', () => {
  it.each([1, 17, 40, 78, 154, 230, 300, 509, 858, 1273, 1999, 2953])(
    'of %i letters are read by a decoder',
    (length) => {
      const text = linkOf(length)
      expect(decodeQR(pictureOf(qrModules(text)!))).toBe(text)
    },
  )

  it('grow only where they must, and are refused beyond the largest', () => {
    // The capacities of the standard for bytes at level L.
    const capacities = { 1: 17, 2: 32, 6: 134, 7: 154, 9: 230, 10: 271, 26: 1367, 27: 1465 }
    for (const [version, most] of Object.entries(capacities)) {
      expect(qrModules(linkOf(most))?.length, version).toBe(MARGINS + 17 + 4 * Number(version))
      expect(qrModules(linkOf(most + 1))?.length, version).toBe(MARGINS + 21 + 4 * Number(version))
    }
    expect(qrModules(linkOf(2954))).toBeNull()
  })

  it('carry letters beyond ASCII', () => {
    expect(decodeQR(pictureOf(qrModules('Wähler 名')!))).toBe('Wähler 名')
  })
})
