import { UsageError } from '../../core/index.ts'
import { digits } from '../../core/text-format.ts'
import type { Coefficient, Fit } from './fit.ts'
import {
  CONSTANT,
  type Factor,
  type Form,
  type FormTerm,
  FUNCTIONS,
  powerOf,
  sumForm,
} from './forms.ts'

/** A question about the dependence of a measure on the swept variable. */
export interface FitRequest {
  /** Null for all measures. */
  readonly measure: string | null
  /** Null to determine the growth class. */
  readonly form: Form | null
}

const EXAMPLE = 'Write for example "messages ~ n log2 n", "time ~ log2(n) + n" or "messages ~ auto"'

/**
 * Reads `messages ~ n log2 n`. Terms are joined by +, each gets a coefficient, and a constant is
 * added unless the first term is 0. `n^k` is a power law; `auto` determines the growth class.
 */
export function readFit(text: string, where = 'fit'): FitRequest {
  if (text.trim() === 'auto') return { measure: null, form: null }
  const parts = text.split('~').map((part) => part.trim())
  if (parts.length !== 2 || parts.includes(''))
    throw new UsageError(
      where,
      `a fit is a measure and a form with one ~ between them, not "${text}".`,
      `${EXAMPLE}.`,
    )
  const [measure, form] = parts
  return { measure, form: form === 'auto' ? null : readForm(form, where) }
}

export function readForm(text: string, where = 'fit'): Form {
  const reader = new FormReader(text, where)
  return reader.form()
}

/** Words, numbers (also negative, as exponents) and single signs. */
const TOKENS = /\s*([A-Za-z_][\w.]*|\d+(?:\.\d+)?|\S)/y

class FormReader {
  private readonly tokens: string[] = []
  private variable: string | undefined

  constructor(
    private readonly text: string,
    private readonly where: string,
  ) {
    TOKENS.lastIndex = 0
    for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text))
      this.tokens.push(found[1])
  }

  form(): Form {
    if (this.tokens.length === 3 && /^[A-Za-z][\w.]*\^k$/.test(this.tokens.join(''))) {
      return powerOf(this.tokens[0])
    }
    const terms = [this.term()]
    while (this.takes('+')) terms.push(this.term())
    if (this.tokens.length > 0) this.refuse(`expected + or the end, got "${this.tokens[0]}"`)
    return this.sum(terms)
  }

  /** A null term stands for 0: no constant. */
  private sum(terms: readonly (FormTerm | null)[]): Form {
    const free = terms.includes(null)
    const named = terms.filter((term): term is FormTerm => term !== null)
    const names = named.map(({ name }) => name)
    const twice = names.find((name, i) => names.indexOf(name) < i)
    if (twice !== undefined) this.refuse(`the term ${twice || '1'} occurs twice`)
    if (free && names.includes(''))
      this.refuse('0 and 1 contradict each other: no constant, and a constant')
    const growing = named.filter((term) => term.name !== '')
    if (free && growing.length === 0) this.refuse('there is no term to fit')
    return sumForm(this.variable ?? 'n', free ? growing : [...growing, CONSTANT])
  }

  private term(): FormTerm | null {
    if (this.tokens[0] === '0' && this.tokens[1] !== '^') {
      this.tokens.shift()
      return null
    }
    if (this.tokens[0] === '1' && this.tokens[1] !== '^') {
      this.tokens.shift()
      return CONSTANT
    }
    const factors: FormTerm[] = [this.factor()]
    while (this.tokens.length > 0 && this.tokens[0] !== '+') {
      this.takes('*')
      factors.push(this.factor())
    }
    const name = factors.map((factor) => factor.name).join(' ')
    return { name, at: (x) => factors.reduce((product, factor) => product * factor.at(x), 1) }
  }

  private factor(): FormTerm {
    const token = this.tokens.shift()
    if (token === undefined) this.refuse('expected a term at the end')
    if (/^\d/.test(token)) return this.exponential(Number(token))
    if (token === '(') return this.bracketed()
    if (!/^\w/.test(token)) this.refuse(`expected a term, got "${token}"`)
    const known = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : undefined
    if (known === undefined && this.tokens[0] === '(')
      this.refuse(
        `unknown function ${token}; the functions are ${Object.keys(FUNCTIONS).join(', ')}`,
      )
    return this.raised(known === undefined ? this.variableTerm(token) : this.applied(known))
  }

  /** `(log2 n)^2`, as names of terms are written. */
  private bracketed(): FormTerm {
    const closing = this.tokens.indexOf(')')
    if (this.tokens[closing + 1] !== '^') this.refuse('expected a term, got "("')
    const inner = this.factor()
    if (!this.takes(')')) this.refuse('a bracket is not closed')
    return this.raised(inner)
  }

  /** `2^n`. Other numbers are coefficients, which the fit determines. */
  private exponential(base: number): FormTerm {
    if (!this.takes('^') || base <= 1)
      this.refuse(`unexpected number ${base}; the fit determines the coefficients`)
    const token = this.tokens.shift()
    if (token === undefined || !/^[A-Za-z]/.test(token)) this.refuse(`${base} has no exponent`)
    const { name } = this.variableTerm(token)
    return { name: `${base}^${name}`, at: (x) => base ** x }
  }

  private variableTerm(variable: string): FormTerm {
    this.variable ??= variable
    if (variable !== this.variable)
      this.refuse(`there are two variables, ${this.variable} and ${variable}`)
    return { name: variable, at: (x) => x }
  }

  private applied({ shown, at }: Factor): FormTerm {
    const bracket = this.takes('(')
    const token = this.tokens.shift()
    if (token === undefined || !/^[A-Za-z]/.test(token)) this.refuse('a function has no variable')
    const { name } = this.variableTerm(token)
    if (bracket && !this.takes(')')) this.refuse('a bracket is not closed')
    return { name: shown(name), at }
  }

  private raised(base: FormTerm): FormTerm {
    if (!this.takes('^')) return base
    const sign = this.takes('-') ? -1 : 1
    const exponent = sign * Number(this.tokens.shift())
    if (!Number.isFinite(exponent) || exponent === 0)
      this.refuse(
        'an exponent must be a number other than 0, or k in a power law without other terms',
      )
    const name = base.name.includes(' ') ? `(${base.name})` : base.name
    return { name: `${name}^${exponent}`, at: (x) => base.at(x) ** exponent }
  }

  private takes(token: string): boolean {
    if (this.tokens[0] !== token) return false
    this.tokens.shift()
    return true
  }

  private refuse(what: string): never {
    throw new UsageError(
      this.where,
      `"${this.text}" is not a form: ${what}.`,
      `A form is a sum of terms such as n, n^2, n log2 n, sqrt(n), 2^n, or the power law n^k. ${EXAMPLE}.`,
    )
  }
}

/** Readable formulas: three significant digits, no zero terms. */

/** `5.96 n - 15.2` */
export function formulaOf(parts: readonly Pick<Coefficient, 'name' | 'value'>[]): string {
  const shown = parts.filter(({ value }) => value !== 0)
  if (shown.length === 0) return '0'
  return shown
    .map(({ name, value }, i) => {
      const sign = value < 0 ? '- ' : '+ '
      const size = digits(Math.abs(value))
      const term = name === '1' ? size : size === '1' ? name : `${size} ${name}`
      return i > 0 ? sign + term : value < 0 ? `-${term}` : term
    })
    .join(' ')
}

/** `n 5.8 to 6.14, constant -24.7 to -6.1`; empty for an exact fit and where there are none. */
export function intervalsText({
  exact,
  coefficients,
}: Pick<Fit, 'exact' | 'coefficients'>): string {
  return coefficients
    .flatMap(({ name, low, high }) => {
      if (exact || low === null || high === null) return []
      return `${name === '1' ? 'constant' : name} ${digits(low)} to ${digits(high)}`
    })
    .join(', ')
}
