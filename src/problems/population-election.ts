import type { Property } from '../core/index.ts'

/** All nodes start before the first meeting; until then nobody can be missed. */
const someoneLeads: Property = {
  name: 'at least one leader',
  says: 'After the start at least one node leads.',
  when: 'always',
  sees: 'outcomes',
  symmetric: true,
  broken(global) {
    if (global.leaders.length > 0) return null
    for (let node = 0; node < global.n; node++)
      if (global.state(node).status === 'asleep') return null
    return 'no node leads'
  },
}

const neverMore: Property = {
  name: 'the number of leaders never grows',
  says: 'No meeting makes more leaders than there were.',
  when: 'always',
  sees: 'leaders',
  symmetric: true,
  broken: ({ leaders, gained = 0 }) =>
    gained > 0
      ? `${leaders.length - gained} led before a meeting, and ${leaders.length} after`
      : null,
}

const oneStays: Property = {
  name: 'exactly one leader from some time on',
  says: 'From some time on exactly one node leads, though not always the same.',
  when: 'from some time on',
  sees: 'leaders',
  symmetric: true,
  broken: ({ leaders }) =>
    leaders.length === 1
      ? null
      : leaders.length === 0
        ? 'no node leads'
        : `${leaders.length} nodes lead`,
}

/**
 * Leader election where nodes meet (Angluin et al. 2006): candidates only become fewer, and in the
 * end one is left, with probability 1. No node ever knows that it is over.
 */
export const populationProperties: readonly Property[] = [someoneLeads, neverMore, oneStays]
