import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bully, franklin, lcr } from '../../../src/algorithms/index.ts'
import type { TraceEvent } from '../../../src/core/index.ts'
import { campaign } from '../../support/campaign.ts'
import { overtaken } from '../../support/forks.ts'
import { ending, observe, possibleSize } from '../../support/random-worlds.ts'
import { expectUsageError, shell, shellJson } from '../../support/run-command.ts'

const RING = { ids: [3, 4, 2, 1], timing: 'async', delay: 'constant:2' }

/** What happened to a message, and when. */
function fates(events: readonly TraceEvent[], message: number): [string, number][] {
  return events.flatMap((event) =>
    'message' in event && event.message === message ? [[event.event, event.at]] : [],
  )
}

describe('a message that is dropped', () => {
  it('is lost when it is sent or in flight, and counts as lost', () => {
    const sent = observe(lcr, { ...RING, tamper: 'drop:1' })
    expect(fates(sent.events, 1)).toEqual([
      ['send', 0],
      ['lose', 0],
    ])
    const late = observe(lcr, { ...RING, tamper: 'drop:1@1.5' })
    expect(fates(late.events, 1)).toEqual([
      ['send', 0],
      ['lose', 1.5],
    ])
    expect(late.events).toContainEqual({
      ...{ at: 1.5, event: 'lose', node: 1, to: 2, link: 0 },
      ...{ message: 1, type: 'election', body: { id: 4 } },
    })
    for (const { result } of [sent, late]) {
      expect(result).toMatchObject({ messages: { lost: 1 }, leaders: [], bounds: [] })
    }
    expect(late.result.tampered).toEqual([{ what: 'drop', message: 1, at: 1.5 }])
  })

  it('is lost at the time of its arrival, but not after it', () => {
    expect(fates(observe(lcr, { ...RING, tamper: 'drop:1@2' }).events, 1)).toContainEqual([
      'lose',
      2,
    ])
    const plain = observe(lcr, RING)
    const late = observe(lcr, { ...RING, tamper: 'drop:1@2.5,drop:999' })
    expect(late.events).toEqual(plain.events)
    expect(late.result.tampered).toEqual([
      { what: 'drop', message: 1, at: null },
      { what: 'drop', message: 999, at: null },
    ])
  })

  it('does not change the delays of others', () => {
    const given = { topology: 'complete:6', delay: 'uniform:1:9', wake: 'all', seed: 5 }
    const plain = observe(bully, given)
    const [last] = plain.sends.filter(({ at }) => at === 0).slice(-1)
    const dropped = observe(bully, { ...given, tamper: `drop:${last.message - 1}` })
    expect(fates(dropped.events, last.message)).toEqual(fates(plain.events, last.message))
  })
})

describe('a message with a given arrival', () => {
  it('arrives at that time, and is not overtaken on its link', () => {
    const { events } = observe(lcr, { ...RING, tamper: 'arrive:1@9.5' })
    expect(fates(events, 1)).toContainEqual(['receive', 9.5])
    const early = observe(lcr, { ...RING, tamper: 'arrive:1@0.25' })
    expect(fates(early.events, 1)).toContainEqual(['receive', 0.25])
    expect(early.result.tampered).toEqual([{ what: 'arrive', message: 1, at: 0.25 }])
  })

  it('arrives in a later round, or in its own round', () => {
    const rounds = { ids: [3, 4, 2, 1], timing: 'sync' }
    expect(fates(observe(lcr, { ...rounds, tamper: 'arrive:1@7' }).events, 1)).toContainEqual([
      ...['receive', 7],
    ])
    expect(observe(lcr, { ...rounds, tamper: 'arrive:1@1' }).events).toEqual(
      observe(lcr, rounds).events,
    )
  })

  it('respects its time and FIFO links in any world', () => {
    const worlds = fc.record({
      algorithm: fc.constantFrom(...ending.filter(({ needs }) => needs.time !== 'rounds')),
      delay: fc.constantFrom('unit', 'constant:0.7', 'uniform:1:6', 'exponential:2'),
      order: fc.constantFrom('fifo', 'any'),
      message: fc.nat(30),
      at: fc.integer({ min: 1, max: 60 }).map((quarters) => quarters / 4),
      seed: fc.nat(99),
    })
    fc.assert(
      fc.property(worlds, ({ algorithm, delay, order, message, at, seed }) => {
        const { events } = observe(algorithm, {
          ...{
            n: possibleSize(algorithm, 5),
            delay,
            order,
            seed,
            wake: 'all',
            tamper: `arrive:${message}@${at}`,
          },
          ...(algorithm.needs.time === 'bounded delay' && { set: { patience: 9 } }),
          'allow-weaker': true,
          'max-messages': 400,
        })
        const [sending, arrival] = fates(events, message)
        if (arrival === undefined) return
        expect(arrival[1]).toBeGreaterThan(sending[1])
        if (order === 'fifo') {
          expect(overtaken(events)).toBeUndefined()
          if (at > sending[1]) expect(arrival[1]).toBeGreaterThanOrEqual(at)
        } else if (at > sending[1]) expect(arrival[1]).toBe(at)
      }),
      { numRuns: campaign(1200) },
    )
  })
})

describe('conclave run --tamper', () => {
  const words = (line: string) => ['run', ...line.split(' ')]

  it('is a field like others, and the report says what happened', async () => {
    const line = 'franklin --ids 5,1,4,2 --tamper drop:3@0.5,arrive:4@7,drop:99'
    const { scenario, tampered } = await shellJson(...words(line))
    expect(scenario).toMatchObject({ tamper: 'drop:3@0.5,arrive:4@7,drop:99' })
    const again = observe(franklin, scenario as Record<string, unknown>)
    expect(again.result.tampered).toEqual(tampered)
    const { out } = await shell(...words(`${line} --trace -`))
    expect(out).toContain('is lost')
    expect(out).toContain('message 3 was dropped at time 0.5')
    expect(out).toContain('message 4 arrived at time 7')
    expect(out).toContain('message 99 was not dropped')
  })

  it('reaches the messages of gossip, at the times of the trace', async () => {
    const line = 'gossip-average -n 4 --timing async --until 5'
    const { messages } = await shellJson<{ messages: { lost: number } }>(
      ...words(`${line} --tamper drop:0,drop:3`),
    )
    expect(messages.lost).toBe(2)
  })

  it.each([
    ['lcr --tamper loose:3', 'drop:17@5.5'],
    ['lcr --tamper drop', 'drop:17@5.5'],
    ['lcr --tamper arrive:3', 'arrive:17@4.5'],
    ['lcr --tamper drop:-1', '"drop:-1"'],
    ['lcr --tamper drop:3@', 'a time'],
    ['lcr --tamper drop:3@soon', '"drop:3@soon"'],
    ['lcr --timing sync --tamper drop:3@1.5', 'a round'],
    ['lcr --tamper drop:3,drop:3@4', 'drop is listed twice for message 3'],
    ['lcr --tamper drop:99999999999999999999', 'a message number'],
    ['lcr --role a --role b --tamper drop:3', '2 roles'],
    ['gossip-average --timing cycles --tamper drop:3', 'in cycles'],
  ])('rejects %s', (line, says) => expectUsageError(words(line), '--tamper', says))
})
