/** A piece of a line of text in one size. */
export interface TextRun {
  /** Escaped, in the encoding of the standard fonts: one character is one byte. */
  readonly text: string
  readonly size: number
  readonly width: number
  /** How far it stands above the line. */
  readonly rise: number
}

export const HELVETICA = 'Helvetica'
export const HELVETICA_BOLD = 'Helvetica-Bold'

/** Widths of the characters from space to tilde, in thousandths of the font size. */
const WIDTHS = [
  ...[278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556],
  ...[1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556],
  ...[333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556],
  ...[556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584],
]
const BOLD_WIDTHS = [
  ...[278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278],
  ...[556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611],
  ...[975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778],
  ...[667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556],
  ...[333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611],
  ...[611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584],
]
/** Widths of other characters that figures use; all others count as a digit. */
const OTHER_WIDTHS: Readonly<Record<string, number>> = { '·': 278, '±': 584, '×': 584, '…': 1000 }

/** Characters outside of Latin-1 that the encoding of the fonts has all the same. */
const ENCODED: Readonly<Record<string, number>> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
}
/** What stands in for characters that the fonts do not have. */
const REPLACED: Readonly<Record<string, string>> = {
  '≤': '<=',
  '≥': '>=',
  '→': '->',
  '−': '-',
  '≈': '~',
}
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'
const LEVEL = '0123456789-'

/** A line of text as pieces; raised digits are small ones above the line. */
export function textRuns(text: string, size: number, bold: boolean): TextRun[] {
  const pieces = text.match(new RegExp(`[${RAISED}]+|[^${RAISED}]+`, 'gu')) ?? []
  return pieces.map((piece) => {
    const raised = RAISED.includes([...piece][0])
    const level = raised
      ? [...piece].map((one) => LEVEL[RAISED.indexOf(one)]).join('')
      : [...piece].map((one) => REPLACED[one] ?? one).join('')
    const own = raised ? size * 0.65 : size
    return {
      text: escaped(level),
      size: own,
      width: widthOfText(level, own, bold),
      rise: raised ? size * 0.36 : 0,
    }
  })
}

function widthOfText(text: string, size: number, bold: boolean): number {
  const widths = bold ? BOLD_WIDTHS : WIDTHS
  let sum = 0
  for (const character of text) {
    sum += widths[character.charCodeAt(0) - 32] ?? OTHER_WIDTHS[character] ?? 556
  }
  return (sum * size) / 1000
}

function escaped(text: string): string {
  let written = ''
  for (const character of text) {
    const code = ENCODED[character] ?? character.codePointAt(0)!
    const known = code >= 32 && code <= 255 && (code < 127 || code > 159 || character in ENCODED)
    const shown = known ? String.fromCharCode(code) : '?'
    written += '()\\'.includes(shown) ? `\\${shown}` : shown
  }
  return written
}
