import type { Link } from '../../core/language/net.ts'
import { linksOf, type Topology } from '../../core/language/topology.ts'
import { FAULT_KINDS, type FaultCounts, type FaultKind, type FaultOptions } from '../options.ts'
import { Interner } from './interner.ts'
import { INNOCENT, type LinkView } from './local-states.ts'
import type { Routing } from './routing.ts'
import type { LinkNotice } from './transition.ts'

const NOTHING = countsOf({})

/** Something that a node is going to be told; `left` is when, 0 where time does not count. */
export interface PendingNotice {
  readonly node: number
  readonly tidings: LinkNotice
  readonly left: number
}

/** All that faults have done so far, apart from the states of nodes and channels. */
export interface FaultState {
  readonly spent: FaultCounts
  readonly dead: readonly number[]
  /** Links that are gone, by the numbers of both their channels. */
  readonly cut: readonly number[]
  /** By position; a node may come back under another id. */
  readonly ids: readonly number[]
  /** By node and link, those about one link in the order in which they come; or in one order. */
  readonly notices: readonly PendingNotice[]
}

/** Numbers every damage that was seen, and knows what each further fault makes of it. */
export class FaultStates {
  private readonly numbering = new Interner<FaultState>()
  readonly list: readonly FaultState[] = this.numbering.list
  private readonly sequels: Map<string, number>[] = []

  readonly budget: FaultCounts
  /** After how long the detector tells, 0 where time does not count; null: never. */
  private readonly detect: number | null
  private readonly sight: Topology
  private readonly oneOrder: boolean

  constructor(
    { sight, oneOrder }: Routing,
    private readonly ids: Float64Array,
    rules: FaultOptions,
    timed: boolean,
  ) {
    const { dead = [], detect = 1 } = rules
    this.sight = sight
    this.oneOrder = oneOrder
    this.budget = countsOf(rules)
    this.detect = detect === 'off' ? null : timed ? detect : 0
    const sorted = dead.toSorted((a, b) => a - b)
    this.numberOf({ spent: NOTHING, dead: sorted, cut: [], ids: [...ids], notices: [] })
  }

  get detects(): boolean {
    return this.detect !== null
  }

  /** The network loses or doubles a message. */
  garbled(damage: number, fault: 'losses' | 'duplicates'): number {
    return this.sequel(damage, fault, (now) => ({ ...now, spent: more(now.spent, fault) }))
  }

  crashed(damage: number, node: number): number {
    return this.sequel(damage, `crash ${node}`, (now) => {
      const dead = [...now.dead, node].sort((a, b) => a - b)
      return this.changed(now, { ...now, dead, spent: more(now.spent, 'crashes') })
    })
  }

  recovered(damage: number, node: number, id: number): number {
    return this.sequel(damage, `recover ${node} ${id}`, (now) => {
      const dead = now.dead.filter((other) => other !== node)
      const ids = now.ids.with(node, id)
      return this.changed(now, { ...now, dead, ids, spent: more(now.spent, 'recoveries') })
    })
  }

  severed(damage: number, node: number, link: Link): number {
    return this.sequel(damage, `cut ${node} ${link}`, (now) => {
      const { sight } = this
      const there = sight.channel(node, link)
      const back = sight.channel(sight.neighbor(node, link), sight.back(node, link))
      const cut = [...now.cut, there, back].sort((a, b) => a - b)
      return this.changed(now, { ...now, cut, spent: more(now.spent, 'cuts') })
    })
  }

  /** The notice of that number has been heard, or has come to a dead node. */
  told(damage: number, notice: number): number {
    return this.sequel(damage, `told ${notice}`, (now) => ({
      ...now,
      notices: now.notices.toSpliced(notice, 1),
    }))
  }

  after(damage: number, time: number): number {
    if (this.list[damage].notices.length === 0) return damage
    return this.sequel(damage, `after ${time}`, (now) => ({
      ...now,
      notices: now.notices.map((notice) => ({ ...notice, left: notice.left - time })),
    }))
  }

  /** The notices that can come next, by their numbers: where time counts, those that are due. */
  due(damage: number): number[] {
    const { notices } = this.list[damage]
    return [...notices.keys()].filter(
      (i) => notices[i].left === 0 && !(i > 0 && this.inOrder(notices[i - 1], notices[i])),
    )
  }

  /** How many nodes have died or come back so far, each as often as it has. */
  changes(damage: number): number {
    const { crashes, recoveries } = this.list[damage].spent
    return crashes + recoveries
  }

  /** What a node knows when it comes back: all that the detector has said by then. */
  view(damage: number, node: number): LinkView {
    if (this.detect === null) return INNOCENT
    const now = this.list[damage]
    const { sight, ids } = this
    const coming = new Map<Link, LinkNotice['event']>()
    for (const notice of now.notices.toReversed())
      if (notice.node === node) coming.set(notice.tidings.link, notice.tidings.event)
    const links = linksOf(sight, node)
    return {
      down: links.filter((link) =>
        coming.has(link) ? coming.get(link) === 'up' : !this.reaches(now, node, link),
      ),
      renamed: links
        .map((link) => ({ link, neighbor: sight.neighbor(node, link) }))
        .filter(({ link, neighbor }) => !coming.has(link) && now.ids[neighbor] !== ids[neighbor])
        .map(({ link, neighbor }) => ({ link, id: now.ids[neighbor] })),
    }
  }

  private reaches({ dead, cut }: FaultState, node: number, link: Link): boolean {
    const { sight } = this
    return !cut.includes(sight.channel(node, link)) && !dead.includes(sight.neighbor(node, link))
  }

  /**
   * Lets the detector see what has changed. Nobody tells the dead who will not come back, nor those
   * who will know everything then.
   */
  private changed(before: FaultState, after: FaultState): FaultState {
    const { sight, oneOrder } = this
    const patient = this.budget.recoveries > 0 && !oneOrder
    const notices = [...after.notices]
    for (let node = 0; node < sight.n && this.detect !== null; node++)
      for (const link of linksOf(sight, node)) {
        const up = this.reaches(after, node, link)
        if (up === this.reaches(before, node, link)) continue
        const id = after.ids[sight.neighbor(node, link)]
        const tidings: LinkNotice = { event: up ? 'up' : 'down', link, id }
        notices.push({ node, tidings, left: this.detect })
      }
    return {
      ...after,
      notices: notices
        .filter(({ node }) => patient || !after.dead.includes(node))
        .sort((a, b) => a.node - b.node || (oneOrder ? 0 : a.tidings.link - b.tidings.link)),
    }
  }

  /** Whether the first of two has to come before the other: what concerns one link always does. */
  private inOrder(a: PendingNotice, b: PendingNotice): boolean {
    return a.node === b.node && (this.oneOrder || a.tidings.link === b.tidings.link)
  }

  private sequel(damage: number, fault: string, make: (now: FaultState) => FaultState): number {
    this.sequels[damage] ??= new Map()
    let sequel = this.sequels[damage].get(fault)
    if (sequel === undefined) {
      sequel = this.numberOf(make(this.list[damage]))
      this.sequels[damage].set(fault, sequel)
    }
    return sequel
  }

  private numberOf(damage: FaultState): number {
    return this.numbering.of(JSON.stringify(damage), damage)
  }
}

function more(spent: FaultCounts, fault: FaultKind): FaultCounts {
  return { ...spent, [fault]: spent[fault] + 1 }
}

function countsOf(given: Partial<FaultCounts>): FaultCounts {
  const counts = FAULT_KINDS.map((kind) => [kind, given[kind] ?? 0])
  return Object.fromEntries(counts) as FaultCounts
}
