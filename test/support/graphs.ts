import fc from 'fast-check'

/* Random networks and schedules for algorithms that work on any network. */

interface Graph {
  /** As the command line writes it. */
  readonly topology: string
  readonly n: number
}

const MOST_NODES = 40

/** More than any of these elections needs: one that goes astray is cut off soon. */
const MOST_MESSAGES = 100_000

/** Connected simple graphs of 2 to 40 nodes; what is drawn depends on the seed of the run. */
export const graphs: fc.Arbitrary<Graph> = fc.oneof(
  sized(2, (n) => [`random:${n}:${Math.min(1, (2 * Math.log(n)) / n)}`, `random:${n}:0.6`]),
  sized(2, (n) => [`geometric:${n}:${Math.min(1, 1.8 / Math.sqrt(n))}`]),
  sized(2, (n) => [`complete:${n}`, `path:${n}`, `star:${n}`, `tree:${n}:2`]),
  sized(3, (n) => [`ring:${n}`]),
  fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 8 }))
    .map(([rows, columns]) => ({ topology: `grid:${rows}x${columns}`, n: rows * columns })),
  recursiveTrees(),
)

/** Trees of 1 to 40 nodes. */
export const trees: fc.Arbitrary<Graph> = fc.oneof(
  sized(1, (n) => [`path:${n}`, `star:${n}`, `tree:${n}:2`, `tree:${n}:3`]),
  recursiveTrees(),
  recursiveTrees(),
)

/** Each node is linked to any one of those before it. */
function recursiveTrees(): fc.Arbitrary<Graph> {
  return fc.array(fc.nat(), { minLength: 1, maxLength: MOST_NODES - 1 }).map((draws) => ({
    topology: `edges:${draws.map((draw, i) => `${draw % (i + 1)}-${i + 1}`).join()}`,
    n: draws.length + 1,
  }))
}

/** Networks of every size from the least to 40, one of these ways to write them each. */
function sized(least: number, write: (n: number) => string[]): fc.Arbitrary<Graph> {
  return fc
    .integer({ min: least, max: MOST_NODES })
    .chain((n) => fc.constantFrom(...write(n)).map((topology) => ({ topology, n })))
}

/** Initiators, start times and delays, as fields of a scenario. */
export function schedules(n: number, orders: readonly ('fifo' | 'any')[]) {
  const some = fc.subarray([...Array(n).keys()], { minLength: 1 })
  const timed = some.chain((nodes) =>
    fc.tuple(...nodes.map((node) => fc.integer({ min: 1, max: 2 * n }).map((t) => `${node}@${t}`))),
  )
  const wake = fc.oneof(fc.constant('all'), some.map(String), timed.map(String))
  const delay = fc.constantFrom('unit', 'uniform:1:10', 'uniform:3:4', 'exponential:2')
  const order = fc.constantFrom(...orders)
  const timing = fc.oneof(fc.constant({ timing: 'sync' }), fc.record({ delay, order }))
  return fc
    .tuple(fc.record({ wake, seed: fc.nat() }), timing)
    .map(([starts, times]) => ({ ...starts, ...times, 'max-messages': MOST_MESSAGES }))
}
