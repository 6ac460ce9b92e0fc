import { NO_NODES } from '../../model/transition.ts'
import type { TransitionSystem } from '../../model/transition-system.ts'
import type { PropertyEvaluator } from '../../properties/property-evaluator.ts'
import { LastEvents } from '../../reduction/last-events.ts'
import { SleepSets } from '../../reduction/sleep-sets.ts'
import { budgetReason, checkInterval, type SearchBudget, timeLimitReason } from '../budget.ts'
import type { FastSuccessors } from '../fast-successors.ts'
import type { HandlerTables } from '../handler-tables.ts'
import type { FingerprintVisited } from '../visited.ts'
import {
  LevelExpander,
  NEW_LEADERS,
  NO_SUCCESSOR,
  NOTHING_IN_FLIGHT,
  REPORT_BITS,
} from './level-expander.ts'
import type { SearchThread, SearchThreads, ThreadSetup, ThreadUpdate } from './search-threads.ts'
import {
  ANSWER,
  ANSWERED,
  ASKED,
  BLOCK,
  controlLength,
  DISCOVERED,
  DOORBELL,
  END_OF_SEARCH,
  EVALUATED,
  EXPAND,
  FAILED,
  FINISHED,
  FOUND_BLOCKS,
  FREE_BLOCKS,
  FULL,
  JOURNAL,
  LEVEL_BLOCKS,
  MOST_BLOCKS,
  MOST_LOAD,
  MOVE,
  NEXT_BLOCK,
  NEXT_PART,
  ownWords,
  PARITY,
  PHASE,
  QUOTA,
  READY,
  REPORTS,
  REQUEST,
  REQUESTED,
  SEGMENT,
  STOP,
  stride,
  TRANSITIONS,
  WORK,
  waitBriefly,
} from './shared-memory.ts'

/** Sizes of shared memory; what is never written takes no memory. */
const JOURNAL_WORDS = 1 << 24
const MOST_REPORTS = 1 << 18
/** The slots of the first table, for each state of a level that is worth several threads. */
const FIRST_SLOTS = 1 << 11

/** The fewest states to expand for which other threads are started: a power of two. */
const LEAST = 1024
/** The fewest states that a phase has room for. */
const ROOM = 1 << 16
/** The time after which a waiting thread looks at the clock. */
const WAIT_MS = 50

/** What a search has counted so far. */
interface SearchCounts {
  states: number
  transitions: number
  depth: number
  truncated: number
}

/** What the search in one thread did before. */
interface Begun extends SearchCounts {
  readonly visited: FingerprintVisited
  readonly frontier: number
}

/** Why a search ends that one thread must repeat. */
export const AGAIN = 'one thread repeats the search'

/** Thrown to end the search. */
class Ended extends Error {}

/**
 * Breadth-first search in several threads, level by level. It counts what one thread would count.
 * Whatever depends on the order of discovery is left to one thread, which repeats the search: the
 * path to a violation, and the counts at a limit. Only the first thread runs handlers and evaluates
 * properties; the others read its tables.
 */
export class ParallelSearch {
  counts: SearchCounts = { states: 0, transitions: 0, depth: 0, truncated: 0 }
  private readonly setup: ThreadSetup
  private readonly control: Int32Array
  private readonly journal: Int32Array
  private readonly expander: LevelExpander
  private readonly others: readonly SearchThread[]
  private readonly tables: HandlerTables
  private readonly interval: number
  private readonly small: number
  private published = 0
  private heard = 0
  private expanded = 0
  private timedRuns = 0
  private slots: number
  private levelStates = 0
  /**
   * Whether the other threads have started. That takes a while, in which this thread runs the same
   * code alone: it is compiled only once.
   */
  private joined = false

  private constructor(
    private readonly system: TransitionSystem,
    fast: FastSuccessors,
    private readonly evaluator: PropertyEvaluator,
    private readonly limits: SearchBudget,
    threads: SearchThreads,
  ) {
    const { shape } = fast
    this.tables = fast.tables as HandlerTables
    const { least = LEAST } = threads
    // Once they are started, threads pay off in smaller levels too.
    this.small = least / 2
    this.slots = FIRST_SLOTS * least
    this.interval = checkInterval(shape.width)
    const bitsPerCell = this.tables.largest < 1 << 14 ? 16 : 32
    const commute = SleepSets.of(system) !== null && this.tables.skippable
    const eventWords = commute ? new LastEvents(shape).words : 0
    const words = (length: number) => new SharedArrayBuffer(4 * length)
    this.setup = {
      thread: 0,
      shape,
      layout: { width: shape.width, bitsPerCell, eventWords },
      control: words(controlLength(threads.count)),
      journal: words(JOURNAL_WORDS),
      levels: [words(MOST_BLOCKS), words(MOST_BLOCKS)],
      free: words(MOST_BLOCKS),
      counts: words(MOST_BLOCKS),
      reports: words(2 * MOST_REPORTS),
    }
    this.control = new Int32Array(this.setup.control)
    this.journal = new Int32Array(this.setup.journal)
    this.expander = new LevelExpander(this.setup, this.tables)
    this.others = Array.from({ length: threads.count - 1 }, (_, i) =>
      threads.start({ ...this.setup, thread: i + 1 }),
    )
  }

  /**
   * Whether several threads find what one thread finds: properties need few evaluations, and no
   * handler can tell in which order its states were reached, as the order of a set might. In mode
   * patient only the first thread would note which timers fire.
   */
  static applies({ cache, mode }: TransitionSystem, evaluator: PropertyEvaluator): boolean {
    const { layout, kinds } = cache.world.algorithm
    const types = [...Object.values(layout.own), ...kinds.map(({ codec }) => codec)]
    const tellsTimers = mode === 'patient' && cache.world.algorithm.timers.length > 0
    if (tellsTimers || !evaluator.readsLeadersOnly) return false
    return !types.some(({ schema }) => /\b(set|map)\(/.test(schema))
  }

  /** Starts the other threads if there is enough to do; null if there is not. */
  static start(
    system: TransitionSystem,
    fast: FastSuccessors,
    evaluator: PropertyEvaluator,
    limits: SearchBudget,
    threads: SearchThreads,
    frontier: number,
  ): ParallelSearch | null {
    if (frontier < (threads.least ?? LEAST)) return null
    return new ParallelSearch(system, fast, evaluator, limits, threads)
  }

  /** Continues a search; returns why it ended early. */
  run(begun: Begun): string | null {
    try {
      this.takeOver(begun)
      while (this.levelStates > 0) this.expandLevel()
      return null
    } catch (error) {
      if (error instanceof Ended) return error.message
      // An error of a handler: one thread meets the first one first.
      return AGAIN
    } finally {
      this.stop()
    }
  }

  /** Ends the other threads. */
  stop(): void {
    const { control } = this
    Atomics.store(control, STOP, 1)
    Atomics.store(control, NEXT_BLOCK, MOST_BLOCKS)
    this.others.forEach((_, i) => {
      const request = ownWords(i + 1) + REQUEST
      Atomics.store(control, request, ANSWERED)
      Atomics.notify(control, request)
    })
    this.begin(END_OF_SEARCH)
  }

  private takeOver({ visited, frontier, ...counts }: Begun): void {
    const { control, expander, system } = this
    this.counts = counts
    this.publish()
    while (this.slots * MOST_LOAD < this.counts.states + 2 * frontier) this.slots *= 2
    this.send({ table: new SharedArrayBuffer(8 * this.slots) })
    visited.fingerprints.each((low, high) => expander.fingerprints.claim(low, high))
    this.provide(Math.ceil(frontier / BLOCK) + 1)
    for (let i = 0; i < frontier; i++) {
      visited.take(system.vector)
      expander.push(system.vector)
    }
    expander.publish()
    this.nextLevel(frontier)
    control[EVALUATED] = 1
  }

  private expandLevel(): void {
    const { control } = this
    const before = this.counts.states
    this.joined ||= Atomics.load(control, READY) === this.others.length
    let full = false
    do full = this.expandPart(full)
    while (full)
    control[EVALUATED] = 0
    const level = this.expander.levels[control[PARITY]]
    for (let i = 0; i < control[LEVEL_BLOCKS]; i++)
      this.expander.free[control[FREE_BLOCKS]++] = level[i]
    this.nextLevel(this.counts.states - before)
    if (this.levelStates > 0) this.counts.depth++
  }

  /** Makes what was found the level that is to be expanded. */
  private nextLevel(states: number): void {
    const { control } = this
    control[PARITY] = 1 - control[PARITY]
    control[LEVEL_BLOCKS] = control[FOUND_BLOCKS]
    control[FOUND_BLOCKS] = control[NEXT_BLOCK] = 0
    this.levelStates = states
  }

  /** Expands as many states of the level as there is room for; returns whether some are left. */
  private expandPart(goesOn: boolean): boolean {
    const { control, others } = this
    const alone = !this.joined || (!goesOn && this.levelStates < this.small)
    const threads = alone ? 1 : others.length + 1
    let room = this.room()
    while (room < this.levelStates / 2 || room < threads * BLOCK) {
      this.grow()
      room = this.room()
    }
    const quota = Math.floor(Math.min(room, Math.max(ROOM, 4 * this.levelStates)) / threads)
    this.provide(threads * (Math.ceil(quota / BLOCK) + 1))
    for (let i = 0; i < threads; i++) control[ownWords(i) + QUOTA] = quota
    this.publish()
    if (!alone) this.begin(EXPAND)
    this.expander.expand(this.afterSome)
    if (!alone) this.awaitOthers()
    let [full, discovered] = [false, 0]
    for (let i = 0; i < threads; i++) {
      const own = ownWords(i)
      discovered += control[own + DISCOVERED]
      this.counts.transitions += control[own + TRANSITIONS]
      if (control[own + FULL] !== 0) full = true
    }
    this.counts.states += discovered
    if (this.counts.states > this.limits.states) throw new Ended(AGAIN)
    // A state with more successors than one thread has room for.
    if (full && discovered === 0) this.grow()
    this.evaluate()
    return full
  }

  /** The number of states for which the table has room. */
  private room(): number {
    return Math.floor(this.slots * MOST_LOAD) - this.counts.states
  }

  private grow(): void {
    this.slots *= 2
    this.checkBudget()
    this.send({ table: new SharedArrayBuffer(8 * this.slots) })
    this.control[NEXT_PART] = 0
    if (this.joined) this.begin(MOVE)
    this.expander.move()
    if (this.joined) this.awaitOthers()
  }

  /** Makes sure that there are so many free blocks; those that were used before are taken first. */
  private provide(blocks: number): void {
    const { control } = this
    const { blocks: all, free } = this.expander
    while (control[FREE_BLOCKS] < blocks) {
      const first = all.segments * SEGMENT
      if (first + SEGMENT > MOST_BLOCKS) throw new Ended(AGAIN)
      const words = stride(this.setup.layout) * BLOCK * SEGMENT
      this.send({ segment: new SharedArrayBuffer(4 * words) })
      free.copyWithin(SEGMENT, 0, control[FREE_BLOCKS])
      for (let i = 0; i < SEGMENT; i++) free[i] = first + SEGMENT - 1 - i
      control[FREE_BLOCKS] += SEGMENT
    }
  }

  private send(update: ThreadUpdate): void {
    this.expander.update(update)
    for (const other of this.others) other.send(update)
  }

  private begin(work: number): void {
    const { control } = this
    Atomics.store(control, FINISHED, 0)
    Atomics.store(control, WORK, work)
    Atomics.add(control, PHASE, 1)
    Atomics.notify(control, PHASE)
  }

  /** Waits until the other threads have finished the phase, and answers them. */
  private awaitOthers(): void {
    const { control, others } = this
    for (;;) {
      this.answer()
      if (Atomics.load(control, FINISHED) === others.length) return
      if (!waitBriefly(control, DOORBELL, this.heard, WAIT_MS)) this.checkBudget()
    }
  }

  private readonly afterSome = (): void => {
    if (Atomics.load(this.control, DOORBELL) !== this.heard) this.answer()
    if (this.tables.journal.length > this.published) this.publish()
    if (++this.expanded % this.interval === 0) this.checkBudget()
    else if (this.system.cache.handlerRuns > this.timedRuns) this.checkTime()
  }

  /** Looks the rows up that other threads miss. */
  private answer(): void {
    const { control, tables } = this
    this.heard = Atomics.load(control, DOORBELL)
    if (Atomics.load(control, FAILED) !== 0) throw new Ended(AGAIN)
    for (let i = 1; i <= this.others.length; i++) {
      const own = ownWords(i)
      if (Atomics.load(control, own + REQUEST) !== ASKED) continue
      const at = own + REQUESTED
      const [kind, key, first, second] = control.subarray(at, at + 4)
      const row = tables.find(kind, key, first, second) || tables.store(kind, key, first, second)
      this.publish()
      control[own + ANSWER] = row
      Atomics.store(control, own + REQUEST, ANSWERED)
      Atomics.notify(control, own + REQUEST)
    }
  }

  /** Lets the other threads read the rows that were added. */
  private publish(): void {
    const { tables, journal, system } = this
    const { length } = tables.journal
    if (tables.deposes || system.cache.typeViolated || length > JOURNAL_WORDS)
      throw new Ended(AGAIN)
    if (tables.largest >> this.setup.layout.bitsPerCell > 0) throw new Ended(AGAIN)
    for (; this.published < length; this.published++)
      journal[this.published] = tables.journal.at(this.published)
    Atomics.store(this.control, JOURNAL, length)
  }

  /** Evaluates the states of the last phase in which a property may be violated. */
  private evaluate(): void {
    const { control, evaluator, system } = this
    const { reports, blocks } = this.expander
    const count = control[REPORTS]
    control[REPORTS] = 0
    if (count > MOST_REPORTS) throw new Ended(AGAIN)
    for (let i = 0; i < count; i++) {
      const [block, state] = reports.subarray(2 * i, 2 * i + 2)
      blocks.load(block, state >>> REPORT_BITS, system.vector)
      const passed =
        ((state & NEW_LEADERS) === 0 || evaluator.checkStep(NO_NODES)) &&
        ((state & NOTHING_IN_FLIGHT) === 0 || evaluator.checkState(NO_NODES, true))
      if (!passed) throw new Ended(AGAIN)
      if ((state & NO_SUCCESSOR) !== 0 && system.truncates) this.counts.truncated++
    }
  }

  private checkBudget(): void {
    const { control, limits, slots, setup } = this
    let { states, transitions, depth } = this.counts
    for (let i = 0; i <= this.others.length; i++) states += control[ownWords(i) + DISCOVERED]
    limits.onProgress?.({ states, transitions, depth, frontier: this.levelStates })
    const used = this.expander.blocks.segments * SEGMENT - control[FREE_BLOCKS]
    const bytes = 24 * slots + used * BLOCK * 4 * stride(setup.layout)
    if (budgetReason({ ...limits, expired: () => false }, bytes, this.system.cache.size) !== null)
      throw new Ended(AGAIN)
    this.checkTime()
  }

  private checkTime(): void {
    this.timedRuns = this.system.cache.handlerRuns
    const reason = timeLimitReason(this.limits)
    if (reason !== null) throw new Ended(reason)
  }
}
