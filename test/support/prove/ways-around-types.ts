import type { Way } from './wrong-definitions.ts'

/** Ways in which TypeScript lets a value have another type than it says, without a cast. */
export const AROUND_TYPES: readonly Way[] = [
  {
    name: 'an optional member',
    ts: (e) => `more.v === ${e}`,
    before: (e, k) =>
      `const full = { n: 1, v: ${k} }
      const less: { n: number } = full
      const more: { n: number; v?: typeof ${e} } = less`,
  },
  {
    name: 'an optional member in JavaScript',
    js: (e) => `more.v === ${e}`,
    before: (e, k) =>
      `const full = { n: 1, v: ${k} }
      let less = { n: 1 }
      less = full
      let more = [{ n: 1, v: ${e} }, { n: 1 }][0]
      more = less`,
  },
  {
    name: 'a member that a spread replaces',
    ts: (e) => `more.v === ${e} && body.id !== my.id`,
    before: (e, k) =>
      `const full = { n: 1, v: ${k} }
      const less: { n: number } = full
      const more = { v: ${e}, ...less }`,
  },
  {
    name: 'a list with a number',
    ts: (e, k) => `[${e}, 0][0] === ${k}`,
    js: (e, k) => `[${e}, 0][0] === ${k}`,
  },
  {
    name: 'an object with a number',
    ts: (e, k) => `(${e} === null ? { v: 0 } : { v: ${e} }).v === ${k}`,
    js: (e, k) => `(${e} === null ? { v: 0 } : { v: ${e} }).v === ${k}`,
  },
  {
    name: 'an object of several types',
    ts: () => 'hit()',
    before: (e, k) =>
      `type V = typeof ${e}
      const n: { v: number } = { v: ${k} }
      type A = { kind: 'a' | 'x'; p: { v: V } | null }
      type B = { kind: 'b' | 'x'; p: { v: number } | null }
      const a: A | B = { kind: 'x', p: null }
      a.p = n
      a.kind = 'a'
      const hit = () => a.kind === 'a' && a.p !== null && a.p.v === ${e}`,
  },
  {
    name: 'a constant that nobody names',
    ts: (e) => `BOX.v === ${e}`,
    top: (k) => `const BOX: { v?: any } = {}\nconst set = (BOX.v = ${k} as never)`,
  },
  {
    name: 'a number as an argument',
    ts: (e, k) => `is(${e}, ${k})`,
    top: () => 'const is = (a: unknown, b: unknown) => a === b',
  },
]
