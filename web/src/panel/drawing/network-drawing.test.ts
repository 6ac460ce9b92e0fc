import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { network, Random } from '../../../../src/core/index.ts'
import { networkFacts } from '../../engine/world-facts.ts'
import {
  drawingOf,
  drawingProblem,
  type NetworkDrawing,
  topologyOf,
  withLinkToggled,
  withMoved,
  withNode,
  withoutNode,
} from './network-drawing.ts'

const made = (text: string) => network(text, { random: Random.from(1), readFile: () => '' })
const facts = (text: string) =>
  ({
    ...networkFacts('ghs', made(text)),
    ids: null,
    unit: 'time',
    types: [],
    messageTypes: 0,
  }) as never

describe('a drawn network', () => {
  it.each(['ring:5', 'complete:4', 'grid:3x3', 'star:6', 'path:2'])('is %s again', (text) => {
    const drawing = drawingOf(facts(text))
    const again = made(topologyOf(drawing))
    const original = made(text)
    expect([again.n, again.links]).toEqual([original.n, original.links])
    expect(drawingProblem(drawing)).toBe(null)
  })

  it('can be read by the engine after any changes, if nothing is wrong with it', () => {
    const place = fc.record({ x: fc.double({ min: 0, max: 1 }), y: fc.double({ min: 0, max: 1 }) })
    const step = fc.record({ what: fc.nat(3), a: fc.nat(20), b: fc.nat(20), place })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        let drawing: NetworkDrawing = drawingOf(facts('ring:4'))
        for (const { what, a, b, place: to } of steps) {
          const n = drawing.nodes.length
          if (what === 0) drawing = withNode(drawing, to, n > 0 ? a % n : null)
          else if (n > 0 && what === 1) drawing = withMoved(drawing, a % n, to)
          else if (n > 0 && what === 2) drawing = withLinkToggled(drawing, a % n, b % n)
          else if (n > 0) drawing = withoutNode(drawing, a % n)
        }
        const pairs = drawing.links.map(([one, other]) => `${one}-${other}`)
        expect(new Set(pairs).size).toBe(pairs.length)
        if (drawingProblem(drawing) !== null) return
        const topology = made(topologyOf(drawing))
        expect([topology.n, topology.links]).toEqual([drawing.nodes.length, pairs.length])
      }),
    )
  })

  it('says what is wrong with it', () => {
    expect(drawingProblem({ nodes: [{ x: 0, y: 0 }], links: [] })).toContain('two nodes')
    const apart = withNode(drawingOf(facts('ring:3')), { x: 0, y: 0 }, null)
    expect(drawingProblem(apart)).toContain('connected')
  })
})
