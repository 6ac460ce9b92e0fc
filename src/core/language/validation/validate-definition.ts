import { suggestionFor, UsageError } from '../../usage-error.ts'

import type { Definition, Needs } from '../algorithm.ts'
import type { Message, Timer } from '../message.ts'
import type { Fields } from '../value-types.ts'
import { requireFields, valueInError } from './field-types.ts'
import { neededNetworks } from './needed-networks.ts'
import { validateDisplay } from './validate-display.ts'
import { validateMeeting } from './validate-meeting.ts'

/*
 * Refuses malformed definitions, each with one error that names the member, what is wrong with it
 * and how to fix it. The types say the same; but a definition may be plain JavaScript, or loaded
 * without a type check.
 */

type AnyDefinition = Definition<
  Needs,
  Record<string, Message>,
  Fields,
  Record<string, Timer>,
  Record<never, never>
>

/** All members of a definition; the compiler compares it with `Definition`. */
const MEMBERS: Readonly<Record<keyof AnyDefinition, true>> = {
  name: true,
  needs: true,
  messages: true,
  announcement: true,
  elects: true,
  starters: true,
  lasting: true,
  handover: true,
  defers: true,
  timers: true,
  params: true,
  variant: true,
  state: true,
  wakes: true,
  start: true,
  recover: true,
  on: true,
  timeout: true,
  down: true,
  up: true,
  tree: true,
  beyond: true,
  computes: true,
  finds: true,
  theory: true,
  byAttribute: true,
  candidate: true,
  problem: true,
  quiet: true,
  display: true,
  reasons: true,
  meet: true,
  invariant: true,
}

/** The members that every definition has. */
const REQUIRED = ['name', 'needs', 'messages', 'state', 'wakes', 'start', 'on'] as const

/** The words of each need. */
const NEEDS: Readonly<Record<keyof Needs, readonly (string | true)[]>> = {
  topology: Object.keys(neededNetworks),
  ids: ['unique', 'numbers'],
  knows: [
    'n',
    'peers',
    'liveness',
    'weights',
    'direction',
    'inputs',
    'voters',
    'incarnation',
    'diameter',
  ],
  time: ['rounds', 'bounded delay', 'clocks'],
  order: ['fifo'],
  start: ['together'],
  coins: [true],
}

/** Other words for knowledge, which resemble none of the right ones. */
const SYNONYMS: Readonly<Record<string, string>> = {
  N: 'n',
  size: 'n',
  count: 'n',
  nodes: 'n',
  neighbours: 'peers',
  neighbors: 'peers',
  ids: 'peers',
  up: 'liveness',
  failures: 'liveness',
  crashes: 'liveness',
  values: 'inputs',
  majority: 'voters',
  quorum: 'voters',
  clock: 'clocks',
  leases: 'clocks',
}

/** What a handler gets, by the member of a definition that holds it. */
const ARGUMENTS = {
  start: 'my, net',
  recover: 'my, net',
  on: 'my, body, net',
  timeout: 'my, net',
  down: 'my, link, net',
  up: 'my, link, net',
  meet: 'my, other, net',
  tree: 'my',
} as const

type Any = Readonly<Record<string, unknown>>

/** Refuses a malformed definition with a `UsageError`. */
export function validateDefinition(definition: unknown): void {
  if (!isObject(definition))
    throw new UsageError(
      'algorithm',
      `expected a definition, got ${valueInError(definition)}.`,
      "Write algorithm({ name: 'my-election', needs: { topology: 'ring', ids: 'unique' }, ... }).",
    )
  const { name } = definition
  if (typeof name !== 'string' || name.trim() === '')
    throw new UsageError(
      'algorithm',
      name === undefined
        ? 'the definition has no name.'
        : `name is ${valueInError(name)}, but it must be a text.`,
      "Write name: 'my-election'.",
    )
  new Validation(name).definition(definition)
}

class Validation {
  constructor(private readonly name: string) {}

  definition(given: Any): void {
    const [missing, ...more] = REQUIRED.filter((member) => given[member] === undefined)
    const likely = more.length === 0 ? missing : undefined
    this.knownMembers(this.name, given, Object.keys(MEMBERS), 'a definition', likely)
    this.needs(given.needs)
    this.messages(given.messages)
    this.fields(given.state)
    this.timers(given.timers)
    this.params(given.params)
    this.choices(given)
    this.handlers(given)
    const functions = ['handover', 'variant', 'beyond', 'candidate']
    if (given.byAttribute !== 'initiators') functions.push('byAttribute')
    for (const member of functions)
      if (given[member] !== undefined) this.isFunction(member, given[member], '...', member)
    this.problem(given.problem)
    if (given.meet !== undefined) validateMeeting(this.name, given as never)
    validateDisplay(this.name, given as Any & { messages: object })
    for (const member of ['computes', 'finds', 'theory'])
      if (given[member] !== undefined && !isObject(given[member]))
        this.refuse(
          member,
          `expected an object, got ${valueInError(given[member])}.`,
          'Leave it out.',
        )
  }

  private needs(needs: unknown): void {
    const example = "Write needs: { topology: 'ring', ids: 'unique' }."
    if (needs === undefined) this.refuse('needs', 'it is missing.', example)
    if (!isObject(needs))
      this.refuse('needs', `expected an object, got ${valueInError(needs)}.`, example)
    this.knownMembers(`${this.name}: needs`, needs, Object.keys(NEEDS), 'needs')
    if (needs.topology === undefined)
      this.refuse(
        'needs',
        'topology is missing.',
        "Write topology: 'ring', 'complete', 'tree', 'hypercube' or 'any'.",
      )
    for (const [need, words] of Object.entries(NEEDS)) {
      const value = needs[need]
      if (value === undefined) continue
      if (need !== 'knows') this.oneOf(`needs: ${need}`, value, words)
      else if (Array.isArray(value)) for (const one of value) this.oneOf('needs: knows', one, words)
      else
        this.refuse(
          'needs: knows',
          `expected a list of words, got ${valueInError(value)}.`,
          `Write knows: [${typeof value === 'string' ? quoted(value) : "'n'"}].`,
        )
    }
  }

  private messages(messages: unknown): void {
    const list = this.named('messages', messages, 'messages: { ELECTION }')
    for (const [word, given] of Object.entries(list))
      if (!isMessage(given))
        this.refuse(
          `messages: ${word}`,
          `expected a message, got ${valueInError(given)}.`,
          given === undefined
            ? 'Is its name misspelt?'
            : `Declare it with const ${word} = message({ id: uid }).`,
        )
    const words = Object.keys(list)
    for (const [i, word] of words.entries()) {
      const twin = words.slice(0, i).find((other) => other.toLowerCase() === word.toLowerCase())
      if (twin !== undefined)
        this.refuse(
          'messages',
          `${twin} and ${word} have the same name in results, which are in lower case.`,
          'Rename one of them.',
        )
      const same = words.slice(0, i).find((other) => list[other] === list[word])
      if (same !== undefined)
        this.refuse(
          'messages',
          `${same} and ${word} are the same message.`,
          `Declare another: const ${word} = message({ ... }).`,
        )
    }
  }

  private fields(state: unknown): void {
    if (state === undefined) this.refuse('state', 'it is missing.', 'Write state: {}.')
    requireFields(`${this.name}: state`, state, 'state: { passive: flag }')
  }

  private timers(timers: unknown): void {
    if (timers === undefined) return
    for (const [word, given] of Object.entries(this.named('timers', timers, 'timers: { SILENCE }')))
      if (!isTimer(given))
        this.refuse(
          `timers: ${word}`,
          `expected a timer, got ${isMessage(given) ? 'a message' : valueInError(given)}.`,
          `Declare it with const ${word} = timer().`,
        )
  }

  private params(params: unknown): void {
    if (params === undefined) return
    const example = (value: unknown) =>
      `{ says: 'what it means', value: () => ${typeof value === 'number' ? value : 3} }`
    const list = this.named('params', params, `params: { patience: ${example(3)} }`)
    for (const [word, given] of Object.entries(list)) {
      const where = `params: ${word}`
      if (!isObject(given))
        this.refuse(
          where,
          `expected a parameter, got ${valueInError(given)}.`,
          `Write ${word}: ${example(given)}.`,
        )
      this.knownMembers(
        `${this.name}: ${where}`,
        given,
        ['says', 'choices', 'value'],
        'a parameter',
      )
      if (typeof given.says !== 'string')
        this.refuse(where, 'says is missing: what the parameter means.', `Write says: '...'.`)
      if (typeof given.value !== 'function')
        this.refuse(
          where,
          `value is ${valueInError(given.value)}, but it must be a function that returns the default.`,
          `Write value: () => ${typeof given.value === 'number' ? given.value : 3}.`,
        )
      this.synchronous(where, given.value, 'value')
      const { choices } = given
      if (choices !== undefined && !(Array.isArray(choices) && choices.every(isText)))
        this.refuse(
          where,
          `choices is ${valueInError(choices)}, but it must be a list of words.`,
          "Write choices: ['first', 'second'], or leave it out for a number.",
        )
    }
  }

  private problem(problem: unknown): void {
    if (problem === undefined) return
    const { name, properties } = isObject(problem) ? problem : {}
    if (isText(name) && (Array.isArray(properties) || typeof properties === 'function')) return
    this.refuse(
      'problem',
      `expected a problem with a name and properties, got ${valueInError(problem)}.`,
      "Write problem: leaderElection, or problem: { name: 'mine', properties: [...] }.",
    )
  }

  private choices(given: Any): void {
    const { wakes, announcement, messages } = given
    if (typeof wakes !== 'boolean')
      this.refuse(
        'wakes',
        wakes === undefined
          ? 'it is missing.'
          : `it is ${valueInError(wakes)}, but it must be true or false.`,
        'Write wakes: true if a node that a message wakes first runs start, else wakes: false.',
      )
    const words = Object.keys(messages as Any)
    if (announcement !== undefined && !words.includes(announcement as string))
      this.refuse(
        'announcement',
        `${valueInError(announcement)} is not one of the messages.`,
        meant(announcement, words) ?? `Write ${orList(words)}, or leave it out.`,
      )
    if (given.elects !== undefined) this.oneOf('elects', given.elects, ['largest', 'another'])
    if (given.starters !== undefined) this.oneOf('starters', given.starters, ['all', 'first'])
    if (given.quiet !== undefined) this.oneOf('quiet', given.quiet, ['never'])
    for (const member of ['lasting', 'defers'])
      if (given[member] !== undefined && typeof given[member] !== 'boolean')
        this.oneOf(member, given[member], [true])
  }

  private handlers(given: Any): void {
    if (given.start === undefined)
      this.refuse('start', 'it is missing.', 'Write start(my, net) { ... }.')
    for (const member of ['start', 'recover', 'down', 'up', 'meet', 'tree'] as const)
      if (given[member] !== undefined)
        this.isFunction(member, given[member], ARGUMENTS[member], member)
    this.handlersOf('on', given.on, Object.keys(given.messages as Any), 'messages')
    this.handlersOf('timeout', given.timeout ?? {}, Object.keys(given.timers ?? {}), 'timers')
  }

  /** One handler for each message or timer, and no others. */
  private handlersOf(
    part: 'on' | 'timeout',
    given: unknown,
    words: readonly string[],
    list: string,
  ): void {
    const example = `Write ${part}: { ${words[0] ?? 'ELECTION'}(${ARGUMENTS[part]}) { ... } }.`
    if (given === undefined)
      this.refuse(part, 'it is missing.', words.length === 0 ? `Write ${part}: {}.` : example)
    if (!isObject(given))
      this.refuse(part, `expected an object, got ${valueInError(given)}.`, example)
    for (const word of Object.keys(given))
      if (!words.includes(word))
        this.refuse(
          part,
          `${word} is not one of the ${list}.`,
          meant(word, words) ?? `Add it to ${list}, or remove the handler.`,
        )
    for (const word of words) {
      if (given[word] === undefined)
        this.refuse(
          part,
          `there is no handler for ${word}.`,
          `Write ${part}: { ${word}(${ARGUMENTS[part]}) { ... } }.`,
        )
      this.isFunction(`${part}: ${word}`, given[word], ARGUMENTS[part], word)
    }
  }

  private isFunction(where: string, given: unknown, args: string, word: string): void {
    if (typeof given !== 'function')
      this.refuse(
        where,
        `expected a function, got ${valueInError(given)}.`,
        `Write ${word}(${args}) { ... }.`,
      )
    this.synchronous(where, given, word)
  }

  /** A handler runs to completion: it neither waits nor pauses. */
  private synchronous(where: string, given: unknown, word: string): void {
    const kind = (given as { constructor: { name: string } }).constructor.name
    if (kind.startsWith('Async'))
      this.refuse(
        where,
        `${word} is async, but a handler runs to completion: nothing is awaited.`,
        'Remove async and await. To wait, set a timer: net.after(delay, TIMER).',
      )
    if (kind.includes('Generator'))
      this.refuse(where, `${word} is a generator, but nothing resumes it.`, 'Remove the *.')
  }

  private oneOf(where: string, given: unknown, words: readonly (string | true)[]): void {
    if (words.includes(given as string)) return
    const texts = words.filter(isText)
    this.refuse(
      where,
      `${valueInError(given)} is unknown.`,
      meant(given, texts) ?? `Write ${orList(words)}.`,
    )
  }

  private named(where: string, given: unknown, example: string): Any {
    if (given === undefined) this.refuse(where, 'it is missing.', `Write ${example}.`)
    if (!isObject(given))
      this.refuse(where, `expected an object, got ${valueInError(given)}.`, `Write ${example}.`)
    return given
  }

  /** Refuses unknown members; the only one that is missing is meant rather than another. */
  private knownMembers(
    where: string,
    given: Any,
    names: readonly string[],
    what: string,
    missing?: string,
  ): void {
    const unknown = Object.keys(given).find((member) => !names.includes(member))
    if (unknown === undefined) return
    const lacks = missing === undefined ? '' : `, and ${missing} is missing`
    const likely = missing === undefined ? meant(unknown, names) : `Did you mean ${missing}?`
    throw new UsageError(
      where,
      `there is no member ${unknown} in ${what}${lacks}.`,
      likely ?? `The members are ${names.join(', ')}.`,
    )
  }

  private refuse(where: string, problem: string, hint: string): never {
    throw new UsageError(`${this.name}: ${where}`, problem, hint)
  }
}

function isObject(given: unknown): given is Any {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

function isText(given: unknown): given is string {
  return typeof given === 'string'
}

function isMessage(given: unknown): boolean {
  return isObject(given) && typeof given.serial === 'number' && isObject(given.fields)
}

function isTimer(given: unknown): boolean {
  return isObject(given) && typeof given.serial === 'number' && !('fields' in given)
}

function meant(given: unknown, names: readonly string[]): string | null {
  if (!isText(given)) return null
  const synonym = Object.hasOwn(SYNONYMS, given) ? SYNONYMS[given] : ''
  const suggestion = names.includes(synonym) ? synonym : suggestionFor(given, names)
  return suggestion === null ? null : `Did you mean ${suggestion}?`
}

function quoted(word: string | true): string {
  return word === true ? 'true' : `'${word}'`
}

function orList(words: readonly (string | true)[]): string {
  return words.map(quoted).join(' or ')
}
