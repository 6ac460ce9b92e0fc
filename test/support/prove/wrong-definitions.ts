import type { TypeScript } from '../../../src/compiler/typescript.ts'
import type { Algorithm, Random } from '../../../src/core/index.ts'
import * as problems from '../../../src/problems/index.ts'
import type { ScenarioInput } from '../../../src/scenario/index.ts'
import { AROUND_TYPES } from './ways-around-types.ts'

/*
 * Definitions that do more with ids, counters, terms, values or parameters than compare them: with
 * one number that they name, a second node leads. Each is LCR, or an election in terms, with one
 * condition more.
 */

export interface WrongDefinition {
  /** What is misused, and in which way. */
  readonly what: string
  readonly language: 'ts' | 'js'
  readonly source: string
  /** A world in which two nodes lead at once, or in one term. */
  readonly world: ScenarioInput
}

/** A way to find out whether a value is a number: a condition, and what it needs beside it. */
export interface Way {
  readonly name: string
  /** In TypeScript and in JavaScript; left out if there is no such way in it. */
  readonly ts?: (e: string, k: number) => string
  readonly js?: (e: string, k: number) => string
  /** Declarations at the level of the module, and statements before the condition. */
  readonly top?: (k: number, typed: boolean) => string
  readonly before?: (e: string, k: number) => string
}

const both = (test: (e: string, k: number) => string) => ({ ts: test, js: test })

export const WAYS: readonly Way[] = [
  { name: 'a cast', ts: (e, k) => `(${e} as unknown as number) === ${k}` },
  { name: 'a cast to any', ts: (e, k) => `(${e} as any) === ${k}` },
  { name: 'a cast to never', ts: (e, k) => `${e} === (${k} as never)` },
  { name: 'a literal', js: (e, k) => `${e} === ${k}` },
  {
    name: 'a constant of the module',
    ts: (e) => `${e} === BOSS`,
    js: (e) => `${e} === BOSS`,
    top: (k, typed) => `const BOSS${typed ? ': any' : ''} = ${k}`,
  },
  {
    name: 'a computed constant',
    ts: (e) => `(${e} as unknown) === BOSS`,
    js: (e) => `${e} === BOSS`,
    top: (k, typed) => `const BOSS${typed ? ': unknown' : ''} = ${k - 1} + 1`,
  },
  {
    name: 'a subtraction',
    ts: (e, k) => `Number(${e}) - ${k} === 0`,
    js: (e, k) => `${e} - ${k} === 0`,
  },
  { name: 'a remainder', js: (e, k) => `${e} % ${k} === 0 && ${e} / ${k} === 1` },
  { name: 'a bit operation', js: (e, k) => `(${e} | 0) === ${k}` },
  { name: 'a sign', js: (e, k) => `-${e} === -${k}` },
  { name: 'a range', js: (e, k) => `${e} > ${k} - 1 && ${e} < ${k} + 1` },
  { name: 'Number', ...both((e, k) => `Number(${e}) === ${k}`) },
  { name: 'String', ...both((e, k) => `String(${e}) === '${k}'`) },
  { name: 'a template', ...both((e, k) => `\`\${${e}}\` === '${k}'`) },
  { name: 'JSON', ...both((e, k) => `JSON.stringify({ x: ${e} }) === '{"x":${k}}'`) },
  { name: 'toString', ...both((e, k) => `${e}.toString() === '${k}'`) },
  {
    name: 'valueOf',
    ...both((e, k) => `(${e}.valueOf() as unknown) === ${k}`),
    js: (e, k) => `${e}.valueOf() === ${k}`,
  },
  { name: 'join', ...both((e, k) => `[${e}].join() === '${k}'`) },
  {
    name: 'sort',
    js: (e, k) => `[${e}, ${k}].sort()[0] === [${k}, ${e}].sort()[1]`,
    ts: (e, k) => `String([${e}].sort()[0]) === '${k}'`,
  },
  {
    name: 'includes',
    ts: (e, k) => `([${k}] as unknown[]).includes(${e})`,
    js: (e, k) => `[${k}].includes(${e})`,
  },
  {
    name: 'includes in a list of the module',
    ts: (e) => `BOSSES.includes(${e})`,
    js: (e) => `BOSSES.includes(${e})`,
    top: (k, typed) => `const BOSSES${typed ? ': unknown[]' : ''} = [${k}]`,
  },
  {
    name: 'a set of the module',
    ts: (e) => `BOSSES.has(${e})`,
    js: (e) => `BOSSES.has(${e})`,
    top: (k, typed) => `const BOSSES = new Set${typed ? '<unknown>' : ''}([${k}])`,
  },
  {
    name: 'a key of a map',
    ts: (e) => `BOSSES.get(${e}) === true`,
    js: (e) => `BOSSES.get(${e}) === true`,
    top: (k, typed) => `const BOSSES = new Map${typed ? '<unknown, boolean>' : ''}([[${k}, true]])`,
  },
  {
    name: 'a key of a table',
    ts: (e) => `TABLE[${e} as never] === true`,
    js: (e) => `TABLE[${e}] === true`,
    top: (k) => `const TABLE = { '${k}': true }`,
  },
  { name: 'Object.is', ...both((e, k) => `Object.is(${e}, ${k})`) },
  {
    name: 'a switch',
    js: () => 'found',
    ts: () => 'found',
    before: (e, k) => `let found = false\n      switch (${e}) { case ${k}: found = true }`,
  },
  {
    name: 'a switch over any',
    ts: () => 'found',
    before: (e, k) =>
      `let found = false\n      switch (${e} as unknown) { case ${k}: found = true }`,
  },
  {
    name: 'an alias',
    ts: (_, k) => `alias === ${k}`,
    js: (_, k) => `alias === ${k}`,
    before: (e) => `const alias = ${e}`,
  },
  {
    name: 'an alias of no type',
    ts: (_, k) => `alias === ${k}`,
    before: (e) => `const alias: unknown = ${e}`,
  },
  {
    name: 'a variable that is a number',
    ts: (_, k) => `alias === ${k}`,
    before: (e) => `const alias: number = ${e} as never`,
  },
  { name: 'a closure', ...both((e, k) => `(() => ${e})() === ${k}`) },
  { name: 'a closure of no type', ts: (e, k) => `((): unknown => ${e})() === ${k}` },
  {
    name: 'a function of the module',
    ts: (e) => `isBoss(${e})`,
    js: (e) => `isBoss(${e})`,
    top: (k, typed) => `function isBoss(x${typed ? ': unknown' : ''}) { return x === ${k} }`,
  },
  {
    name: 'a generic function',
    ts: (e) => `isBoss(${e})`,
    top: (k) => `function isBoss<T>(x: T) { return Object.is(x, ${k}) }`,
  },
  {
    name: 'a default parameter',
    ...both((e, k) => `((x = ${e}) => x === ${k})()`),
    ts: (e, k) => `((x: unknown = ${e}) => x === ${k})()`,
  },
  {
    name: 'a getter',
    ts: (e, k) => `({ get x(): unknown { return ${e} } }).x === ${k}`,
    js: (e, k) => `({ get x() { return ${e} } }).x === ${k}`,
  },
  {
    name: 'optional chaining',
    ts: (e, k) => `(${e} as any)?.valueOf() === ${k}`,
    js: (e, k) => `${e}?.valueOf() === ${k}`,
  },
  {
    name: 'a spread object',
    ts: (e, k) => `({ ...{ x: ${e} } } as any).x === ${k}`,
    js: (e, k) => `({ ...{ x: ${e} } }).x === ${k}`,
  },
  {
    name: 'a spread list',
    ts: (e, k) => `Math.max(...([${e}] as any)) === ${k}`,
    js: (e, k) => `Math.max(...[${e}]) === ${k}`,
  },
  { name: 'Math', js: (e, k) => `Math.abs(${e}) === ${k}` },
  {
    name: 'element access',
    ts: (e, k) => `[[${e}]]['0']!['0' as never] === ${k}`,
    js: (e, k) => `[${e}]['0'] === ${k}`,
  },
  { name: 'values of an object', ...both((e, k) => `Object.values({ x: ${e} })[0] === ${k}`) },
  { name: 'Reflect', ...both((e, k) => `Reflect.get({ x: ${e} }, 'x') === ${k}`) },
  {
    name: 'an error',
    ts: () => 'found',
    js: () => 'found',
    before: (e, k) =>
      `let found = false\n      try { throw ${e} } catch (x) { found = x === ${k} }`,
  },
  {
    name: 'try',
    ts: () => 'found',
    js: () => 'found',
    before: (e, k) => `let found = false\n      try { found = Number(${e}) === ${k} } catch {}`,
  },
  {
    name: 'finally',
    ts: () => 'found',
    js: () => 'found',
    before: (e, k) => `let found = false\n      try { found = String(${e}) === '${k}' } finally {}`,
  },
  {
    name: 'a callback',
    js: (e, k) => `[${e}].some((x) => x === ${k})`,
    ts: (e, k) => `[${e}].some((x: unknown) => x === ${k})`,
  },
  { name: 'a function of the language', ...both((e, k) => `[${e}].map(String)[0] === '${k}'`) },
  {
    name: 'a length',
    ts: (e, k) => `new Array(${e} as never).length === ${k}`,
    js: (e, k) => `new Array(${e}).length === ${k}`,
  },
  {
    name: 'BigInt',
    ...both((e, k) => `BigInt(${e} as never) === ${k}n`),
    js: (e, k) => `BigInt(${e}) === ${k}n`,
  },
  {
    name: 'a class',
    ts: (e) => `new Box(${e}).is()`,
    js: (e) => `new Box(${e}).is()`,
    top: (k, typed) =>
      typed
        ? `class Box { constructor(readonly x: unknown) {} is() { return this.x === ${k} } }`
        : `class Box { constructor(x) { this.x = x } is() { return this.x === ${k} } }`,
  },
  {
    name: 'a member of a type of a field',
    ts: (e, k) => `uid['text'](${e} as never) === '${k}'`,
    js: (e, k) => `uid['text'](${e}) === '${k}'`,
  },
  {
    name: 'a member by another name',
    ts: (e, k) => `larger(${e} as never) === '${k}'`,
    js: (e, k) => `larger(${e}) === '${k}'`,
    top: () => "const larger = uid['text']",
  },
  {
    name: 'a type predicate',
    ts: (e) => `isBoss(${e})`,
    top: (k) => `function isBoss(x: unknown): x is never { return x === ${k} }`,
  },
  {
    name: 'a comment',
    ts: (e, k) => `// @ts-ignore\n        ${e} === ${k}`,
    js: (e, k) => `/** @type {any} */ (${e}) === ${k}`,
  },
  {
    name: 'a wrapper',
    ts: (e, k) => `box({ x: ${e} }) === ${k}`,
    js: (e, k) => `box({ x: ${e} }) === ${k}`,
    top: (_, typed) =>
      typed ? 'const box = (given: { x: any }) => given.x' : 'const box = (given) => given.x',
  },
  ...AROUND_TYPES,
]

type Misused = 'id' | 'own id' | 'counter' | 'real' | 'input' | 'parameter' | 'term'

/** The expressions that hold what is misused. */
const EXPRESSIONS: Readonly<Record<Misused, string>> = {
  ...{ id: 'body.id', 'own id': 'my.id', counter: 'body.hops', real: 'body.load' },
  ...{ input: 'my.value', parameter: 'my.limit', term: 'body.term' },
}

export const MISUSED = Object.keys(EXPRESSIONS) as Misused[]

/** A definition that misuses something in some way; null if the language has no such way. */
export function wrongDefinition(
  misused: Misused,
  { name, top, before, ...tests }: Way,
  language: 'ts' | 'js',
  random: Random,
): WrongDefinition | null {
  const test = tests[language]
  if (test === undefined) return null
  // A counter takes as many nodes, and a term as many messages.
  const small = { counter: [5, 4], term: [20, 30] } as Partial<Record<Misused, number[]>>
  const [from, span] = small[misused] ?? [1000, 50_000]
  const k = from + random.below(span)
  const e = EXPRESSIONS[misused]
  const condition = { test: test(e, k), before: before?.(e, k) ?? '' }
  const head = top?.(k, language === 'ts') ?? ''
  const source = misused === 'term' ? inTerms(head, condition) : onRing(head, condition)
  return { what: `${misused}: ${name}`, language, source, world: worldOf(misused, k) }
}

function worldOf(misused: Misused, k: number): ScenarioInput {
  switch (misused) {
    case 'counter':
      return { n: k + 3, ids: 'increasing', 'elect-by': 'id' }
    case 'id':
      return { ids: `${k},1,2,${10 * k}`, 'elect-by': 'id' }
    case 'own id':
      return { ids: `${k},1,2,${10 * k}`, 'elect-by': 'id' }
    case 'parameter':
      return { ids: '1,2,3', set: { limit: k }, 'elect-by': 'id' }
    case 'term':
      return { n: 3, ids: '1,2,3' }
    default:
      return { ids: '1,2,3,4', values: `${k},1,2,3`, 'elect-by': 'id' }
  }
}

interface Condition {
  readonly test: string
  readonly before: string
}

const NAMES = 'algorithm, counter, leaderPerTerm, left, message, next, one, real, right, stable'
const IMPORTS = `import { ${NAMES}, term, uid } from 'conclave'`

function onRing(top: string, { test, before }: Condition): string {
  return `${IMPORTS}
${top}
const ELECTION = message({ id: uid, hops: counter, load: real })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'wrong',
  needs: { topology: 'ring', ids: 'unique', knows: ['inputs'] },
  messages: { ELECTION, LEADER },
  params: { limit: { says: 'a number', value: () => 3 } },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id, hops: one, load: my.value })
  },
  on: {
    ELECTION(my, body, net) {
      ${before}
      if (
        ${test}
      )
        net.lead()
      if (body.id > my.id)
        net.send(left, ELECTION, { id: body.id, hops: next(body.hops), load: body.load })
      if (body.id === my.id) {
        net.lead()
        net.send(left, LEADER, { id: my.id })
      }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },
  invariant: ({ nodes, each }) => ({
    'ELECTION travels left': each(ELECTION).and(0, (m) => m.from === right),
    'an id has passed only smaller ones': each(ELECTION).and(
      2,
      (m, owner, b, ring) => m.id !== owner.id || !ring.inside(owner, b, m.to) || b.id < owner.id,
    ),
    'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),
    'all follow the largest': nodes(2, (a, b) => a.leader === null || b.id <= a.leader),
  }),
})
`
}

/** Nodes count terms up in turn; with one of them, everybody leads. */
function inTerms(top: string, { test, before }: Condition): string {
  return `${IMPORTS}
${top}
const TICK = message({ term })
export default algorithm({
  name: 'wrong',
  needs: { topology: 'complete', ids: 'unique', knows: ['peers', 'voters'] },
  problem: leaderPerTerm,
  messages: { TICK },
  state: { term: stable(term) },
  wakes: true,
  start(my, net) {
    net.sendAll(TICK, { term: my.term })
  },
  on: {
    TICK(my, body, net) {
      ${before}
      if (
        ${test}
      ) {
        my.term = body.term
        net.lead({ term: body.term })
        net.stop()
      } else if (body.term === my.term) {
        my.term++
        net.sendAll(TICK, { term: my.term })
      }
    },
  },
  invariant: ({ each }) => ({}),
})
`
}

/** The definition that a source exports, as it runs: its types are thrown away. */
export function evaluated(
  ts: TypeScript,
  { source, language }: Pick<WrongDefinition, 'source' | 'language'>,
): Algorithm {
  const { outputText } = ts.transpileModule(source, {
    fileName: `wrong.${language}`,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
    },
  })
  const exported: { default?: Algorithm } = {}
  new Function('exports', 'require', outputText)(exported, () => problems)
  return exported.default!
}
