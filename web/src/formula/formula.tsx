import type { VNode } from 'preact'
import './formula.css'

/** A formula of the theory, typeset. Screen readers get the formula as it is written. */
export function Formula({ text }: { readonly text: string }) {
  return (
    <span class="formula">
      <span class="unseen">{text}</span>
      <span aria-hidden="true">{typeset(text).map(shown)}</span>
    </span>
  )
}

/** Prose that may have formulas in it. */
export function FormulaText({ text }: { readonly text: string }) {
  return <>{typeset(text, true).map(shown)}</>
}

function shown(piece: FormulaPiece, index: number): VNode | string {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'letter') return <i key={index}>{piece.text}</i>
  const inner = piece.pieces.map(shown)
  return piece.kind === 'raised' ? <sup key={index}>{inner}</sup> : <sub key={index}>{inner}</sub>
}

/** A piece of a typeset text: words, a letter of a formula, or something raised or lowered. */
export type FormulaPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'letter'; readonly text: string }
  | { readonly kind: 'raised' | 'lowered'; readonly pieces: readonly FormulaPiece[] }

const BRACKETS: Readonly<Record<string, readonly [string, string]>> = {
  ceil: ['⌈', '⌉'],
  floor: ['⌊', '⌋'],
  sqrt: ['√(', ')'],
}

const SIGNS: Readonly<Record<string, string>> = {
  '<=': '≤',
  '>=': '≥',
  '->': '→',
  ' * ': ' · ',
  ' - ': ' − ',
  '...': '…',
}

/** Letters that stand for numbers in the formulas of the field. */
const VARIABLE = /^[a-zA-Z]$/
const TOKEN = /<=|>=|->| \* | - |\.\.\.|[A-Za-z]+\d*|\d+(?:\.\d+)?|\s+|./gu

/**
 * Reads a text with formulas in ASCII. In prose only powers, indices, logarithms and rounding
 * brackets are set; a formula also has its single letters in italics.
 */
export function typeset(text: string, prose = false): FormulaPiece[] {
  const tokens = text.match(TOKEN) ?? []
  let next = 0
  return joined(piecesUntil(() => false))

  function piecesUntil(ends: (token: string) => boolean): FormulaPiece[] {
    const pieces: FormulaPiece[] = []
    while (next < tokens.length && !ends(tokens[next])) pieces.push(...piece())
    return pieces
  }

  /** One token with its brackets, and what is raised or lowered after it. */
  function piece(): FormulaPiece[] {
    const token = tokens[next++]
    const own = atom(token)
    const pieces = [...own]
    while ((tokens[next] === '^' || tokens[next] === '_') && isOperand(tokens[next + 1])) {
      const kind = tokens[next++] === '^' ? ('raised' as const) : ('lowered' as const)
      pieces.push({ kind, pieces: operand() })
    }
    return pieces
  }

  function atom(token: string): FormulaPiece[] {
    const brackets = tokens[next] === '(' ? BRACKETS[token] : undefined
    if (brackets !== undefined) {
      next++
      return [words(brackets[0]), ...inBrackets(), words(brackets[1])]
    }
    if (token === 'log2') return [words('log'), { kind: 'lowered', pieces: [words('2')] }]
    const raisedNext = tokens[next] === '^' || tokens[next] === '_'
    if (VARIABLE.test(token) && (!prose || raisedNext)) return [{ kind: 'letter', text: token }]
    if (token === '-' && !prose) return [words('−')]
    return [words(SIGNS[token] ?? token)]
  }

  /** What is raised or lowered: a bracketed expression, or one token. */
  function operand(): FormulaPiece[] {
    if (tokens[next] === '(') {
      next++
      return joined(inBrackets())
    }
    const token = tokens[next++]
    return joined(VARIABLE.test(token) ? [{ kind: 'letter', text: token }] : atom(token))
  }

  /** The expression up to the bracket that closes it, which is skipped. */
  function inBrackets(): FormulaPiece[] {
    const pieces: FormulaPiece[] = []
    while (next < tokens.length && tokens[next] !== ')') {
      if (tokens[next] !== '(') {
        pieces.push(...piece())
        continue
      }
      next++
      pieces.push(words('('), ...inBrackets(), words(')'))
    }
    next++
    return pieces
  }
}

function isOperand(token: string | undefined): boolean {
  return token !== undefined && /^[\w(]/.test(token)
}

function words(text: string): FormulaPiece {
  return { kind: 'text', text }
}

/** Neighbouring words become one piece. */
function joined(pieces: readonly FormulaPiece[]): FormulaPiece[] {
  const all: FormulaPiece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (piece.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = words(last.text + piece.text)
    else all.push(piece)
  }
  return all
}
