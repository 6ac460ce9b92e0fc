/*
 * The worlds of bench/reach.js: for each algorithm the sizes to try, the words of `conclave check`,
 * and the same world for a model of Spin, or why there is none.
 */
const range = (from, to, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
const increasing = (n) => range(1, n).join()
const decreasing = (n) => range(1, n).reverse().join()

/** A permutation of 1 to n without any regularity that matters here. */
function mixed(n, step = (Math.sqrt(5) - 1) / 2) {
  const keys = range(1, n).map((i) => (i * step) % 1)
  const order = keys.toSorted((a, b) => a - b)
  return keys.map((key) => order.indexOf(key) + 1)
}
const weights = (n) => mixed(n, Math.SQRT2 - 1)

/** `--weights` has the order of the edges: 0-1, 0-(n-1), 1-2 and so on. */
function weightsInOrder(n) {
  const [first, ...others] = weights(n)
  return [first, others.at(-1), ...others.slice(0, -1)].join()
}

/** With reductions, rings where messages go one way have few states, if all nodes wake first. */
const LONG_RINGS = [10, ...range(50, 250, 50)]

const ring = (name, sizes, spinSizes, eagerSizes) => ({
  title: name,
  sizes,
  words: (n) => `${name} --ids ${mixed(n)}`,
  model: name,
  spinSizes,
  eagerSizes,
  defines: (n) => [`IDS=${mixed(n)}`],
})

export const worlds = [
  {
    title: 'lcr',
    sizes: [10, ...range(50, 1000, 50)],
    words: (n) => `lcr --ids ${decreasing(n)}`,
    model: 'lcr',
    spinSizes: [8, 12, ...range(16, 28)],
    eagerSizes: LONG_RINGS,
    defines: (n) => [`IDS=${decreasing(n)}`],
  },
  {
    title: 'lcr, no reduction',
    sizes: [8, ...range(10, 20)],
    words: (n) => `lcr --ids ${decreasing(n)} --reduction off`,
    model: 'lcr',
    spinSizes: [8, ...range(10, 20)],
    flags: ['-DNOREDUCE'],
    defines: (n) => [`IDS=${decreasing(n)}`],
  },
  ring('hirschberg-sinclair', range(6, 24), range(6, 16), range(6, 20)),
  ring('peterson', [10, 50, 100, 250, 500, 1000], [8, 12, ...range(16, 28)], LONG_RINGS),
  ring('franklin', range(6, 40), range(6, 16), range(6, 20)),
  {
    title: 'bully, a crash, clocked:1',
    sizes: range(3, 8),
    words: (n) => `bully --ids ${mixed(n)} --crashes 1 --mode clocked:1`,
    model: 'bully',
    spinSizes: range(3, 6),
    defines: (n) => [`IDS=${mixed(n)}`],
  },
  {
    title: 'bully, 2 crashes, clocked:1',
    sizes: range(3, 8),
    words: (n) => `bully --ids ${mixed(n)} --crashes 2 --mode clocked:1`,
    none: 'no model: it has one crash',
  },
  {
    title: 'singh',
    sizes: range(3, 12),
    words: (n) => `singh --ids ${mixed(n)}`,
    model: 'singh',
    spinSizes: range(3, 9),
    defines: (n) => [`IDS=${mixed(n)}`],
  },
  {
    title: 'raft, term 2, a crash, lossy links',
    sizes: range(2, 7),
    words: (n) =>
      `raft --ids ${increasing(n)} --links lossy --crashes 1 --bound term=2 --detect off`,
    model: 'raft',
    spinSizes: range(2, 5),
    defines: (n) => [`IDS=${increasing(n)}`],
  },
  {
    title: 'raft, term 2, a crash, a loss, clocked:1',
    sizes: range(2, 7),
    words: (n) =>
      `raft -n ${n} --crashes 1 --losses 1 --bound term=2 --mode clocked:1 --timeouts 2`,
    none: 'no model: it has no clock',
  },
  {
    // A lease of 4 ends too soon for a second leader, even if a voter breaks its promise.
    title: 'quorum-lease, bounded to term 2',
    sizes: range(2, 7),
    words: (n) =>
      `quorum-lease --ids ${increasing(n)} --set lease=6 --bound term=2 number=5 age=1 --timeouts 1`,
    model: 'quorum-lease',
    spinSizes: range(2, 5),
    defines: (n) => [`IDS=${increasing(n)}`],
  },
  {
    title: 'ghs on a ring',
    sizes: range(3, 30),
    words: (n) => `ghs -t ring:${n} --ids ${mixed(n)} --weights ${weightsInOrder(n)}`,
    model: 'ghs',
    spinSizes: range(3, 30),
    defines: (n) => [`IDS=${mixed(n)}`, `WEIGHTS=${weights(n)}`],
  },
  {
    title: 'gossip-average, one exchange',
    sizes: range(2, 8),
    words: (n) => `gossip-average --values ${increasing(n)} --set exchanges=1`,
    model: 'gossip-average',
    spinSizes: range(2, 6),
    defines: (n) => [`IDS=${increasing(n)}`],
  },
]
