import type { Clause, StepClause } from '../core/language/clause.ts'
import { UsageError } from '../core/usage-error.ts'
import { OrderNeeded, Refusal } from './refusal.ts'
import { decoded, idOption, NULL } from './sorts.ts'
import type { Field, Vocabulary } from './vocabulary.ts'

/**
 * How the nodes and messages of a tuple lie to each other. Positions are places among those that
 * occur, going left from the first; `rank` orders messages by age where links are FIFO.
 */
export interface Shape {
  readonly nodes: readonly number[]
  readonly messages: readonly {
    readonly to: number
    readonly rank: number
    readonly same: number
  }[]
}

/**
 * A decision tree: which field a predicate reads next, given what it has read, and what it says in
 * the end. A field is named by the place of its record in the tuple, messages first.
 */
export class TreeNode {
  readonly children: (TreeNode | undefined)[] = []

  constructor(
    /** The verdict of a leaf; null at a field. */
    readonly verdict: boolean | null,
    readonly record: number,
    readonly field: number,
    readonly isId: boolean,
    readonly parent: TreeNode | null,
    /** The branch of the parent that leads here. */
    readonly branch: number,
  ) {}
}

/** Thrown where a predicate reads a field that is not decided. */
const NEEDED = Symbol('needed')

/** Numbers in place of ids for a second run of a predicate, in the same order. */
const OTHER_IDS = (i: number) => 3 + 5 * i

/** The decision tree of one predicate on tuples of one shape, which grows as it is used. */
export class PredicateTree {
  readonly root: TreeNode
  private readonly records: { fields: readonly Field[]; view: object }[] = []
  private decided: (number | undefined)[][] = []
  private needed: { record: number; field: number } | null = null
  private other: ReadonlyMap<number, number> | null = null

  constructor(
    private readonly name: string,
    private readonly vocabulary: Vocabulary,
    private readonly predicate: (...tuple: never[]) => boolean,
    private readonly tuple: (tree: PredicateTree) => object[],
  ) {
    this.arguments = this.tuple(this)
    this.root = this.grown(null, 0)
  }

  private readonly arguments: object[]

  /** A record of the tuple, as the predicate sees it. */
  record(fields: readonly Field[], what: string, members: PropertyDescriptorMap): object {
    const record = this.records.length
    const getters = fields.map(({ name }, field) => [
      name,
      { get: () => this.read(record, field), enumerable: true },
    ])
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

  private read(record: number, field: number): unknown {
    const { sort, name } = this.records[record].fields[field]
    if (sort.kind === 'counter')
      throw new Refusal(
        `the clause "${this.name}" reads ${name}, a counter.`,
        'A proof knows nothing of counters: it tries both outcomes of each comparison.',
      )
    const code = this.decided[record][field]
    if (code === undefined) {
      this.needed ??= { record, field }
      throw NEEDED
    }
    const value = decoded(sort, code)
    return sort.kind === 'id' && this.other ? (this.other.get(value as number) ?? value) : value
  }

  child(node: TreeNode, branch: number): TreeNode {
    node.children[branch] ??= this.grown(node, branch)
    return node.children[branch]
  }

  /** Runs the predicate on what is decided along a branch. */
  private grown(parent: TreeNode | null, branch: number): TreeNode {
    const ids = this.decide(parent, branch)
    this.other = null
    const verdict = this.run()
    const { needed } = this
    if (needed !== null) {
      const { sort } = this.records[needed.record].fields[needed.field]
      return new TreeNode(
        ...([null, needed.record, needed.field, sort.kind === 'id', parent, branch] as const),
      )
    }
    this.other = new Map(ids.map((id, i) => [id, OTHER_IDS(i)]))
    if (this.run() !== verdict)
      throw new Refusal(
        `the clause "${this.name}" says something else with other ids in the same order.`,
        'A clause may only compare ids, and must not depend on anything outside.',
      )
    return new TreeNode(verdict, -1, -1, false, parent, branch)
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

  /** Decides the fields on the way to a branch; returns the ids in order. */
  private decide(parent: TreeNode | null, branch: number): number[] {
    const path: [TreeNode, number][] = []
    for (let node = parent, taken = branch; node !== null; taken = node.branch, node = node.parent)
      path.push([node, taken])
    this.decided = this.records.map(() => [])
    const ids: number[] = []
    for (const [{ record, field, isId }, taken] of path.reverse())
      this.decided[record][field] = isId ? decidedId(ids, taken) : taken
    return ids
  }
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
    const { algorithm } = vocabulary
    this.kinds = clause.messages.map(({ serial }) => {
      const kind = algorithm.kindBySerial[serial]
      if (kind !== undefined) return kind
      throw new UsageError(
        `${algorithm.name}: invariant "${name}"`,
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
            const [from, at, to] = [a, b, c].map((view) => place(view))
            const way = (to - from + round) % round || round
            const distance = (at - from + round) % round
            return distance > 0 && distance < way
          },
          ahead: (first: object, second: object) => isAhead(first, second),
        },
      ]

      function messageView(i: number): object {
        const { word } = vocabulary.algorithm.kinds[kinds[i]]
        return tree.record(vocabulary.messages[kinds[i]], word, {
          to: { get: () => nodes.get(shape.messages[i].to) },
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
  const positions = [...messages.map(({ to }) => to), ...nodes]
  return {
    messages: messages.flatMap(({ same }, i) => (same === i ? [i] : [])),
    nodes: [...new Set(positions)],
  }
}
