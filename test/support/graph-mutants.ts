import type { Mutant } from './mutant.ts'

const ONE = 'at most one leader'
const LOST = 'the others know they lost'
const END = 'exactly one leader at the end'

/** Bugs in elections on any network. */
export const graphMutants: readonly Mutant[] = [
  {
    bug: 'a link that was answered no is not turned round',
    file: 'graph/yo-yo.ts',
    from: '    if (!confirmed) outs.add(from)\n',
    to: '',
    world: { topology: 'path:3', ids: '2,1,3' },
    breaks: LOST,
  },
  {
    bug: 'a value that came before its link was turned is forgotten',
    file: 'graph/yo-yo.ts',
    from: '  if (my.values.has(from)) my.heard++\n',
    to: '',
    world: { topology: 'path:4', ids: '4,1,3,2' },
    breaks: END,
  },
  {
    bug: 'a node that has also voted no passes for a leaf',
    file: 'graph/yo-yo.ts',
    from: 'yes && best.length === ins.size && below',
    to: 'yes && below',
    world: { topology: 'path:3', ids: '2,1,3' },
    breaks: ONE,
  },
  {
    bug: 'off by one: a round less than the diameter',
    file: 'graph/flood-max.ts',
    from: 'if (my.round === net.diameter) return decide',
    to: 'if (my.round >= net.diameter - 1) return decide',
    world: { topology: 'path:3', ids: '3,1,2' },
    breaks: ONE,
  },
  {
    bug: 'wrong comparison: what is new is not sent',
    file: 'graph/flood-max.ts',
    from: 'my.best! > my.told!',
    to: 'my.best! < my.told!',
    world: { topology: 'path:3', ids: '3,1,2', set: 'send=changes' },
    breaks: ONE,
  },
]
