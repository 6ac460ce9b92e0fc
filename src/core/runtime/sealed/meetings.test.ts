import { describe, expect, it } from 'vitest'
import { preparation } from '../../../../test/support/random-worlds.ts'
import { checkWorld, defaultOptions } from '../../../check/index.ts'
import { simulationOf } from '../../../sim/index.ts'
import { type Algorithm, algorithm, flag, list, nat } from '../../index.ts'
import { sealed } from './sealed.ts'

const base = {
  name: 'mine',
  needs: { topology: 'any' },
  messages: {},
  state: { seen: flag, counts: list(nat) },
  wakes: false,
  start: (_: unknown, net: { lead(): void }) => net.lead(),
  on: {},
} as const

type Free = Record<string, unknown> & { counts: number[] }
type Meet = (my: Free, other: Free, net: Record<string, unknown>) => void

const mine = (meet: Meet, changes: object = {}) =>
  sealed(algorithm({ ...base, ...changes, meet } as never))

function ran(definition: Algorithm): void {
  const { world, conditions, properties } = preparation(definition, {
    topology: 'path:3',
    until: 50,
  })
  simulationOf(world, conditions, properties).finish()
}

function explored(definition: Algorithm): void {
  const { world, conditions, properties } = preparation(definition, { topology: 'path:2' })
  const model = defaultOptions(definition, conditions.starts.nodes)
  checkWorld(world, { ...model, properties, limits: { states: 1000 } })
}

let outside = 0

describe('the handler meet of an own definition', () => {
  it.each<[string, Meet, string, object?]>([
    [
      'changes the other node',
      (_, other) => {
        other.seen = true
      },
      'other.seen cannot be assigned: a node decides only about itself. Assign fields of my; meet is called at the other node, too.',
    ],
    [
      'assigns the status of the other node',
      (_, other) => {
        other.status = 'lost'
      },
      'other.status cannot be assigned',
    ],
    [
      'reads a field that does not exist',
      (my) => {
        my.seen = my.sen === true
      },
      'my.sen is not available',
    ],
    [
      'sends a message',
      (_my, _other, net) => {
        ;(net.send as () => void)()
      },
      'The net has initiator, lead, follow, withdraw.',
    ],
    [
      'looks at its links',
      (my, _other, net) => {
        my.seen = net.degree === 1
      },
      'net.degree does not exist',
    ],
    [
      'reads n without declaring it',
      (my, _other, net) => {
        my.seen = net.n === 3
      },
      "net.n is not available: the definition does not declare it. Add knows: ['n'] to needs.",
    ],
    [
      'is not deterministic',
      (my) => {
        outside++
        my.seen = outside % 2 === 0
      },
      'the handler meet is not deterministic',
    ],
  ])('that %s is told so, in a run and in the checker', (_, meet, says) => {
    const definition = mine(meet)
    expect(() => ran(definition)).toThrow(says)
    expect(() => explored(definition)).toThrow(says)
  })

  it('gets a copy of the lists of the other node', () => {
    const definition = mine((my, other) => {
      other.counts.push(7)
      my.counts = [...my.counts.slice(0, 1), 1]
    })
    const { world, conditions, properties } = preparation(definition, {
      topology: 'path:2',
      until: 9,
    })
    const simulation = simulationOf(world, conditions, properties)
    simulation.finish()
    expect(simulation.states.of(0).counts).not.toContain(7)
    expect(simulation.states.of(1).counts).not.toContain(7)
  })

  it('knows n and tosses coins where it declares them', () => {
    const needs = { topology: 'any', knows: ['n'], coins: true }
    const definition = mine(
      (my, _other, net) => {
        my.seen = (net.choose as (k: number) => number)(net.n as number) === 0
      },
      { needs },
    )
    expect(() => ran(definition)).not.toThrow()
    expect(() => explored(definition)).not.toThrow()
  })
})
