import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CheckOptions, check } from '../../../src/check/index.ts'
import { PersistentSets } from '../../../src/check/reduction/persistent-sets.ts'
import type { Property, State, World } from '../../../src/core/index.ts'
import { leaderElection } from '../../../src/problems/leader-election.ts'
import { campaign } from '../../support/campaign.ts'
import { pendulum, randomProtocols, timersApart } from '../../support/random-protocols.ts'
import { textOf } from '../../support/reference-state.ts'

/** The planted mistakes are found among the first hundred. */
const PROTOCOLS = campaign(5000)
const MOST_STATES = 400

/** Replaces the closure of a node: the node alone. */
function alone(this: Record<'memberOf' | 'enabled', Int32Array>, first: number): number {
  this.memberOf.fill(0)
  this.memberOf[first] = 1
  return this.enabled[first]
}

type Rules = Pick<CheckOptions, 'mode' | 'order' | 'wake'>

/** Most are explored as they would be by default, some otherwise. */
function rulesFor(seed: number, { topology: { n } }: World): Rules {
  const base = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
  if (seed % 8 === 1) return { ...base, order: 'any' }
  if (seed % 8 === 2) return { ...base, wake: seed % 16 === 2 ? [n - 1, 0] : [1] }
  if (seed % 8 === 3) return { ...base, mode: 'patient' }
  return base
}

const inOrder: Property = {
  name: 'one after the other',
  says: 'The second node never leads without the first.',
  when: 'always',
  sees: 'leaders',
  broken: ({ leaders }) => (leaders.includes(1) && !leaders.includes(0) ? 'it does' : null),
}

/** What is true of each node by itself, of all that lead, or of any nodes together. */
function propertiesFor(seed: number): readonly Property[] {
  const place = seed % 2
  const inOffice: Property = {
    name: 'no leader in one place',
    says: 'No node leads in one of the places.',
    when: 'always',
    sees: 'single nodes',
    broken: ({ n, state }) =>
      Array.from({ length: n }, (_, node) => state(node)).some(
        (it) => it.status === 'leader' && it.place === place,
      )
        ? 'a node does'
        : null,
  }
  const together: Property = {
    name: 'never both there',
    says: 'The first two nodes are never in one of the places both, awake and out of office.',
    when: 'always',
    broken: ({ state }) =>
      [state(0), state(1)].every((it) => it.status === 'lost' && it.place === place)
        ? 'both are'
        : null,
  }
  const all = [inOffice, together, inOrder, ...leaderElection.properties(false).slice(0, 3)]
  return [all[seed % all.length]]
}

/** What a search finds: local states, quiescent states, and the number of states. */
function seen(world: World, rules: Rules, reduction: 'off' | 'auto') {
  const locals = new Set<string>()
  const ends = new Set<string>()
  const texts = new Map<State, string>()
  const known = (state: State) => {
    if (!texts.has(state)) texts.set(state, textOf(state))
    return texts.get(state)
  }
  const listening = (when: Property['when'], note: (texts: string[]) => void): Property => ({
    name: when,
    says: 'It only listens.',
    when,
    sees: 'single nodes',
    broken: ({ n, state }) => {
      note(Array.from({ length: n }, (_, node) => `${node}: ${known(state(node))}`))
      return null
    },
  })
  const properties = [
    listening('always', (texts) => {
      for (const text of texts) locals.add(text)
    }),
    listening('at the end', (texts) => ends.add(texts.join())),
  ]
  const limits = { states: 10 * MOST_STATES }
  const { states, exhausted } = check(world, { ...rules, reduction, properties, limits })
  return { states, exhausted, what: textOf({ locals, ends }), ends: ends.size }
}

function verdict(seed: number, world: World, rules: Rules, reduction: 'off' | 'auto') {
  const limits = { states: 10 * MOST_STATES }
  const { violated, properties } = check(world, {
    ...{ ...rules, reduction, properties: propertiesFor(seed), limits },
  })
  return [violated?.trace.length, ...properties.map(({ name, holds }) => ({ name, holds }))]
}

/** Every protocol both ways: how much was left out, and which results are not the same. */
function compare(count: number) {
  const wrong: string[] = []
  const [sizes, manyEnds] = [{ off: 0, auto: 0 }, new Set<number>()]
  for (const { seed, world } of randomProtocols(count, MOST_STATES)) {
    const rules = rulesFor(seed, world)
    const [whole, less] = [seen(world, rules, 'off'), seen(world, rules, 'auto')]
    if (!whole.exhausted) continue
    sizes.off += whole.states
    sizes.auto += less.states
    if (whole.ends > 1) manyEnds.add(seed)
    if (less.what !== whole.what) wrong.push(`${seed}: other states`)
    const [right, found] = (['off', 'auto'] as const).map((it) => verdict(seed, world, rules, it))
    if (textOf(found) !== textOf(right))
      wrong.push(`${seed}: ${textOf(found)}, not ${textOf(right)}`)
  }
  return { wrong, sizes, manyEnds: manyEnds.size }
}

describe('the reduction of the checker', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it(`keeps ends, local states and verdicts of ${PROTOCOLS} random protocols`, {
    timeout: 300_000,
  }, () => {
    const { wrong, sizes, manyEnds } = compare(PROTOCOLS)
    expect(wrong).toEqual([])
    expect(sizes.auto).toBeLessThan(sizes.off)
    expect(manyEnds).toBeGreaterThan(PROTOCOLS / 2)
  })

  it('preserves properties of leaders that hold only temporarily', () => {
    const { world, wake } = timersApart()
    const rules = { mode: 'untimed', order: 'fifo', wake } as const
    const [right, found] = (['off', 'auto'] as const).map((reduction) => {
      const limits = { states: MOST_STATES }
      return check(world, { ...rules, reduction, properties: [inOrder], limits }).properties[0]
        .holds
    })
    expect([right, found]).toEqual([false, false])
  })

  it('postpones nothing forever', () => {
    const rules = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
    const [whole, less] = [seen(pendulum(), rules, 'off'), seen(pendulum(), rules, 'auto')]
    expect(less.what).toBe(whole.what)
  })

  it('would be caught if it ignored possible senders', () => {
    const prototype = PersistentSets.prototype as unknown as { closure: typeof alone }
    vi.spyOn(prototype, 'closure').mockImplementation(alone)
    expect(compare(100).wrong).not.toEqual([])
  })

  it('would be caught if it used eager wake-up where it is not sound', () => {
    const prototype = PersistentSets.prototype as unknown as { mayWakeEagerly: () => boolean }
    vi.spyOn(prototype, 'mayWakeEagerly').mockReturnValue(true)
    expect(compare(100).wrong).not.toEqual([])
  })
})
