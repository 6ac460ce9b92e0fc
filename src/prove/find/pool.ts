import type { Clause } from '../../core/language/clause.ts'
import type { Message } from '../../core/language/message.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { type Atom, atomsOf, type Viewed } from './atoms.ts'

/** A reachable state: its nodes, its messages in flight, and how they lie to each other. */
export interface ReachedState {
  readonly nodes: readonly object[]
  readonly messages: readonly { readonly kind: number; readonly view: object }[]
  readonly relations: Viewed['ring']
}

/** A clause of a pool, in the form in which a definition states it. */
export interface CandidateClause {
  readonly clause: Clause
  readonly text: string
}

/** More atoms than bits of a number are not combined. */
const MOST_ATOMS = 30

/**
 * All clauses of at most three literals, over two different nodes and at most one message, that
 * hold in all states that it has seen and follow from no shorter one of them.
 */
export class ClausePool {
  private readonly grammars: Grammar[]

  constructor(vocabulary: Vocabulary) {
    const kinds = vocabulary.algorithm.kinds.map(({ index }) => index)
    this.grammars = [null, ...kinds].map((kind) => new Grammar(vocabulary, kind))
  }

  see(state: ReachedState): void {
    for (const grammar of this.grammars) grammar.see(state)
  }

  /** The atoms that were not combined. */
  get leftOut(): number {
    return this.grammars.reduce((sum, { leftOut }) => sum + leftOut, 0)
  }

  candidates(): CandidateClause[] {
    return this.grammars.flatMap((grammar) => grammar.candidates())
  }
}

/** The clauses about two nodes, or about two nodes and a message of one kind. */
class Grammar {
  private readonly atoms: readonly Atom[]
  readonly leftOut: number
  /** Which atoms hold, for each pair of nodes and message that was seen: one bit for each. */
  private readonly seen = new Set<number>()
  private readonly word: string
  private readonly message: Message | null

  constructor(
    vocabulary: Vocabulary,
    private readonly kind: number | null,
  ) {
    const atoms = atomsOf(vocabulary, kind)
    this.atoms = atoms.slice(0, MOST_ATOMS)
    this.leftOut = atoms.length - this.atoms.length
    this.word = kind === null ? '' : vocabulary.words[kind]
    const serial = vocabulary.algorithm.kindBySerial.indexOf(kind ?? undefined)
    this.message = kind === null ? null : ({ serial, fields: {} } as Message)
  }

  see({ nodes, messages, relations }: ReachedState): void {
    const views = messages.filter(({ kind }) => kind === this.kind).map(({ view }) => view)
    for (const m of this.kind === null ? [null] : views)
      for (const a of nodes)
        for (const b of nodes)
          if (a !== b) this.seen.add(this.bits({ a, b, m, ring: relations } as Viewed))
  }

  private bits(viewed: Viewed): number {
    let bits = 0
    for (const [i, atom] of this.atoms.entries()) if (atom.holds(viewed)) bits |= 1 << i
    return bits
  }

  candidates(): CandidateClause[] {
    if (this.seen.size === 0) return []
    const found: Literals[] = []
    for (const literals of this.combinations())
      if (
        !found.some((shorter) => shorter.every((one) => literals.includes(one))) &&
        this.holds(literals)
      )
        found.push(literals)
    return found.map((literals) => this.candidate(literals))
  }

  /** Literal i is atom i, literal i + n its negation; shorter clauses come first. */
  private *combinations(): Iterable<Literals> {
    const count = 2 * this.atoms.length
    for (let i = 0; i < count; i++) yield [i]
    for (let i = 0; i < count; i++) for (let j = i + 1; j < count; j++) yield [i, j]
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) for (let k = j + 1; k < count; k++) yield [i, j, k]
  }

  private holds(literals: Literals): boolean {
    const n = this.atoms.length
    let [yes, no] = [0, 0]
    for (const literal of literals)
      if (literal < n) yes |= 1 << literal
      else no |= 1 << (literal - n)
    // A statement and its negation say nothing.
    if ((yes & no) !== 0) return false
    for (const bits of this.seen) if ((bits & yes) === 0 && (~bits & no) === 0) return false
    return true
  }

  private candidate(literals: Literals): CandidateClause {
    const { atoms, message, word } = this
    const n = atoms.length
    const tests = literals.map((i) => {
      const { holds } = atoms[i % n]
      return i < n ? holds : (viewed: Viewed) => !holds(viewed)
    })
    const text = literals.map((i) => (i < n ? atoms[i].text : atoms[i - n].not)).join(' || ')
    const holds = (viewed: Viewed) => viewed.a === viewed.b || tests.some((test) => test(viewed))
    type View = Viewed['a']
    type Ring = Viewed['ring']
    return message === null
      ? {
          clause: {
            ...{ messages: [], nodes: 2 },
            holds: (a: View, b: View, ring: Ring) => holds({ a, b, m: null, ring }),
          },
          text: `nodes(2, (a, b) => a === b || ${text})`,
        }
      : {
          clause: {
            ...{ messages: [message], nodes: 2 },
            holds: (m: View, a: View, b: View, ring: Ring) => holds({ a, b, m, ring }),
          },
          text: `each(${word}).and(2, (m, a, b, ring) => a === b || ${text})`,
        }
  }
}

type Literals = readonly number[]
