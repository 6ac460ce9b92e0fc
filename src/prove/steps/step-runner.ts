import type { Algorithm } from '../../core/language/algorithm.ts'
import type { Counter, UnknownCounter } from '../../core/language/counter.ts'
import type { Link, RandomDelay } from '../../core/language/net.ts'
import { HandlerError } from '../../core/language/validation/handler-error.ts'
import { Driver } from '../../core/runtime/driver.ts'
import type { AnyBody } from '../../core/runtime/message-codec.ts'
import { Violation } from '../../core/runtime/sealed/violation.ts'
import type { State } from '../../core/runtime/state.ts'
import { numericParameters } from '../conditions.ts'
import { UnmetCondition } from '../refusal.ts'
import { decoded, encoded, idOption, NULL, type Sort, termOptions } from '../sorts.ts'
import { type Field, FROM, type Vocabulary } from '../vocabulary.ts'
import { eventName, type LocalStep, type Sent, type StepEvent } from './local-step.ts'
import { type NumberScheme, OtherNumbers, renumberedTerms, schemesFor } from './number-schemes.ts'
import { RecordReader } from './record-reader.ts'

/** So many ways through one handler are more than a proof can try. */
const MOST_STEPS = 20_000

/** Runs handlers on a node that is decided field by field, as the handler reads it. */
export abstract class StepRunner extends Driver {
  my!: State
  protected readonly node = 0
  protected readonly choices = new Choices()
  private readonly unknown: UnknownCounter
  /** Whether counters are numbers in this run, in place of the unknown one. */
  private counting = false
  /** Whether only nodes that are awake take steps in this run. */
  private sleepless = false
  protected readonly state: RecordReader
  protected body: RecordReader | null = null
  private readonly bodies: readonly RecordReader[]
  private ids: number[] = []
  private terms: number[] = []
  /** So many terms can be told apart by how near they are: as many as a handler can read. */
  private near = 0
  /** How the handler sees ids, terms and links in a second run. */
  private other: OtherNumbers | null = null
  private outOfSort: OutOfSort | null = null
  private readonly schemes: readonly NumberScheme[]
  /** Numbers that only one handler sees. */
  private own!: NumberScheme
  protected sends: Sent[] = []
  protected senderId: number | null = null
  /** The link to the sender of the message, where sets of links name nodes. */
  get senderLink(): Link {
    return this.other?.senderLink ?? 1
  }

  constructor(protected readonly vocabulary: Vocabulary) {
    super({ ...vocabulary.algorithm, defers: false }, 0)
    const { node, messages, words } = vocabulary
    this.unknown = unknownCounter((k) => this.choices.one(k))
    this.state = new RecordReader('my', node, this, constantsOf(vocabulary))
    this.bodies = messages.map((fields, kind) => new RecordReader(words[kind], fields, this))
    this.schemes = schemesFor(sourcesOf(vocabulary.algorithm))
    Object.defineProperty(this, 'from', { get: () => this.arrival(), set: () => {} })
  }

  /** No handler goes through a set here: see `LinkSet`. */
  protected override settle(): void {}

  /** The link over which the message arrives; -1 where there is none. */
  protected abstract arrival(): Link

  get n(): never {
    throw new UnmetCondition(
      'a handler reads net.n.',
      'A proof for every n needs handlers that do not know n.',
    )
  }

  /** All ways through one handler; `number` is its number among all. */
  all(event: StepEvent, number: number): LocalStep[] {
    // What one handler notes outside about ids, another one would find.
    this.own = { ...this.schemes[0], id: (i) => OWN_IDS * (number + 1) + 13 * i }
    const { node, messages } = this.vocabulary
    const readable = event.event === 'receive' ? [...node, ...messages[event.kind]] : node
    this.near = readable.filter(({ sort }) => sort.kind === 'term').length - 1
    const steps = [...this.ways(event, (step) => this.tryOtherNumbers(event, step))]
    if (readable.some(({ sort }) => sort.kind === 'counter')) this.tryCounters(event, steps)
    return steps
  }

  /** The ways through one handler of a node that was awake before. */
  awake(event: StepEvent): LocalStep[] {
    this.sleepless = true
    const steps = this.all(event, 0)
    this.sleepless = false
    return steps
  }

  private *ways(event: StepEvent, visit?: (step: LocalStep) => void): Iterable<LocalStep> {
    let found = 0
    this.choices.reset()
    do {
      const step = this.once(event)
      if (step === null) continue
      if (found++ === MOST_STEPS)
        throw new UnmetCondition(
          `${eventName(this.vocabulary, event)} has more than ${MOST_STEPS} ways through it.`,
          'Use fields with fewer values.',
        )
      visit?.(step)
      yield step
    } while (this.choices.advance())
  }

  /** With numbers in place of unknown counters a handler does nothing that it could not before. */
  private tryCounters(event: StepEvent, steps: readonly LocalStep[]): void {
    const known = new Set(steps.map((step) => JSON.stringify(step)))
    this.counting = true
    for (const step of this.ways(event)) {
      if (known.has(JSON.stringify(step))) continue
      throw new UnmetCondition(
        `${eventName(this.vocabulary, event)} does more with counters than to count them up and compare them.`,
        'Use next, twoTo and isLess, and nothing else.',
      )
    }
    this.counting = false
  }

  /** One way; null where the event cannot happen. */
  private once(event: StepEvent): LocalStep | null {
    this.choices.begin()
    this.ids = []
    this.terms = []
    this.sends = []
    this.senderId = null
    this.wasDeferred = false
    this.begin()
    this.state.begin()
    this.my = this.state.view as unknown as State
    this.body = null
    this.outOfSort = null
    let thrown: string | null = null
    const happened = UnmetCondition.within(() => {
      try {
        return this.perform(event)
      } catch (error) {
        if (error instanceof UnmetCondition) throw error
        if (error instanceof Violation) throw this.mistake(event, error)
        thrown = `the handler throws: ${error}`
        return true
      }
    })
    if (!happened) return null
    const violation: string | null = (this.outOfSort as OutOfSort | null)?.message ?? thrown
    // What happened to sets may be decided only now, and then belongs to what was read.
    const sets = this.state.changes()
    return {
      event,
      node: this.state.reads(),
      message: (this.body as RecordReader | null)?.reads() ?? [],
      senderId: this.senderId,
      senderIn: this.state.memberReads(),
      writes: this.state.writes(),
      sets,
      sends: this.sends,
      defers: this.wasDeferred,
      violation,
    }
  }

  /** A handler uses what the definition does not declare. */
  private mistake(event: StepEvent, error: Violation): HandlerError {
    const { name: algorithm } = this.algorithm
    const handler = eventName(this.vocabulary, event)
    const place = { algorithm, handler, position: -1, id: null, time: null }
    return new HandlerError(place, error.problem, error.hint, { error, thrown: false })
  }

  private perform(event: StepEvent): boolean {
    switch (event.event) {
      case 'wake':
        if (this.my.status !== 'asleep') return false
        this.wake()
        return true
      case 'timeout': {
        const field = this.vocabulary.node.length - this.algorithm.timers.length + event.timer
        if (this.state.read(field) !== true || this.my.stopped) return false
        this.clearTimer(event.timer)
        this.fireTimer(event.timer)
        return true
      }
      case 'receive':
        this.body = this.bodies[event.kind]
        this.body.begin()
        if (this.sleepless && this.my.status === 'asleep') return false
        this.receive(this.my, event.kind, this.body.view)
        return true
      case 'recover':
        this.restart()
        this.recoverNode()
        return true
    }
  }

  /** A run begins. */
  protected begin(): void {}

  /** A crash erases all but what is in stable storage. */
  private restart(): void {
    const { layout } = this.algorithm
    this.my.status = 'asleep'
    this.my.leader = null
    this.my.stopped = false
    for (const [name, type] of Object.entries(layout.own)) {
      if (type.stable) continue
      const start = type.start()
      // A plain id starts as nobody's, or somebody's; a term begins anew.
      const any = type.schema === 'uid' ? ANY_ID : type.sort === 'term' ? ANY_TERM : null
      this.my[name] = any === null ? start : this.value(any, this.decide(any))
    }
    for (const { index } of this.algorithm.timers) this.clearTimer(index)
  }

  /**
   * Runs the same way again with other numbers in place of ids, terms and links: a handler that
   * computes with them, or depends on anything else, would do something else.
   */
  private tryOtherNumbers(event: StepEvent, step: LocalStep): void {
    const first = JSON.stringify(step)
    const { ids, terms, near } = this
    for (const scheme of [...this.schemes, this.own]) {
      this.other = new OtherNumbers(ids, renumberedTerms(terms, near, scheme), scheme)
      const again = JSON.stringify(this.once(event))
      this.other = null
      if (again === first) continue
      throw new UnmetCondition(
        `${eventName(this.vocabulary, event)} does something else with other ids in the same order, or when it is run again.`,
        'Handlers may only compare ids, store and send them, and must not depend on anything outside.',
      )
    }
  }

  /** What a handler reads for the first time. */
  decide(sort: Sort): number {
    if (sort.kind === 'finite') return this.choices.one(sort.values.length)
    if (sort.kind === 'counter') return this.counting ? this.choices.one(COUNTS.length) : 0
    if (sort.kind === 'term') {
      const options = termOptions(this.terms, this.near)
      const term = options[this.choices.one(options.length)]
      if (!this.terms.includes(term)) this.terms = [...this.terms, term].sort((a, b) => a - b)
      return term
    }
    if (sort.kind !== 'id') return 0
    const option = this.choices.one(2 * this.ids.length + 1 + (sort.nullable ? 1 : 0))
    if (option > 2 * this.ids.length) return NULL
    const id = idOption(this.ids, option)
    if (option % 2 === 0) this.ids.splice(option >> 1, 0, id)
    return id
  }

  /** The value of a field as the handler sees it. */
  value(sort: Sort, code: number): unknown {
    const { other } = this
    switch (sort.kind) {
      case 'counter':
        return this.counting ? COUNTS[code] : this.unknown
      case 'term':
        return other === null ? code : other.term(code)
      case 'id':
        return code === NULL ? null : other === null ? code : other.id(code)
      default:
        return decoded(sort, code)
    }
  }

  /** The code of a value that the handler writes or sends. */
  code(where: string, { name, sort }: Field, value: unknown): number {
    const { other } = this
    if (sort.kind === 'counter' && typeof value !== 'number' && value !== this.unknown)
      throw this.notOfSort(`${where}.${name} becomes ${value}, which is no counter`)
    const own = sort.kind === 'id' && other !== null ? other.codeOfId(value) : value
    const code = encoded(sort, own)
    if (code === undefined)
      throw this.notOfSort(`${where}.${name} becomes ${value}, which its type does not have`)
    if (sort.kind === 'term') return this.termCode(`${where}.${name}`, code)
    if (sort.kind === 'id' && code !== NULL && !this.ids.includes(code))
      throw new UnmetCondition(
        `${where}.${name} becomes ${value}, which is no id that the handler has read.`,
        'Ids may only be compared, stored and sent.',
      )
    return code
  }

  /** It is noted, too: a handler that catches it must not hide it. */
  private notOfSort(problem: string): OutOfSort {
    this.outOfSort ??= new OutOfSort(problem)
    return this.outOfSort
  }

  /** A term that the handler has read, or the next one. */
  private termCode(where: string, number: number): number {
    const { other, terms } = this
    for (const term of terms) {
      const shown = other === null ? term : other.term(term)
      if (number === shown) return term
      if (number === shown + 1 && !terms.includes(term + 1)) return term + 1
    }
    throw new UnmetCondition(
      `${where} becomes ${number}, which is neither a term that the handler has read nor the next one.`,
      'Terms may only be compared, stored, sent, and counted up by one.',
    )
  }

  protected codesOf(kind: number, body: AnyBody, from: number): number[] {
    const { messages, words } = this.vocabulary
    return messages[kind].map((field, i) =>
      i === FROM ? from : this.code(words[kind], field, body[field.name]),
    )
  }

  protected setTimer(timer: number): void {
    this.state.write(this.timerField(timer), true)
  }

  protected clearTimer(timer: number): void {
    this.state.write(this.timerField(timer), false)
  }

  private timerField(timer: number): number {
    return this.vocabulary.node.length - this.algorithm.timers.length + timer
  }

  override defer(): void {
    this.wasDeferred = true
  }

  choose(k: number): number {
    return this.choices.one(k)
  }

  chance(p: number): boolean {
    return p > 0 && (p >= 1 || this.choices.one(2) === 1)
  }

  moment(): number {
    return 0
  }

  protected override randomDelay({ from }: RandomDelay): number {
    return from
  }

  random(): never {
    throw unavailable('net.random()', 'Use net.choose(k): a proof tries all values.')
  }

  up(): never {
    throw unavailable('the failure detector')
  }

  weight(): never {
    throw unavailable('weights of links')
  }

  override get diameter(): never {
    throw unavailable('net.diameter')
  }

  override get incarnation(): never {
    throw unavailable('net.incarnation')
  }
}

export function unavailable(what: string, hint = 'A proof for every n has none.'): UnmetCondition {
  return new UnmetCondition(`a handler uses ${what}.`, hint)
}

const ANY_ID: Sort = { kind: 'id', nullable: false }
const ANY_TERM: Sort = { kind: 'term' }

/** Larger than the ids of other schemes. */
const OWN_IDS = 2 ** 32

/** The numbers that are tried in place of counters. */
const COUNTS = [0, 1, 2, 3, 5]

/** The texts of all handlers, as far as they can be seen. */
function sourcesOf({ start, recover, kinds, timers }: Algorithm): string[] {
  const handlers = [start, recover, ...kinds.map(({ handle }) => handle)]
  return [...handlers, ...timers.map(({ fire }) => fire)].map(String)
}

/** A value that its type does not have: that it cannot be is part of what is proved. */
class OutOfSort extends Error {}

/** The parameters that are numbers, which are the same on every network. */
function constantsOf({ algorithm }: Vocabulary): Record<string, () => unknown> {
  const entries = Object.entries(numericParameters(algorithm))
  return Object.fromEntries(entries.map(([name, constant]) => [name, () => constant]))
}

/** Goes through all sequences of choices of a deterministic computation, by running it again. */
class Choices {
  private digits: { value: number; readonly of: number }[] = []
  private next = 0

  reset(): void {
    this.digits = []
  }

  /** Starts the next run. */
  begin(): void {
    this.next = 0
  }

  /** One of `of` choices. */
  one(of: number): number {
    if (this.next === this.digits.length) this.digits.push({ value: 0, of })
    return this.digits[this.next++].value
  }

  /** Advances to the next sequence, the last choice first; false after the last one. */
  advance(): boolean {
    // A run that ended early has not made the choices that another one made.
    this.digits.length = this.next
    while (this.digits.length > 0) {
      const last = this.digits[this.digits.length - 1]
      if (++last.value < last.of) return true
      this.digits.pop()
    }
    return false
  }
}

/** A counter of which nothing is known: every comparison may turn out either way. */
function unknownCounter(choose: (k: number) => number): UnknownCounter {
  const refused = (): never => {
    throw new UnmetCondition(
      'a handler computes with a counter.',
      'Use next, twoTo and isLess: a proof tries both outcomes of each comparison.',
    )
  }
  const counter: UnknownCounter & object = {
    next: () => counter as unknown as Counter,
    twoTo: () => counter as unknown as Counter,
    isLess: () => choose(2) === 1,
    isMore: () => choose(2) === 1,
    count: refused,
  }
  return Object.defineProperty(counter, Symbol.toPrimitive, { value: refused })
}
