import { describe, expect, it } from 'vitest'
import { shell } from '../../../test/support/run-command.ts'
import { echoExtinction } from '../../algorithms/index.ts'
import {
  type Algorithm,
  algorithm,
  left,
  message,
  type Net,
  nat,
  oneOf,
  ring,
} from '../../core/index.ts'
import { checkWorld, replay } from '../index.ts'

const STEP = message({ count: nat })

interface Mine {
  count: number
  mood: string
}

/** Counts down round the ring; the test defines the action at 0. */
function countdown(at0: (my: Mine, net: Net<'ring' | 'coins'>) => void): Algorithm {
  return algorithm({
    name: 'countdown',
    needs: { topology: 'ring', ids: 'unique', coins: true },
    messages: { STEP },
    state: { count: nat, mood: oneOf('fine', 'tired') },
    wakes: false,
    start(_, net) {
      net.send(left, STEP, { count: 2 })
    },
    on: {
      STEP(my, { count }, net) {
        if (count > 0) net.send(left, STEP, { count: count - 1 })
        else at0(my, net)
      },
    },
  })
}

function explored(it: Algorithm, reduction: 'off' | 'auto') {
  const world = { algorithm: it, topology: ring(2), ids: Float64Array.of(1, 2), params: {} }
  const options = { mode: 'untimed', order: 'fifo', wake: 'any' } as const
  const limits = { states: 10_000 }
  return {
    world,
    rules: options,
    result: checkWorld(world, { ...options, limits, reduction, properties: [], fairRuns: true }),
  }
}

describe.each(['off', 'auto'] as const)('a value outside its type (reduction %s)', (reduction) => {
  it.each<[string, Parameters<typeof countdown>[0]]>([
    [
      'count: -1 is not a natural number below 2^53',
      (my) => {
        my.count = -1
      },
    ],
    [
      'mood: "sad" is not one of fine, tired',
      (my) => {
        my.mood = 'sad'
      },
    ],
    [
      'count: 0.5 is not a natural number below 2^53',
      (_, net) => net.send(left, STEP, { count: 0.5 }),
    ],
    [
      'count: undefined is not a natural number below 2^53',
      (_, net) => net.choose(3) === 2 && net.send(left, STEP, {} as { count: number }),
    ],
  ])('is a violation: %s', (how, at0) => {
    const { world, rules: options, result } = explored(countdown(at0), reduction)
    const verdict = result.properties[0]
    expect(verdict).toMatchObject({ name: 'every value stays within its type', holds: false })
    expect(verdict.detail).toMatch(/^[12] \(position [01]\): /)
    expect(verdict.detail).toContain(how)
    const { violated } = result
    // One wakes, and the count goes 2, 1, 0.
    expect(violated).toMatchObject({
      property: 'every value stays within its type',
      shortest: true,
    })
    expect(violated!.trace).toHaveLength(4)
    expect(violated!.trace[3].text).toContain(`violates a declared type (${how})`)
    const again = replay(world, options, [], violated!.transitions)
    expect(again.properties).toEqual([verdict])
  })

  it('does not hide other errors of a handler', () => {
    const throwing = countdown(() => {
      throw new RangeError('out of luck')
    })
    expect(() => explored(throwing, reduction)).toThrow(RangeError)
  })

  it('is not mentioned where there is none', () => {
    const { result } = explored(
      countdown((my) => {
        my.mood = 'tired'
      }),
      reduction,
    )
    expect(result).toMatchObject({ exhausted: true, violated: null })
    expect(result.properties.map(({ name }) => name)).toEqual(['every fair run ends'])
  })
})

describe('faults that an algorithm does not claim to tolerate', () => {
  it.each([
    'echo-extinction -n 3 --duplicates 1',
    'echo-extinction -t path:3 --crashes 1 --recoveries 1',
    'ghs -n 3 --duplicates 1',
  ])('violate a property, without an internal error: check %s', async (line) => {
    const { code, out, err } = await shell('check', ...line.split(' '))
    expect([code, err]).toEqual([1, ''])
    expect(out).toContain('Violated: every value stays within its type')
  })

  it('are no violation where all properties hold', () => {
    const { result } = explored(echoExtinction, 'off')
    expect(result).toMatchObject({ exhausted: true, violated: null })
  })
})
