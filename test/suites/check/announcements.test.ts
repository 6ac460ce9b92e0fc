import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CheckResult, checkWorld } from '../../../src/check/index.ts'
import {
  type Algorithm,
  algorithm,
  left,
  maybe,
  message,
  type TraceEvent,
  uid,
} from '../../../src/core/index.ts'
import { electionRun } from '../../../src/scenario/election/election-run.ts'
import { flagged, prepare, type ScenarioInput } from '../../../src/scenario/index.ts'
import { campaign } from '../../support/campaign.ts'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

const KNOWN = 'the others know the leader'
const OVER = 'the others know it is over'
const STAYS = 'a leader stays leader'

/** How an LCR tells its nodes who leads; by default as it should. */
interface Announcement {
  /** What a node does with a larger id that it passes on. */
  readonly guess?: 'no' | 'first' | 'every' | 'nobody' | 'withdrawn' | 'stops'
  /** Whom it follows at the announcement. */
  readonly names?: 'leader' | 'itself' | 'nobody' | 'nothing'
  /** How far the announcement goes. */
  readonly told?: 'all' | 'one' | 'none'
  /** Whether nodes stop at it. */
  readonly stops?: boolean
  /** A node announces itself as soon as it has swallowed an id. */
  readonly hasty?: boolean
  /** The winner announces itself before it leads, which is right: nobody else will. */
  readonly before?: boolean
  /** How a node that wakes takes back, in the same handler, that it leads. */
  readonly flickers?: 'no' | 'loses' | 'withdraws'
}

const announcements: fc.Arbitrary<Announcement> = fc.record({
  guess: fc.constantFrom('no', 'no', 'no', 'first', 'every', 'nobody', 'withdrawn', 'stops'),
  names: fc.constantFrom('leader', 'leader', 'leader', 'itself', 'nobody', 'nothing'),
  told: fc.constantFrom('all', 'all', 'all', 'one', 'none'),
  stops: fc.boolean(),
  hasty: fc.constantFrom(false, false, false, true),
  before: fc.boolean(),
  flickers: fc.constantFrom('no', 'no', 'no', 'loses', 'withdraws'),
})

function announcing({
  guess = 'no',
  names = 'leader',
  told = 'all',
  stops = true,
  hasty = false,
  before = false,
  flickers = 'no',
}: Announcement): Algorithm {
  return algorithm({
    name: 'announcing',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ELECTION, LEADER },
    state: { best: maybe(uid) },
    wakes: true,
    start(my, net) {
      if (flickers !== 'no') net.lead()
      if (flickers === 'loses') net.follow(null)
      if (flickers === 'withdraws') net.withdraw()
      net.send(left, ELECTION, { id: my.id })
    },
    on: {
      ELECTION(my, { id }, net) {
        if (id < my.id) {
          if (hasty && my.best === null) net.send(left, LEADER, { id: my.id })
        } else if (id > my.id) {
          net.send(left, ELECTION, { id })
          const first = my.best === null
          if (first || id > my.best!) {
            if (guess === 'every' || (guess === 'first' && first)) net.follow(id)
            if (guess === 'withdrawn') {
              net.follow(id)
              net.withdraw()
            }
            my.best = id
          }
          if (guess === 'nobody') net.follow(null)
          if (guess === 'stops') {
            net.follow(null)
            net.stop()
          }
        } else {
          if (before && told !== 'none') net.send(left, LEADER, { id })
          net.lead()
          if (!before && told !== 'none') net.send(left, LEADER, { id })
          if (told !== 'all' && stops) net.stop()
        }
      },
      LEADER(my, { id }, net) {
        if (id !== my.id) {
          if (names === 'leader') net.follow(id)
          if (names === 'itself') net.follow(my.id)
          if (names === 'nobody') net.follow(null)
          if (told === 'all' && id > my.id) net.send(left, LEADER, { id })
        }
        if (stops) net.stop()
      },
    },
  })
}

/** What the definitions of the three properties say of a run, from its trace alone. */
function judge(events: readonly TraceEvent[], ids: readonly number[]) {
  const nodes = ids.map(() => ({
    status: 'unknown',
    leader: null as number | null,
    stopped: false,
  }))
  const followed = new Set<number>()
  let stays = true
  for (const event of events) {
    const node = nodes[event.node]
    if (event.event === 'follow' || event.event === 'withdraw') stays &&= node.status !== 'leader'
    if (event.event === 'lead') Object.assign(node, { status: 'leader', leader: null })
    if (event.event === 'withdraw')
      Object.assign(node, { status: 'unknown', leader: null, stopped: false })
    if (event.event === 'stop') node.stopped = true
    if (event.event !== 'follow') continue
    Object.assign(node, { status: 'lost', leader: event.leader })
    if (event.leader !== null) followed.add(event.leader)
  }
  const leader = nodes.findIndex(({ status }) => status === 'leader')
  const others = nodes.filter(({ status }) => status !== 'leader')
  const trusted = [...followed].every((id) => id === ids[leader])
  const names = (node: (typeof nodes)[number]) =>
    trusted && node.status === 'lost' && node.leader === ids[leader]
  return {
    [KNOWN]: leader >= 0 && trusted && others.every(names),
    [OVER]: leader >= 0 && others.every((node) => node.stopped || names(node)),
    [STAYS]: stays,
  }
}

function run(definition: Algorithm, given: ScenarioInput) {
  const events: TraceEvent[] = []
  const trace = (event: TraceEvent) => events.push(event)
  const { simulation, result } = electionRun(prepare(given, definition, flagged), { trace })
  const { verdict } = result(simulation.finish())
  const holds = (name: string) => verdict.properties.find((one) => one.name === name)?.holds
  return { events, verdict, holds }
}

function explore(definition: Algorithm, ids: string, name: string): CheckResult {
  const { world, properties } = prepare({ ids }, definition, flagged)
  return checkWorld(world, {
    ...{ mode: 'untimed', order: 'fifo', wake: 'any', reduction: 'auto' },
    properties: properties.filter((property) => property.name === name),
    limits: { states: 20_000 },
  })
}

const orders = (n: number) =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, i) => i + 1),
    { minLength: n },
  )

describe('an election that announces nothing', () => {
  it('does not tell the others by guesses, which they take back', () => {
    const { holds, verdict } = run(announcing({ guess: 'every', told: 'none' }), { ids: '1,2,4,3' })
    expect([holds(KNOWN), holds(OVER)]).toEqual([false, false])
    expect(verdict.properties.filter((one) => one.holds).length).toBe(6)
    const found = verdict.properties.find(({ name }) => name === KNOWN)
    expect(found?.detail).toBe(
      'node 1 (position 0) followed 3 (position 3), who does not lead at the end',
    )
  })

  it('does not tell the others that it is over by letting them lose', () => {
    const early = announcing({ guess: 'nobody', told: 'none' })
    const { holds } = run(early, { ids: '1,2,4,3' })
    expect([holds(KNOWN), holds(OVER)]).toEqual([false, false])
    expect(explore(early, '1,2,4,3', OVER).violated?.property).toBe(OVER)
  })

  it('is found out in some order of ids and messages', () => {
    const guess = announcing({ guess: 'every', told: 'none' })
    for (const name of [KNOWN, OVER])
      expect(explore(guess, '1,2,4,3', name).violated?.property).toBe(name)
  })
})

describe('a node that leads for a moment of one handler', () => {
  it('stops leading, in runs and in explorations', () => {
    for (const flickers of ['loses', 'withdraws'] as const) {
      const definition = announcing({ flickers })
      expect(run(definition, { ids: '1,2,4,3' }).holds(STAYS)).toBe(false)
      expect(explore(definition, '1,2,4,3', STAYS).violated?.property).toBe(STAYS)
    }
  })
})

describe('an election that announces its leader', () => {
  it('may do so before it leads, and let losers know early that they lost', () => {
    for (const right of [{ before: true }, { guess: 'nobody' }, { stops: false }] as const) {
      const { holds } = run(announcing(right), { ids: '1,2,4,3' })
      expect([holds(KNOWN), holds(OVER)]).toEqual([true, true])
      expect(explore(announcing(right), '1,2,4,3', KNOWN).violated).toBeNull()
    }
  })

  it('may end without a name, where nodes stop: they know that it is over, and no more', () => {
    const { holds } = run(announcing({ names: 'nobody' }), { ids: '1,2,4,3' })
    expect([holds(KNOWN), holds(OVER)]).toEqual([false, true])
  })

  it('is judged in runs as its trace says', () => {
    const worlds = fc.record({
      announcement: announcements,
      ids: fc.integer({ min: 1, max: 6 }).chain(orders),
      delay: fc.constantFrom('unit', 'uniform:1:5', 'exponential:2'),
      seed: fc.integer({ min: 1, max: 1000 }),
    })
    fc.assert(
      fc.property(worlds, ({ announcement, ids, ...given }) => {
        const { events, holds } = run(announcing(announcement), { ...given, ids: ids.join() })
        const expected = judge(events, ids)
        const found = { [KNOWN]: holds(KNOWN), [OVER]: holds(OVER), [STAYS]: holds(STAYS) }
        expect(found).toEqual(expected)
      }),
      { numRuns: campaign(8000) },
    )
  })

  it('is judged in explorations as in the traces of all runs', () => {
    const worlds = fc.record({
      announcement: announcements,
      ids: fc.integer({ min: 2, max: 4 }).chain(orders),
      name: fc.constantFrom(KNOWN, OVER, STAYS),
    })
    fc.assert(
      fc.property(worlds, ({ announcement, ids, name }) => {
        const definition = announcing(announcement)
        const { violated, exhausted } = explore(definition, ids.join(), name)
        if (violated !== null) {
          expect(judge(violated.events, ids)[name]).toBe(false)
          return
        }
        expect(exhausted).toBe(true)
        for (let seed = 1; seed <= 12; seed++) {
          const wake = seed % 3 === 0 ? '1' : 'all'
          const given = { ids: ids.join(), delay: 'uniform:1:9', wake, seed }
          expect(judge(run(definition, given).events, ids)[name]).toBe(true)
        }
      }),
      { numRuns: campaign(1600) },
    )
  })
})
