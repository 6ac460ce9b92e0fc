import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'

const require = createRequire(import.meta.url)
/** Fonts that come along, so that a picture has the same glyphs on every machine. */
const FONT_FILES = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]
const FAMILY = 'DejaVu Sans'

/** An SVG as PNG, by default with two pixels for each of its own. */
export function pngOf(svg: string, zoom = 2): Uint8Array {
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: zoom },
    font: {
      fontFiles: FONT_FILES,
      loadSystemFonts: false,
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
    },
  })
  return picture.render().asPng()
}
