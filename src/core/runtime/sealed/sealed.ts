import type { Algorithm, MessageKind } from '../../language/algorithm.ts'
import type { NetworkFacts } from '../../language/theory.ts'
import { HandlerError } from '../../language/validation/handler-error.ts'
import { UsageError } from '../../usage-error.ts'
import type { Driver } from '../driver.ts'
import type { AnyBody } from '../message-codec.ts'
import type { State } from '../state.ts'
import { Execution } from './execution.ts'
import type { ExecutionRecord, SealedHandler } from './execution-record.ts'
import { StateFields } from './state-view.ts'
import { unknownMembers, Violation } from './violation.ts'

/** So many events of an algorithm are all executed twice, and then one in a few. */
const ALL_REPEATED = 10_000
const ONE_IN = 16
/** So many of them are executed a third time, long after the first. */
const REPEATED_LATER = 1000

const made = new WeakMap<Algorithm, Algorithm>()

/**
 * The same algorithm with handlers that see only what the definition declares, in every engine. It
 * does the same, more slowly, unless a handler makes a mistake: that throws a `HandlerError`.
 */
export function sealed(algorithm: Algorithm): Algorithm {
  // A restarting algorithm is made of one that is sealed already, if it is to be.
  if (algorithm.sealed || algorithm.restarts) return algorithm
  const known = made.get(algorithm) ?? makeSealed(algorithm)
  made.set(algorithm, known)
  return known
}

function makeSealed(algorithm: Algorithm): Algorithm {
  const sealing = new Sealing(algorithm)
  const { start, recover, down, up, meet, tree, finds, candidate, byAttribute, display } = algorithm
  const { meetReason } = algorithm
  const action = (name: string, run: Algorithm['start']): Algorithm['start'] => {
    const handler: SealedHandler = {
      name,
      argument: () => undefined,
      call: (my, _, net) => run(my as State, net),
    }
    return (my, net) => sealing.execute(handler, my, net as Driver, undefined)
  }
  const notice = (name: string, run: Algorithm['down']): Algorithm['down'] => {
    if (run === null) return null
    const handler: SealedHandler = {
      name,
      argument: (link) => link,
      call: (my, link, net) => run(my as State, link as number, net),
    }
    return (my, link, net) => sealing.execute(handler, my, net as Driver, link)
  }
  return {
    ...algorithm,
    sealed: true,
    params: sealedParams(algorithm),
    variant(settings) {
      const variant = algorithm.variant(settings)
      return variant === null ? null : sealed(variant)
    },
    // Made of the handlers themselves: sealed twice, they would see a net that is sealed already.
    byAttribute:
      typeof byAttribute === 'function' ? () => sealed(byAttribute(algorithm)) : byAttribute,
    kinds: algorithm.kinds.map((kind) => sealing.kind(kind)),
    timers: algorithm.timers.map((timer) => ({
      ...timer,
      fire: action(`timeout ${timer.word}`, timer.fire),
      reason: timer.reason && sealing.reading('reasons', timer.reason),
      seen: timer.seen && sealing.reading('display', timer.seen),
    })),
    start: action('start', start),
    recover: action(recover === start ? 'start' : 'recover', recover),
    down: notice('down', down),
    up: notice('up', up),
    meet: meet && sealing.meeting(meet),
    meetReason: meetReason && sealing.meetingReason(meetReason),
    tree: tree && sealing.reading('tree', tree),
    candidate: candidate && sealing.reading('candidate', candidate),
    finds: finds && { ...finds, known: sealing.reading('finds', (my) => finds.known(my)) },
    display: display && sealedDisplay(display, sealing),
  }
}

/** Each function of a display with a state that it can only read. */
function sealedDisplay(
  display: NonNullable<Algorithm['display']>,
  sealing: Sealing,
): Algorithm['display'] {
  type Read = (my: State, ...args: unknown[]) => unknown
  const reading = (read: unknown) => sealing.reading('display', read as Read)
  const entries = Object.entries(display).map(([member, given]) => [
    member,
    typeof given === 'function' ? reading(given) : { ...given, of: reading(given.of) },
  ])
  return Object.fromEntries(entries)
}

/** Executes the handlers of one algorithm. */
class Sealing {
  private readonly fields: StateFields
  /** Executions that are not in use: one suffices unless a send is handled within the send. */
  private readonly idle: Execution[] = []
  private readonly repeating: Execution
  private events = 0
  /** Events that are to be repeated later, too: others may have changed what they depend on. */
  private readonly later: (ExecutionRecord | null)[] = []

  constructor(private readonly algorithm: Algorithm) {
    this.fields = new StateFields(algorithm)
    this.repeating = new Execution(algorithm, this.fields)
  }

  execute(handler: SealedHandler, my: State, driver: Driver, given: unknown): void {
    const number = this.events++
    const record = number < ALL_REPEATED || number % ONE_IN === 0
    const execution = this.idle.pop() ?? new Execution(this.algorithm, this.fields)
    try {
      const recording = execution.run(handler, my, driver, given, record)
      if (recording !== null) this.repeat(recording)
    } finally {
      this.idle.push(execution)
    }
  }

  /** Repeats an event at once, and again when twice as many have been executed. */
  private repeat(recording: ExecutionRecord): void {
    this.repeating.repeat(recording)
    const { later } = this
    if (later.length === REPEATED_LATER) return
    later.push(recording)
    const earlier = (later.length - 1) >> 1
    const before = later[earlier]
    if (before === null || before === recording) return
    later[earlier] = null
    this.repeating.repeat(before)
  }

  kind(kind: MessageKind): MessageKind {
    const { word, codec, handle } = kind
    const names = codec.entries.map(([name]) => name)
    const prototype = unknownMembers('body', names, (name) => ({
      problem: `${word} has no field ${name}.`,
      hint: `Add it to message({ ... }), or use ${names.join(', ') || 'no field'}.`,
    }))
    const handler: SealedHandler = {
      name: word,
      // A handler may change its copy, which nobody else has.
      argument: (given) => Object.setPrototypeOf(codec.copy(given as AnyBody), prototype),
      call: (my, body, net) => handle(my as State, body as AnyBody, net),
    }
    return {
      ...kind,
      // The engine reuses the body for the next message.
      handle: (my, body, net) => this.execute(handler, my, net as Driver, codec.copy(body)),
      reason: kind.reason && this.reading('reasons', kind.reason),
      seen: kind.seen && this.reading('display', kind.seen),
    }
  }

  /** The other node of a meeting is only read, in a copy. */
  meeting(meet: NonNullable<Algorithm['meet']>): NonNullable<Algorithm['meet']> {
    const { fields } = this
    const handler: SealedHandler = {
      name: 'meet',
      argument: (other) => fields.reader(fields.copy(other as State), 'other'),
      call: (my, other, net) => meet(my as State, other as State, net),
    }
    return (my, other, net) => this.execute(handler, my, net as Driver, fields.copy(other as State))
  }

  meetingReason(reason: NonNullable<Algorithm['meetReason']>): Algorithm['meetReason'] {
    return this.reading('reasons', (my, other: State) =>
      reason(my, this.fields.reader(other, 'other') as State),
    )
  }

  /** A function that reads the state of a node and changes nothing. */
  reading<A extends unknown[], T>(
    name: string,
    read: (my: State, ...args: A) => T,
  ): (my: State, ...args: A) => T {
    return (my, ...args) => {
      const view = this.fields.reader(my)
      try {
        return read(view as State, ...args)
      } catch (error) {
        if (!(error instanceof Violation)) throw error
        const { name: algorithm } = this.algorithm
        const place = { algorithm, handler: name, position: -1, id: my.id ?? null, time: null }
        throw new HandlerError(place, error.problem, error.hint, { error, thrown: false })
      }
    }
  }
}

/** What has to be declared for a parameter that is computed from a fact; null: nothing can be. */
const FACTS: Readonly<Record<keyof NetworkFacts, string | null>> = {
  n: "knows: ['n']",
  links: null,
  smallestId: null,
  largestId: null,
  starters: null,
  smallestStarter: null,
  together: "start: 'together'",
  largestDelay: "time: 'bounded delay'",
  diameter: "knows: ['diameter']",
  rounds: null,
  networkDiameter: null,
  leaderId: null,
  ids: null,
  settings: null,
}

/** Parameters are known to all nodes: they depend only on facts that the definition declares. */
function sealedParams(algorithm: Algorithm): Algorithm['params'] {
  const { name, params, needs } = algorithm
  // On a complete network or a hypercube the number of links of a node tells the number of nodes.
  const counted = needs.topology === 'complete' || needs.topology === 'hypercube'
  const sized = needs.knows?.includes('n') === true || counted
  const knowsDelay = needs.time === 'rounds' || needs.time === 'bounded delay'
  const known: Readonly<Record<keyof NetworkFacts, boolean>> = {
    n: sized,
    links: sized && needs.topology !== 'any',
    together: needs.start === 'together',
    largestDelay: knowsDelay,
    smallestId: false,
    largestId: false,
    starters: false,
    rounds: false,
    networkDiameter: false,
    smallestStarter: false,
    leaderId: false,
    ids: false,
    settings: false,
    diameter: needs.knows?.includes('diameter') === true,
  }
  const entries = Object.entries(params).map(([word, param]) => {
    const value = (facts: NetworkFacts) => {
      const declared = Object.keys(known).map((fact) => ({
        [fact]: {
          enumerable: true,
          get() {
            if (known[fact as keyof NetworkFacts]) return facts[fact as keyof NetworkFacts]
            throw undeclaredFact(`${name}: params: ${word}`, fact as keyof NetworkFacts)
          },
        },
      }))
      const sight = Object.defineProperties({}, Object.assign({}, ...declared))
      return param.value(sight as NetworkFacts)
    }
    return [word, { ...param, value }] as const
  })
  return Object.fromEntries(entries)
}

function undeclaredFact(where: string, fact: keyof NetworkFacts): UsageError {
  const need = FACTS[fact]
  return need === null
    ? new UsageError(
        where,
        `its value is computed from ${fact}, which no node knows.`,
        'Use a constant, or facts that needs can declare: n, largestDelay, diameter.',
      )
    : new UsageError(
        where,
        `its value is computed from ${fact}, which the definition does not declare.`,
        `Add ${need} to needs.`,
      )
}
