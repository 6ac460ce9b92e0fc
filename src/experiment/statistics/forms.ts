/** Forms to fit, as data: a sum of terms with unknown coefficients, or a power law. */

export interface FormTerm {
  /** The term without its coefficient: `n log2 n`; empty for the constant. */
  readonly name: string
  at(x: number): number
}

export interface Sum {
  readonly kind: 'sum'
  readonly name: string
  readonly variable: string
  readonly terms: readonly FormTerm[]
}

/** `c n^k` with unknown c and k. */
export interface Power {
  readonly kind: 'power'
  readonly name: string
  readonly variable: string
}

export type Form = Sum | Power

/** One factor of a term. */
export interface Factor {
  readonly shown: (variable: string) => string
  readonly at: (x: number) => number
}

export const CONSTANT: FormTerm = { name: '', at: () => 1 }

/** The functions that a term may contain, by name. */
export const FUNCTIONS: Readonly<Record<string, Factor>> = {
  log2: { shown: (x) => `log2 ${x}`, at: Math.log2 },
  log: { shown: (x) => `log2 ${x}`, at: Math.log2 },
  ln: { shown: (x) => `ln ${x}`, at: Math.log },
  sqrt: { shown: (x) => `sqrt ${x}`, at: Math.sqrt },
  H: { shown: (x) => `H(${x})`, at: harmonicAt },
}

export function sumForm(variable: string, terms: readonly FormTerm[]): Sum {
  const name = terms.map((term) => term.name || '1').join(' + ')
  return { kind: 'sum', name, variable, terms }
}

export function powerOf(variable: string): Power {
  return { kind: 'power', name: `${variable}^k`, variable }
}

/**
 * The harmonic numbers, continued to real arguments so that a curve can be drawn: Euler's expansion
 * at x + 10, where it is exact to machine precision, and the recurrence back to x.
 */
function harmonicAt(x: number): number {
  if (!(x >= 0)) return Number.NaN
  let before = 0
  for (let i = 10; i >= 1; i--) before += 1 / (x + i)
  const far = x + 10
  const square = far * far
  const bend = 1 / 12 - (1 / 120 - 1 / (252 * square)) / square
  return Math.log(far) + EULER + 1 / (2 * far) - bend / square - before
}

const EULER = 0.5772156649015329
