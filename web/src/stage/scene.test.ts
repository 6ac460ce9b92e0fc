import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/algorithms/index.ts'
import { SvgPen } from '../../../src/diagram/svg-pen.ts'
import type { EngineAnswer } from '../engine/protocol.ts'
import { recordingSession } from '../engine/sessions.ts'
import { RunFrame } from '../recording/frame.ts'
import { RunLog } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import { geometryOf } from './geometry.ts'
import { groupColour, groupsOf, mixed } from './ideas/groups.ts'
import { rolesOf } from './ideas/link-ideas.ts'
import { leftOf } from './ideas/node-ideas.ts'
import { paintLinks } from './links.ts'
import { FlyingMessages } from './messages.ts'
import { flightPicture, receiptOf, recentEvents } from './motion.ts'
import { paintScene } from './scene.ts'

const GROUPS = ['rgb(1, 2, 3)', 'rgb(4, 5, 6)', 'rgb(7, 8, 9)']
/** Every colour by its own name. */
const colours = new Proxy({} as PageTheme, {
  get: (_, name) =>
    name === 'groups' ? GROUPS : name === 'types' ? ['t0', 't1'] : `c-${String(name)}`,
})

function logOf(name: string, scenario: Readonly<Record<string, unknown>>): RunLog {
  let log: RunLog | undefined
  const take = (answer: EngineAnswer) => {
    if (answer.what === 'begun') log = new RunLog(answer.world)
    if (answer.what === 'chunk') log!.append(answer.chunk)
  }
  for (const _ of recordingSession(scenario, catalogue.find((one) => one.name === name)!, take));
  return log!
}

/** The stage as SVG after a number of steps. */
function svgAt(log: RunLog, step: number, time: number, motion = time): string {
  const frame = new RunFrame(log).seek(step)
  const geometry = geometryOf(log.world, 800, 500, 1, time)
  const attention = {
    ...{ hovered: null, chosen: new Set<number>(), acting: null },
    ...{ hoveredFlight: null, chosenFlight: null },
  }
  const input = {
    frame,
    geometry,
    time,
    motion,
    attention,
    scale: null,
    positions: false,
    strip: 0,
  }
  const pen = new SvgPen()
  const links = () => paintLinks(pen, log.world, geometry, colours)
  paintScene(pen, input, colours, new FlyingMessages(), links)
  return pen.picture({ width: 800, height: 500, title: '', paper: 'white' })
}

describe('a message on the stage', () => {
  const log = logOf('bully', {
    n: 7,
    seed: 2,
    loss: 0.25,
    duplicate: 0.2,
    crash: '6@1.5',
    until: 40,
  })
  const fates = Array.from({ length: log.sending.length }, (_, flight) => log.fateOf(flight))

  it('reaches its receiver when it is received, and in no other case', () => {
    expect(new Set(fates)).toEqual(new Set(['receive', 'lose', 'vanish']))
    for (const [flight, fate] of fates.entries()) {
      const [sent, ends] = [log.departure(flight), log.arrival(flight)]
      const [early, late] = [flightPicture(log, flight, sent), flightPicture(log, flight, ends + 9)]
      expect(early.share).toBe(0)
      if (fate === 'receive') expect(late).toEqual({ share: 1, cross: null })
      if (fate === 'lose') expect(late).toEqual({ share: 0.5, cross: 0.5 })
      if (fate === 'vanish') {
        expect(late).toEqual({ share: 1, cross: 1 })
        expect(flightPicture(log, flight, (sent + ends) / 2)).toEqual({ share: 0.5, cross: null })
      }
    }
  })

  it('has a cross for each loss of the last unit of time, and none before', () => {
    for (let step = 1; step < log.steps; step++) {
      const time = log.timeOf(step - 1)
      const lost = recentEvents(log, step, time).filter(({ event, age }) => {
        const { kind } = log.event(event)
        const atSending =
          kind === 'lose' && log.departure(log.flight.at(event)) === log.at.at(event)
        return kind === 'vanish' ? age <= 0.7 : kind === 'lose' && (atSending || age <= 0.7)
      })
      const crosses = svgAt(log, step, time).match(/<g class="loss">/g) ?? []
      expect(crosses.length, `after step ${step}`).toBe(lost.length)
    }
  })

  it('looks the same whenever the same moment is shown, and is at rest in the end', () => {
    const step = 20
    const time = log.timeOf(step - 1)
    expect(svgAt(log, step, time + 0.2)).toBe(svgAt(log, step, time + 0.2))
    expect(svgAt(log, step, time, Number.POSITIVE_INFINITY)).not.toBe(svgAt(log, step, time))
  })

  it('is swallowed, passed on or answered, as the handler does', () => {
    const ring = logOf('lcr', { ids: [1, 3, 2] })
    const receipts: Record<string, number> = {}
    for (let step = 0; step < ring.steps; step++) {
      const { kind, type } = ring.event(ring.first.at(step))
      if (kind !== 'receive' || type !== 'election') continue
      const receipt = receiptOf(ring, step)
      receipts[receipt] = (receipts[receipt] ?? 0) + 1
    }
    // 1 and 2 are swallowed by 3 or on the way; 3 passes two nodes and is answered by its own.
    expect(receipts).toEqual({ swallowed: 2, 'passed on': 3, answered: 1 })
  })
})

describe('a crashed node', () => {
  it('is drawn with a cross, and under its new id when it has recovered', () => {
    const log = logOf('bully', { n: 4, ids: [0, 1, 2, 3], crash: '2@4', recover: '2@9:id=7' })
    const at = (time: number) => svgAt(log, log.stepsUntil(time), time, Number.POSITIVE_INFINITY)
    const crosses = (svg: string) => svg.match(/stroke="c-danger" stroke-width="2.5"/g)?.length ?? 0
    expect([1, 5, 12].map((time) => crosses(at(time)))).toEqual([0, 1, 0])
    expect(at(5)).toContain('>crashed</text>')
    expect(at(12)).toMatch(/>7<\/text>/)
    expect(at(12)).not.toMatch(/font-weight="600"[^>]*>2<\/text>/)
  })

  it('shows nothing of what it believed', () => {
    const log = logOf('omega', { n: 4, ids: [0, 1, 2, 3], crash: '2@20', until: 40 })
    const frame = new RunFrame(log)
    const trusts = (time: number) => frame.seek(log.stepsUntil(time)).display(2)?.pointer
    expect([10, 30].map(trusts)).toEqual([3, undefined])
  })
})

describe('ideas on the stage', () => {
  const log = logOf('ghs', { topology: 'random:14:0.3', seed: 5 })

  it('GHS marks the minimum spanning tree, and only it, in the end', () => {
    const frame = new RunFrame(log).seek(log.steps)
    const marked = [...rolesOf(frame)].filter(([, [, , role]]) => role !== 'rejected')
    const pairs = marked.map(([link]) => link)
    expect(pairs.toSorted()).toEqual(kruskal(log.world.n, log.world.weights!).toSorted())
  })

  it('yo-yo directs links, turns one after a no, and prunes them', () => {
    const path = logOf('yo-yo', { topology: 'path:3', ids: [3, 1, 2] })
    const linksAt = (time: number) =>
      [...rolesOf(new RunFrame(path).seek(path.stepsUntil(time))).values()].map(
        ([from, to, role, both]) => `${role} ${from}${both ? '-' : '>'}${to}`,
      )
    // 3 and 2 are sources. The node between them votes no to 2 at time 2, and then leads to it.
    expect(linksAt(0)).toEqual([])
    expect(linksAt(1)).toEqual(['out 0>1', 'out 2>1'])
    expect(linksAt(2)).toEqual(['out 0>1', 'out 1-2'])
    expect(linksAt(3)).toEqual(['out 0>1', 'out 1>2'])
    expect(linksAt(6)).toEqual(['out 0>1', 'tree 1>2'])
    expect(linksAt(7)).toEqual(['tree 0>1', 'tree 1>2'])
    const heads = (time: number) =>
      svgAt(path, path.stepsUntil(time), time).split('fill="c-edge"').length - 1
    expect([0.5, 1.5, 2.5, 3.5].map(heads)).toEqual([0, 2, 3, 2])
  })

  it('yo-yo prunes all links but a spanning tree', () => {
    const graph = logOf('yo-yo', { topology: 'random:14:0.3', seed: 5 })
    const roles = [...rolesOf(new RunFrame(graph).seek(graph.steps)).values()]
    expect(roles.length).toBe(graph.world.edges.length / 2)
    const tree = roles.filter(([, , role]) => role === 'tree')
    expect(roles.filter(([, , role]) => role === 'rejected').length).toBe(roles.length - 13)
    const nodes = Array.from({ length: 14 }, (_, node) => node)
    const links = tree.map(([a, b]) => [a, b] as const)
    expect(links.length).toBe(13)
    expect(new Set(components(nodes, links).values()).size).toBe(1)
  })

  it('areas of groups partition the nodes, and hold together in the end', () => {
    for (let step = 0; step <= log.steps; step += 7) {
      const groups = groupsOf(new RunFrame(log).seek(step))
      const members = groups.flatMap(({ nodes }) => nodes)
      expect(new Set(members).size).toBe(members.length)
      for (const { nodes, links } of groups) {
        for (const end of links.flat()) expect(nodes).toContain(end)
      }
    }
    expect(groupsOf(new RunFrame(log).seek(log.steps / 2)).length).toBeGreaterThan(1)
    const [{ nodes, links }, ...others] = groupsOf(new RunFrame(log).seek(log.steps))
    expect([nodes.length, others]).toEqual([14, []])
    expect(new Set(components(nodes, links).values()).size).toBe(1)
  })

  it('a group keeps its colour, and a countdown runs out', () => {
    expect(groupColour('8', [7, 8, 9], colours)).toBe(GROUPS[1])
    expect(groupColour('some name', null, colours)).toBe(groupColour('some name', [1], colours))
    expect(mixed('rgb(0, 100, 200)', 'rgb(100, 100, 100)', 0.25)).toBe('rgb(75, 100, 125)')
    expect([0, 2, 3, 4, 9].map((time) => leftOf([2, 4], time))).toEqual([1, 1, 0.5, 0, 0])
  })
})

/** The links of the minimum spanning tree, by an algorithm that knows all of the network. */
function kruskal(n: number, weights: ArrayLike<number>): string[] {
  const links = Array.from({ length: weights.length / 3 }, (_, i) => i).toSorted(
    (a, b) => weights[3 * a + 2] - weights[3 * b + 2],
  )
  const root = Array.from({ length: n }, (_, node) => node)
  const tree: string[] = []
  for (const link of links) {
    const [a, b] = [weights[3 * link], weights[3 * link + 1]]
    const [from, to] = [root[a], root[b]]
    if (from === to) continue
    for (let node = 0; node < n; node++) if (root[node] === from) root[node] = to
    tree.push(`${Math.min(a, b)}-${Math.max(a, b)}`)
  }
  return tree
}

function components(nodes: readonly number[], links: readonly (readonly [number, number])[]) {
  const part = new Map(nodes.map((node) => [node, node]))
  for (const [a, b] of links) {
    const [from, to] = [part.get(a), part.get(b)!]
    for (const [node, at] of part) if (at === from) part.set(node, to)
  }
  return part
}

describe('a meeting on the stage', () => {
  const log = logOf('pairwise', { topology: 'complete:5', seed: 2, set: { walk: 'off' } })
  const meeting = (step: number) => log.eventsOf(step).find(({ kind }) => kind === 'meet')
  const steps = Array.from({ length: log.steps }, (_, step) => step)
  const first = steps.find((step) => meeting(step) !== undefined)!

  it('is a link in the colour of what happens, with an arrow, and fades', () => {
    const lines = (time: number) => svgAt(log, first + 1, time).split('c-accent').length - 1
    expect(lines(1)).toBeGreaterThan(0)
    expect(lines(1.5)).toBe(lines(1))
    expect(lines(2)).toBe(0)
  })

  it('has a step for each of the two nodes, whose states are recorded', () => {
    const { node, peer } = meeting(first)!
    const [answer] = log.eventsOf(first + 1)
    expect(answer).toMatchObject({ kind: 'respond', node: peer, peer: node, at: 1 })
    const frame = new RunFrame(log)
    expect(frame.seek(first).leaders).toHaveLength(5)
    expect(frame.seek(first + 2).leaders).toHaveLength(4)
    expect(log.reason(first)).toBe('both lead: the other one stops leading')
  })
})
