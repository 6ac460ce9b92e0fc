import { UsageError } from '../../core/index.ts'
import { positionOf } from '../fields/schedule-text.ts'
import type { RunSnapshot } from './run-snapshot.ts'

/** What somebody does to a run at a moment: at a time, or at the beginning of a round. */
export type Intervention = { readonly at: number } & (
  | { readonly what: 'crash' | 'wake'; readonly node: number }
  /** A dead node comes back, under another id if one is given. */
  | { readonly what: 'recover'; readonly node: number; readonly id?: number }
  /** A message that is on its way gets lost. */
  | { readonly what: 'drop'; readonly message: number }
  /** A message that is on its way arrives then, earlier or later than by itself. */
  | { readonly what: 'arrive'; readonly message: number; readonly to: number }
  | { readonly what: 'cut' | 'mend'; readonly link: readonly [number, number] }
  | { readonly what: 'partition'; readonly groups: readonly (readonly number[])[] }
  /** All partitions that stand come to an end. */
  | { readonly what: 'heal' }
)

/** The fields of a scenario that interventions add to. */
interface Plans {
  readonly crash: string
  readonly recover: string
  readonly wake: string
  readonly partition: string
  readonly cut: string
  readonly tamper: string
}

/**
 * What of the plans is another with an intervention, unless it makes no sense at that moment. The
 * run is looked at only where that tells whether it does.
 */
export function withIntervention(
  plans: Partial<Plans>,
  deed: Intervention,
  look: () => RunSnapshot,
): Partial<Plans> {
  const { at } = deed
  const { cut = 'none', partition = 'none', tamper = 'none' } = plans
  switch (deed.what) {
    case 'crash':
    case 'recover':
    case 'wake':
      return amendedLife(plans, deed, look())
    case 'drop':
    case 'arrive':
      return { tamper: amendedMail(tamper, deed, look()) }
    case 'cut':
      if (standing(cut, ',', at).some(({ what }) => joins(what, deed.link)))
        throw new UsageError(deed.what, 'a link that is up is needed, but it is cut.', 'Mend it.')
      return { cut: added(cut, `${deed.link.join('-')}@${at}`) }
    case 'mend':
      return { cut: ended(deed, cut, ',', (what) => joins(what, deed.link)) }
    case 'partition': {
      const groups = deed.groups.map((group) => group.join()).join('/')
      return { partition: added(partition, `${groups}@${at}`, ';') }
    }
    case 'heal':
      return { partition: ended(deed, partition, ';', () => true) }
  }
}

type Concerning<K extends string> = Extract<Intervention, Readonly<Record<K, unknown>>>

function amendedLife(
  { crash = 'none', recover = 'none' }: Partial<Plans>,
  deed: Concerning<'node'>,
  scene: RunSnapshot,
): Partial<Plans> {
  const { what, node, at } = deed
  positionOf(what, String(node), scene.n)
  const expect = (holds: boolean, needed: string, otherwise: string) => {
    const given = `${otherwise} at that moment`
    if (!holds)
      throw new UsageError(what, `${needed}, but ${given}.`, 'Choose another node or moment.')
  }
  switch (deed.what) {
    case 'crash':
      expect(scene.alive(node), 'a node that lives is needed', 'it is dead')
      return { crash: added(crash, `${node}@${at}`) }
    case 'recover': {
      expect(!scene.alive(node), 'a node that is dead is needed', 'it is alive')
      const name = deed.id === undefined ? '' : `:id=${deed.id}`
      return { recover: added(stillDead(crash, recover, node, at), `${node}@${at}${name}`) }
    }
    case 'wake': {
      expect(scene.asleep(node), 'a node that sleeps is needed', 'it does not')
      const others = scene.starts.filter((start) => start.node !== node)
      return { wake: [...others, { node, at }].map((it) => `${it.node}@${it.at}`).join() }
    }
  }
}

function amendedMail(tamper: string, deed: Concerning<'message'>, scene: RunSnapshot): string {
  const { what, message, at } = deed
  if (!scene.underWay(message)) {
    throw new UsageError(
      what,
      `a message that is on its way is needed, but ${message} is not at that moment.`,
      'Take its number from the trace, and a moment after its sending and before its arrival.',
    )
  }
  // What was to arrive at another time still holds up those behind it, until it is lost.
  if (deed.what === 'drop')
    return added(without(tamper, `drop:${message}`), `drop:${message}@${at}`)
  expectFree(deed, scene)
  const others = without(tamper, `drop:${message}`, `arrive:${message}`)
  return added(others, `arrive:${message}@${deed.to}`)
}

/** It does not arrive before now, nor before what is ahead of it where links keep the order. */
function expectFree(
  { what, message, at, to }: Extract<Intervention, { what: 'arrive' }>,
  scene: RunSnapshot,
): void {
  if (!(to >= at))
    throw new UsageError(
      what,
      `the past stays as it was, but ${to} is before ${at}.`,
      'Take later.',
    )
  if (scene.halved(message)) {
    throw new UsageError(
      what,
      `the past stays as it was, but ${message} was doubled, and one of the two has arrived.`,
      'Drop it, or choose another.',
    )
  }
  const ahead = scene.ahead(message, to)
  if (ahead === null) return
  throw new UsageError(
    what,
    `links keep the order of messages, but ${ahead} is ahead of ${message} on the same link then.`,
    'Let that one arrive first, or use order any.',
  )
}

function entriesOf(plan: string, separator = ','): string[] {
  return plan === 'none' ? [] : plan.split(separator).map((entry) => entry.trim())
}

function planOf(entries: readonly string[], separator = ','): string {
  return entries.length === 0 ? 'none' : entries.join(separator)
}

function added(plan: string, entry: string, separator = ','): string {
  return planOf([...entriesOf(plan, separator), entry], separator)
}

function without(plan: string, ...names: readonly string[]): string {
  return planOf(entriesOf(plan).filter((entry) => !names.includes(entry.split('@')[0])))
}

/** Who is back does not come back a second time, unless it dies again before. */
function stillDead(crash: string, recover: string, node: number, at: number): string {
  const timesOf = (plan: string) =>
    entriesOf(plan)
      .map((entry) => entry.split(/[@:]/))
      .filter(([victim]) => victim.includes('.') || Number(victim) === node)
      .map(([, time]) => Number(time))
  const death = Math.min(...timesOf(crash).filter((time) => time > at))
  const moot = timesOf(recover).filter((time) => time > at && time < death)
  return planOf(
    entriesOf(recover).filter((entry) => {
      const [who, time] = entry.split(/[@:]/)
      return Number(who) !== node || !moot.includes(Number(time))
    }),
  )
}

/** An entry of a plan for something that begins and ends: `WHAT@10..20`. */
interface Span {
  readonly what: string
  /** As it is written; nothing where it is so from the beginning. */
  readonly from: string
  readonly entry: string
}

/** Those that have begun by a moment and do not end by then. */
function standing(plan: string, separator: string, at: number): Span[] {
  return entriesOf(plan, separator)
    .map((entry) => {
      const [what, span = ''] = entry.split('@')
      const [from, to = Number.POSITIVE_INFINITY] = span.split('..')
      return { what, from, to: Number(to), entry }
    })
    .filter(({ from, to }) => (from === '' || Number(from) <= at) && at < to)
}

/** The plan with the end of what stands: it began before, so that there is something to end. */
function ended(
  { what: deed, at }: Intervention,
  plan: string,
  separator: string,
  concerns: (what: string) => boolean,
): string {
  const over = standing(plan, separator, at).filter(
    ({ what, from }) => concerns(what) && (from === '' || Number(from) < at),
  )
  if (over.length === 0) {
    throw new UsageError(
      deed,
      `${deed === 'mend' ? 'a link that is cut is needed' : 'a partition is needed'}, but there is none at that moment.`,
      'Choose another moment.',
    )
  }
  const endings = new Map(over.map(({ entry, what, from }) => [entry, `${what}@${from}..${at}`]))
  const entries = entriesOf(plan, separator).map((entry) => endings.get(entry) ?? entry)
  return planOf(entries, separator)
}

function joins(what: string, [a, b]: readonly [number, number]): boolean {
  const [c, d] = what.split('-').map(Number)
  return (a === c && b === d) || (a === d && b === c)
}
