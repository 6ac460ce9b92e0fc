import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { catalogue } from '../../algorithms/definitions.ts'
import { type OwnProgram, ownProgram } from '../own-program.ts'
import { SourceFiles } from '../source-files.ts'
import { placeText } from '../source-place.ts'
import { loadTypeScript } from '../typescript.ts'
import { numbersIn } from './definition-code.ts'
import { idEvidenceIn, useEvidenceOf } from './id-evidence.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const idEvidenceOf = (own: OwnProgram) => idEvidenceIn(useEvidenceOf(own, placeText))
const typescript = await loadTypeScript()

/** Source texts in place of files. */
class TextFiles extends SourceFiles {
  constructor(private readonly given: Readonly<Record<string, string>>) {
    super()
  }

  override read(path: string): string | undefined {
    return this.given[path] ?? super.read(path)
  }

  override exists(path: string): boolean {
    return path in this.given || super.exists(path)
  }
}

/** Programs of one file each, which share what they import: parsing that takes a second. */
function programsOf(sources: readonly string[]): OwnProgram[] {
  const paths = sources.map((_, i) => join(root, `case-${i}.ts`))
  const all = join(root, 'all-cases.ts')
  const files = new TextFiles({
    [all]: paths.map((_, i) => `import './case-${i}.ts'\n`).join(''),
    ...Object.fromEntries(paths.map((path, i) => [path, sources[i]])),
  })
  const { ts, program } = ownProgram(typescript, all, files, true)
  return paths.map((path) => ({ ts, program, own: [program.getSourceFile(path)!] }))
}

/** LCR with another piece of code in its handler, and other fields. */
function withCode(code: string, state = '{ best: maybe(uid), many: list(uid), few: set(uid) }') {
  return `import { algorithm, compareIds, larger, left, list, map, maybe, message, nat, pair,
  record, set, type Uid, uid } from 'conclave'
const ELECTION = message({ id: uid })
function least(ids: readonly Uid[]): Uid | null {
  let found: Uid | null = null
  for (const id of ids) if (found === null || id < found) found = id
  return found
}
function same<T>(value: T): T { return value }
export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique', knows: ['peers'] },
  messages: { ELECTION },
  state: ${state},
  wakes: true,
  start(my, net) { net.send(left, ELECTION, { id: my.id }) },
  on: {
    ELECTION(my, body, net) {
      const { id } = body
      ${code}
      if (id > my.id) net.send(left, ELECTION, { id })
      else if (id === my.id) net.lead()
    },
  },
})
`
}

const COMPARED = [
  '',
  'my.best = id',
  'if (my.best !== null && my.best < id) my.best = null',
  'my.best ??= id',
  'const wins = id > my.id ? id : my.id; my.best = wins',
  'my.many.push(id); my.many.sort(compareIds); my.few.add(id)',
  'my.best = least(my.many)',
  'my.best = least([...my.many, my.id])',
  'const all = net.links.map((link) => net.peer(link)); if (all.includes(my.id)) return',
  'my.best = larger(id, my.id); net.follow(my.best)',
  'const seen = new Set<Uid>(); seen.add(id); if (seen.has(my.id)) return',
  'const rank = new Map<Uid, number>(); rank.set(id, 1)',
  'if (my.many.some((one) => one < id)) return',
  'my.many = my.many.filter((one) => one !== id)',
  'my.best = same(id)',
  'const index = my.many.indexOf(id); if (index > 0) return',
  'if (my.leader === null || my.leader === id) return',
  'switch (id) { case my.id: return }',
  'my.best = my.many.reduce((a, b) => (a > b ? a : b))',
  'console.log(id)',
  'const last = my.many.at(-1)!; if (last === id) return',
  'const t: [Uid, number] = [id, 77]; const [a, b] = t; if (a === my.id && b > 3) return',
  "const word = ['a', 'b'].join(''); if (word === 'ab' && id === my.id) return",
]

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of definitions. */
const REFUTED = [
  ['const x = +id', 'an id is computed with'],
  ["const x = id + ''", 'an id is computed with'],
  ['if (Number(id) > 3) return', 'an id is given to Number'],
  ['if (String(id).length > 1) return', 'an id is given to String'],
  ['const x = `${id}`', 'an id is converted to text'],
  ['if (!id) return', 'an id is computed with'],
  ['if (my.best) return', 'an id is taken for true or false; compare it with null'],
  ['const x = my.best || id', 'an id is taken for true or false; compare it with null'],
  ['if (Object.is(id, 3)) return', 'an id is given to Object.is'],
  ['if (Boolean(id)) return', 'an id is given to Boolean'],
  ['const x = JSON.stringify({ id })', 'a value with ids is given to JSON.stringify'],
  ['my.many.sort()', 'ids are sorted as text'],
  ['const x = my.many.toSorted()', 'ids are sorted as text'],
  ['my.many.sort(undefined)', 'ids are sorted as text'],
  ["const x = my.many.join(',')", 'ids are converted to text'],
  ['const x = id.toString()', 'a member of an id is used'],
  ["const x = my.many + ''", 'ids are converted to text or numbers'],
  ['const x = `${my.many}`', 'ids are converted to text'],
  ['const x = [id] < [my.id]', 'ids are converted to text or numbers'],
  ['const x = id.valueOf() as number', 'a member of an id is used'],
]
const HIDDEN = [
  'if ((id as unknown as number) === 77) return',
  'if ((id as any) === 77) return',
  'if ((my as any).id === 77) return',
  'const x: any = id',
  'const x: unknown = id',
  'const x: object = body',
  'const x = { id } as Record<string, unknown>',
  'const loose = (value: any) => value; loose(id)',
  'const loose = (value: any) => value; loose(body)',
  'const x = Object.values(body)',
  'const x = Object.entries(body)',
  'const x = 77 as unknown as Uid; if (x === id) return',
  'const x = net.links.filter((link) => net.peer(link))',
  'if (uid.json(id) === 77) return',
  "if (uid.text(id) === '77') return",
  'const x = uid.read(null as never); if (x === id) return',
  'const x = structuredClone(id)',
  '// @ts-ignore\n if (id === 77) return',
  'const f = (x: unknown) => String(x); f(id)',
  'const f: (x: never) => void = () => {}; const g = f as (x: unknown) => void; g(id)',
  'const o: { x: unknown } = { x: id }',
  'const l: unknown[] = [id]',
  'const f = (x: Uid | number) => (typeof x === "number" ? x + 1 : 0); f(id)',
  'const isNumber = (x: Uid | number): x is number => true; if (isNumber(id)) return',
  'my.many.forEach((one: unknown) => { if (String(one) === "77") net.lead() })',
  'my.many.forEach((one: { toString(): string }) => { if (one.toString() === "7") net.lead() })',
  'my.many.forEach((one: object) => {})',
  'const x = my.many.map(String)',
  'const x = my.many.map(Number)',
  'const x = my.many.filter(Boolean)',
  'const f = String; if (f(id) === "77") return',
  'const f = Boolean; if (f(id)) return',
  'if (new Array(id).length === 77) return',
  'if (Array(id).length === 77) return',
  'const f = function (x: Uid) { return arguments[0] }; if (f(id) === 77) return',
  'function f(x: Uid): boolean; function f(x: number | Uid) { return x === 77 } if (f(id)) return',
  'const f = <T extends object>(x: T) => String(x); if (f(id) === "77") return',
  'const f = <T,>(x: T) => `${x}`; if (f(id) === "77") return',
  'class Box<T> { constructor(readonly x: T) {} text() { return String(this.x) } }',
  'try { throw id } catch (e) { if (e === 77) return }',
  'if (typeof id === "number" && id === 77) return',
  'const t: Record<string, unknown> = { id }',
  'if (Reflect.get(my, "id") === 77) return',
  'const { id: x }: { id: any } = body',
  'for (const x of my.many as Iterable<any>) if (x === 77) return',
  'for (const key in body) if (key === "id") return',
  'const x: Uid = 77 as never; if (x === id) return',
  'let k: number | null = null; const set = () => { k = 77 }; set(); if (k !== null && id === k) return',
  "const x: Uid = JSON.parse('77'); if (x === id) return",
  "const [x]: Uid[] = JSON.parse('[77]'); if (x === id) return",
  'const x = [id, 77][1]; if (x === id) return',
  'const x = [77, my.id].find((one) => one === id)',
  'const k: number = 77; const f = (x: number): x is number & Uid => true; if (f(k) && k === id) return',
  "declare function parseFloat(text: string): Uid; if (parseFloat('77') === id) return",
  'function f(x: number): Uid; function f(x: number): never; function f(x: number) { return null! } if (f(77) === id) return',
  'class L extends Array<Uid> {} if (new L(id).length === 77) return',
  'const A = Array; if (new A(id).length === 77) return',
  "if ([id]['join']('') === '77') return",
  "const how = 'sort'; if ([id, my.id][how]()[0] === id) return",
  'const t: [Uid, number] = [id, 77]; if (t[1 as 0] === id) return',
  'const t: [Uid, number] = [id, 77]; t.reverse(); if (t[0] === id) return',
  'const a: { k: number } = { ...body, k: 1 }; if (Object.values(a)[0] === 77) return',
  "const a: { k: number } = { ...body, k: 1 }; if ('id' in a && a.id === 77) return",
  "const a: { k: number } = { ...body, k: 1 }; if (JSON.stringify(a).includes('77')) return",
  'const a: { k: number } = { ...body, k: 1 }; for (const key in a) if (key === "k") return',
  "const x = JSON.stringify({a:{b:{c:{d:{e:{f:{g:{h:id}}}}}}}}); if (x.includes('77')) return",
  'const { start } = uid; if (start() === id) return',
  'if ([1, id, 77].indexOf(77) === 1) return',
  'const t: [Uid, number] = [id, 77]; if (t.indexOf(77) === 0) return',
  'const t: [Uid, number] = [id, 7]; if (t.includes(77)) return',
  'const t: [Uid, number] = [id, 77]; if (new Set(t).size === 1) return',
  'const other = [77]; if (new Set([id, ...other]).size === 1) return',
  'const full = { k: 1, v: 77 }; const less: { k: number } = full; const more: { k: number; v?: Uid } = less; if (more.v === id) return',
  'const some: { status: string } = my; const more: { status: string; id?: number } = some; if (more.id === 77) return',
  'const some: { status: string } = my; const is = (o: { status: string; id?: number }) => o.id === 77; if (is(some)) return',
  'const full = { k: 1, v: 77 }; const less: { k: number } = full; const more = { v: id, ...less }; if (more.v === my.id) return',
  'const full = { v: id, k: 1 }; const less: { k: number } = full; const more = { v: 0, ...less }; if (more.v === 77) return',
  'const is = (x: number, v?: Uid) => v === id; const one: (x: number) => boolean = is; if ([0, 0].some(one)) return',
  "const n: { v: number } = { v: 77 }; const a: { kind: 'a' | 'x'; p: { v: Uid } | null } | { kind: 'b' | 'x'; p: { v: number } | null } = { kind: 'x', p: null }; a.p = n; a.kind = 'a'; const hit = () => a.kind === 'a' && a.p !== null && a.p.v === id; if (hit()) return",
  'const full = { k: my.id, v: 77 }; const less: { k: Uid } = full; const all: Record<string, Uid> = less; if (all.v === id) return',
  'function f<T extends { k: number }>(x: T) { const y: T & { v?: Uid } = x; return y.v === id } const full = { k: 1, v: 77 }; if (f(full)) return',
  'const o = { broken: String(id) }; if (o.broken === "77") return',
  'const properties = (x: Uid) => String(x); if (properties(id) === "77") return',
  'const O = new Proxy<{ v: Uid | null }>({ v: null }, { get: () => 77 }); if (O.v === id) return',
]

/** What runs while the file is loaded, though no handler names it. */
const LOADED = [
  'const BOX: { boss: Uid | null } = { boss: null }\nconst set = (BOX.boss = 77 as unknown as Uid)',
  'const IDS: Uid[] = []\nconst count = IDS.push(77 as unknown as Uid)',
  'const IDS: Uid[] = []\nfunction size(n = 1) { return n }\nconst all = [size(IDS.push(77 as unknown as Uid))]',
]
const LOADED_BY_PICTURES =
  'const IDS: Uid[] = []\nconst shown = algorithm({ display: (IDS.push(77 as unknown as Uid), {}) } as never)'
const PROPERTIES_CALLED =
  'export const properties = [{ broken: (x: Uid) => (String(x) === "77" ? "" : null) }]\nconst wins = (x: Uid) => properties[0]!.broken(x) === null'

/** Handlers that keep something outside of the state, or depend on more than their events. */
const KEEPING = [
  'const own = [SEEN]; own[0].push(1)',
  'const own = { deep: SEEN }; own.deep.push(1)',
  'const own = { ...BOX }; own.inner.n++',
  'const own = [...BOXES]; own[0].n = own[0].n + 1',
  'let own: number[] = []; own = SEEN; own.push(1)',
  'count(FALSE_STATE)',
  'if (FRACTIONS[0] > 0.9) return',
  'if (LATE) return',
  'let last = true; for (const x of PLACE) { last = false; break } if (last) return',
  'if ([...PLACE].length > 1) return',
  'if (ITERABLE_SIZE() > 1) return',
  'if (PATCHED) return',
  'if (STACK.length === 77) return',
]
const KEPT = `const SEEN: number[] = []
const BOXES = [{ n: 0 }]
const BOX = { inner: { n: 0 } }
const FALSE_STATE = { status: 0, leader: 0, stopped: 0 }
function count(my: typeof FALSE_STATE) { my.leader++ }`
/** What functions make is theirs. */
const OWN_CHANGES = [
  'const own: number[] = [...SEEN]; own.push(1); if (own.length > SEEN.length + 1) return',
  'const own = { n: BOX.inner.n }; own.n++',
  'my.many.push(id)',
]
const CHANGING: Readonly<Record<string, string>> = {
  FRACTIONS: 'const FRACTIONS = [Math.random()]',
  LATE: 'const LATE = Date.now() > 2e12',
  PLACE: 'const PLACE = [1, 2, 3].values()',
  ITERABLE_SIZE:
    'const ALL: Iterable<number> = [1, 2].values()\nfunction ITERABLE_SIZE() { return [...ALL].length }',
  PATCHED: 'const PATCHED = true\nArray.prototype.indexOf = Array.prototype.at',
  STACK: "const STACK = new Error().stack ?? ''",
}
/** With only those declarations that the code mentions. */
function withKept(code: string): string {
  const lines = KEPT.split('\n').filter((line) => /count/.test(code) || !/count|FALSE/.test(line))
  const changing = Object.entries(CHANGING).flatMap(([name, line]) =>
    code.includes(name) ? [line] : [],
  )
  return [withCode(code), ...lines, ...changing].join('\n')
}

/** Null is compared like 0, so that an id which is 0 makes a difference. */
const NULL_FOR_ID = [
  'function above<T>(a: T, b: T) { return a > b } if (above(my.leader, id)) return',
  'if (my.best! < id) return',
  'const x = my.leader!; if (id > x) return',
]

/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of definitions. */

const STATES: readonly [state: string, startsAtZero: boolean][] = [
  ['{ best: uid }', true],
  ['{ best: pair(nat, uid) }', true],
  ['{ best: record({ id: uid, level: nat }) }', true],
  ['{ best: maybe(uid), many: list(uid), few: set(uid), table: map(uid, nat) }', false],
  ['{ level: nat }', false],
]

const OWN_PROPERTIES = `${withCode('')}\nexport const properties = []\n`

const sources = [
  ...[...COMPARED, ...REFUTED.map(([code]) => code), ...HIDDEN, ...NULL_FOR_ID].map((code) =>
    withCode(code),
  ),
  ...STATES.map(([state]) => withCode('', state)),
  ...KEEPING.map(withKept),
  ...OWN_CHANGES.map(withKept),
  OWN_PROPERTIES,
  ...[...LOADED, LOADED_BY_PICTURES, PROPERTIES_CALLED].map((code) => `${withCode('')}\n${code}`),
]
const programs = new Map(programsOf(sources).map((program, i) => [sources[i], program]))
const evidenceFor = (source: string) => idEvidenceOf(programs.get(source)!)

describe('ids that are only compared', () => {
  it.each(COMPARED)('%s', (code) => {
    expect(evidenceFor(withCode(code))).toEqual({ kind: 'proved', startsAtZero: false })
  })
})

describe('ids that are used as numbers or texts', () => {
  it.each(REFUTED)('%s', (code, why) => {
    const where = expect.stringMatching(/^case-\d+\.ts:20:\d+$/)
    expect(evidenceFor(withCode(code))).toEqual({ kind: 'refuted', why, where })
  })
})

describe('ids whose types are hidden', () => {
  it.each(HIDDEN)('%s', (code) => {
    const { kind } = evidenceFor(withCode(code))
    expect(kind).toMatch(/unknown|refuted/)
  })

  it('where properties of their own see them', () => {
    expect(evidenceFor(OWN_PROPERTIES)).toMatchObject({ kind: 'unknown' })
  })
})

it.each([...LOADED, LOADED_BY_PICTURES, PROPERTIES_CALLED])(
  'what runs is read, though nothing or a picture names it: %s',
  (code) => {
    expect(evidenceFor(`${withCode('')}\n${code}`).kind).toMatch(/unknown|refuted/)
  },
)

it.each(KEEPING)('what is kept outside of the state is found: %s', (code) => {
  const { misuses } = useEvidenceOf(programs.get(withKept(code))!, placeText)
  expect(misuses.code).toBeDefined()
})

it.each(OWN_CHANGES)('functions may change what they have made: %s', (code) => {
  const { misuses } = useEvidenceOf(programs.get(withKept(code))!, placeText)
  expect(misuses.code).toBeUndefined()
})

it.each(NULL_FOR_ID)('null is taken for an id: %s', (code) => {
  expect(evidenceFor(withCode(code))).toEqual({ kind: 'proved', startsAtZero: true })
})

it.each(STATES)('the state %s starts with an id: %s', (state, startsAtZero) => {
  expect(evidenceFor(withCode('', state))).toEqual({ kind: 'proved', startsAtZero })
})

describe('the catalogue', () => {
  const folder = join(root, 'src/algorithms')
  const files = new SourceFiles()
  const isOwn = (path: string) => path.startsWith(`${folder}/`) && dirname(path) !== folder
  const all = ownProgram(typescript, join(folder, 'elections.ts'), files, true, isOwn)
  const comparing = catalogue.filter(({ needs }) => needs.ids === 'unique')

  /** A file and all that it imports. By attribute, ghs gets its handlers back without types. */
  function reachable(name: string, found: Set<string> = new Set()): Set<string> {
    if (found.has(name) || name.endsWith('by-attribute.ts')) return found
    const file = all.own.find(({ fileName }) => fileName === name)
    if (file === undefined) return found
    found.add(name)
    for (const [, path] of file.text.matchAll(/from '(\.[^']+)'/g))
      reachable(join(dirname(name), path), found)
    return found
  }

  it.each(sample(comparing, 3).map(({ name }) => name))(
    '%s uses ids by comparison alone',
    (name) => {
      const { fileName } = all.own.find(({ text }) => text.includes(`  name: '${name}',`))!
      const names = [...reachable(fileName)]
      const own = names.map((path) => all.own.find((file) => file.fileName === path)!)
      expect(idEvidenceOf({ ...all, own })).toMatchObject({ kind: 'proved' })
    },
  )
})

describe('code that only pictures run', () => {
  const DISPLAY = "display: { badge: { name: 'id', of: (my) => text(my.id) } },"
  const HELPER = 'function text(id: Uid) { return String(id) }'
  const evidence = (handler: string) => {
    const source = withCode(handler).replace('algorithm({', `algorithm({ ${DISPLAY}`)
    return idEvidenceOf(programsOf([`${source}\n${HELPER}`])[0])
  }

  it('may write ids', () => {
    expect(evidence('')).toMatchObject({ kind: 'proved' })
  })

  it('is not what a handler runs, too', () => {
    expect(evidence('text(my.id)').kind).toMatch(/unknown|refuted/)
  })
})

it('numbers are found wherever they stand', () => {
  const source =
    "const a = [77, -3, 1e3, 0x10, 5n]; const b = Number('88'); const c = 'x9'; export {}"
  expect(numbersIn(programsOf([source])[0])).toEqual([3, 5, 16, 77, 88, 1000])
})

it.each([
  ['const a = 2 * 50', 100],
  ['const HALF = 48\nconst a = (x) => x > HALF * 2 + 1', 97],
  ['const SET = { hops: 20 }\nconst a = SET.hops << 1', 40],
  ['const A = 3\nconst B = A\nconst a = [B ** 4]', 81],
  ['const a = 7 as number\nconst b = -(a - 20)', -13],
])('expressions of constants are numbers: %s', (source, value) => {
  const [program] = programsOf([`${source}\nexport {}`])
  const found = numbersIn(program)
  expect(found.map(Math.abs)).toContain(Math.abs(value))
})

it('a constant that is defined by itself has no value', () => {
  const [program] = programsOf(['const a = b + 1\nconst b = a + 2\nexport {}'])
  expect(numbersIn(program)).toEqual([1, 2])
})
