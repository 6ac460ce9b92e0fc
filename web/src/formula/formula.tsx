import type { VNode } from 'preact'
import { type FormulaPiece, typeset } from './typeset.ts'
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
export function Prose({ text }: { readonly text: string }) {
  return <>{typeset(text, true).map(shown)}</>
}

function shown(piece: FormulaPiece, index: number): VNode | string {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'letter') return <i key={index}>{piece.text}</i>
  const inner = piece.pieces.map(shown)
  return piece.kind === 'raised' ? <sup key={index}>{inner}</sup> : <sub key={index}>{inner}</sub>
}
