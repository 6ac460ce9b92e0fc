import encodeQR from 'qr'

/** The margin of the standard, in modules. */
const MARGIN = 4
/** What the largest code has room for. */
const BYTES_MAX = 2953

/**
 * A text as a picture of its QR code (ISO/IEC 18004), for the phones of an audience: bytes with the
 * error correction of level L.
 */
export function QrCode({ text }: { readonly text: string }) {
  const modules = qrModules(text)
  if (modules === null) return <p>The link is too long for a QR code: use Share.</p>
  return (
    <svg
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      role="img"
      aria-label="QR code of the link"
      shape-rendering="crispEdges"
    >
      <path d={outline(modules)} />
    </svg>
  )
}

/** The modules of a code with its margin, true for dark; null for a text that is too long. */
export function qrModules(text: string): boolean[][] | null {
  if (new TextEncoder().encode(text).length > BYTES_MAX) return null
  return encodeQR(text, 'raw', { ecc: 'low', encoding: 'byte', border: MARGIN })
}

/** The dark modules as runs of each row. */
function outline(modules: readonly (readonly boolean[])[]): string {
  const runs = modules.flatMap((row, y) =>
    [...row.map(Number).join('').matchAll(/1+/g)].map(
      ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`,
    ),
  )
  return runs.join('')
}
