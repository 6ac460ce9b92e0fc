import { fileURLToPath } from 'node:url'
import { BUILT } from '../built.ts'

/** Draws an SVG as PNG, by default with two pixels for each of its own. */
export type PngRenderer = (svg: string, zoom?: number) => Uint8Array

const FAMILY = 'DejaVu Sans'

/** The renderer; null where its package, which is optional, cannot be loaded. */
export async function pngRenderer(): Promise<PngRenderer | null> {
  const library = await import('@resvg/resvg-js').catch(() => null)
  if (library === null) return null
  // These fonts come with the program, so that a figure has the same glyphs on every machine.
  const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) =>
    fileURLToPath(new URL(`fonts/${name}`, BUILT)),
  )
  const font = {
    fontFiles,
    loadSystemFonts: false,
    defaultFontFamily: FAMILY,
    sansSerifFamily: FAMILY,
  }
  return (svg, zoom = 2) =>
    new library.Resvg(svg, { fitTo: { mode: 'zoom', value: zoom }, font }).render().asPng()
}
