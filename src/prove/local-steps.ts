import type { Counter, UnknownCounter } from '../core/language/counter.ts'
import { HandlerError } from '../core/language/index.ts'
import { type Link, left, type RandomDelay, right } from '../core/language/net.ts'
import { Driver } from '../core/runtime/driver.ts'
import type { AnyBody } from '../core/runtime/message-codec.ts'
import { undeclaredField } from '../core/runtime/sealed/state-view.ts'
import { type Remedy, unknownMembers, Violation } from '../core/runtime/sealed/violation.ts'
import type { State } from '../core/runtime/state.ts'
import { Choices } from './choices.ts'
import { Refusal } from './refusal.ts'
import { decoded, encoded, idOption, type Sort } from './sorts.ts'
import { type Field, FROM, type Vocabulary } from './vocabulary.ts'

/** What makes a node take a step. */
export type StepEvent =
  | { readonly event: 'wake' }
  | { readonly event: 'receive'; readonly kind: number }
  | { readonly event: 'timeout'; readonly timer: number }

/** The codes of some fields, by the place of the field. */
export type Codes = readonly (readonly [field: number, code: number])[]

export interface Sent {
  readonly link: Link
  readonly kind: number
  /** The codes of all its fields, where it arrives. */
  readonly fields: readonly number[]
}

/**
 * One way through a handler: what it reads of its node and of the message, and what it does then.
 * It is the same on every ring, whatever else there is.
 */
export interface LocalStep {
  readonly event: StepEvent
  readonly node: Codes
  readonly message: Codes
  readonly writes: Codes
  readonly sends: readonly Sent[]
  /** The message is not taken from its link: it is deferred. */
  readonly defers: boolean
  /** What goes wrong: a value that its type does not have, or an error of the handler. */
  readonly violation: string | null
}

/** So many ways through one handler are more than a proof can try. */
const MOST_STEPS = 200_000

const RING_LINKS: readonly Link[] = [left, right]

/** All ways through all handlers of a definition. */
export function localSteps(vocabulary: Vocabulary): LocalStep[] {
  const { algorithm } = vocabulary
  const events: StepEvent[] = [
    { event: 'wake' },
    ...algorithm.kinds.map(({ index }) => ({ event: 'receive', kind: index }) as const),
    ...algorithm.timers.map(({ index }) => ({ event: 'timeout', timer: index }) as const),
  ]
  const runner = new StepRunner(vocabulary)
  return events.flatMap((event) => runner.all(event))
}

/** Runs handlers on a node that is decided field by field, as the handler reads it. */
class StepRunner extends Driver {
  my!: State
  protected readonly node = 0
  readonly links = RING_LINKS
  readonly degree = 2
  private readonly choices = new Choices()
  private readonly unknown: UnknownCounter
  private readonly state: RecordReader
  private body!: RecordReader
  private bodies: readonly RecordReader[]
  private ids: number[] = []
  /** The numbers that the handler sees in place of the codes of ids, and the other way round. */
  private shown: ReadonlyMap<number, number> | null = null
  private codes: ReadonlyMap<number, number> | null = null
  private sends: Sent[] = []

  constructor(private readonly vocabulary: Vocabulary) {
    super({ ...vocabulary.algorithm, defers: false }, 0)
    const { algorithm, node, messages } = vocabulary
    this.unknown = unknownCounter((k) => this.choices.one(k))
    const decide = (sort: Sort) => this.decide(sort)
    this.state = new RecordReader('my', node, decide, this, constantsOf(vocabulary))
    this.bodies = messages.map(
      (fields, kind) => new RecordReader(algorithm.kinds[kind].word, fields, decide, this),
    )
    Object.defineProperty(this, 'from', { get: () => this.body?.read(FROM) ?? -1, set: () => {} })
  }

  get n(): never {
    throw new Refusal(
      'a handler reads net.n.',
      'A proof for every n needs handlers that do not know n.',
    )
  }

  all(event: StepEvent): LocalStep[] {
    const steps: LocalStep[] = []
    this.choices.reset()
    do {
      if (steps.length === MOST_STEPS)
        throw new Refusal(
          `a handler has more than ${MOST_STEPS} ways through it.`,
          'Use fields with fewer values.',
        )
      const step = this.once(event)
      if (step === null) continue
      this.tryOtherIds(event, step)
      steps.push(step)
    } while (this.choices.advance())
    return steps
  }

  /** One way; null where the event cannot happen. */
  private once(event: StepEvent): LocalStep | null {
    this.choices.begin()
    this.ids = []
    this.sends = []
    this.wasDeferred = false
    this.state.begin()
    this.my = this.state.view as State
    this.body = undefined as never
    let violation: string | null = null
    try {
      if (!this.perform(event)) return null
    } catch (error) {
      if (error instanceof Refusal) throw error
      if (error instanceof Violation) throw this.mistake(event, error)
      violation = error instanceof OutOfSort ? error.message : `the handler throws: ${error}`
    }
    return {
      event,
      node: this.state.reads(),
      message: event.event === 'receive' ? this.body.reads() : [],
      writes: this.state.writes(),
      sends: this.sends,
      defers: this.wasDeferred,
      violation,
    }
  }

  /** A handler uses what the definition does not declare. */
  private mistake(event: StepEvent, error: Violation): HandlerError {
    const { kinds, timers, name: algorithm } = this.algorithm
    const handler =
      event.event === 'wake'
        ? 'start'
        : event.event === 'receive'
          ? kinds[event.kind].word
          : `timeout ${timers[event.timer].word}`
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
        this.receive(this.my, event.kind, this.body.view)
        return true
    }
  }

  /**
   * Runs the same way again with other numbers in place of the ids, in the same order: a handler
   * that computes with ids, or depends on anything else, would do something else.
   */
  private tryOtherIds(event: StepEvent, step: LocalStep): void {
    const ids = [...this.ids]
    const first = JSON.stringify(step)
    for (const other of OTHER_NUMBERS) {
      this.shown = new Map(ids.map((code, i) => [code, other(i)]))
      this.codes = new Map(ids.map((code, i) => [other(i), code]))
      const again = JSON.stringify(this.once(event))
      this.shown = this.codes = null
      if (again === first) continue
      throw new Refusal(
        `${eventName(this.vocabulary, event)} does something else with other ids in the same order, or when it is run again.`,
        'Handlers may only compare ids, store and send them, and must not depend on anything outside.',
      )
    }
  }

  /** What a handler reads for the first time. */
  private decide(sort: Sort): number {
    if (sort.kind === 'counter') return 0
    if (sort.kind === 'finite') return this.choices.one(sort.values.length)
    const option = this.choices.one(2 * this.ids.length + 1 + (sort.nullable ? 1 : 0))
    if (option > 2 * this.ids.length) return -1
    const id = idOption(this.ids, option)
    if (option % 2 === 0) this.ids.splice(option >> 1, 0, id)
    return id
  }

  /** The value of a field as the handler sees it. */
  value(sort: Sort, code: number): unknown {
    if (sort.kind === 'counter') return this.unknown
    const value = decoded(sort, code)
    return sort.kind === 'id' ? (this.shown?.get(value as number) ?? value) : value
  }

  /** The code of a value that the handler writes or sends. */
  code(where: string, { name, sort }: Field, value: unknown): number {
    if (sort.kind === 'counter' && typeof value !== 'number' && value !== this.unknown)
      throw new OutOfSort(`${where}.${name} becomes ${value}, which is no counter`)
    const code = encoded(
      sort,
      sort.kind === 'id' ? (this.codes?.get(value as never) ?? value) : value,
    )
    if (code === undefined)
      throw new OutOfSort(`${where}.${name} becomes ${value}, which its type does not have`)
    if (sort.kind === 'id' && code >= 0 && !this.ids.includes(code))
      throw new Refusal(
        `${where}.${name} becomes ${value}, which is no id that the handler has read.`,
        'Ids may only be compared, stored and sent.',
      )
    return code
  }

  protected dispatch(link: Link, kind: number, body: AnyBody): void {
    const fields = this.vocabulary.messages[kind]
    const { word } = this.algorithm.kinds[kind]
    const codes = fields.map((field, i) =>
      i === FROM ? 1 - link : this.code(word, field, body[field.name]),
    )
    this.sends.push({ link, kind, fields: codes })
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

  protected changed(): void {}

  override defer(): void {
    this.wasDeferred = true
  }

  choose(k: number): number {
    return this.choices.one(k)
  }

  chance(p: number): boolean {
    return p > 0 && (p >= 1 || this.choices.one(2) === 1)
  }

  pick(): Link {
    return RING_LINKS[this.choices.one(2)]
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

  peer(): never {
    throw unavailable('net.peer', 'Send ids in messages.')
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

  override majority(): never {
    throw unavailable('net.majority on a ring')
  }
}

function unavailable(what: string, hint = 'A proof for every ring has none.'): Refusal {
  return new Refusal(`a handler uses ${what}.`, hint)
}

/** Other numbers for ids, in the same order: neighbours, with gaps, large ones. */
const OTHER_NUMBERS: readonly ((i: number) => number)[] = [
  (i) => i,
  (i) => 2 + 7 * i,
  (i) => 1_000_003 * (i + 1) ** 2,
]

/** A value that its type does not have: that it cannot be is part of what is proved. */
class OutOfSort extends Error {}

export function eventName({ algorithm }: Vocabulary, event: StepEvent): string {
  if (event.event === 'wake') return 'start'
  return event.event === 'receive'
    ? `the handler of ${algorithm.kinds[event.kind].word}`
    : `the timeout ${algorithm.timers[event.timer].word}`
}

interface Codec {
  value(sort: Sort, code: number): unknown
  code(where: string, field: Field, value: unknown): number
}

/** The state of a node or the body of a message, whose fields are decided when they are read. */
class RecordReader {
  readonly view: AnyBody
  private readonly decided: (number | undefined)[] = []
  private readonly written: (number | undefined)[] = []

  constructor(
    private readonly name: string,
    private readonly fields: readonly Field[],
    private readonly decide: (sort: Sort) => number,
    private readonly codec: Codec,
    constants: Readonly<Record<string, () => unknown>> = {},
  ) {
    const members = fields.map(({ name: member }, i) => [
      member,
      { get: () => this.read(i), set: (value: unknown) => this.write(i, value), enumerable: true },
    ])
    const known = Object.entries(constants).map(([member, get]) => [member, { get }])
    const own = Object.fromEntries([...members, ...known])
    const undeclared = unknownMembers(name === 'my' ? name : 'body', Object.keys(own), (member) =>
      name === 'my' ? undeclaredField(member) : unknownBodyField(name, member, fields),
    )
    this.view = Object.create(undeclared, own)
  }

  begin(): void {
    this.decided.length = this.written.length = 0
  }

  read(field: number): unknown {
    const { sort } = this.fields[field]
    const code = this.written[field] ?? this.decided[field] ?? this.decide(sort)
    if (this.written[field] === undefined) this.decided[field] = code
    return this.codec.value(sort, code)
  }

  write(field: number, value: unknown): void {
    this.written[field] = this.codec.code(this.name, this.fields[field], value)
  }

  reads(): Codes {
    return this.known(this.decided)
  }

  writes(): Codes {
    return this.known(this.written)
  }

  private known(codes: readonly (number | undefined)[]): [number, number][] {
    return codes.flatMap((code, field): [number, number][] =>
      code === undefined || this.fields[field].sort.kind === 'counter' ? [] : [[field, code]],
    )
  }
}

function unknownBodyField(
  word: string,
  member: string,
  fields: readonly Field[],
): ReturnType<Remedy> {
  const names = fields.slice(FROM + 1).map(({ name }) => name)
  return {
    problem: `${word} has no field ${member}.`,
    hint: `Add it to message({ ... }), or use ${names.join(', ') || 'no field'}.`,
  }
}

/** The parameters that are numbers, which are the same on every network. */
function constantsOf({ algorithm }: Vocabulary): Record<string, () => unknown> {
  const facts = new Proxy({} as never, {
    get(_, fact) {
      throw new Refusal(
        `a parameter is computed from ${String(fact)} of the network.`,
        'A proof for every n needs parameters that are constants.',
      )
    },
  })
  const numbers = Object.entries(algorithm.params).filter(([, { choices }]) => !choices)
  const entries = numbers.map(([name, { value }]) => {
    const constant = value(facts)
    return [name, () => constant]
  })
  return Object.fromEntries(entries)
}

/** A counter of which nothing is known: every comparison may turn out either way. */
function unknownCounter(choose: (k: number) => number): UnknownCounter {
  const refused = (): never => {
    throw new Refusal(
      'a handler computes with a counter.',
      'Use next, twoTo and isLess: a proof tries both outcomes of each comparison.',
    )
  }
  const counter: UnknownCounter & object = {
    next: () => counter as unknown as Counter,
    twoTo: () => counter as unknown as Counter,
    isLess: () => choose(2) === 1,
    isMore: () => choose(2) === 1,
  }
  return Object.defineProperty(counter, Symbol.toPrimitive, { value: refused })
}
