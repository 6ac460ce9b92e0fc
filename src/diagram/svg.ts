import { wrapped } from '../core/text-format.ts'

/** SVG as text: elements, escaped text, and an upper bound on the width of text. */

export type Attributes = Readonly<Record<string, string | number | undefined>>

export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === 'number' ? px(value) : escaped(`${value}`)}"`,
    )
    .join('')
  return children.length > 0
    ? `<${name}${written}>${children.join('')}</${name}>`
    : `<${name}${written}/>`
}

/** A length to a tenth of a pixel. */
export function px(length: number): string {
  return String(Math.round(length * 10) / 10 || 0)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for XML; characters that XML does not allow are replaced. */
export function escaped(words: string): string {
  return words
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"]/g, (character) => ENTITIES[character])
}

export function words(
  text: string,
  at: { x: number; y: number },
  style: { size: number; fill: string; bold?: boolean; anchor?: 'start' | 'middle' | 'end' },
  more: Attributes = {},
): string {
  const attributes = {
    x: at.x,
    y: at.y,
    'font-size': style.size,
    'font-weight': style.bold ? 'bold' : undefined,
    'text-anchor': style.anchor === 'start' ? undefined : style.anchor,
    fill: style.fill,
  }
  return element('text', { ...attributes, ...more }, escaped(text))
}

/**
 * The width of a text in a wide sans-serif font. The font of the reader is unknown, so this is an
 * upper bound: nothing is cut or overlaps in any common font.
 */
export function textWidth(text: string, size: number, bold = false): number {
  let ems = 0
  for (const character of text) ems += emsOf(character)
  return ems * size * (bold ? 1.12 : 1)
}

function emsOf(character: string): number {
  if (/[ .,:;'|!()[\]ijlft-]/.test(character)) return 0.42
  if (/[MW@%mw]/.test(character)) return 1
  if (/[A-Z+=<>~]/.test(character)) return 0.84
  return character < '\u0300' ? 0.65 : 1.05
}

/** Breaks a text into lines of at most this width at this font size. */
export function textLines(text: string, size: number, width: number, bold = false): string[] {
  const words = text.split(/\s+/).filter(Boolean)
  return wrapped(words, width, (line) => textWidth(line, size, bold))
}
