import type { Option } from './option.ts'

/** What an experiment has besides its world, as a flag, in the library and in its document. */
export const EXPERIMENT: Readonly<Record<string, Option>> = {
  title: { group: 'output', value: 'text', says: 'title of the report' },
  sweep: {
    group: 'sweep',
    value: 'name=values',
    says: 'parameter to vary and its values, repeatable',
    repeatable: true,
    common: true,
  },
  repeat: {
    group: 'sweep',
    value: 'times',
    says: 'runs per point, or all: every permutation of the ids',
    usual: '1',
    words: ['all'],
    common: true,
  },
  measure: {
    group: 'sweep',
    value: 'name',
    says: 'quantity to measure, repeatable',
    usual: 'messages, bits and times; gossip: factor, within, error',
    aliases: ['measures'],
    repeatable: true,
    common: true,
  },
  fit: {
    group: 'sweep',
    value: 'form',
    says: 'auto, or "messages ~ n log2 n", repeatable',
    aliases: ['fits'],
    words: ['auto'],
    repeatable: true,
    common: true,
  },
  x: {
    group: 'sweep',
    value: 'name',
    says: 'the sweep along which growth is fitted',
    usual: 'n',
  },
  log: {
    group: 'output',
    value: 'axes',
    says: 'logarithmic axes of the figures: x, y, x,y or none',
    usual: 'x for powers',
    words: ['x', 'y', 'x,y'],
  },
}

/** In how many threads of this machine a command works. */
export const THREADS: Option = {
  group: 'workers',
  value: 'count',
  says: 'threads of this machine',
  usual: 'as many as processors',
  aliases: ['workers'],
}
