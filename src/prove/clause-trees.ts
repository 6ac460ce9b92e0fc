import { type Clause, LED, type LinkSetView, type StepClause } from '../core/language/clause.ts'
import { UsageError } from '../core/usage-error.ts'
import { OrderNeeded, UnmetCondition } from './refusal.ts'
import { decoded, FIRST_TERM, idOption, NULL, type Sort } from './sorts.ts'
import { type NumberScheme, renumberedTerms, schemesFor } from './steps/number-schemes.ts'
import { type Field, kindOf, type Vocabulary } from './vocabulary.ts'

/**
 * How the nodes and messages of a tuple lie to each other. Positions are places among those that
 * occur, going left from the first; `rank` orders messages by age where links are FIFO.
 */
export interface Shape {
  readonly nodes: readonly number[]
  readonly messages: readonly {
    readonly to: number
    /** The place of the sender on a complete network; -1 where there is none. */
    readonly sender: number
    readonly rank: number
    readonly same: number
  }[]
}

/**
 * A decision tree: which field a predicate reads next, given what it has read, and what it says in
 * the end. A field is named by the place of its record in the tuple, messages first.
 */
export class TreeNode {
  private readonly children: (TreeNode | undefined)[] = []
  /** The branches of a term: its distance to the first one that was read. */
  private readonly distances = new Map<number, TreeNode>()

  constructor(
    /** The verdict of a leaf; null at a field. */
    readonly verdict: boolean | null,
    readonly place: FieldPlace,
    readonly kind: Sort['kind'],
    readonly parent: TreeNode | null,
    /** The branch of the parent that leads here. */
    readonly branch: number,
  ) {}

  child(branch: number): TreeNode | undefined {
    return this.kind === 'term' ? this.distances.get(branch) : this.children[branch]
  }

  grow(branch: number, child: TreeNode): TreeNode {
    if (this.kind === 'term') this.distances.set(branch, child)
    else this.children[branch] = child
    return child
  }
}

/** A field of a record of the tuple. */
export interface FieldPlace {
  readonly record: number
  readonly field: number
  /** The record of the node whose membership in a set is read; -1 where it is no membership. */
  readonly of: number
}

const NOWHERE: FieldPlace = { record: -1, field: -1, of: -1 }

/** Thrown where a predicate reads a field that is not decided. */
const NEEDED = Symbol('needed')

/** The decision tree of one predicate on tuples of one shape, which grows as it is used. */
export class PredicateTree {
  readonly root: TreeNode
  private readonly records: { fields: readonly Field[]; view: object }[] = []
  private readonly decided = new Map<string, number>()
  private needed: FieldPlace | null = null
  private other: { ids: ReadonlyMap<number, number>; terms: ReadonlyMap<number, number> } | null =
    null
  private readonly schemes: readonly NumberScheme[]
  private readonly arguments: object[]

  constructor(
    private readonly name: string,
    private readonly vocabulary: Vocabulary,
    private readonly predicate: (...tuple: never[]) => boolean,
    tuple: (tree: PredicateTree) => object[],
  ) {
    this.schemes = schemesFor([String(predicate)])
    this.arguments = tuple(this)
    this.root = this.grown(null, 0)
  }

  /** A record of the tuple, as the predicate sees it. */
  record(fields: readonly Field[], what: string, members: PropertyDescriptorMap): object {
    const record = this.records.length
    const getters: [string, PropertyDescriptor][] = []
    for (const [field, { name, member }] of fields.entries())
      if (member === undefined)
        getters.push([name, { get: () => this.read({ record, field, of: -1 }), enumerable: true }])
      else if (member < 0)
        getters.push([name, { value: this.linkSet(record, field), enumerable: true }])
    const known = { ...Object.fromEntries(getters), ...members }
    const prototype = new Proxy(Object.create(null), {
      get: (_, member) => {
        throw new UsageError(
          `${this.vocabulary.algorithm.name}: invariant "${this.name}"`,
          `${what} has no member ${String(member)} that a clause can read.`,
          `It has ${Object.keys(known)
            .filter((key) => !key.includes(' '))
            .join(', ')}.`,
        )
      },
    })
    const view = Object.create(prototype, known)
    this.records.push({ fields, view })
    return view
  }

  private linkSet(record: number, field: number): LinkSetView {
    const read = (of: number) => this.read({ record, field, of }) as boolean
    const place = (node: object) => {
      const found = this.records.findIndex(({ view }) => view === node)
      if (found >= 0) return found
      throw new UsageError(
        `${this.vocabulary.algorithm.name}: invariant "${this.name}"`,
        'has is called with something that is no node.',
        'Give it a node of the clause, or the receiver or sender of a message.',
      )
    }
    return {
      has: (node) => read(place(node)),
      get majority() {
        return read(-1)
      },
    }
  }

  private read(place: FieldPlace): unknown {
    const { sort, name } = this.records[place.record].fields[place.field]
    if (sort.kind === 'counter')
      throw new UnmetCondition(
        `the clause "${this.name}" reads ${name}, of which a proof knows nothing.`,
        'A proof tries both outcomes of each comparison of counters.',
      )
    const code = this.decided.get(keyOf(place))
    if (code === undefined) {
      this.needed ??= place
      throw NEEDED
    }
    const { other } = this
    if (sort.kind === 'term') return other === null ? code : other.terms.get(code)
    if (sort.kind === 'id' && other !== null && code !== NULL) return other.ids.get(code)
    return decoded(sort, code)
  }

  child(node: TreeNode, branch: number): TreeNode {
    return node.child(branch) ?? node.grow(branch, this.grown(node, branch))
  }

  /** Runs the predicate on what is decided along a branch. */
  private grown(parent: TreeNode | null, branch: number): TreeNode {
    const { ids, terms } = this.decide(parent, branch)
    this.other = null
    const verdict = this.run()
    const { needed } = this
    if (needed !== null) {
      const { sort } = this.records[needed.record].fields[needed.field]
      return new TreeNode(null, needed, sort.kind, parent, branch)
    }
    for (const scheme of this.schemes) {
      this.other = {
        ids: new Map(ids.map((id, i) => [id, scheme.id(i)])),
        // Of terms a clause sees the order alone.
        terms: renumberedTerms(terms, 0, scheme),
      }
      if (this.run() !== verdict)
        throw new UnmetCondition(
          `the clause "${this.name}" says something else with other ids or terms in the same order.`,
          'A clause may only compare ids and terms, and must not depend on anything outside.',
        )
    }
    return new TreeNode(verdict, NOWHERE, 'finite', parent, branch)
  }

  private run(): boolean | null {
    this.needed = null
    try {
      const verdict: unknown = this.predicate(...(this.arguments as never[]))
      if (typeof verdict === 'boolean') return verdict
      throw new UsageError(
        `${this.vocabulary.algorithm.name}: invariant "${this.name}"`,
        `it gives ${String(verdict)} in place of true or false.`,
        'Write a comparison.',
      )
    } catch (error) {
      if (error === NEEDED || this.needed !== null) return null
      throw error
    }
  }

  /** Decides the fields on the way to a branch; returns ids and terms in order. */
  private decide(parent: TreeNode | null, branch: number): { ids: number[]; terms: number[] } {
    const path: [TreeNode, number][] = []
    for (let node = parent, taken = branch; node !== null; taken = node.branch, node = node.parent)
      path.push([node, taken])
    this.decided.clear()
    const ids: number[] = []
    const terms = new Set<number>()
    for (const [{ place, kind }, taken] of path.reverse()) {
      const code =
        kind === 'id' ? decidedId(ids, taken) : kind === 'term' ? FIRST_TERM + taken : taken
      if (kind === 'term') terms.add(code)
      this.decided.set(keyOf(place), code)
    }
    return { ids, terms: [...terms].sort((a, b) => a - b) }
  }
}

function keyOf({ record, field, of }: FieldPlace): string {
  return `${record},${field},${of}`
}

/** Branch 0 of an id is null; then come the gaps and the ids that were read before. */
function decidedId(ids: number[], branch: number): number {
  if (branch === 0) return NULL
  const id = idOption(ids, branch - 1)
  if (branch % 2 === 1) ids.splice((branch - 1) >> 1, 0, id)
  return id
}

/** The decision trees of one clause, by shape. */
export class ClauseTrees {
  private readonly trees = new Map<string, PredicateTree>()
  /** The kinds of its messages. */
  readonly kinds: readonly number[]

  constructor(
    readonly name: string,
    readonly clause: Clause,
    private readonly vocabulary: Vocabulary,
  ) {
    refuseLarge(name, clause)
    this.kinds = clause.messages.map((message) => {
      const kind = kindOf(vocabulary, message)
      if (kind !== undefined) return kind
      throw new UsageError(
        `${vocabulary.algorithm.name}: invariant "${name}"`,
        'it speaks of a message that is not among the messages of the definition.',
        'Correct the clause.',
      )
    })
  }

  tree(shape: Shape): PredicateTree {
    const key = JSON.stringify(shape)
    let tree = this.trees.get(key)
    if (tree === undefined) {
      tree = this.grow(shape)
      this.trees.set(key, tree)
    }
    return tree
  }

  private grow(shape: Shape): PredicateTree {
    const { vocabulary, kinds, name, clause } = this
    return new PredicateTree(name, vocabulary, clause.holds, (tree) => {
      const messages: object[] = []
      for (const [i, { same }] of shape.messages.entries())
        messages.push(same < i ? messages[same] : messageView(i))
      const nodes = new Map<number, object>()
      const positions = recordsOf(shape).nodes
      for (const at of positions) nodes.set(at, tree.record(vocabulary.node, 'a node', {}))
      const placeOf = new Map([...nodes].map(([at, view]) => [view, at]))
      const round = Math.max(0, ...positions) + 1
      return [
        ...messages,
        ...shape.nodes.map((at) => nodes.get(at)!),
        {
          inside(a: object, b: object, c: object) {
            if (vocabulary.topology !== 'ring')
              throw new UnmetCondition(
                `the clause "${name}" asks what is inside a way on a ring.`,
                'A complete network has none.',
              )
            const [from, at, to] = [a, b, c].map((view) => place(view))
            const way = (to - from + round) % round || round
            const distance = (at - from + round) % round
            return distance > 0 && distance < way
          },
          ahead: (first: object, second: object) => isAhead(first, second),
        },
      ]

      function messageView(i: number): object {
        const { to, sender } = shape.messages[i]
        return tree.record(vocabulary.messages[kinds[i]], vocabulary.words[kinds[i]], {
          to: { get: () => nodes.get(to) },
          ...(sender >= 0 && { sender: { get: () => nodes.get(sender) } }),
        })
      }

      function place(view: object): number {
        const at = placeOf.get(view)
        if (at !== undefined) return at
        throw new UsageError(
          `${vocabulary.algorithm.name}: invariant "${name}"`,
          'inside is called with something that is no node.',
          'Give it nodes of the clause, or the `to` of a message.',
        )
      }

      function isAhead(first: object, second: object): boolean {
        if (!vocabulary.fifo)
          throw new OrderNeeded(
            `the clause "${name}" speaks of messages ahead of others, but links need not be FIFO.`,
            "Add order: 'fifo' to needs.",
          )
        const [a, b] = [first, second].map((view) => shape.messages[messages.indexOf(view)])
        if (a.to !== b.to || a.rank >= b.rank) return false
        type Received = { readonly from: number }
        return (first as Received).from === (second as Received).from
      }
    })
  }
}

/** Larger clauses would need larger networks than a proof looks at. */
function refuseLarge(name: string, { messages, nodes }: Clause): void {
  const led = messages.filter(({ serial }) => serial === LED.serial).length
  const limit = messages.length > MOST_NAMED || nodes > MOST_NAMED
  if (!limit && led <= 2) return
  throw new UnmetCondition(
    limit
      ? `the clause "${name}" speaks of ${messages.length} messages and ${nodes} nodes.`
      : `the clause "${name}" speaks of ${led} leaders in terms.`,
    limit
      ? `A clause may name ${MOST_NAMED} of each.`
      : 'A clause may name two: two majorities have a node in common, three need not.',
  )
}

/** Most messages, and most nodes, that a clause may name. */
const MOST_NAMED = 3

/** The decision tree of a clause about a step: the first record is the node before, then after. */
export function stepTree(
  name: string,
  { step }: StepClause,
  vocabulary: Vocabulary,
): PredicateTree {
  return new PredicateTree(name, vocabulary, step as (...tuple: never[]) => boolean, (tree) => [
    tree.record(vocabulary.node, 'a node', {}),
    tree.record(vocabulary.node, 'a node', {}),
  ])
}

/** The records of a tuple, in the order of their numbers: messages, then nodes. */
export function recordsOf({ nodes, messages }: Shape): {
  readonly messages: readonly number[]
  readonly nodes: readonly number[]
} {
  const positions = [...messages.flatMap(messageEnds), ...nodes]
  return {
    messages: messages.flatMap(({ same }, i) => (same === i ? [i] : [])),
    nodes: [...new Set(positions)],
  }
}

/** Where the receiver and the sender of a message are, as far as they are known. */
export function messageEnds({
  to,
  sender,
}: {
  readonly to: number
  readonly sender: number
}): number[] {
  return sender < 0 ? [to] : [to, sender]
}
