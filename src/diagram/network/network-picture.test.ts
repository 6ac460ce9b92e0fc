import { describe, expect, it } from 'vitest'
import type { NodeDisplay } from '../../core/language/display.ts'
import { linksOf } from '../../core/language/topology.ts'
import { network } from '../../core/networks/network.ts'
import { Random } from '../../core/runtime/random.ts'
import { linkRoles } from './display-marks.ts'
import { networkLayout } from './layout.ts'
import { type NetworkPicture, networkPicture, type PicturedNode } from './network-picture.ts'

const topologyOf = (text: string) => network(text, { random: Random.from(3), shuffled: false })

function pictureOf(text: string, more: Partial<NetworkPicture> = {}): NetworkPicture {
  const topology = topologyOf(text)
  const nodes = Array.from({ length: topology.n }, (_, node): PicturedNode => {
    const status = node === 1 ? 'leader' : node === 2 ? 'dead' : 'lost'
    return { label: String(node + 1), below: '', status, shade: null, title: `position ${node}` }
  })
  const rest = { tree: [], weights: null, legend: ['in a node: its id'], range: null }
  return { title: 'a <network>', subtitle: '', topology, nodes, ...rest, ...more }
}

/** Centres and radii of the nodes, without the samples of the legend. */
function nodesIn(svg: string) {
  const [, group] = /<g class="nodes">([\s\S]*?)<\/g>\n/.exec(svg)!
  return [...group.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)].map(
    ([, x, y, r]) => ({ x: Number(x), y: Number(y), r: Number(r) }),
  )
}

const NETWORKS = [
  ...['ring:1', 'ring:2', 'ring:8', 'complete:6', 'complete:30', 'path:20', 'star:9'],
  ...['grid:3x4', 'torus:4x5', 'hypercube:3', 'hypercube:4', 'tree:15:2', 'tree:13:3'],
  ...['random:14:0.3', 'scale-free:30:2', 'small-world:40:4:0.1', 'edges:0-1,1-2,2-3,3-1'],
]

describe.each(NETWORKS)('the picture of %s', (text) => {
  const picture = pictureOf(text)
  const svg = networkPicture(picture)

  it('has every node and link, inside of the page, and the same bytes each time', () => {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
    const nodes = nodesIn(svg)
    expect(nodes).toHaveLength(picture.topology.n)
    for (const { x, y, r } of nodes) {
      expect(x - r).toBeGreaterThanOrEqual(0)
      expect(x + r).toBeLessThanOrEqual(width)
      expect(y - r).toBeGreaterThanOrEqual(0)
      expect(y + r).toBeLessThanOrEqual(height)
    }
    const [, links] = /<g class="links"[^>]*>([\s\S]*?)<\/g>\n/.exec(svg)!
    expect(links.match(/<(path|circle)/g)).toHaveLength(picture.topology.links)
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    expect(networkPicture(picture)).toBe(svg)
  })

  it('has no two nodes on top of each other', () => {
    const nodes = nodesIn(svg)
    for (const [i, a] of nodes.entries())
      for (const b of nodes.slice(i + 1))
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(0.9 * Math.max(a.r, b.r))
  })
})

it('shows labels, status, the tree, weights and an escaped title', () => {
  const topology = topologyOf('edges:0-1,1-2,2-0')
  const weights = Float64Array.of(7, 9, 7, 8, 9, 8)
  const svg = networkPicture(
    pictureOf('edges:0-1,1-2,2-0', { tree: [[0, 1]], weights, subtitle: 'at the end' }),
  )
  expect(linksOf(topology, 0)).toHaveLength(2)
  expect(svg).toContain('a &lt;network&gt;')
  for (const weight of [7, 8, 9]) expect(svg).toContain(`>${weight}</text>`)
  expect(svg.match(/stroke="#0067a8" stroke-width="4"/g)).toHaveLength(2)
  for (const text of ['leader', 'lost', 'crashed', 'tree', 'in a node: its id'])
    expect(svg).toContain(`>${text}</text>`)
  expect(svg).toContain('<title>position 2</title>')
})

it('shades estimates', () => {
  const shaded = (shade: number) => ({
    ...{ label: '0.5', below: '0.1', status: 'alive' as const, shade, title: '' },
  })
  const svg = networkPicture(
    pictureOf('path:2', { nodes: [shaded(0), shaded(1)], range: ['0.2', '0.9'] }),
  )
  expect(svg).toContain('estimates from 0.2 to 0.9')
  expect(svg).toContain('fill="#eff3ff"')
  expect(svg).toContain('fill="#08519c"')
})

describe('the layout of any graph', () => {
  it.each(['random:30:0.15', 'scale-free:40:2', 'hypercube:3', 'hypercube:4'])(
    'puts the nodes of %s off the links of others',
    (text) => {
      const topology = topologyOf(text)
      const places = networkLayout(topology)
      const at = (node: number) => ({ x: places[2 * node], y: places[2 * node + 1] })
      let through = 0
      for (let a = 0; a < topology.n; a++) {
        for (const link of linksOf(topology, a)) {
          const b = topology.neighbor(a, link)
          for (let node = 0; node < topology.n && a < b; node++) {
            if (node === a || node === b) continue
            const [p, q, r] = [at(a), at(b), at(node)]
            const square = (q.x - p.x) ** 2 + (q.y - p.y) ** 2
            const along = ((r.x - p.x) * (q.x - p.x) + (r.y - p.y) * (q.y - p.y)) / square
            const [x, y] = [p.x + along * (q.x - p.x), p.y + along * (q.y - p.y)]
            if (along > 0 && along < 1 && Math.hypot(r.x - x, r.y - y) < 0.08) through++
          }
        }
      }
      expect(through / topology.links).toBeLessThan(0.05)
    },
  )

  it('draws neighbours nearer to each other than others', () => {
    const topology = topologyOf('small-world:40:4:0')
    const places = networkLayout(topology)
    const apart = (a: number, b: number) =>
      Math.hypot(places[2 * a] - places[2 * b], places[2 * a + 1] - places[2 * b + 1])
    for (let node = 0; node < 40; node++)
      expect(apart(node, (node + 1) % 40)).toBeLessThan(apart(node, (node + 20) % 40) / 4)
  })
})

describe('what a definition shows', () => {
  const displays: readonly NodeDisplay[] = [
    { group: '7', badge: '2', edges: [[1, 'tree']], pointer: 1, countdown: [0, 10] },
    {
      group: '7',
      badge: '2',
      edges: [
        [0, 'core'],
        [2, 'rejected'],
      ],
    },
    { group: '9', passive: true },
    {},
  ]
  const bare = pictureOf('path:4')
  const nodes = bare.nodes.map((node, i) => ({
    ...node,
    status: 'unknown' as const,
    display: displays[i],
  }))
  const facts = { group: 'fragment', badge: 'level', pointer: 'parent', countdown: 'lease' }
  const display = { ...facts, decides: {} }
  const svg = networkPicture({ ...bare, nodes, display, now: 5 })
  const groupOf = (name: string) =>
    new RegExp(`<g class="${name}"[^>]*>([\\s\\S]*?)</g>\n`).exec(svg)?.[1] ?? ''

  it('is drawn: groups of several nodes, roles of links, arrows, badges and what is left', () => {
    expect(groupOf('groups').match(/<circle/g)).toHaveLength(2)
    expect(groupOf('pointers').match(/<path/g)).toHaveLength(1)
    expect(groupOf('links').match(/stroke-width="8"/g)).toHaveLength(1)
    expect(groupOf('links').match(/stroke-dasharray/g)).toHaveLength(1)
    expect(groupOf('nodes').match(/>2<\/text>/g)).toHaveLength(3)
    expect(groupOf('nodes').match(/d="M[^"]*A/g)).toHaveLength(1)
  })

  it('is named in the legend, and leaves pictures without it as they were', () => {
    for (const words of ['same colour: same fragment', 'badge: level', 'arrow: parent', 'passive'])
      expect(svg).toContain(`>${words}<`)
    expect(networkPicture(bare)).not.toMatch(/class="(groups|pointers)"|badge|passive/)
  })

  it('of a link seen differently by its ends is the stronger role', () => {
    expect(Object.fromEntries(linkRoles(displays, [[2, 3]]))).toEqual({
      '0-1': 'core',
      '1-2': 'rejected',
      '2-3': 'tree',
    })
  })
})
