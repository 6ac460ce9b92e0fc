import type { PredicateTree } from './clause-trees.ts'
import { idOption, NULL, type Sort, termOptions, UNDECIDED } from './sorts.ts'
import type { Structure } from './structures/structures.ts'
import { ID, MOST_NODES, type Vocabulary } from './vocabulary.ts'

/** A predicate on some records of a configuration. */
export interface Instance {
  readonly tree: PredicateTree
  /** The name of the clause. */
  readonly name: string
  /** The first cell of each record, by its number. */
  readonly records: readonly number[]
  /** The position of each record that is a node; -1 for messages. */
  readonly positions: readonly number[]
}

/** Most messages in flight before a step, and messages sent in it that a clause names. */
const MOST_MESSAGES = 5
const MOST_SENT = 3

/** The last level that failures can name: see `branch`. */
const LAST_BIT = 61

/** The codes of sorts with few values. */
const FEW = [0, 1, 2, 3, 4].map((size) => Array.from({ length: size }, (_, i) => i))

/** What `walk` finds instead of the cell that it needs. */
const TRUE = -1
const FALSE = -2

/**
 * A configuration whose fields are decided one by one, and the search for one in which some
 * instances hold and one fails. Each instance waits for the first undecided cell that it reads;
 * when that is decided, it is evaluated again. If all values of a cell fail, the search jumps back
 * to the last decision that any of the failures has read.
 */
export class ConfigurationSearch {
  readonly value: Float64Array
  /** A cell that is read in place of another one: the same value has two names. */
  readonly alias: Int32Array
  readonly messageCells: number
  /** The acting node after the step, and messages that it sends. */
  readonly afterCells: number
  readonly sentCells: number
  /** The names of the clauses that have refuted something. */
  readonly used = new Set<string>()

  private readonly sorts: Sort[]
  private readonly nodeWidth: number
  private readonly messageWidth: number
  private readonly levelOf: Int8Array
  private readonly waiting: Instance[][]
  /** The cells of the structure, at the beginning of an array. */
  private readonly cells: Int32Array
  private count = 0
  /** The ids and terms that the step has written or sent. */
  private readonly new: { readonly id: number[]; readonly term: number[] } = { id: [], term: [] }
  private readonly themselves: Int32Array
  private readonly messageSorts: readonly (readonly Sort[])[]
  private nodes = 0
  private level = 0
  /** The levels of the decisions that the last failure has read, as two sets of bits. */
  private reasonLow = 0
  private reasonHigh = 0
  private readonly ids = new Float64Array(256)
  private invariant: () => Instance[] = () => []
  private goal: Instance | null = null

  constructor(vocabulary: Vocabulary) {
    this.nodeWidth = vocabulary.node.length
    this.messageWidth = vocabulary.messageWidth
    this.messageCells = MOST_NODES * this.nodeWidth
    this.afterCells = this.messageCells + MOST_MESSAGES * this.messageWidth
    this.sentCells = this.afterCells + this.nodeWidth
    const size = this.sentCells + MOST_SENT * this.messageWidth
    this.value = new Float64Array(size).fill(UNDECIDED)
    this.themselves = Int32Array.from({ length: size }, (_, i) => i)
    this.alias = this.themselves.slice()
    this.cells = new Int32Array(size)
    this.messageSorts = vocabulary.messages.map((fields) => fields.map(({ sort }) => sort))
    this.levelOf = new Int8Array(size)
    this.waiting = Array.from({ length: size }, () => [])
    this.sorts = Array.from({ length: size }, (_, cell) => {
      const inNode = cell < this.messageCells ? cell % this.nodeWidth : cell - this.afterCells
      return vocabulary.node[inNode]?.sort ?? { kind: 'counter' }
    })
  }

  nodeCell(position: number): number {
    return position * this.nodeWidth
  }

  messageCell(message: number): number {
    return this.messageCells + message * this.messageWidth
  }

  sentCell(place: number): number {
    return this.sentCells + place * this.messageWidth
  }

  /** Begins with nothing decided about the nodes and messages of a structure. */
  begin({ nodes, messages }: Structure): void {
    this.value.fill(UNDECIDED)
    this.levelOf.fill(0)
    this.alias.set(this.themselves)
    this.new.id.length = this.new.term.length = 0
    this.nodes = nodes
    let count = 0
    for (let cell = 0; cell < nodes * this.nodeWidth; cell++) this.cells[count++] = cell
    for (let i = 0; i < messages.length; i++) {
      const sorts = this.messageSorts[messages[i].kind]
      for (let field = 0; field < sorts.length; field++) {
        const cell = this.messageCell(i) + field
        this.sorts[cell] = sorts[field]
        this.cells[count++] = cell
      }
    }
    this.count = count
  }

  /** Sets a cell of the node after the step, or of a message that it sends. */
  made(cell: number, code: number, sort: Sort): void {
    this.alias[cell] = cell
    this.value[cell] = code
    if (sort.kind === 'id' || sort.kind === 'term') this.new[sort.kind].push(code)
  }

  /** Decides a cell before the search; false where that contradicts what is decided. */
  given(cell: number, code: number): boolean {
    const at = this.alias[cell]
    if (this.value[at] !== UNDECIDED) return this.value[at] === code
    if (this.isNodeId(at)) for (const other of this.nodeIds()) if (other === code) return false
    this.value[at] = code
    return true
  }

  /** Whether all instances of an invariant can hold while the goal, if there is one, fails. */
  solve(goal: Instance | null, invariant: () => Instance[]): boolean {
    this.goal = goal
    this.invariant = invariant
    this.level = 0
    return goal === null ? this.begun() : this.failing()
  }

  /** Decides what the goal reads until it fails. */
  private failing(): boolean {
    const found = this.walk(this.goal!)
    if (found >= 0) return this.branch(found, () => this.failing())
    return found === TRUE ? this.failed(this.goal!) : this.begun()
  }

  /** Evaluates all instances; those that cannot be decided wait. */
  private begun(): boolean {
    const touched: number[] = []
    const instances = this.invariant()
    for (let i = 0; i < instances.length; i++)
      if (!this.evaluated(instances[i], touched)) {
        // What refutes one step often refutes the next.
        const refuting = instances[i]
        instances[i] = instances[0]
        instances[0] = refuting
        this.undo(touched)
        return false
      }
    const found = this.next()
    if (!found) this.undo(touched)
    else this.forget()
    return found
  }

  private next(): boolean {
    const cell = this.choice()
    if (cell < 0) return true
    return this.branch(cell, () => {
      const touched: number[] = []
      for (const instance of this.waiting[cell])
        if (!this.evaluated(instance, touched)) {
          this.undo(touched)
          return false
        }
      if (this.next()) return true
      this.undo(touched)
      return false
    })
  }

  /** Evaluates an instance, which then waits if need be; false where it fails. */
  private evaluated(instance: Instance, touched: number[]): boolean {
    const found = this.walk(instance)
    if (found === TRUE) return true
    if (found === FALSE) {
      this.used.add(instance.name)
      return this.failed(instance)
    }
    this.waiting[found].push(instance)
    touched.push(found)
    return true
  }

  private undo(touched: number[]): void {
    for (let i = touched.length - 1; i >= 0; i--) this.waiting[touched[i]].pop()
  }

  private forget(): void {
    for (const instances of this.waiting) instances.length = 0
  }

  /** The cell for which most instances wait, given how many values it has; -1 where none waits. */
  private choice(): number {
    let best = -1
    let most = 0
    for (let i = 0; i < this.count; i++) {
      const cell = this.cells[i]
      if (this.value[cell] !== UNDECIDED) continue
      const waiting = this.waiting[cell].length
      if (waiting === 0) continue
      const sort = this.sorts[cell]
      const worth = waiting / (sort.kind === 'finite' ? sort.values.length : 6)
      if (worth > most) {
        most = worth
        best = cell
      }
    }
    return best
  }

  /** Tries all values of a cell. */
  private branch(cell: number, go: () => boolean): boolean {
    const level = ++this.level
    // Levels beyond the last bit share it: then there is less to jump back over.
    const bit = Math.min(level, LAST_BIT)
    const [bitLow, bitHigh] = bit < 31 ? [1 << bit, 0] : [0, 1 << (bit - 31)]
    let low = 0
    let high = 0
    this.levelOf[cell] = bit
    for (const code of this.codesFor(cell)) {
      if (this.isNodeId(cell)) {
        const owner = this.ownerOf(code)
        if (owner >= 0) {
          this.reasonLow = this.reasonHigh = 0
          this.note(this.levelOf[owner])
          low |= this.reasonLow
          high |= this.reasonHigh
          continue
        }
      }
      this.value[cell] = code
      if (go()) return true
      this.value[cell] = UNDECIDED
      if ((this.reasonLow & bitLow) === 0 && (this.reasonHigh & bitHigh) === 0) {
        this.level--
        return false
      }
      low |= this.reasonLow
      high |= this.reasonHigh
    }
    this.reasonLow = level <= LAST_BIT ? low & ~bitLow : low
    this.reasonHigh = level <= LAST_BIT ? high & ~bitHigh : high
    this.level--
    return false
  }

  /** All values of a cell, up to what a proof tells apart. */
  private codesFor(cell: number): readonly number[] {
    const sort = this.sorts[cell]
    if (sort.kind === 'finite') return FEW[sort.values.length] ?? sort.values.map((_, i) => i)
    if (sort.kind === 'term') return termOptions(this.decidedTerms(), 0)
    const ids = this.decidedIds()
    const codes = Array.from({ length: 2 * ids.length + 1 }, (_, i) => idOption(ids, i))
    return sort.kind === 'id' && sort.nullable ? [NULL, ...codes] : codes
  }

  private isNodeId(cell: number): boolean {
    return cell < this.messageCells && cell % this.nodeWidth === ID
  }

  private *nodeIds(): Iterable<number> {
    for (let node = 0; node < this.nodes; node++) yield this.value[this.nodeCell(node) + ID]
  }

  /** The cell of the id of a node that has this id; -1 where none has. */
  private ownerOf(code: number): number {
    for (let node = 0; node < this.nodes; node++)
      if (this.value[this.nodeCell(node) + ID] === code) return this.nodeCell(node) + ID
    return -1
  }

  /** All ids that occur so far, in order. */
  decidedIds(): number[] {
    return this.decidedValues('id')
  }

  decidedTerms(): number[] {
    return this.decidedValues('term')
  }

  private decidedValues(kind: 'id' | 'term'): number[] {
    const found = [...new Set(this.new[kind])].filter((code) => code > 0)
    for (let i = 0; i < this.count; i++) {
      const cell = this.cells[i]
      const code = this.value[cell]
      if (code > 0 && this.sorts[cell].kind === kind && !found.includes(code)) found.push(code)
    }
    return found.sort((a, b) => a - b)
  }

  /**
   * Follows the decision tree of an instance to a verdict, or to the undecided cell that it needs;
   * on demand it notes which decisions the instance has read.
   */
  private walk({ tree, records, positions }: Instance, notes = false): number {
    const { value, alias } = this
    let node = tree.root
    let known = 0
    let firstTerm = UNDECIDED
    while (node.verdict === null) {
      const { record, field, of } = node.place
      const at = records[record] + field
      const cell = alias[of < 0 ? at : at + 1 + positions[of]]
      const code = value[cell]
      if (code === UNDECIDED) return cell
      if (notes) this.note(this.levelOf[cell])
      let branch = code
      if (node.kind === 'id') {
        branch = code === NULL ? 0 : this.place(code, known)
        // An odd branch is a gap: the id is a new one.
        known += branch & 1
      } else if (node.kind === 'term') {
        if (firstTerm === UNDECIDED) firstTerm = code
        branch = code - firstTerm
      }
      node = node.child(branch) ?? tree.child(node, branch)
    }
    return node.verdict ? TRUE : FALSE
  }

  /** The branch of an id among those that a predicate has read before; a new one joins them. */
  private place(id: number, known: number): number {
    const { ids } = this
    let i = 0
    while (i < known && ids[i] < id) i++
    if (i < known && ids[i] === id) return 2 * i + 2
    for (let j = known; j > i; j--) ids[j] = ids[j - 1]
    ids[i] = id
    return 2 * i + 1
  }

  private failed(instance: Instance): false {
    this.reasonLow = this.reasonHigh = 0
    this.walk(instance, true)
    return false
  }

  private note(level: number): void {
    if (level >= 31) this.reasonHigh |= 1 << (level - 31)
    else if (level > 0) this.reasonLow |= 1 << level
  }
}
