/*
 * Leader elimination as a Markov chain over the sets of leaders, solved exactly. It shares nothing
 * with the program: networks are lists of edges, states are bit masks, numbers are fractions.
 */

/** A fraction in lowest terms; the denominator is positive. */
class Fraction {
  readonly over: bigint
  readonly under: bigint

  constructor(over: bigint, under = 1n) {
    const sign = under < 0n ? -1n : 1n
    const divisor = gcd(over < 0n ? -over : over, under < 0n ? -under : under) || 1n
    this.over = (sign * over) / divisor
    this.under = (sign * under) / divisor
  }

  plus({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * under + over * this.under, this.under * under)
  }

  times({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * over, this.under * under)
  }

  by({ over, under }: Fraction): Fraction {
    return new Fraction(this.over * under, this.under * over)
  }

  get value(): number {
    return Number(this.over) / Number(this.under)
  }

  toString(): string {
    return this.under === 1n ? `${this.over}` : `${this.over}/${this.under}`
  }
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b)
}

type Edge = readonly [number, number]

/** The edges of small networks by their names. */
function edgesOf(name: string): { readonly n: number; readonly edges: readonly Edge[] } {
  const [kind, size] = name.split(':')
  const n = Number(size)
  const nodes = [...Array(n).keys()]
  const edges: Readonly<Record<string, () => Edge[]>> = {
    path: () => nodes.slice(1).map((node) => [node - 1, node]),
    ring: () => nodes.map((node) => [node, (node + 1) % n]),
    star: () => nodes.slice(1).map((node) => [0, node]),
    complete: () => nodes.flatMap((a) => nodes.slice(a + 1).map((b): Edge => [a, b])),
  }
  return { n, edges: edges[kind]() }
}

/** What a meeting of a with b makes of a set of leaders. */
function meeting(leaders: number, a: number, b: number, walk: boolean): number {
  const [leadsA, leadsB] = [(leaders >> a) & 1, (leaders >> b) & 1]
  if (leadsA && leadsB) return leaders & ~(1 << b)
  return walk && leadsA !== leadsB ? leaders ^ (1 << a) ^ (1 << b) : leaders
}

/**
 * The expected number of meetings until one node leads, from the start with all of them. Each set
 * of leaders has an equation: 1 + the mean over all directed links. Elimination solves them.
 */
export function expectedMeetings(network: string, walk = true): Fraction {
  const { n, edges } = edgesOf(network)
  const links = edges.flatMap(([a, b]): Edge[] => [
    [a, b],
    [b, a],
  ])
  const all = 2 ** n - 1
  const sets = [...Array(all + 1).keys()].filter((set) => set !== 0 && (set & (set - 1)) !== 0)
  const index = new Map(sets.map((set, i) => [set, i]))
  const rows = sets.map((set, i) => {
    const row = sets.map(() => new Fraction(0n))
    row[i] = new Fraction(1n)
    for (const [a, b] of links) {
      const next = index.get(meeting(set, a, b, walk))
      if (next !== undefined) row[next] = row[next].plus(new Fraction(-1n, BigInt(links.length)))
    }
    return [...row, new Fraction(1n)]
  })
  const size = sets.length
  for (let column = 0; column < size; column++) {
    const pivot = rows.findIndex((row, i) => i >= column && row[column].over !== 0n)
    if (pivot < 0) throw new Error(`${network}: some sets of leaders are never left`)
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    const [lead] = rows[column].slice(column)
    rows[column] = rows[column].map((cell) => cell.by(lead))
    for (let other = 0; other < size; other++) {
      const factor = rows[other][column]
      if (other === column || factor.over === 0n) continue
      const negative = factor.times(new Fraction(-1n))
      rows[other] = rows[other].map((cell, i) => cell.plus(rows[column][i].times(negative)))
    }
  }
  return n < 2 ? new Fraction(0n) : rows[index.get(all)!][size]
}
