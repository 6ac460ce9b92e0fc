import type { Option } from './option.ts'
import type { FieldLocator, ScenarioInput } from './reading.ts'

/** What an experiment has besides its world, as a flag, in the library and in its document. */
export const EXPERIMENT: Readonly<Record<string, Option>> = {
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
  title: { group: 'output', value: 'text', says: 'title of the report' },
}

/** The fields of an experiment as a document, in the library without `base` and `quick`. */
export const DOCUMENT_FIELDS = [
  'title',
  'discussion',
  'base',
  'sweep',
  'repeat',
  'seed',
  'measure',
  'ownMeasures',
  'fit',
  'x',
  'log',
  'claims',
  'mayFail',
  'quick',
]

/** The same fields by their own names, and where each was given: it may have another name there. */
export function withOwnNames(
  given: ScenarioInput,
  where: FieldLocator,
): [fields: ScenarioInput, where: FieldLocator] {
  const fields = { ...given }
  const names = new Map<string, string>()
  for (const [name, { aliases = [] }] of Object.entries(EXPERIMENT))
    for (const alias of aliases.filter((one) => Object.hasOwn(fields, one))) {
      if (!Object.hasOwn(fields, name)) {
        fields[name] = fields[alias]
        names.set(name, alias)
      }
      delete fields[alias]
    }
  return [fields, (field) => where(names.get(field) ?? field)]
}

/** In how many threads of this machine a command works. */
export const THREADS: Option = {
  group: 'workers',
  value: 'count',
  says: 'threads of this machine',
  usual: 'as many as processors',
  aliases: ['workers'],
}
