import type { Clause, StepClause } from '../core/language/clause.ts'
import { ClauseTrees, stepTree } from './clause-trees.ts'
import { ConfigurationSearch, type Instance } from './search.ts'
import { decoded, encoded, FIRST_TERM, FLAG, NULL, type Sort, UNDECIDED } from './sorts.ts'
import type { SetContents } from './steps/link-sets.ts'
import { ALL, type LocalStep, SELF } from './steps/local-step.ts'
import { CompleteStructures } from './structures/complete-structures.ts'
import { neighbour, RingStructures } from './structures/ring-structures.ts'
import type {
  Assumptions,
  Frame,
  OwnedFields,
  Structure,
  Structures,
  Tuple,
} from './structures/structures.ts'
import { type Field, ID, MOST_NODES, type Vocabulary } from './vocabulary.ts'

/** The values of some fields, by name; a field that is left out may have any value. */
export type PartialRecord = Readonly<Record<string, unknown>>

export interface MessageRecord {
  /** Its name in the definition, or LED. */
  readonly word: string
  /** The position of the receiver. */
  readonly to: number
  /** On a complete network: the position of the sender; null where there is none. */
  readonly sender: number | null
  readonly fields: PartialRecord
}

/** A configuration that satisfies an invariant, and a step after which a clause fails. */
export interface InductionCounterexample {
  readonly topology: Vocabulary['topology']
  /** On a ring, going left from the acting node. Ids are numbered by their order. */
  readonly nodes: readonly PartialRecord[]
  readonly messages: readonly MessageRecord[]
  /** Null: the clause fails before any step. */
  readonly step: {
    readonly event: LocalStep['event']
    readonly after: PartialRecord
    readonly sends: readonly MessageRecord[]
    readonly violation: string | null
  } | null
  /** The instance that fails. What is sent is numbered as in `sends`. */
  readonly tuple: Tuple
}

/** Progress is reported after so many steps. */
const PROGRESS_STEPS = 512

const NO_OWNERS: OwnedFields = () => []

/** Looks for counterexamples to induction: theorem 1 of docs/proving.md. */
export class Induction {
  /** How many steps on small rings were tried. */
  steps = 0
  largest = { nodes: 0, messages: 0 }
  private readonly search: ConfigurationSearch
  private readonly structures: Structures
  private readonly trees = new Map<Clause, ClauseTrees>()
  private readonly frames = new Map<string, Frame[]>()
  private readonly kept = new Map<Structure, Instance[]>()
  private keptFor: readonly ClauseTrees[] = []

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly local: readonly LocalStep[],
    assumptions: Assumptions,
    private readonly onProgress?: (steps: number) => void,
  ) {
    this.search = new ConfigurationSearch(vocabulary)
    this.structures =
      vocabulary.topology === 'ring'
        ? new RingStructures(this.search, assumptions)
        : new CompleteStructures(this.search, assumptions, vocabulary.led)
  }

  private treesOf(name: string, clause: Clause): ClauseTrees {
    let trees = this.trees.get(clause)
    if (trees === undefined) {
      trees = new ClauseTrees(name, clause, this.vocabulary)
      this.trees.set(clause, trees)
    }
    return trees
  }

  /** A way in which a clause fails at the beginning; null where it holds on every ring. */
  initially(name: string, clause: Clause): InductionCounterexample | null {
    if (clause.messages.length > 0) return null
    const trees = this.treesOf(name, clause)
    for (let nodes = 1; nodes <= Math.max(1, clause.nodes); nodes++)
      for (const instance of this.structures.instancesOf(trees, noMessages(nodes))) {
        this.search.begin(noMessages(nodes))
        for (let node = 0; node < nodes; node++) this.begins(node)
        if (this.search.solve(instance, () => []))
          return this.counterexample(noMessages(nodes), null, { nodes: [], messages: [] })
      }
    return null
  }

  /** Gives a node the values that it starts with; a plain id may be any. */
  private begins(node: number): void {
    const { algorithm, node: fields } = this.vocabulary
    const sleeping = algorithm.layout.create(0, {})
    const cell = this.search.nodeCell(node)
    for (const [field, { name, sort, member }] of fields.entries()) {
      // Nobody is in a set; but one node alone may be a majority.
      if (member === -1) continue
      if (member !== undefined) this.search.given(cell + field, 0)
      else if (sort.kind === 'term') this.search.given(cell + field, FIRST_TERM)
      else if (sort.kind !== 'id' || sort.nullable) {
        const start = name in sleeping ? encoded(sort, sleeping[name]) : undefined
        if (start !== undefined) this.search.given(cell + field, start)
      }
    }
  }

  /**
   * A step that leads from a configuration in which all assumed clauses hold to one in which a
   * clause fails; null where there is none, on any ring.
   */
  broken(
    name: string,
    clause: Clause,
    assumed: ReadonlyMap<string, Clause>,
    owned: OwnedFields = NO_OWNERS,
  ): InductionCounterexample | null {
    const trees = this.treesOf(name, clause)
    const invariant = [...assumed].map(([other, one]) => this.treesOf(other, one))
    for (const step of this.local)
      for (const frame of this.framesOf(trees, step, owned)) {
        const found = this.tried(step, frame, invariant)
        if (found !== null) return found
      }
    return null
  }

  /** The clauses that refuted a violation since this was last asked. */
  usedClauses(): ReadonlySet<string> {
    const used = new Set(this.search.used)
    this.search.used.clear()
    return used
  }

  /** The same for a clause about single steps. */
  brokenStep(
    name: string,
    clause: StepClause,
    assumed: ReadonlyMap<string, Clause>,
    owned: OwnedFields,
  ): InductionCounterexample | null {
    const tree = stepTree(name, clause, this.vocabulary)
    const records = [this.search.nodeCell(0), this.search.afterCells]
    return this.brokenAlone({ tree, name, records, positions: [0, 0] }, () => true, assumed, owned)
  }

  /** A step in which a handler goes wrong: it throws, or a value is not of its type. */
  brokenHandler(assumed: ReadonlyMap<string, Clause>): InductionCounterexample | null {
    return this.brokenAlone(null, ({ violation }) => violation !== null, assumed, NO_OWNERS)
  }

  /** Steps of the acting node, with the owners of the ids in the message and nobody else. */
  private brokenAlone(
    goal: Instance | null,
    concerns: (step: LocalStep) => boolean,
    assumed: ReadonlyMap<string, Clause>,
    owned: OwnedFields,
  ): InductionCounterexample | null {
    const invariant = [...assumed].map(([other, one]) => this.treesOf(other, one))
    for (const step of this.local) {
      if (!concerns(step)) continue
      const tuple = { nodes: [0], messages: [] }
      for (const structure of this.structures.alone(step, owned)) {
        const frame = { structure, goal, sent: [], tuple, majorities: null }
        const found = this.tried(step, frame, invariant)
        if (found !== null) return found
      }
    }
    return null
  }

  /** Frames depend on a step only by what is delivered and sent. */
  private framesOf(trees: ClauseTrees, step: LocalStep, owned: OwnedFields): Frame[] {
    const { event, sends, defers } = step
    const form = `${event.event === 'receive' ? event.kind : ''}|${defers}|${owned === NO_OWNERS}`
    const sent = sends.map(({ kind, link }) => [kind, link])
    const key = `${trees.name}|${form}|${sent.join(';')}`
    let frames = this.frames.get(key)
    if (frames === undefined) {
      frames = [...this.structures.frames(trees, step, owned)]
      this.frames.set(key, frames)
    }
    return frames
  }

  private tried(
    step: LocalStep,
    frame: Frame,
    invariant: readonly ClauseTrees[],
  ): InductionCounterexample | null {
    const { search } = this
    const { structure, goal, tuple } = frame
    search.begin(structure)
    for (const { message, field, node } of structure.owners)
      search.alias[search.messageCell(message) + field] = search.nodeCell(node) + ID
    for (const [field, code] of step.node)
      if (!search.given(search.nodeCell(0) + field, code)) return null
    for (const [field, code] of step.message)
      if (!search.given(search.messageCell(0) + field, code)) return null
    if (!this.givenSender(step, structure)) return null
    this.applyStep(step, frame)
    if (!this.givenMajorities(frame)) return null
    const { nodes, messages } = this.largest
    this.largest = {
      nodes: Math.max(nodes, structure.nodes),
      messages: Math.max(messages, structure.messages.length),
    }
    if (++this.steps % PROGRESS_STEPS === 0) this.onProgress?.(this.steps)
    const solved = search.solve(goal, () => this.instancesOn(structure, invariant))
    return solved ? this.counterexample(structure, step, tuple) : null
  }

  /** All instances of an invariant; kept, since many steps happen on the same structure. */
  private instancesOn(structure: Structure, invariant: readonly ClauseTrees[]): Instance[] {
    if (this.keptFor !== invariant) this.kept.clear()
    this.keptFor = invariant
    let instances = this.kept.get(structure)
    if (instances === undefined) {
      instances = invariant.flatMap((trees) => this.structures.instancesOf(trees, structure))
      this.kept.set(structure, instances)
    }
    return instances
  }

  /** What the step has read of the sender of its message. */
  private givenSender({ senderId, senderIn }: LocalStep, { messages }: Structure): boolean {
    const { search } = this
    const [{ sender } = { sender: -1 }] = messages
    return (
      (senderId === null || search.given(search.nodeCell(sender) + ID, senderId)) &&
      senderIn.every(([field, code]) => search.given(search.nodeCell(0) + field + 1 + sender, code))
    )
  }

  /** Two majorities have a node in common, unless one of two sets is none. */
  private givenMajorities({ tuple, majorities, sent }: Frame): boolean {
    if (majorities === null) return true
    const { search, vocabulary } = this
    const votes = vocabulary.messages[vocabulary.led].findIndex(({ member }) => member === -1)
    const label = (i: number) => {
      const { when, number } = tuple.messages[i]
      const cell =
        when === 'sent' ? search.sentCell(sent.indexOf(number)) : search.messageCell(number)
      return cell + votes
    }
    if ('none' in majorities) return search.given(label(majorities.none), 0)
    return majorities.of.every(
      (i) => search.given(label(i), 1) && search.given(label(i) + 1 + majorities.witness, 1),
    )
  }

  /** The acting node after the step, and the messages of it that are looked at. */
  private applyStep(step: LocalStep, { structure, sent }: Frame): void {
    const { search, vocabulary } = this
    const { writes, sends, sets } = step
    const [{ sender } = { sender: -1 }] = structure.messages
    const acting = search.nodeCell(0)
    for (let field = 0; field < vocabulary.node.length; field++)
      search.alias[search.afterCells + field] = acting + field
    for (const [field, code] of writes)
      search.made(search.afterCells + field, code, vocabulary.node[field].sort)
    for (const contents of sets)
      this.setMembers(search.afterCells + contents.field, contents, sender)
    for (const [place, number] of sent.entries()) {
      const cell = search.sentCell(place)
      const { fields, votes, kind } = sends[number]
      for (const [field, code] of fields.entries())
        search.made(cell + field, code, vocabulary.messages[kind][field].sort)
      if (votes === null) continue
      const field = vocabulary.messages[kind].findIndex(({ member }) => member === -1)
      this.setMembers(cell + field, votes, sender)
      // A majority is one together with the node itself.
      search.made(cell + field + 1, 1, FLAG)
    }
  }

  /** The members of a set after a step, in the cells behind its label. */
  private setMembers(label: number, { field, cleared, sender }: SetContents, from: number): void {
    const { search } = this
    for (let node = 0; node < MOST_NODES; node++) {
      const cell = label + 1 + node
      if (node === from && sender !== undefined) search.made(cell, sender ? 1 : 0, FLAG)
      else if (cleared) search.made(cell, 0, FLAG)
      else search.alias[cell] = search.nodeCell(0) + field + 1 + node
    }
  }

  /** What the search has decided, in values. */
  private counterexample(
    structure: Structure,
    step: LocalStep | null,
    tuple: Tuple,
  ): InductionCounterexample {
    const { search, vocabulary } = this
    const ids = search.decidedIds()
    const terms = search.decidedTerms()
    const record = (fields: readonly Field[], code: (field: number) => number): PartialRecord => {
      const known: Record<string, unknown> = {}
      for (const [field, { name, sort, member }] of fields.entries()) {
        const found = code(field)
        if (found === UNDECIDED || sort.kind === 'counter') continue
        if (member === undefined) known[name] = shown(sort, found)
        else if (member >= 0 && member < structure.nodes && found === 1)
          known[name] = [...((known[name] as number[] | undefined) ?? []), member]
      }
      return known
    }
    const shown = (sort: Sort, code: number) => {
      if (sort.kind === 'term')
        return 1 + (terms.indexOf(code) < 0 ? terms.length : terms.indexOf(code))
      return sort.kind === 'id' && code !== NULL ? ids.indexOf(code) + 1 : decoded(sort, code)
    }
    const read = (cell: number) => (field: number) => search.value[search.alias[cell + field]]
    const { nodes, messages } = structure
    const [{ sender: origin } = { sender: -1 }] = messages
    const targets = (link: number): number[] => {
      if (vocabulary.topology === 'ring') return [neighbour(link, nodes)]
      if (link === ALL) return Array.from({ length: nodes - 1 }, (_, i) => i + 1)
      return [link === SELF ? 0 : origin]
    }
    const sends = (step?.sends ?? []).flatMap(({ kind, link, fields }, number) =>
      targets(link).map((to) => ({
        number,
        to,
        word: vocabulary.words[kind],
        sender: vocabulary.topology === 'ring' || link === SELF ? null : 0,
        fields: record(vocabulary.messages[kind], (field) => fields[field]),
      })),
    )
    return {
      topology: vocabulary.topology,
      nodes: Array.from({ length: nodes }, (_, node) =>
        record(vocabulary.node, read(search.nodeCell(node))),
      ),
      messages: messages.map(({ kind, to, sender }, i) => ({
        word: vocabulary.words[kind],
        to,
        sender: sender < 0 ? null : sender,
        fields: record(vocabulary.messages[kind], read(search.messageCell(i))),
      })),
      step: step && {
        event: step.event,
        after: record(vocabulary.node, read(search.afterCells)),
        sends: sends.map(({ number: _, ...message }) => message),
        violation: step.violation,
      },
      tuple: {
        nodes: tuple.nodes,
        messages: tuple.messages.map((named) => {
          const { number, to } = named
          const isNamed = (one: { number: number; to: number }) =>
            one.number === number && one.to === to
          return named.when === 'before' ? named : { ...named, number: sends.findIndex(isNamed) }
        }),
      },
    }
  }
}

function noMessages(nodes: number): Structure {
  return { nodes, messages: [], owners: [] }
}
