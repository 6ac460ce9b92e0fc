import { describe, expect, it } from 'vitest'
import { bully, changRoberts, wireless } from '../../../src/algorithms/index.ts'
import {
  algorithm,
  list,
  message,
  nat,
  stable,
  type TraceEvent,
  uid,
} from '../../../src/core/index.ts'
import { flagged, prepare } from '../../../src/scenario/index.ts'
import { simulationOf as begin } from '../../../src/sim/meetings/meeting-simulation.ts'
import { resultOf } from '../../../src/sim/result.ts'
import { observe, simulate } from '../../support/random-worlds.ts'

const HELLO = message({ id: uid })

/** Says hello to every node at the start, and records the notices of the detector. */
const watcher = algorithm({
  name: 'watcher',
  needs: { topology: 'any', ids: 'unique', knows: ['liveness'] },
  messages: { HELLO },
  state: { heard: list(uid), gone: list(nat), back: list(nat), starts: stable(nat) },
  wakes: false,
  lasting: true,
  start(my, net) {
    my.starts++
    net.sendAll(HELLO, { id: my.id })
  },
  on: {
    HELLO(my, { id }) {
      my.heard.push(id)
    },
  },
  down(my, link) {
    my.gone.push(link)
  },
  up(my, link) {
    my.back.push(link)
  },
  theory: {
    authors: '',
    idea: '',
    because: '',
    breaks: '',
    example: '',
    cost: '',
    bounds: [],
  },
})

function run(given: Record<string, unknown>) {
  const { world, conditions, properties } = prepare(
    { topology: 'path:3', ids: 'increasing', ...given },
    watcher,
    flagged,
  )
  const events: TraceEvent[] = []
  const simulation = begin(world, conditions, properties, {
    trace: (event) => events.push(event),
    spoilBodies: true,
  })
  const result = resultOf(simulation, simulation.finish())
  const told = events.flatMap((event) =>
    event.event === 'down' || event.event === 'up'
      ? [[event.at, event.event, event.node, event.peer]]
      : [],
  )
  const state = (node: number) => result.nodes![node].state
  return { result, events, told, state }
}

describe('a crash', () => {
  it('is reported to the neighbours after the delay of the detector, and to no other node', () => {
    expect(run({ crash: '0@5', detect: 3 }).told).toEqual([[8, 'down', 1, 0]])
    expect(run({ crash: '1@5', detect: 0 }).told).toEqual([
      [5, 'down', 0, 1],
      [5, 'down', 2, 1],
    ])
    expect(run({ crash: '1@5', detect: 'off' }).told).toEqual([])
  })

  it('of a node that was never up is known before the first start, without a report', () => {
    const { told, result } = run({ crash: '1' })
    expect(told).toEqual([])
    expect(result.messages).toMatchObject({ total: 2, toDead: 2 })
  })

  it('is reported to sleeping nodes and does not wake them', () => {
    const { state, result } = run({ crash: '1@5', wake: '1@9' })
    expect(state(0)).toMatchObject({ gone: [0], starts: 0 })
    expect(result.nodes![0].status).toBe('asleep')
  })

  it('precedes arrivals at the same time', () => {
    expect(run({ crash: '1@1' }).result.messages).toMatchObject({ total: 4, toDead: 2 })
    expect(run({ crash: '1@1.5' }).result.messages).toMatchObject({ total: 4, toDead: 0 })
  })

  it('is counted in rounds in synchronous runs', () => {
    expect(run({ crash: '1@3', timing: 'sync', detect: 2 }).told[0]).toEqual([5, 'down', 0, 1])
  })
})

describe('a recovery', () => {
  it('restarts the node from its stable state, and is reported', () => {
    const { state, told, result } = run({ crash: '1@5', recover: '1@9' })
    expect(state(1)).toMatchObject({ starts: 2, heard: [] })
    expect(told.map(([at, what]) => [at, what])).toEqual([
      [6, 'down'],
      [6, 'down'],
      [10, 'up'],
      [10, 'up'],
    ])
    expect(result.messages.total).toBe(6)
  })

  it('may change the id', () => {
    const { state, result } = run({ crash: '1@5', recover: '1@9:id=77' })
    expect(result.nodes![1].id).toBe(77)
    expect(state(0)).toMatchObject({ heard: [2, 77] })
  })
})

describe('links', () => {
  it('lose messages while they are cut, and both ends are notified', () => {
    const { result, told } = run({ cut: '0-1@0..4' })
    expect(result.messages).toMatchObject({ total: 4, lost: 2 })
    expect(told).toEqual([
      [1, 'down', 0, 1],
      [1, 'down', 1, 0],
      [5, 'up', 0, 1],
      [5, 'up', 1, 0],
    ])
  })

  it('deliver messages that were sent before the cut', () => {
    expect(run({ cut: '0-1@0.5..4' }).result.messages).toMatchObject({ total: 4, lost: 0 })
  })

  it('between the parts of a partition are all cut', () => {
    const { told } = run({ topology: 'complete:4', partition: '0,1/2,3@5..9' })
    const downs = told.filter(([, what]) => what === 'down').map(([, , node, peer]) => [node, peer])
    expect(downs).toHaveLength(8)
    for (const [node, peer] of downs) expect((node as number) < 2).not.toBe((peer as number) < 2)
  })

  it('lose or duplicate every message with probability 1', () => {
    expect(run({ loss: 1 }).result.messages).toMatchObject({ total: 4, lost: 4 })
    const doubled = run({ duplicate: 1 })
    expect(doubled.result.messages).toMatchObject({ total: 4, duplicated: 4, lost: 0 })
    expect(doubled.state(0)).toMatchObject({ heard: [2, 2] })
  })

  it('appear and disappear as nodes move', () => {
    const { told, result } = run({
      topology: 'geometric:12:0.4',
      ids: 'random',
      mobility: 0.05,
      seed: 3,
    })
    expect(told.length).toBeGreaterThan(10)
    expect(result.links).toBeLessThanOrEqual(66)
    expect(run({ topology: 'geometric:12:0.4', ids: 'random', seed: 3 }).told).toEqual([])
  })
})

describe('a moment', () => {
  it('is the same however it is summed up', () => {
    for (const wake of ['0@0.07', '0@0.1', '0@0.35', '0@0.7']) {
      const given = { ids: [0, 1, 2, 3, 4, 5, 6, 7], wake }
      for (const delay of ['unit', 'constant:0.1', 'constant:0.7'])
        expect(simulate(bully, { ...given, delay })).toMatchObject({
          leaders: [7],
          messages: { byType: { election: 28, ok: 28, coordinator: 7 } },
        })
    }
  })
})

describe('a suspicion', () => {
  it('is reported when it begins and ends, and does no harm', () => {
    const { told, result } = run({ suspect: '0@10..20' })
    expect(told).toEqual([
      [10, 'down', 1, 0],
      [20, 'up', 1, 0],
    ])
    expect(result.nodes!.map(({ status }) => status)).not.toContain('dead')
  })
})

describe('a hand-over', () => {
  const path = { topology: 'path:4', ids: [1, 2, 3, 4], suspect: '3@50..200' }
  const safety = (given: Record<string, unknown>) =>
    simulate(wireless, given).verdict.properties[0].holds

  it('ends with the election that a recovery starts, and tolerates nothing later', () => {
    expect(safety(path)).toBe(false)
    expect(safety({ ...path, crash: '0@2', recover: '0@5' })).toBe(false)
    expect(safety({ ...path, suspect: 'none', crash: '0@2', recover: '0@5' })).toBe(true)
  })
})

describe('a second election', () => {
  it('costs as much as the first and terminates', () => {
    const ring = { ids: '3,2,7,8,5,4,1,6' }
    const once = simulate(changRoberts, ring)
    const twice = simulate(changRoberts, { ...ring, again: 100 })
    expect(twice.messages.total).toBe(2 * once.messages.total)
    expect(twice.leaders).toEqual([3, 3])
    expect(twice.verdict.ok).toBe(true)
    expect(twice.time).toMatchObject({ elected: 8, last: 116 })
  })

  it('waits for the end of the first', () => {
    const twice = simulate(changRoberts, { ids: '3,2,7,8,5,4,1,6', again: 3 })
    expect(twice.verdict.ok).toBe(true)
    expect(twice.time.last).toBe(32)
  })

  it('keeps leader and followers until then', () => {
    const { events } = observe(changRoberts, { ids: '3,2,7,8,5,4,1,6', again: 100 })
    const withdrawals = events.filter(({ event }) => event === 'withdraw')
    expect(withdrawals.map(({ at, node }) => [at, node])).toEqual(
      Array.from({ length: 8 }, (_, node) => [100, node]),
    )
    const early = simulate(changRoberts, { ids: '3,2,7,8,5,4,1,6', again: 100, until: 50 })
    expect(early.leader).toEqual({ node: 3, id: 8 })
  })

  it('does not wait for later faults', () => {
    const given = { ids: '0,1,2,3', topology: 'complete:4', again: 30 }
    const { result, events } = observe(bully, { ...given, crash: '3@60' })
    const starts = events.filter(({ event }) => event === 'wake').map(({ at }) => at)
    expect(starts).toEqual([0, 30])
    expect(result.leaders).toEqual([3, 3, 2])
    expect(result.verdict.ok).toBe(true)
  })

  it('waits for all starts and for pending reports of the detector', () => {
    const starts = (given: object) =>
      observe(bully, { topology: 'complete:4', ...given })
        .events.filter(({ event }) => event === 'wake')
        .map(({ at }) => at)
    // A message has woken position 1 long before: only in the second election it starts itself.
    expect(starts({ wake: '0@0,1@70', again: 30 })).toEqual([0, 70, 70])
    const hurt = { ids: '0,1,2,3', crash: '3@60', detect: 20, again: 62 }
    expect(starts(hurt)[1]).toBeGreaterThan(80)
  })
})

describe('the same node', () => {
  it('may crash twice', () => {
    const { told } = run({ crash: '1@5,1@20', recover: '1@9' })
    expect(told.map(([at, what]) => `${what} ${at}`)).toEqual(
      'down 6,down 6,up 10,up 10,down 21,down 21'.split(','),
    )
  })

  it('stays suspected if it crashes while it is suspected', () => {
    const { told } = run({ suspect: '0@10..20', crash: '0@15' })
    expect(told.map(([at, what]) => `${what} ${at}`)).toEqual(['down 10'])
  })
})

describe('the times of an interval', () => {
  /** When position 1 is notified that its link to 0 is down and up. */
  const cuts = (cut: string) => run({ cut, detect: 0 }).told.filter(([, , node]) => node === 1)

  it('may be left out: from the start, until the end, always', () => {
    expect(cuts('0-1@3..9')).toEqual([
      [3, 'down', 1, 0],
      [9, 'up', 1, 0],
    ])
    expect(cuts('0-1@3')).toEqual([[3, 'down', 1, 0]])
    // What holds from the beginning is known before the first start, without a notice.
    expect(cuts('0-1@..9')).toEqual([[9, 'up', 1, 0]])
    expect(cuts('0-1')).toEqual([])
    expect(run({ cut: '0-1' }).result.messages).toMatchObject({ total: 4, lost: 2 })
    expect(run({ cut: '0-1@..9' }).result.messages).toMatchObject({ total: 4, lost: 2 })
    const wrong = (suspect: string) => run({ suspect }).told.map(([at, what]) => `${what} ${at}`)
    expect(wrong('0@3..9')).toEqual(['down 3', 'up 9'])
    expect(wrong('0@..9')).toEqual(['down 0', 'up 9'])
    expect(wrong('0')).toEqual(['down 0'])
  })
})
