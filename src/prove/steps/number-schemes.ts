/**
 * Numbers that stand for ids, terms and links when a handler or a clause is run again: what only
 * compares ids, and only counts terms up by one, does the same with all of them.
 */
export interface NumberScheme {
  /** The number of the i-th smallest id. */
  readonly id: (i: number) => number
  /** The number of the first term, and how much larger far ones are than neighbours can be. */
  readonly firstTerm: number
  readonly gap: number
  /** The link to the sender, on a complete network. */
  readonly senderLink: number
}

/** More numbers than these in a text are not tried. */
const MOST_LITERALS = 12
/** So many ids in turn get a number that occurs in the text. */
const SHIFTS = 4

/** The schemes to try for code with this source text: usual ones, and the numbers in it. */
export function schemesFor(texts: readonly string[]): NumberScheme[] {
  const numbers = literalsIn(texts)
  const usual: NumberScheme[] = [
    { id: (i) => i, firstTerm: 0, gap: 1, senderLink: 1 },
    { id: (i) => 1 + i, firstTerm: 1, gap: 2, senderLink: 2 },
    { id: (i) => 2 + 2 * i, firstTerm: 2, gap: 1000, senderLink: 7 },
    { id: (i) => 3 + 5 * i, firstTerm: 1_000_003, gap: 3, senderLink: 3 },
    { id: (i) => 1_000_003 * (i + 1) ** 2, firstTerm: 7, gap: 7, senderLink: 1 },
  ]
  const given = numbers.flatMap((number) => [
    { ...usual[0], id: (i: number) => 1 + number * i },
    ...Array.from({ length: SHIFTS }, (_, shift) => ({
      id: (i: number) => number + i - shift,
      firstTerm: Math.max(0, number - shift),
      // Terms that are just so far apart; they are a few more than neighbours.
      gap: Math.max(1, number - shift),
      senderLink: number,
    })),
  ])
  return [...usual, ...given]
}

/** The whole numbers in a text, as far as there are not too many. */
function literalsIn(texts: readonly string[]): number[] {
  const found = texts.flatMap(
    (text) => text.match(/(?<![\w.])(?:0[xob][\da-f_]+|\d[\d_]*(?:e\d+)?)(?![\w.])/gi) ?? [],
  )
  const numbers = new Set(found.map((literal) => Number(literal.replaceAll('_', ''))))
  return [...numbers].filter((n) => n > 1 && n < 2 ** 40).slice(0, MOST_LITERALS)
}

/** The terms of a run in another scheme: neighbours stay neighbours, far ones stay far. */
export function renumberedTerms(
  sorted: readonly number[],
  near: number,
  { firstTerm, gap }: NumberScheme,
): ReadonlyMap<number, number> {
  const shown = new Map<number, number>()
  let number = firstTerm
  for (const [i, term] of sorted.entries()) {
    if (i > 0) {
      const distance = term - sorted[i - 1]
      number += distance <= near ? distance : near + gap
    }
    shown.set(term, number)
  }
  return shown
}

/** What a handler sees in place of the codes of ids and terms. */
export class OtherNumbers {
  readonly senderLink: number
  private readonly codes: ReadonlyMap<unknown, number>

  constructor(
    private readonly ids: readonly number[],
    private readonly terms: ReadonlyMap<number, number>,
    private readonly scheme: NumberScheme,
  ) {
    this.codes = new Map(ids.map((code, i) => [scheme.id(i), code]))
    this.senderLink = scheme.senderLink
  }

  id(code: number): number {
    return this.scheme.id(this.ids.indexOf(code))
  }

  /** Undefined, which is no id, where the number is none of theirs. */
  codeOfId(value: unknown): number | null | undefined {
    return value === null ? null : this.codes.get(value)
  }

  /** A term that was written may be the one after another. */
  term(code: number): number {
    return this.terms.get(code) ?? this.terms.get(code - 1)! + 1
  }
}
