import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bully, ringList, wireless } from '../../../src/algorithms/index.ts'
import type { RolesReport, RunReport } from '../../../src/cli/run/execute.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { campaign } from '../../support/campaign.ts'
import { startSets } from '../../support/oracles.ts'
import { named, observe, preparation, shuffled, simulate } from '../../support/random-worlds.ts'
import { shellJson } from '../../support/run-command.ts'

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7]
const PRESENTED = named([bully, ringList, wireless])
const upTo = (n: number) => Array.from({ length: n }, (_, id) => id)

describe('Zambonelli: election algorithms', () => {
  it.each(PRESENTED)('any process can call an election, and several do no harm: %s', (_, it) => {
    for (const starters of startSets(6)) {
      const ids = shuffled(6, starters.length)
      const { leaders, nodes, verdict } = simulate(it, { ids, wake: starters.join() })
      expect(leaders).toEqual([ids.indexOf(6)])
      expect(nodes!.map(({ leader }) => leader)).toEqual(ids.map(() => 6))
      expect(verdict.ok).toBe(true)
    }
  })

  it.each(PRESENTED)('another is elected if the coordinator crashes: %s', (_, algorithm) => {
    const { nodes, leader } = simulate(algorithm, { ids: EIGHT, crash: '7@40' })
    expect(nodes!.map((node) => node.leader).slice(0, 7)).toEqual(upTo(7).map(() => 6))
    expect([leader?.id, nodes![7].status]).toEqual([6, 'dead'])
  })

  it.each(PRESENTED)('or if it retires, and it stays alive then: %s', (_, algorithm) => {
    const { nodes, leader } = simulate(algorithm, { ids: EIGHT, retire: '7@40' })
    expect(nodes!.map((node) => node.leader)).toEqual(EIGHT.map(() => 6))
    expect([leader?.id, nodes![7].status]).toEqual([6, 'lost'])
  })

  it.each(PRESENTED)('any local property can decide, and the id where it is equal: %s', (_, it) => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 2, maxLength: 9 }), fc.nat(), (values, seed) => {
        const ids = shuffled(values.length, seed)
        const most = Math.max(...values)
        const best = Math.max(...ids.filter((_, node) => values[node] === most))
        expect(simulate(it, { values, ids, wake: 'all' }).leader?.id).toBe(best)
      }),
      { numRuns: campaign(400) },
    )
  })

  it('the hub can lead, or the node closest to a place', () => {
    for (const seed of upTo(10)) {
      const given = { topology: 'geometric:30:0.4', ids: upTo(30), seed }
      const { topology } = preparation(wireless, given).world
      const { coordinates } = topology
      const hub = simulate(wireless, { ...given, 'elect-by': 'degree' }).leader!.node
      const degrees = upTo(30).map((node) => topology.degree(node))
      expect(degrees[hub]).toBe(Math.max(...degrees))
      const distance = (node: number) =>
        Math.hypot(coordinates![2 * node] - 0.2, coordinates![2 * node + 1] - 0.7)
      const near = simulate(wireless, { ...given, 'elect-by': 'near:0.2:0.7' }).leader!.node
      expect(distance(near)).toBe(Math.min(...upTo(30).map(distance)))
    }
  })

  it.each(PRESENTED)('different roles have different leaders at once: %s', async (name) => {
    const world = '-t complete:6 --ids 1,2,3,4,5,6 --wake 0'.split(' ')
    const roles = ['--role', 'resource', '--role', 'monitor=singh']
    const report = await shellJson<RolesReport>('run', name, ...world, ...roles)
    const { resource, monitor } = report.roles
    expect([resource.leader?.id, monitor.leader?.id]).toEqual([6, 1])
    expect(report.verdict.ok).toBe(true)
    for (const [algorithm, role] of [[name, resource] as const, ['singh', monitor] as const]) {
      const alone = await shellJson<RunReport>('run', algorithm, ...world)
      expect(role.messages).toEqual(alone.messages)
    }
  })
})

describe('Zambonelli: the bully algorithm', () => {
  const byType = (given: ScenarioInput) => simulate(bully, { ids: EIGHT, ...given }).messages.byType

  it('figure 6-20: 7 is dead and 4 calls; 5 and 6 answer and call; 6 tells all', () => {
    const { sends, result } = observe(bully, { ids: EIGHT, crash: '7', wake: '4', detect: 'off' })
    const told = sends.map(({ at, type, node, to }) => `${at}: ${node} ${type} ${to}`)
    expect(told.toSorted()).toEqual([
      ...['0: 4 election 5', '0: 4 election 6', '0: 4 election 7'],
      ...['1: 5 election 6', '1: 5 election 7', '1: 5 ok 4', '1: 6 election 7', '1: 6 ok 4'],
      '2: 6 ok 5',
      ...upTo(6).map((to) => `3: 6 coordinator ${to}`),
    ])
    expect(result.messages.byType).toEqual({ election: 6, ok: 3, coordinator: 6 })
  })

  it('the last process to call an election wins it', () => {
    for (const wake of upTo(7).map(String)) {
      const { sends, result } = observe(bully, { ids: EIGHT, crash: '7', wake, detect: 'off' })
      const calls = sends.filter(({ type }) => type === 'election').map(({ node }) => node)
      expect([...new Set(calls)].at(-1)).toBe(6)
      expect(result.leader?.id).toBe(6)
    }
  })

  it('the winner tells all others: the lower ones that it does not know to be dead', () => {
    const given = { ids: EIGHT, crash: '2,7', wake: '6' }
    const told = (detect: 'off' | 1) =>
      observe(bully, { ...given, detect })
        .sends.filter(({ type }) => type === 'coordinator')
        .map(({ node, to }) => [node, to])
    expect(told(1)).toEqual([0, 1, 3, 4, 5].map((to) => [6, to]).sort())
    expect(told('off')).toHaveLength(6)
  })

  it('if 7 recovers, it calls an election and wins', () => {
    const { events, result } = observe(bully, { ids: EIGHT, crash: '7@20', recover: '7@40' })
    const elected = events.filter(({ event }) => event === 'lead').map(({ node }) => node)
    expect(elected).toEqual([7, 6, 7])
    expect(result.nodes!.map(({ leader }) => leader)).toEqual(EIGHT.map(() => 7))
  })

  it('a process that reboots calls an election, and loses if it is not the highest', () => {
    const { sends, result } = observe(bully, { ids: EIGHT, crash: '3@20', recover: '3@40' })
    const calls = sends.filter(({ at, type }) => at === 40 && type === 'election')
    expect(calls.map(({ node, to }) => [node, to])).toEqual([4, 5, 6, 7].map((to) => [3, to]))
    expect(result.leader?.id).toBe(7)
    expect(result.nodes![3].leader).toBe(7)
  })

  it.each([
    ['unit', 1],
    ['constant:5', 5],
    ['uniform:1:4', 4],
    ['uniform:2:3', 3],
  ])('without an answer within UB = 2T + M the process becomes leader; delay %s', (delay, T) => {
    const { time } = simulate(bully, { ids: EIGHT, crash: '7', wake: '6', detect: 'off', delay })
    expect(time.elected).toBe(2 * T)
  })

  it('an election that is called while the coordinator is active elects it', () => {
    for (const wake of upTo(8).map(String)) {
      const { result, events } = observe(bully, { ids: EIGHT, wake, again: 30 })
      const elected = events.filter(({ event }) => event === 'lead').map(({ node }) => node)
      expect(new Set(elected)).toEqual(new Set([7]))
      expect(result.verdict.ok).toBe(true)
      expect(result.messages.total).toBeGreaterThan(
        simulate(bully, { ids: EIGHT, wake }).messages.total,
      )
    }
  })

  it('n - 1 messages if the highest starts', () => {
    expect(byType({ wake: '7' })).toEqual({ election: 0, ok: 0, coordinator: 7 })
    for (let n = 1; n <= 12; n++)
      expect(simulate(bully, { n, ids: 'increasing', wake: `${n - 1}` }).messages.total).toBe(n - 1)
  })

  it('n(n-1) if the lowest starts: ELECTION and OK alone, COORDINATOR makes it n^2 - 1', () => {
    for (let n = 1; n <= 12; n++) {
      const { messages } = simulate(bully, { n, ids: 'increasing', wake: '0' })
      expect(messages.byType.election + messages.byType.ok).toBe(n * (n - 1))
      expect(messages.total).toBe(n * n - 1)
    }
  })
})

describe('Zambonelli: the ring algorithm', () => {
  const figure = { ids: EIGHT, crash: '7', wake: '2,5' }
  const total = (given: ScenarioInput) => simulate(ringList, given).messages.total

  it('the figure: the lists of 2 and 5 return, and both elect 6', () => {
    const { events, sends, result } = observe(ringList, figure)
    const ends = events.flatMap((event) =>
      event.event === 'receive' && event.type === 'election' ? [event] : [],
    )
    const lists = ends.map(({ node, body }) => ({ node, ids: body.ids as number[] }))
    // "Both 2 and 1 elect 6", says the text; the lists that it shows begin with 5 and with 2.
    expect(lists.filter(({ node, ids }) => ids.includes(node))).toEqual([
      { node: 2, ids: [2, 3, 4, 5, 6, 0, 1] },
      { node: 5, ids: [5, 6, 0, 1, 2, 3, 4] },
    ])
    const told = sends.filter(({ type }) => type === 'coordinator')
    expect(new Set(told.map(({ body }) => body.leader))).toEqual(new Set([6]))
    expect(result.messages).toMatchObject({
      total: 28,
      byType: { election: 14, coordinator: 14 },
    })
    expect(result.leader).toEqual({ node: 6, id: 6 })
  })

  it('faulty processes are skipped: the message goes to the next live one', () => {
    for (const crash of ['7', '3,7', '0,1,2,4', '1,2,3,4,5,6,7']) {
      const dead = crash.split(',').map(Number)
      const live = EIGHT.filter((node) => !dead.includes(node))
      const { sends, result } = observe(ringList, { ids: EIGHT, crash, wake: `${live[0]}` })
      for (const { node, to } of sends)
        expect(to).toBe(live[(live.indexOf(node) + 1) % live.length])
      expect(result.messages.toDead).toBe(0)
    }
  })

  it('2n messages for one initiator and no crashes; otherwise 2 x initiators x live', () => {
    for (let n = 2; n <= 12; n++) expect(total({ n, wake: '0' })).toBe(2 * n)
    for (const starters of startSets(5)) {
      expect(total({ n: 5, wake: starters.join() })).toBe(2 * starters.length * 5)
      const wake = starters.filter((node) => node !== 2)
      if (wake.length > 0)
        expect(total({ n: 5, wake: wake.join(), crash: '2' })).toBe(8 * wake.length)
    }
    expect(total({ n: 8, wake: '2', crash: '7' })).toBe(14)
  })

  it('a process that is alone elects itself without a message', () => {
    const { messages, leader } = simulate(ringList, { ids: [4, 9], crash: '1', wake: '0' })
    expect([messages.total, leader?.id]).toEqual([0, 4])
  })

  it('not always 2n: a successor that crashes before the message arrives costs one more', () => {
    const { messages, leader } = simulate(ringList, { ids: EIGHT, wake: '0', crash: '1@0.5' })
    expect(messages).toMatchObject({ total: 2 * 7 + 1, toDead: 1 })
    expect(leader?.id).toBe(7)
  })

  it.each([
    ['the one who started it', 2],
    ['the largest, before or after it signed', 6],
    ['its successor', 3],
  ])('ends with the right leader after a crash at any time: %s', (_, victim) => {
    for (let time = 0; time <= 32; time++) {
      const given = { ids: EIGHT, wake: '2', crash: `7,${victim}@${time / 2}` }
      const { nodes, leader, verdict } = simulate(ringList, given)
      // The only initiator crashes before it starts: there is no election.
      if (victim === 2 && time === 0) continue
      expect(leader?.id).toBe(victim === 6 ? 5 : 6)
      const live = nodes!.filter(({ status }) => status !== 'dead')
      expect(new Set(live.map((node) => node.leader))).toEqual(new Set([leader?.id]))
      expect(verdict.ok).toBe(true)
    }
  })
})
