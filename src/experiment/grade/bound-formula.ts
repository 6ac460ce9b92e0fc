import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'

/** A bound on a cost: `messages <= 3 n log2 n + 4 n`. */
export interface CostBound {
  readonly text: string
  readonly measure: string
  value(facts: BoundFacts): number
}

/** What a formula may use. */
export interface BoundFacts {
  readonly n: number
  readonly links: number
}

type FormTerm = (facts: BoundFacts) => number

const FUNCTIONS: Readonly<Record<string, (x: number) => number>> = {
  log2: Math.log2,
  ln: Math.log,
  sqrt: Math.sqrt,
  ceil: Math.ceil,
  floor: Math.floor,
}
const VARIABLES: Readonly<Record<string, FormTerm>> = {
  n: ({ n }) => n,
  links: ({ links }) => links,
}
const MEASURES = ['messages', 'cost', 'bits', 'time', 'time.last']
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-zA-Z_][\w]*)|([-+*/^()]))/y

/** Reads a bound. Nothing is evaluated but sums, products, powers and a few functions. */
export function readCostBound(where: string, text: unknown): CostBound {
  const [, measure, formula] = /^\s*([\w.]+)\s*<=\s*(.+)$/s.exec(String(text)) ?? []
  if (measure === undefined)
    throw new UsageError(
      where,
      `${quoted(text)} is not a bound.`,
      'Write for example "messages <= 3 n log2 n + 4 n".',
    )
  if (!MEASURES.includes(measure))
    throw new UsageError(
      where,
      `${quoted(measure)} cannot be bounded.`,
      `Write one of ${MEASURES.join(', ')}.`,
    ).withCandidates(measure, MEASURES)
  return { text: String(text).trim(), measure, value: new FormulaReader(where, formula).read() }
}

/** Recursive descent; a product needs no sign: `3 n log2 n`. */
class FormulaReader {
  private readonly tokens: string[]
  private next = 0

  constructor(
    private readonly where: string,
    private readonly formula: string,
  ) {
    this.tokens = this.tokensOf(formula)
  }

  read(): FormTerm {
    const value = this.sum()
    if (this.next < this.tokens.length) throw this.unexpected()
    return value
  }

  private tokensOf(formula: string): string[] {
    const tokens: string[] = []
    const pattern = new RegExp(TOKEN)
    const text = formula.trimEnd()
    while (pattern.lastIndex < text.length) {
      const at = pattern.lastIndex
      const found = pattern.exec(text)
      if (found === null) throw this.error(`${quoted(text.slice(at).trim()[0])} is not part of one`)
      tokens.push(found[1] ?? found[2] ?? found[3])
    }
    return tokens
  }

  private sum(): FormTerm {
    let value = this.product()
    for (;;) {
      const [left, sign] = [value, this.taken('+', '-')]
      if (sign === null) return value
      const right = this.product()
      value = sign === '+' ? (at) => left(at) + right(at) : (at) => left(at) - right(at)
    }
  }

  private product(): FormTerm {
    let value = this.power()
    for (;;) {
      const left = value
      const sign = this.taken('*', '/')
      if (sign === null && !/^[\w(]/.test(this.tokens[this.next] ?? '')) return value
      const right = this.power()
      value = sign === '/' ? (at) => left(at) / right(at) : (at) => left(at) * right(at)
    }
  }

  private power(): FormTerm {
    const base = this.factor()
    if (this.taken('^') === null) return base
    const exponent = this.power()
    return (at) => base(at) ** exponent(at)
  }

  private factor(): FormTerm {
    if (this.taken('-') !== null) {
      const value = this.power()
      return (at) => -value(at)
    }
    if (this.taken('(') !== null) {
      const value = this.sum()
      if (this.taken(')') === null) throw this.error('a closing parenthesis is missing')
      return value
    }
    const token = this.tokens[this.next]
    if (token === undefined) throw this.error('it ends too early')
    if (/^\d/.test(token)) {
      this.next++
      const number = Number(token)
      return () => number
    }
    if (Object.hasOwn(VARIABLES, token)) {
      this.next++
      return VARIABLES[token]
    }
    if (Object.hasOwn(FUNCTIONS, token)) return this.call(token)
    throw this.unexpected()
  }

  private call(name: string): FormTerm {
    this.next++
    const bare = this.tokens[this.next] !== '('
    const argument = this.factor()
    if (bare && this.tokens[this.next] === '^')
      throw this.error(`write ${name}(n)^2 or ${name}(n^2) instead of ${name} n^2`)
    return (at) => FUNCTIONS[name](argument(at))
  }

  private taken(...signs: string[]): string | null {
    const token = this.tokens[this.next]
    if (token === undefined || !signs.includes(token)) return null
    this.next++
    return token
  }

  private unexpected(): UsageError {
    const token = this.tokens[this.next]
    const names = [...Object.keys(VARIABLES), ...Object.keys(FUNCTIONS)]
    return this.error(`${quoted(token)} is not part of one`).withCandidates(token, names)
  }

  private error(why: string): UsageError {
    return new UsageError(
      this.where,
      `${quoted(this.formula.trim())} is not a formula: ${why}.`,
      'It may have numbers, n, links, + - * / ^, parentheses, log2, ln, sqrt, ceil and floor.',
    )
  }
}
