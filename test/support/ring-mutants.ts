import type { Mutant } from './mutant.ts'

const ONE = 'at most one leader'
const END = 'exactly one leader at the end'
const LARGEST = 'the largest id leads'

/** Bugs in the elections on rings that count steps or tokens exactly. */
export const ringMutants: readonly Mutant[] = [
  {
    bug: 'forgotten comparison: whoever has its own id back leads',
    file: 'ring/le-lann.ts',
    from: '} else if (my.best === my.id) {',
    to: '} else {',
    world: { ids: '1,2' },
    breaks: ONE,
  },
  {
    bug: 'forgotten note: larger ids are passed on, but not remembered',
    file: 'ring/le-lann.ts',
    from: 'my.best = larger(my.best, id)\n',
    to: '',
    world: { ids: '1,2' },
    breaks: ONE,
  },
  {
    bug: 'wrong link: what is passed on always goes clockwise',
    file: 'ring/alternating-steps.ts',
    from: 'if (my.passive) net.send(net.onward',
    to: 'if (my.passive) net.send(left',
    world: { ids: '1,2' },
    breaks: END,
  },
  {
    bug: 'no alternation: every step compares with the same side',
    file: 'ring/alternating-steps.ts',
    from: 'net.send(net.from, ELECTION, { id: my.id })',
    to: 'net.send(net.onward, ELECTION, { id: my.id })',
    world: { ids: '1,2' },
    breaks: END,
  },
  {
    bug: 'wrong comparison: in even steps the smaller value moves ahead',
    file: 'ring/uni-alternate.ts',
    from: ': value > my.value',
    to: ': value < my.value',
    world: { ids: '3,1,2' },
    breaks: LARGEST,
  },
  {
    bug: 'forgotten value: a node does not stand for what has won',
    file: 'ring/uni-alternate.ts',
    from: '      if (my.step % 2 === 0) my.value = value\n',
    to: '',
    world: { ids: '3,1,2' },
    breaks: LARGEST,
  },
  {
    bug: 'forgotten mark: equal draws are taken for different ones',
    file: 'ring/itai-rodeh-bit.ts',
    from: 'unique: unique && !twin',
    to: 'unique',
    world: { n: 2 },
    breaks: ONE,
  },
  {
    bug: 'no new draw: who is not alone sends the same id again',
    file: 'ring/itai-rodeh-bit.ts',
    from: 'my.drawn = 1 + net.choose(my.ids)',
    to: 'my.drawn ||= 1 + net.choose(my.ids)',
    world: { n: 2 },
    rules: { fairRuns: true },
    breaks: 'every fair run ends',
  },
  {
    bug: 'wrong hop count: a token is home one node too early',
    file: 'ring/itai-rodeh-bare.ts',
    from: 'hop === net.n',
    to: 'hop === net.n - 1',
    world: { n: 2 },
    breaks: ONE,
  },
  {
    bug: 'forgotten draw: an equal id is swallowed, and nobody goes on',
    file: 'ring/itai-rodeh-bare.ts',
    from: 'if (id === my.drawn) return draw(my, net)\n',
    to: 'if (id === my.drawn) return\n',
    world: { n: 2 },
    breaks: END,
  },
]
