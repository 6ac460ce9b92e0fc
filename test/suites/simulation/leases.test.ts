import { describe, expect, it } from 'vitest'
import { bully } from '../../../src/algorithms/complete/bully.ts'
import { leased } from '../../../src/algorithms/complete/lease/leased.ts'
import { quorumLease } from '../../../src/algorithms/complete/lease/quorum-lease.ts'
import { simulate } from '../../../src/api/simulate.ts'
import { type Algorithm, Random } from '../../../src/core/index.ts'

const SEEDS = 40
const END = 400

/** Faults of all kinds, drawn from a seed. */
function drawn(seed: number) {
  const random = Random.from(seed)
  const time = () => 10 + random.below(150)
  const node = () => random.below(5)
  const span = () => {
    const from = time()
    return { from, to: from + 5 + random.below(80) }
  }
  const crash = { node: node(), at: time() }
  const victim = node()
  const others = [0, 1, 2, 3, 4].filter((one) => one !== victim)
  const deaf = span()
  return {
    ...{ n: 5, until: END, seed, detect: 'off', order: 'any' },
    delay: 'uniform:1:3',
    drift: 0.05,
    disk: 'uniform:1:2',
    loss: random.below(3) / 20,
    duplicate: random.below(2) / 10,
    crash: [crash],
    recover: [
      { node: crash.node, at: crash.at + 1 + random.below(40), amnesia: random.below(2) > 0 },
    ],
    pause: [{ node: node(), ...span() }],
    partition: [
      {
        groups: [
          [0, 1],
          [2, 3, 4],
        ],
        ...span(),
      },
    ],
    cut: others.map((from) => ({ link: [from, victim] as const, oneWay: true, ...deaf })),
  } as const
}

const violated = (algorithm: Algorithm, options: object) =>
  simulate(algorithm, options as never)
    .verdict.properties.filter(({ holds }) => holds === false)
    .map(({ name }) => name)

describe.each([quorumLease, leased(bully)])('$name under all faults at once', (algorithm) => {
  it('never has two holders, and its tokens grow', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const wrong = violated(algorithm, {
        ...drawn(seed),
        ...(algorithm !== quorumLease && { set: { patience: 6 } }),
      })
      expect([seed, ...wrong.filter((name) => !name.includes('in time'))]).toEqual([seed])
    }
  })
})

it('a lease that counts on clocks better than they are has two holders at times', () => {
  const fooled = { n: 5, until: 600, set: { drift: 0 }, drift: 1, pause: '2@30..80,1@200..280' }
  const found = Array.from({ length: 60 }, (_, seed) => violated(quorumLease, { ...fooled, seed }))
  expect(found.flat()).toContain('one holder at a time')
})

it('a run with a lease can be repeated', () => {
  const once = simulate(quorumLease, drawn(3) as never)
  expect(simulate(quorumLease, drawn(3) as never)).toEqual(once)
})

it.each([{ lease: 0 }, { lease: -3 }, { lease: 1 }, { margin: 19 }])(
  'times in which nobody could lead are refused: %o',
  (set) => {
    for (const algorithm of [quorumLease, leased(bully)])
      expect(() => simulate(algorithm, { n: 3, until: 30, set })).toThrow('leaves a leader no time')
  },
)
