import type { Clause } from '../../core/language/clause.ts'
import type { Message } from '../../core/language/message.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { type Atom, atomsOf, keptIdAtoms, type Viewed } from './atoms.ts'

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
 * All clauses of at most three literals that hold in all states that it has seen and follow from no
 * shorter one of them: over two different nodes and at most one message; if it is wide, also over
 * three nodes, of which one keeps the id of another.
 */
export class ClausePool {
  private readonly grammars: Grammar[]

  constructor(vocabulary: Vocabulary, isWide: boolean) {
    const kinds = vocabulary.algorithm.kinds.map(({ index }) => index)
    this.grammars = [null, ...kinds].map((kind) => new Grammar(vocabulary, kind))
    if (isWide) this.grammars.push(new Grammar(vocabulary, 'kept'))
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

/** The clauses about two nodes, about two nodes and a message of one kind, or about a kept id. */
class Grammar {
  private readonly atoms: readonly Atom[]
  /** So many of the atoms, the first ones, say whose id is kept. */
  private readonly kept: number
  readonly leftOut: number
  /** Which atoms hold, for each pair of nodes and message that was seen: one bit for each. */
  private readonly seen = new Set<number>()
  private readonly word: string
  private readonly message: Message | null

  constructor(
    vocabulary: Vocabulary,
    private readonly kind: number | 'kept' | null,
  ) {
    const { kept, rest } =
      kind === 'kept' ? keptIdAtoms(vocabulary) : { kept: [], rest: atomsOf(vocabulary, kind) }
    const atoms = [...kept, ...rest]
    this.kept = kept.length
    this.atoms = atoms.slice(0, MOST_ATOMS)
    this.leftOut = atoms.length - this.atoms.length
    const isMessage = typeof kind === 'number'
    this.word = isMessage ? vocabulary.words[kind] : ''
    const serial = isMessage ? vocabulary.algorithm.kindBySerial.indexOf(kind) : -1
    this.message = isMessage ? ({ serial, fields: {} } as Message) : null
  }

  see({ nodes, messages, relations: ring }: ReachedState): void {
    const see = (viewed: object) => this.seen.add(this.bits(viewed as Viewed))
    if (this.kind === 'kept') {
      for (const a of nodes)
        for (const b of nodes)
          for (const c of nodes) if (c !== a && c !== b) see({ a, b, c, m: null, ring })
      return
    }
    const views = messages.filter(({ kind }) => kind === this.kind).map(({ view }) => view)
    for (const m of this.kind === null ? [null] : views)
      for (const a of nodes) for (const b of nodes) if (a !== b) see({ a, b, c: null, m, ring })
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
    if (this.kind === 'kept') {
      const first = this.atoms.length
      for (let i = first; i < first + this.kept; i++) yield [i]
      for (let i = first; i < first + this.kept; i++)
        for (let j = 0; j < count; j++) if (j !== i) yield [i, j]
      for (let i = first; i < first + this.kept; i++)
        for (let j = 0; j < count; j++)
          for (let k = j + 1; k < count; k++) if (j !== i && k !== i) yield [i, j, k]
      return
    }
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
    const some = (viewed: Viewed) => tests.some((test) => test(viewed))
    const holds = (viewed: Viewed) => viewed.a === viewed.b || some(viewed)
    type View = Viewed['a']
    type Ring = Viewed['ring']
    if (this.kind === 'kept')
      return {
        clause: {
          messages: [],
          nodes: 3,
          holds: (a: View, b: View, c: View, ring: Ring) =>
            c === a || c === b || some({ a, b, c, m: null, ring }),
        },
        text: `nodes(3, (a, b, c, ring) => c === a || c === b || ${text})`,
      }
    return message === null
      ? {
          clause: {
            messages: [],
            nodes: 2,
            holds: (a: View, b: View, ring: Ring) => holds({ a, b, c: null, m: null, ring }),
          },
          text: `nodes(2, (a, b) => a === b || ${text})`,
        }
      : {
          clause: {
            messages: [message],
            nodes: 2,
            holds: (m: View, a: View, b: View, ring: Ring) => holds({ a, b, c: null, m, ring }),
          },
          text: `each(${word}).and(2, (m, a, b, ring) => a === b || ${text})`,
        }
  }
}

type Literals = readonly number[]
