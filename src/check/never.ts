import type { CodePlace } from '../core/language/world.ts'
import type { HandlerEffects } from './model/transition.ts'
import type { TransitionSystem } from './model/transition-system.ts'
import { FAULT_KINDS, type FaultOptions } from './options.ts'
import type { PropertyEvaluator } from './properties/property-evaluator.ts'

/**
 * What the definition and the options provide for and no explored run has. A verdict of "holds"
 * says nothing about it.
 */
export interface NeverHappened {
  /** Types of messages that no node sends, and types whose handler never handles one. */
  readonly messages: { readonly sent: readonly string[]; readonly handled: readonly string[] }
  /** Timers that never fire. */
  readonly timers: readonly string[]
  /** Code of handlers that never runs; null where the code does not tell. */
  readonly branches: readonly CodePlace[] | null
  readonly faults: readonly Unseen[]
  /** Properties that hold because what they speak of never arises. */
  readonly properties: readonly Unseen[]
}

/** A fault or a property, and what never happened. */
interface Unseen {
  readonly name: string
  readonly why: string
}

/** What has not happened in a system so far. */
export function neverHappened(
  system: TransitionSystem,
  evaluator: PropertyEvaluator,
  faults: FaultOptions = {},
): NeverHappened {
  const { world, happened } = system.cache
  const { kinds, timers } = world.algorithm
  const named = <T extends { readonly name: string }>(all: readonly T[], of: Effect) => {
    const seen = new Set(happened.flatMap(of))
    return all.filter((_, i) => !seen.has(i)).map(({ name }) => name)
  }
  const pieces = new Set(happened.flatMap((it) => it.pieces))
  return {
    messages: {
      sent: named(kinds, ({ sent }) => sent),
      handled: named(kinds, ({ handled }) => handled),
    },
    timers: named(timers, ({ timer }) => [timer]),
    branches: world.coverage?.deadCode(pieces) ?? null,
    faults: unseenFaults(system, faults),
    properties: emptyProperties(system, evaluator, happened),
  }
}

type Effect = (effects: HandlerEffects) => readonly number[]

/** What has happened in neither of two explorations. */
export function inNeither(a: NeverHappened, b: NeverHappened): NeverHappened {
  const both = <T>(one: readonly T[], other: readonly T[]) => {
    const known = new Set(other.map((it) => JSON.stringify(it)))
    return one.filter((it) => known.has(JSON.stringify(it)))
  }
  return {
    messages: {
      sent: both(a.messages.sent, b.messages.sent),
      handled: both(a.messages.handled, b.messages.handled),
    },
    timers: both(a.timers, b.timers),
    branches: a.branches && b.branches && both(a.branches, b.branches),
    faults: both(a.faults, b.faults),
    properties: both(a.properties, b.properties),
  }
}

/** The same in sentences, one for each. */
export function neverInWords(never: NeverHappened): string[] {
  const { messages, timers, branches, faults, properties } = never
  const unsent = new Set(messages.sent)
  return [
    ...messages.sent.map((name) => `${name} is never sent`),
    ...messages.handled
      .filter((name) => !unsent.has(name))
      .map((name) => `${name} is sent, but never handled`),
    ...timers.map((name) => `timer ${name} never fires`),
    ...(branches ?? []).map(({ file, line, text }) => `${file}:${line} never runs: ${text}`),
    ...faults.map(({ name, why }) => `${name}: ${why}`),
    ...properties.map(({ name, why }) => `"${name}" says nothing: ${why}`),
  ]
}

const NOT_INJECTED = 'allowed, but there is never one'

function unseenFaults({ faults: states }: TransitionSystem, options: FaultOptions): Unseen[] {
  const { reappear = false, oneWay = false, drift = 0, cuts = 0, partitions = 0 } = options
  const allowed = FAULT_KINDS.filter((kind) => (options[kind] ?? 0) > 0)
  const unseen = allowed.filter((kind) => states?.injected(kind) !== true)
  const found: Unseen[] = unseen.map((name) => ({ name, why: NOT_INJECTED }))
  const happens = (...kinds: readonly (typeof allowed)[number][]) =>
    kinds.some((kind) => allowed.includes(kind) && !unseen.includes(kind))
  if (happens('cuts', 'partitions') && states?.linksHit !== true) {
    const name = cuts > 0 ? (partitions > 0 ? 'cuts, partitions' : 'cuts') : 'partitions'
    found.push({ name, why: 'no message is ever sent over a link that is down' })
  }
  if (reappear && !happens('recoveries', 'amnesia'))
    found.push({ name: 'reappear', why: 'no node ever recovers' })
  if (oneWay && !happens('cuts', 'partitions'))
    found.push({ name: 'oneWay', why: 'no link ever fails' })
  if (drift > 0 && states?.timersDrift !== true)
    found.push({ name: 'drift', why: 'no timer is long enough to be early or late' })
  return found
}

/** Properties of leaders where there are none, and those that are moot at every end. */
function emptyProperties(
  system: TransitionSystem,
  { findings, moot }: PropertyEvaluator,
  happened: readonly HandlerEffects[],
): Unseen[] {
  const { terms, bindable, cache } = system
  const statuses = cache.initialStates.map(
    (local, node) => cache.localStates[node].list[local].state.status,
  )
  const led = happened.some(({ leads }) => leads) || statuses.includes('leader')
  const followed = happened.some(({ follows }) => follows) || statuses.includes('lost')
  const binds = cache.localStates.some(({ bound }) => bound.some((it) => it !== undefined))
  const renewed = happened.some(({ renews }) => renews)
  const judged = findings.filter(({ property, broken }) => broken === null && !property.within)
  return judged.flatMap(({ property }): Unseen[] => {
    const { name, when, sees } = property
    const empty = (why: string) => [{ name, why }]
    const reason = moot.get(property)
    if (reason !== undefined) return empty(reason)
    if (when !== 'always') return []
    if (sees === 'leaders' && !led) return empty('no node ever leads')
    if (sees === 'leaders' && bindable && binds && !renewed)
      return empty('no leader ever renews its lease')
    if (sees !== 'outcomes') return []
    if (!led && !followed) return empty('no node ever leads or follows')
    return terms !== null && terms.mostLeaders < 2 ? empty('no run has a second leader') : []
  })
}
