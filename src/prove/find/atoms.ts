import { right } from '../../core/language/net.ts'
import { RING_LINKS } from '../sorts.ts'
import type { Field, Vocabulary } from '../vocabulary.ts'

type View = Readonly<Record<string, unknown>>

/** Two nodes, and perhaps a third one or a message, as clauses see them. */
export interface Viewed {
  readonly a: View
  readonly b: View
  readonly c: View | null
  readonly m: View | null
  readonly ring: { inside(a: object, b: object, c: object): boolean }
}

/** A statement about two nodes and a message, and how it and its negation are written. */
export interface Atom {
  readonly holds: (viewed: Viewed) => boolean
  readonly text: string
  readonly not: string
}

/** The atoms for two nodes and messages of a kind; null: for two nodes alone. */
export function atomsOf({ node, messages }: Vocabulary, kind: number | null): Atom[] {
  const both = ['a', 'b'] as const
  return [
    {
      holds: ({ a, b }) => (a.id as number) < (b.id as number),
      text: 'a.id < b.id',
      not: 'b.id < a.id',
    },
    ...(kind === null ? [] : messageAtoms(messages[kind])),
    ...both.flatMap((name) => nodeAtoms(name, node)),
  ]
}

/**
 * The atoms for three nodes: of which b is the one whose id a keeps, and c any other. `kept` are
 * those that say whose id it is.
 */
export function keptIdAtoms({ node }: Vocabulary): {
  readonly kept: Atom[]
  readonly rest: Atom[]
} {
  const ids = node.filter(({ name, sort }) => sort.kind === 'id' && name !== 'id')
  const links = node.filter(({ sort }) => sort === RING_LINKS)
  const order = (one: 'a' | 'b', other: 'b' | 'c'): Atom => ({
    holds: (viewed) => (viewed[one].id as number) < (viewed[other]!.id as number),
    text: `${one}.id < ${other}.id`,
    not: `${one}.id >= ${other}.id`,
  })
  return {
    kept: ids.map(
      ({ name }): Atom => ({
        holds: ({ a, b }) => a[name] === b.id,
        text: `a.${name} === b.id`,
        not: `a.${name} !== b.id`,
      }),
    ),
    rest: [
      ...links.map(
        ({ name }): Atom => ({
          holds: ({ a, b, c, ring }) =>
            a[name] === right ? ring.inside(b, c!, a) : ring.inside(a, c!, b),
          ...named(`(a.${name} === right ? ring.inside(b, c, a) : ring.inside(a, c, b))`),
        }),
      ),
      {
        holds: ({ a, b, c, ring }) => ring.inside(b, c!, a),
        ...named('ring.inside(b, c, a)'),
      },
      order('a', 'b'),
      order('a', 'c'),
      order('b', 'c'),
      ...nodeAtoms('c', node),
      ...nodeAtoms('a', node),
    ],
  }
}

/** What the fields of one node may be. */
function nodeAtoms(name: 'a' | 'b' | 'c', fields: readonly Field[]): Atom[] {
  return fields.flatMap(({ name: field, sort }): Atom[] => {
    const read = (viewed: Viewed) => viewed[name]![field]
    const is = (value: unknown): Atom => equality(read, `${name}.${field}`, value)
    if (field === 'status') return [is('leader'), is('asleep')]
    if (field === 'id' || field.includes(' ')) return []
    if (sort.kind === 'id') return sort.nullable ? [is(null)] : []
    if (sort.kind !== 'finite') return []
    if (sort.values.every((value) => typeof value === 'boolean'))
      return [{ holds: (viewed) => read(viewed) === true, ...named(`${name}.${field}`) }]
    return sort.values.map(is)
  })
}

function named(text: string): Pick<Atom, 'text' | 'not'> {
  return { text, not: `!${text}` }
}

function equality(read: (viewed: Viewed) => unknown, name: string, value: unknown): Atom {
  const shown = typeof value === 'string' ? `'${value}'` : String(value)
  return {
    holds: (viewed) => read(viewed) === value,
    text: `${name} === ${shown}`,
    not: `${name} !== ${shown}`,
  }
}

/** Where a message is and goes, whose id it has, and whom it has passed. */
function messageAtoms(fields: readonly Field[]): Atom[] {
  const ids = fields.filter(({ sort }) => sort.kind === 'id').map(({ name }) => name)
  const both = ['a', 'b'] as const
  return [
    { holds: ({ m }) => m!.from === right, text: 'm.from === right', not: 'm.from === left' },
    ...both.map(
      (name): Atom => ({
        holds: (viewed) => viewed.m!.to === viewed[name],
        text: `m.to === ${name}`,
        not: `m.to !== ${name}`,
      }),
    ),
    ...ids.flatMap((field): Atom[] => [
      ...both.map(
        (name): Atom => ({
          holds: (viewed) => viewed.m![field] === viewed[name].id,
          text: `m.${field} === ${name}.id`,
          not: `m.${field} !== ${name}.id`,
        }),
      ),
      {
        holds: ({ m, a }) => (m![field] as number) < (a.id as number),
        text: `m.${field} < a.id`,
        not: `m.${field} >= a.id`,
      },
    ]),
    {
      holds: ({ a, b, m, ring }) =>
        m!.from === right ? ring.inside(a, b, m!.to as object) : ring.inside(m!.to as object, b, a),
      ...named('(m.from === right ? ring.inside(a, b, m.to) : ring.inside(m.to, b, a))'),
    },
  ]
}
