import type { Algorithm, MessageKind, Needs, Param, StateOf } from '../language/algorithm.ts'
import type { Net } from '../language/net.ts'
import type { Problem } from '../language/problem.ts'
import type { Theory } from '../language/theory.ts'
import { neededNetworks } from '../language/validation/needed-networks.ts'
import { type Fields, flag, maybe, oneOf, uid } from '../language/value-types.ts'
import { UsageError } from '../usage-error.ts'
import type { Driver, OutcomeChange } from './driver.ts'
import { codecDispatch, codecsOf, deferredMessages } from './message-codec.ts'

import { PartNet } from './part-net.ts'
import { engineFields, type State, StateLayout } from './state.ts'

/** What a part of a composition that does not lead has concluded. */
export interface Proposal {
  /** The name of the part. */
  readonly part: string
  readonly what: OutcomeChange
  /** The leader as that part sees it now; null where there is none. */
  readonly leader: number | null
  /** The term, where it leads in one. */
  readonly term?: number
}

type Knowing = 'n' | 'peers' | 'liveness' | 'voters' | 'incarnation' | 'coins'

/** Algorithms that run side by side at every node, as one algorithm. */
export interface Composition<P extends Readonly<Record<string, Algorithm>>, L extends keyof P> {
  readonly name: string
  /** By name. Each sees its own state, messages and timers, and no others. */
  readonly parts: P
  /** The part whose outcome is that of the whole; the outcomes of the others are proposals. */
  readonly leads: L & string
  /**
   * Another part has called `net.lead`, `follow`, `withdraw` or `stop`, and sees that outcome
   * itself. This is called with the state and the net of the leading part.
   */
  readonly proposed?: (proposal: Proposal, my: StateOf<P[L]>, net: Net<Knowing>) => void
  /** What the whole needs, where it is not what its parts need together. */
  readonly needs?: Partial<Needs>
  /** The problem and the theory of the leading part if left out. */
  readonly problem?: Problem
  readonly theory?: Partial<Theory>
}

/** The outcome of a part that does not lead, which no engine sees. */
const OUTCOME: Fields = {
  status: oneOf('asleep', 'unknown', 'leader', 'lost'),
  leader: maybe(uid),
  stopped: flag,
}

/**
 * Makes one algorithm of several. Names of message types, timers, parameters and fields stay; one
 * that an earlier part or the leading part has gets the name of its own part before it:
 * `nominator.term`.
 */
export function compose<
  const P extends Readonly<Record<string, Algorithm>>,
  const L extends keyof P & string,
>(composition: Composition<P, L>): Algorithm {
  const { name, parts, leads } = composition
  const leading = parts[leads] as Algorithm
  refuseParts(composition)
  const names = new Names()
  const leader = new Part(leads, leading, names, null)
  const propose = (proposal: Proposal, my: State, net: unknown) =>
    composition.proposed?.(proposal, my as StateOf<P[L]>, net as Net<Knowing>)
  const members = Object.entries(parts).map(([word, part]) =>
    word === leads ? leader : new Part(word, part, names, propose),
  )
  const needs = { ...neededBy(leading, Object.values(parts)), ...composition.needs }
  const kinds = members.flatMap((part) => part.kinds)
  const codecs = codecsOf(kinds.map(({ codec }) => codec.fields))
  const timers = members.flatMap((part) => part.timers)
  const params = Object.assign({}, ...members.map((part) => part.params))
  const own = Object.assign({}, ...members.map((part) => part.fields))
  const defers = members.some((part) => part.algorithm.defers)
  const each = (act: (part: Part, my: State, net: Driver) => void) => (my: State, net: unknown) => {
    for (const part of members) act(part, my, net as Driver)
  }
  const notice = (what: 'down' | 'up') =>
    members.some((part) => part.algorithm[what] !== null)
      ? (my: State, link: number, net: unknown) => {
          for (const part of members)
            part.run(my, net as Driver, (mine, own) => {
              if (!mine.stopped) part.algorithm[what]?.(mine, link, own)
            })
        }
      : null
  return {
    ...leading,
    name,
    needs,
    theory: { ...leading.theory, ...composition.theory },
    params,
    variant: (settings) => variantOf(composition, members, settings),
    wakes: true,
    byAttribute: leading.byAttribute === 'initiators' ? 'initiators' : null,
    quiet: members.some((part) => part.algorithm.quiet === 'never') ? 'never' : null,
    problem: composition.problem ?? leading.problem,
    defers,
    sealed: false,
    kinds: kinds.map((kind, index) => ({ ...kind, index, codec: codecs[index] })),
    codecs: codecDispatch(codecs),
    timers: timers.map((timer, index) => ({ ...timer, index })),
    kindBySerial: joinedTable(
      members.map(({ algorithm }) => [algorithm.kindBySerial, algorithm.kinds.length]),
    ),
    timerBySerial: joinedTable(
      members.map(({ algorithm }) => [algorithm.timerBySerial, algorithm.timers.length]),
    ),
    layout: new StateLayout(
      defers ? { ...own, waiting: deferredMessages(codecs) } : own,
      needs.ids !== undefined,
      Object.keys(params),
      needs.knows?.includes('inputs') ? ['value', 'chosen'] : [],
      engineFields(needs),
    ),
    start: each((part, my, net) => part.wake(my, net, net.from < 0)),
    recover: each((part, my, net) => part.recover(my, net)),
    down: notice('down'),
    up: notice('up'),
    beyond: (facts) => firstOf(members, (part) => part.algorithm.beyond(facts)),
    schema: `${name}(${members.map(({ algorithm }) => algorithm.schema).join('+')})`,
  }
}

/** One algorithm of a composition. */
class Part {
  readonly kinds: readonly MessageKind[]
  readonly timers: Algorithm['timers']
  readonly params: Readonly<Record<string, Param>>
  /** Its fields in the state of the whole. */
  readonly fields: Fields
  /** The settings of its parameters have these names in the whole. */
  readonly settings: readonly (readonly [own: string, whole: string])[]
  /** Runs something with the state and the net that this part sees. */
  readonly run: (raw: State, driver: Driver, act: (my: State, net: unknown) => void) => void
  /** Where its status is; null for the leading part, whose status the engine keeps. */
  private readonly statusName: string | null

  constructor(
    readonly name: string,
    readonly algorithm: Algorithm,
    names: Names,
    /** Null for the part that leads: its state and net are those of the whole. */
    propose: ((proposal: Proposal, my: State, net: unknown) => void) | null,
  ) {
    const { kinds, timers, params, layout } = algorithm
    const leads = propose === null
    const own: Fields = leads ? layout.own : { ...layout.own, ...OUTCOME }
    const fields = Object.entries(own).filter(([field]) => field !== 'waiting' || !algorithm.defers)
    const named = (group: 'fields' | 'messages' | 'timers', word: string) =>
      names.take(group, name, word)
    this.settings = Object.keys(params).map((word) => [word, named('fields', word)] as const)
    const fieldNames = fields.map(([word]) => [word, named('fields', word)] as const)
    this.fields = Object.fromEntries(fields.map(([, type], i) => [fieldNames[i][1], type]))
    this.params = Object.fromEntries(this.settings.map(([word, whole]) => [whole, params[word]]))
    this.statusName = fieldNames.find(([word]) => word === 'status')?.[1] ?? null
    const inputs = algorithm.needs.knows?.includes('inputs') ? ['value', 'chosen'] : []
    const shared = [...(layout.hasIds ? ['id'] : []), ...inputs].map(
      (word) => [word, word] as const,
    )
    this.run = leads
      ? (raw, driver, act) => act(raw, driver)
      : new PartNet(this, [...fieldNames, ...this.settings, ...shared], propose).run
    this.kinds = kinds.map((kind) => {
      const word = named('messages', kind.word)
      return {
        ...kind,
        word,
        name: word.toLowerCase(),
        announces: leads && kind.announces,
        handle: (my, body, net) =>
          this.run(my, net as Driver, (mine, own) => {
            if (leads || !mine.stopped) kind.handle(mine, body, own)
          }),
        reason: (my, body, name, around) =>
          this.read(my, (mine) => kind.reason?.(mine, body, name, around) ?? null),
        // What is shown of a node is what the leading part says.
        seen: leads ? kind.seen : null,
      }
    })
    this.timers = timers.map((timer) => {
      const word = named('timers', timer.word)
      const fire = (my: State, net: unknown) => this.run(my, net as Driver, timer.fire)
      const reason: (typeof timer)['reason'] = (my, name, around) =>
        this.read(my, (mine) => timer.reason?.(mine, name, around) ?? null)
      const seen = leads ? timer.seen : null
      return { ...timer, word, name: word.toLowerCase(), fire, reason, seen }
    })
  }

  /** Reads the state that this part sees; there is no net. */
  private read<T>(my: State, of: (mine: State) => T): T {
    let found!: T
    this.run(my, undefined as never, (mine) => {
      found = of(mine)
    })
    return found
  }

  /** The node wakes; by a message it starts only where its definition says so. */
  wake(my: State, net: Driver, spontaneous: boolean): void {
    if (this.statusName !== null) my[this.statusName] = 'unknown'
    if (spontaneous || this.algorithm.wakes) this.run(my, net, this.algorithm.start)
  }

  recover(my: State, net: Driver): void {
    if (this.statusName !== null) my[this.statusName] = 'unknown'
    this.run(my, net, this.algorithm.recover)
  }
}

/** The names that parts have taken in the whole. */
class Names {
  readonly fields = new Set([
    'id',
    'status',
    'leader',
    'stopped',
    'value',
    'chosen',
    'node',
    'waiting',
    'leadsBound',
    'openTerm',
    'restarts',
  ])
  readonly messages = new Set<string>()
  readonly timers = new Set<string>()

  take(group: 'fields' | 'messages' | 'timers', part: string, word: string): string {
    const key = group === 'fields' ? word : word.toLowerCase()
    const name = this[group].has(key) ? `${part}.${word}` : word
    this[group].add(group === 'fields' ? name : name.toLowerCase())
    return name
  }
}

function refuseParts({
  name,
  parts,
  leads,
}: Composition<Readonly<Record<string, Algorithm>>, string>): void {
  const all = Object.entries(parts)
  const refuse = (problem: string, hint: string) => {
    throw new UsageError(name, problem, hint)
  }
  if (parts[leads] === undefined)
    refuse(
      `"${leads}" is to lead, but it is none of the parts.`,
      `The parts are ${all.map(([word]) => word).join(', ')}.`,
    )
  for (const [word, part] of all) {
    if (part.restarts)
      refuse(`the part ${word} is made to restart after crashes.`, 'Compose the algorithm itself.')
    if (part.meet !== null)
      refuse(`the nodes of the part ${word} meet and send no messages.`, 'Use another part.')
    if (part.computes !== null && word !== leads)
      refuse(`the part ${word} computes an aggregate.`, 'Let it lead, or run it beside.')
  }
  const serials = (table: Algorithm['kindBySerial']) =>
    table.flatMap((index, serial) => (index === undefined ? [] : [serial]))
  for (const table of ['kindBySerial', 'timerBySerial'] as const) {
    const used = all.flatMap(([, part]) => serials(part[table]))
    if (new Set(used).size < used.length)
      refuse(
        `two parts use the same ${table === 'kindBySerial' ? 'message' : 'timer'}.`,
        'Give each part its own messages and timers.',
      )
  }
}

/** The assumptions of all parts together. The leading part decides what is assumed of time. */
function neededBy({ needs: leading }: Algorithm, parts: readonly Algorithm[]): Needs {
  const all = parts.map(({ needs }) => needs)
  const has = <K extends keyof Needs>(need: K, word: Needs[K]) =>
    all.some((needs) => needs[need] === word)
  const topologies = all.map(({ topology }) => topology).filter((topology) => topology !== 'any')
  const other = topologies.find((topology) => topology !== topologies[0])
  if (other !== undefined)
    throw new UsageError(
      'compose',
      `one part needs ${neededNetworks[topologies[0]].words} and another one ${neededNetworks[other].words}.`,
      'Compose algorithms for the same network.',
    )
  const ids = has('ids', 'numbers') ? 'numbers' : has('ids', 'unique') ? 'unique' : undefined
  const knows = [...new Set(all.flatMap(({ knows = [] }) => knows))]
  const time = leading.time ?? all.find((needs) => needs.time !== undefined)?.time
  return {
    topology: topologies[0] ?? 'any',
    ...(ids !== undefined && { ids }),
    ...(knows.length > 0 && { knows }),
    ...(time !== undefined && { time }),
    ...(has('order', 'fifo') && { order: 'fifo' }),
    ...(has('start', 'together') && { start: 'together' }),
    ...(has('coins', true) && { coins: true }),
  }
}

/** The composition of the variants that the settings choose; null where they choose none. */
function variantOf<P extends Readonly<Record<string, Algorithm>>, L extends keyof P & string>(
  composition: Composition<P, L>,
  members: readonly Part[],
  settings: Readonly<Record<string, number | string>>,
): Algorithm | null {
  const variants = members.map(({ name, algorithm, settings: words }) => {
    const own = Object.fromEntries(words.map(([word, whole]) => [word, settings[whole]]))
    return [name, algorithm.variant(own) ?? algorithm] as const
  })
  if (variants.every(([name, variant]) => variant === composition.parts[name])) return null
  return compose({ ...composition, parts: Object.fromEntries(variants) as unknown as P })
}

function firstOf<T>(members: readonly Part[], of: (part: Part) => T | null): T | null {
  for (const part of members) {
    const found = of(part)
    if (found !== null) return found
  }
  return null
}

/** Tables of indices by serial number as one, where the indices of each part follow the last. */
function joinedTable(
  tables: readonly (readonly [Algorithm['kindBySerial'], size: number])[],
): (number | undefined)[] {
  const joined: (number | undefined)[] = []
  let first = 0
  for (const [table, size] of tables) {
    for (const [serial, index] of table.entries()) {
      while (joined.length <= serial) joined.push(undefined)
      if (index !== undefined) joined[serial] = first + index
    }
    first += size
  }
  return joined
}
