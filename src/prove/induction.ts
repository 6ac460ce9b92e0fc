import type { Clause, StepClause } from '../core/language/clause.ts'
import { ClauseTrees, stepTree } from './clause-trees.ts'
import type { LocalStep } from './local-steps.ts'
import { ConfigurationSearch, type Instance } from './search.ts'
import { decoded, encoded, UNDECIDED } from './sorts.ts'
import {
  type Assumptions,
  type Frame,
  type OwnedFields,
  type Structure,
  Structures,
  sequences,
  type Tuple,
} from './structures.ts'
import { ID, type Vocabulary } from './vocabulary.ts'

/** The values of some fields, by name; a field that is left out may have any value. */
export type PartialRecord = Readonly<Record<string, unknown>>

/** A configuration that satisfies an invariant, and a step after which a clause fails. */
export interface Counterexample {
  /** The nodes of a ring, going left from the acting one. Ids are numbered by their order. */
  readonly nodes: readonly PartialRecord[]
  readonly messages: readonly {
    readonly kind: number
    readonly to: number
    readonly fields: PartialRecord
  }[]
  /** Null: the clause fails before any step. */
  readonly step: {
    readonly event: LocalStep['event']
    readonly after: PartialRecord
    readonly sends: readonly {
      readonly kind: number
      readonly to: number
      readonly fields: PartialRecord
    }[]
    readonly violation: string | null
  } | null
  /** The instance that fails. */
  readonly tuple: Tuple
}

/** Progress is reported after so many steps. */
const PROGRESS_STEPS = 512

const NO_OWNERS: OwnedFields = () => []

/** Looks for counterexamples to induction: theorem 1 of docs/proving.md. */
export class Induction {
  /** How many steps on small rings were tried. */
  steps = 0
  private readonly search: ConfigurationSearch
  private readonly structures: Structures
  private readonly trees = new Map<Clause, ClauseTrees>()
  private readonly frames = new Map<string, Frame[]>()

  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly local: readonly LocalStep[],
    assumptions: Assumptions,
    private readonly onProgress?: (steps: number) => void,
  ) {
    this.search = new ConfigurationSearch(vocabulary)
    this.structures = new Structures(this.search, assumptions)
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
  initially(name: string, clause: Clause): Counterexample | null {
    if (clause.messages.length > 0) return null
    const trees = this.treesOf(name, clause)
    for (let nodes = 1; nodes <= Math.max(1, clause.nodes); nodes++)
      for (const instance of this.structures.instancesOf(trees, noMessages(nodes))) {
        this.search.begin(nodes, [])
        for (let node = 0; node < nodes; node++) this.begins(node)
        if (this.search.solve(instance, []))
          return this.counterexample(noMessages(nodes), null, { nodes: [], messages: [] })
      }
    return null
  }

  /** Gives a node the values that it starts with; a plain id may be any. */
  private begins(node: number): void {
    const { algorithm, node: fields } = this.vocabulary
    const sleeping = algorithm.layout.create(0, {})
    for (const [field, { name, sort }] of fields.entries()) {
      if (sort.kind === 'counter' || (sort.kind === 'id' && !sort.nullable)) continue
      const start = name in sleeping ? encoded(sort, sleeping[name]) : undefined
      if (start !== undefined) this.search.given(this.search.nodeCell(node) + field, start)
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
  ): Counterexample | null {
    const trees = this.treesOf(name, clause)
    const invariant = [...assumed].map(([other, one]) => this.treesOf(other, one))
    for (const step of this.local)
      for (const frame of this.framesOf(trees, step, owned)) {
        const found = this.tried(step, frame, invariant)
        if (found !== null) return found
      }
    return null
  }

  /** The same for a clause about single steps. */
  brokenStep(
    name: string,
    clause: StepClause,
    assumed: ReadonlyMap<string, Clause>,
    owned: OwnedFields,
  ): Counterexample | null {
    const tree = stepTree(name, clause, this.vocabulary)
    const goal = { tree, records: [this.search.nodeCell(0), this.search.afterCells] }
    return this.brokenAlone(goal, () => true, assumed, owned)
  }

  /** A step in which a handler goes wrong: it throws, or a value is not of its type. */
  brokenHandler(assumed: ReadonlyMap<string, Clause>): Counterexample | null {
    return this.brokenAlone(null, ({ violation }) => violation !== null, assumed, NO_OWNERS)
  }

  /** Steps of the acting node, with the owners of the ids in the message and nobody else. */
  private brokenAlone(
    goal: Instance | null,
    concerns: (step: LocalStep) => boolean,
    assumed: ReadonlyMap<string, Clause>,
    owned: OwnedFields,
  ): Counterexample | null {
    const invariant = [...assumed].map(([other, one]) => this.treesOf(other, one))
    for (const step of this.local) {
      if (!concerns(step)) continue
      const { event } = step
      const kinds = event.event === 'receive' ? [event.kind] : []
      const ids = owned(kinds)
      for (let nodes = 1; nodes <= 1 + ids.length; nodes++)
        for (const at of sequences(ids.length, nodes)) {
          if (new Set([0, ...at]).size < nodes) continue
          const structure: Structure = {
            nodes,
            messages: kinds.map((kind) => ({ kind, to: 0, rank: 0 })),
            owners: ids.map((id, i) => ({ ...id, node: at[i] })),
          }
          const tuple = { nodes: [0], messages: [] }
          const found = this.tried(step, { structure, goal, sent: [], tuple }, invariant)
          if (found !== null) return found
        }
    }
    return null
  }

  /** Frames depend on a step only by what is delivered and sent. */
  private framesOf(trees: ClauseTrees, step: LocalStep, owned: OwnedFields): Frame[] {
    const { event, sends, defers } = step
    const form = `${event.event === 'receive' ? event.kind : ''}|${defers}|${owned === NO_OWNERS}`
    const key = `${trees.name}|${form}|${sends.map(({ kind, link }) => `${kind},${link}`).join(';')}`
    let frames = this.frames.get(key)
    if (frames === undefined) {
      frames = [...this.structures.frames(trees, step, owned)]
      this.frames.set(key, frames)
    }
    return frames
  }

  private tried(
    step: LocalStep,
    frame: Omit<Frame, 'goal'> & { readonly goal: Instance | null },
    invariant: readonly ClauseTrees[],
  ): Counterexample | null {
    const { search } = this
    const { structure, sent, goal, tuple } = frame
    search.begin(
      structure.nodes,
      structure.messages.map(({ kind }) => kind),
    )
    for (const { message, field, node } of structure.owners)
      search.alias[search.messageCell(message) + field] = search.nodeCell(node) + ID
    for (const [field, code] of step.node)
      if (!search.given(search.nodeCell(0) + field, code)) return null
    for (const [field, code] of step.message)
      if (!search.given(search.messageCell(0) + field, code)) return null
    this.applyStep(step, sent)
    if (++this.steps % PROGRESS_STEPS === 0) this.onProgress?.(this.steps)
    const instances = invariant.flatMap((trees) => this.structures.instancesOf(trees, structure))
    return search.solve(goal, instances) ? this.counterexample(structure, step, tuple) : null
  }

  /** The acting node after the step, and the messages of it that are looked at. */
  private applyStep({ writes, sends }: LocalStep, sent: readonly number[]): void {
    const { search, vocabulary } = this
    for (let field = 0; field < vocabulary.node.length; field++)
      search.alias[search.afterCells + field] = search.nodeCell(0) + field
    for (const [field, code] of writes) {
      search.alias[search.afterCells + field] = search.afterCells + field
      search.value[search.afterCells + field] = code
    }
    for (const [place, message] of sent.entries())
      for (const [field, code] of sends[message].fields.entries())
        search.value[search.sentCell(place) + field] = code
  }

  /** What the search has decided, in values. */
  private counterexample(
    structure: Structure,
    step: LocalStep | null,
    tuple: Tuple,
  ): Counterexample {
    const { search, vocabulary } = this
    const ids = search.decidedIds()
    const record = (fields: Vocabulary['node'], code: (field: number) => number): PartialRecord => {
      const known = fields.flatMap(({ name, sort }, field) => {
        const found = code(field)
        if (found === UNDECIDED || sort.kind === 'counter') return []
        const value = decoded(sort, found)
        const shown = sort.kind === 'id' && value !== null ? ids.indexOf(found) + 1 : value
        return [[name, shown] as const]
      })
      return Object.fromEntries(known)
    }
    const read = (cell: number) => (field: number) => search.value[search.alias[cell + field]]
    const { nodes, messages } = structure
    return {
      nodes: Array.from({ length: nodes }, (_, node) =>
        record(vocabulary.node, read(search.nodeCell(node))),
      ),
      messages: messages.map(({ kind, to }, i) => ({
        ...{ kind, to },
        fields: record(vocabulary.messages[kind], read(search.messageCell(i))),
      })),
      step: step && {
        event: step.event,
        after: record(vocabulary.node, read(search.afterCells)),
        sends: step.sends.map(({ kind, link, fields }) => ({
          kind,
          to: link === 0 ? 1 % nodes : nodes - 1,
          fields: record(vocabulary.messages[kind], (field) => fields[field]),
        })),
        violation: step.violation,
      },
      tuple,
    }
  }
}

function noMessages(nodes: number): Structure {
  return { nodes, messages: [], owners: [] }
}
