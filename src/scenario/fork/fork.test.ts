import { describe, expect, it } from 'vitest'
import { aggregations, bully, lcr, wireless } from '../../algorithms/index.ts'
import type { TraceEvent } from '../../core/index.ts'
import { observe } from '../../sim/index.ts'
import { flagged, fork, type Intervention, prepare, type ScenarioInput } from '../index.ts'

const average = aggregations.find(({ name }) => name === 'gossip-average')!

/** The fields that differ, after one intervention or several. */
function changes(given: ScenarioInput, ...interventions: readonly Intervention[]) {
  const [first, ...others] = interventions
  const whole = fork(given, bully, first)
  return others.reduce((scenario, intervention) => fork(scenario, bully, intervention), whole)
}

describe('a fork', () => {
  it('adds an intervention to the fault plan', () => {
    const given = { n: 5, crash: '4@3', recover: '4@20', cut: '0-1@1..2' }
    expect(changes(given, { what: 'crash', node: 2, at: 5 })).toMatchObject({ crash: '4@3,2@5' })
    expect(changes(given, { what: 'cut', link: [1, 0], at: 2 })).toMatchObject({
      cut: '0-1@1..2,1-0@2',
    })
    expect(changes(given, { what: 'partition', groups: [[0, 1], [2]], at: 9 })).toMatchObject({
      partition: '0,1/2@9',
    })
  })

  it('writes out parameters that the new world could change', () => {
    const { set, wake, ...rest } = fork({ n: 5 }, bully, { what: 'wake', node: 3, at: 0 })
    expect({ set, wake }).toEqual({ set: { patience: 2 }, wake: '0@0,3@0' })
    expect(rest['max-messages']).toBe(100_000_000)
    expect(fork({ n: 5 }, lcr, { what: 'crash', node: 3, at: 1 })['max-messages']).toBe(100_000_000)
  })

  it('ends cuts and partitions that hold at that time', () => {
    const cut = (link: [number, number], cuts: string) =>
      changes({ n: 5, cut: cuts }, { what: 'mend', link, at: 4 }).cut
    expect(cut([1, 0], '0-1@2,0-2')).toBe('0-1@2..4,0-2')
    expect(cut([0, 2], '0-1@2,0-2')).toBe('0-1@2,0-2@..4')
    expect(cut([0, 1], '0-1@1..2,0-1@3..9,1-0@..8')).toBe('0-1@1..2,0-1@3..4,1-0@..4')
    const heal = { what: 'heal', at: 4 } as const
    expect(changes({ n: 5, partition: '0,1/2;3/4@1..9' }, heal).partition).toBe(
      '0,1/2@..4;3/4@1..4',
    )
    expect(
      changes({ n: 5 }, { what: 'partition', groups: [[0], [1]], at: 2 }, heal).partition,
    ).toBe('0/1@2..4')
  })

  it('keeps at most one recovery between two crashes', () => {
    const back = (crash: string, recover: string) =>
      changes({ n: 5, crash, recover }, { what: 'recover', node: 4, at: 5 }).recover
    expect(back('4@3', '4@20')).toBe('4@5')
    expect(back('4@3,4@12', '4@20')).toBe('4@20,4@5')
    expect(back('4@3,2@3', '2@20')).toBe('2@20,4@5')
    expect(
      changes({ n: 5, crash: '4@3' }, { what: 'recover', node: 4, at: 5, id: 77 }).recover,
    ).toBe('4@5:id=77')
  })

  it('replaces earlier overrides of the same message', () => {
    const given = { n: 5, wake: 'all', delay: 'constant:9' }
    const drop = { what: 'drop', message: 2, at: 6 } as const
    const [soon, late] = [7, 20].map((to) => ({ what: 'arrive', message: 2, at: 5, to }) as const)
    expect(changes(given, late, soon).tamper).toBe('arrive:2@7')
    expect(changes(given, drop, soon).tamper).toBe('arrive:2@7')
    expect(changes(given, late, drop).tamper).toBe('arrive:2@20,drop:2@6')
  })

  it.each<[ScenarioInput, Intervention, string]>([
    [{ crash: '2@1' }, { what: 'crash', node: 2, at: 3 }, 'already crashed'],
    [{}, { what: 'crash', node: 8, at: 3 }, 'from 0 to 7'],
    [{}, { what: 'crash', node: 1, at: -3 }, 'a time'],
    [{ timing: 'sync' }, { what: 'crash', node: 1, at: 2.5 }, 'a round'],
    [{ until: 9 }, { what: 'crash', node: 1, at: 10 }, 'the end of the run, 9'],
    [{}, { what: 'recover', node: 2, at: 3 }, 'is alive'],
    [{}, { what: 'wake', node: 0, at: 3 }, 'not asleep'],
    [{ again: 5, wake: '0' }, { what: 'wake', node: 3, at: 0 }, 'a second one'],
    [{}, { what: 'drop', message: 10_000, at: 3 }, 'not in flight'],
    [{ delay: 'constant:9' }, { what: 'arrive', message: 0, at: 3, to: 2 }, 'the past'],
    [{ cut: '1-0@2' }, { what: 'cut', link: [0, 1], at: 3 }, 'already cut'],
    [{ cut: '0-1@2..3' }, { what: 'mend', link: [0, 1], at: 3 }, 'not cut'],
    [{}, { what: 'heal', at: 3 }, 'no partition'],
    [{}, { what: 'partition', groups: [[0, 1]], at: 3 }, 'partition: '],
    [{ role: ['a', 'b'] }, { what: 'crash', node: 2, at: 3 }, '2 roles'],
  ])('of %j by %j is rejected', (given, intervention, says) => {
    const refusal = () =>
      fork({ ...(given.role === undefined && { n: 8 }), ...given }, bully, intervention)
    expect(refusal).toThrow(/^[^\n]+: [^\n]+\. [^\n]+$/)
    expect(refusal).toThrow(says)
  })

  it('rejects links that do not exist', () => {
    const intervention = { what: 'cut', link: [0, 2], at: 1 } as const
    expect(() => fork({ topology: 'path:3' }, wireless, intervention)).toThrow('no link')
  })

  it('keeps the order of a FIFO link', () => {
    const given = { ids: [9, 1, 2], delay: 'constant:9', wake: '0,1@5' }
    const arrive = (message: number, to: number) => () =>
      fork(given, lcr, { what: 'arrive', message, at: 9.5, to })
    // Position 1 sends its own id at time 5 and passes 9 on at time 9, over the same link.
    expect(arrive(2, 10)).toThrow('1 is ahead of 2')
    expect(arrive(2, 14)).not.toThrow()
    expect(arrive(1, 10)).not.toThrow()
  })
})

describe('a fork of an aggregation', () => {
  const given = { n: 8, until: 12, values: 'index' }
  const courseOf = (scenario: ScenarioInput, cycles: number) => {
    const run = prepare(scenario, average, flagged).begin()
    return Array.from({ length: cycles }, () => {
      run.run()
      return observe(run, 0.01, null)
    })
  }

  it.each(['cycles', 'async'])('crashes a node at the beginning of a cycle: %s', (timing) => {
    const intervention = { what: 'crash', node: 3, at: 5 } as const
    const forked = fork({ ...given, timing }, average, intervention)
    expect(forked.crash).toBe('3@5')
    expect(courseOf({ ...forked }, 4)).toEqual(courseOf({ ...given, timing }, 4))
    expect(courseOf({ ...forked }, 5).at(-1)).toMatchObject({ alive: 7 })
    expect(() => fork(forked, average, { ...intervention, at: 6 })).toThrow('already crashed')
  })

  it('by messages recovers nodes and cuts links', () => {
    const messages = { ...given, timing: 'async', crash: '3@2', wake: '0,1,2,3,4,5,6' }
    const changed = (intervention: Intervention) => fork(messages, average, intervention)
    expect(changed({ what: 'recover', node: 3, at: 4 }).recover).toBe('3@4')
    expect(changed({ what: 'cut', link: [0, 1], at: 4 }).cut).toBe('0-1@4')
    const woken = changed({ what: 'wake', node: 7, at: 1 })
    expect(woken.wake).toBe('0@1,1@1,2@1,3@1,4@1,5@1,6@1,7@1')
  })

  it('by messages drops or delays one of them and changes nothing before', () => {
    const messages = { ...given, timing: 'async', delay: 'uniform:1:10' }
    const traceOf = (scenario: ScenarioInput) => {
      const events: TraceEvent[] = []
      const trace = (event: TraceEvent) => void events.push(event)
      const run = prepare(scenario, average, flagged).begin({ trace })
      for (let cycle = 0; cycle < 4; cycle++) run.run()
      return events
    }
    const before = traceOf(messages)
    const arrival = (events: TraceEvent[], number: number) =>
      events.find((event) => event.event === 'receive' && event.message === number)
    const sent = before.findIndex((event) => event.event === 'send' && event.at > 15)
    const { message, at } = before[sent] as Extract<TraceEvent, { event: 'send' }>
    const soon = at + 1e-6
    const expectPast = (events: TraceEvent[]) =>
      expect(events.filter((event) => event.at < soon)).toEqual(
        before.filter((event) => event.at < soon),
      )
    const late = fork(messages, average, { what: 'arrive', message, at: soon, to: 33 })
    const delayed = traceOf({ ...late })
    expectPast(delayed)
    expect(arrival(before, message)!.at).toBeLessThan(33)
    expect(arrival(delayed, message)!.at).toBe(33)
    const lost = traceOf({
      ...fork(messages, average, { what: 'drop', message, at: soon }),
    })
    expectPast(lost)
    expect(arrival(lost, message)).toBeUndefined()
    expect(() => fork(messages, average, { what: 'drop', message, at: 39 })).toThrow(
      'not in flight',
    )
  })

  it('rejects interventions that have no meaning in cycles', () => {
    const refusal = (timing: string, intervention: Intervention) => () =>
      fork({ ...given, timing }, average, intervention)
    expect(refusal('cycles', { what: 'cut', link: [0, 1], at: 4 })).toThrow('timing async')
    expect(refusal('cycles', { what: 'drop', message: 4, at: 4 })).toThrow('timing async')
    expect(refusal('async', { what: 'drop', message: 4, at: 121 })).toThrow('the run, 120')
    expect(refusal('cycles', { what: 'crash', node: 3, at: 13 })).toThrow('the run, 12')
  })
})
