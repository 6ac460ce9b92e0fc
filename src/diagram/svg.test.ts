import { expect, test } from 'vitest'
import { element, escaped, textLines, textWidth } from './svg.ts'

test('words are escaped, and characters that XML cannot hold are replaced', () => {
  expect(escaped('a < b & "c" > \u0001\ud800 d')).toBe(
    'a &lt; b &amp; &quot;c&quot; &gt; \ufffd\ufffd d',
  )
  expect(escaped('ñ 漢 😀 \n')).toBe('ñ 漢 😀 \n')
})

test('an element has the attributes that are given, lengths to a tenth', () => {
  expect(element('a', { b: 1.26, c: 'x"y', d: undefined, e: -0.01 })).toBe(
    '<a b="1.3" c="x&quot;y" e="0"/>',
  )
  expect(element('g', {}, element('p', {}), 'text')).toBe('<g><p/>text</g>')
})

test('no line is wider than asked, except for one long word, and no word is lost', () => {
  const text = '  the quick brown fox jumps over the incomprehensibilities of the lazy dog '
  const lines = textLines(text, 10, 80)
  expect(lines.join(' ')).toBe(text.trim())
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines.filter((line) => line.includes(' ')))
    expect(textWidth(line, 10)).toBeLessThanOrEqual(80)
  expect(lines).toContain('incomprehensibilities')
  expect(textLines('', 10, 80)).toEqual([])
})
