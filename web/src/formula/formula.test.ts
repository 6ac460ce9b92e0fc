import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { type FormulaPiece, typeset } from './formula.tsx'

/** A typeset text as a line: raised parts in braces after ^, lowered ones after _. */
function line(pieces: readonly FormulaPiece[]): string {
  return pieces
    .map((piece) =>
      'text' in piece
        ? piece.text
        : `${piece.kind === 'raised' ? '^' : '_'}{${line(piece.pieces)}}`,
    )
    .join('')
}

describe('a formula', () => {
  it.each([
    ['n(n+1)/2', 'n(n+1)/2'],
    ['8n ceil(log2 n) + 4n', '8n ⌈log_{2} n⌉ + 4n'],
    ['5n + 4(2^ceil(log2 n) - 2)', '5n + 4(2^{⌈log_{2} n⌉} − 2)'],
    ['n H_n', 'n H_{n}'],
    ['n^2 - 1', 'n^{2} − 1'],
    ['2^id', '2^{id}'],
    ['x^(k+1) <= 3', 'x^{k+1} ≤ 3'],
    ['sqrt(n) * 2', '√(n) · 2'],
    ['(n-1', '(n−1'],
    ['a^', 'a^'],
    ['ceil(n', '⌈n⌉'],
  ])('%s', (given, expected) => {
    expect(line(typeset(given))).toBe(expected)
  })

  it('of every algorithm is set whole', () => {
    const theories = [...catalogue, ...aggregations].map(({ theory }) => theory)
    const formulas = theories.flatMap(({ bounds }) => bounds.map(({ formula }) => formula))
    expect(formulas.length).toBeGreaterThan(40)
    for (const formula of formulas) {
      const set = JSON.stringify(typeset(formula))
      expect(set, formula).not.toMatch(/\^|[a-zA-Z]_|ceil|floor|log2/)
    }
  })

  it('in prose leaves words alone', () => {
    expect(line(typeset('A probe goes 2^k nodes far.', true))).toBe('A probe goes 2^{k} nodes far.')
    const [first] = typeset('a word', true)
    expect(first).toEqual({ kind: 'text', text: 'a word' })
  })
})
