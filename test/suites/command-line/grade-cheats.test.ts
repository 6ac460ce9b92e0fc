import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A right election, LCR, with pieces of it replaced; in JavaScript, where no type objects. */
function lcr(...replaced: readonly [piece: string, by: string][]): string {
  let code = `import { algorithm, left, message, nat, uid } from 'conclave'
const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) {
        net.lead()
        net.send(left, LEADER, { id })
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
})
`
  for (const [piece, by] of replaced) {
    if (!code.includes(piece)) throw new Error(piece)
    code = code.replace(piece, by)
  }
  return code
}

/** Peterson's election as it is in the catalogue, in a file of its own. */
function peterson(...replaced: readonly [piece: string, by: string][]): string {
  let code = readFileSync(join(root, 'src/algorithms/ring/peterson.ts'), 'utf8')
    .replace('../../core/index.ts', 'conclave')
    .replace(/^import \{[^}]*\} from '\.\.\/bounds\.ts'$/m, '')
    .replace(/^ {2}theory: \{[\s\S]*?^ {2}\},$/m, '')
  for (const [piece, by] of replaced) code = code.replace(piece, by)
  return code
}

const EASY = "{ topology: 'ring', ids: 'numbers', knows: ['n'], time: 'rounds', start: 'together' }"
const NEEDS = "{ topology: 'ring', ids: 'unique' }"
const WIN = 'if (id === my.id) {'
const FIRST = 'net.send(left, ELECTION, { id: my.id })'

/** By name: the file, and what must be found, in how many nodes at most. */
const CHEATS: Readonly<Record<string, readonly [code: string, broken: RegExp, n: number]>> = {
  'id-one-leads': [
    lcr(
      ['if (id > my.id) net', 'if (id !== my.id) net'],
      [WIN, 'if (id === my.id && my.id === 1) {'],
    ),
    ...([/exactly one leader at the end|every fair run ends/, 1] as const),
  ],
  'n-leads-in-rounds': [
    lcr([NEEDS, EASY], [FIRST, 'if (my.id === net.n) { net.lead(); net.stop() }']),
    ...([/exactly one leader at the end/, 1] as const),
  ],
  'smallest-leads': [lcr(['id > my.id', 'id < my.id']), /the largest id leads/, 2],
  'magic-id': [lcr([WIN, 'if (id === my.id || id === 77) {']), /at most one leader/, 2],
  'magic-hex-id': [lcr(['if (id > my.id)', 'if (id > my.id && my.id !== 0x4d)']), /leader/, 2],
  'undeclared-n': [lcr(['net.lead()', 'if (net.n > 0) net.lead()']), /runs without an error/, 1],
  'undeclared-peer': [lcr(['net.lead()', 'net.peer(0); net.lead()']), /without an error/, 1],
  'undeclared-field': [lcr(['net.lead()', 'my.laps = 1; net.lead()']), /without an error/, 1],
  'zero-is-false': [
    lcr([FIRST, 'if (my.id) net.send(left, ELECTION, { id: my.id })']),
    ...([/exactly one leader at the end/, 1] as const),
  ],
}

interface GradedFile {
  readonly file: string
  readonly verdict: string
  readonly reason: string
  readonly world: Record<string, unknown>
  readonly refused: readonly { readonly require: string }[]
  readonly points: { readonly sum: number; readonly most: number } | null
  readonly broken: readonly {
    readonly property: string
    readonly detail: string
    readonly n: number
    readonly ids?: readonly number[]
    readonly hint?: string
    readonly replay: string
  }[]
}

let folder: string
let graded: Map<string, GradedFile>
const RUBRIC = `{
  // Comments are allowed.
  "properties": { "at most one leader": 3, "the largest id leads": 2 },
  "requirements": { "uniform": 1, "any-order": 1 },
  "costs": [
    { "bound": "messages <= n (n + 1) / 2 + n", "points": 2, "sizes": [8, 16] },
    { "bound": "messages <= 2 n", "points": 4, "sizes": [8] }
  ],
  "correct": 5
}`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-cheats-'))
  const files = join(folder, 'files')
  mkdirSync(join(files, 'several'), { recursive: true })
  for (const [name, [code]] of Object.entries(CHEATS))
    writeFileSync(join(files, `${name}.js`), code)
  writeFileSync(join(files, 'right.js'), lcr())
  const shared: [string, string] = ['if (id > my.id) net', 'best++\n net']
  const variable: [string, string] = ['const LEADER', 'let best = 0\nconst LEADER']
  writeFileSync(join(files, 'shared-variable.js'), lcr(variable, shared))
  writeFileSync(join(files, 'peterson.ts'), peterson())
  writeFileSync(join(files, 'peterson-any-order.ts'), peterson([", order: 'fifo'", '']))
  // A submission of several files: one of them is imported by the other.
  const moved = "import { ELECTION } from './messages.js'\n"
  writeFileSync(
    join(files, 'several', 'election.js'),
    moved + lcr(['const ELECTION = message({ id: uid })\n', '']),
  )
  writeFileSync(
    join(files, 'several', 'messages.js'),
    "import { message, uid } from 'conclave'\nexport const ELECTION = message({ id: uid })\n",
  )
  writeFileSync(join(files, 'several', 'election.test.js'), 'this is not graded')
  writeFileSync(join(folder, 'rubric.json'), RUBRIC)
  const words = ['--points', join(folder, 'rubric.json'), '--html', join(folder, 'grades.html')]
  const csv = ['--csv', join(folder, 'grades.csv')]
  const { out } = await builtShell('grade', files, '--json', ...words, ...csv)
  const { files: all }: { files: GradedFile[] } = JSON.parse(out)
  graded = new Map(all.map((one) => [one.file.slice(files.length + 1), one]))
})

afterAll(() => rmSync(folder, { recursive: true }))

/** The grade of the only file. */
function fileIn(out: string) {
  return JSON.parse(out).files[0]
}

describe('a folder', () => {
  it('is graded file by file, and folder by folder', () => {
    const names = [...Object.keys(CHEATS), 'right', 'shared-variable'].map((name) => `${name}.js`)
    const expected = [...names, 'peterson.ts', 'peterson-any-order.ts', 'several/election.js']
    expect([...graded.keys()].toSorted()).toEqual(expected.toSorted())
  })

  it.each(['right.js', 'peterson.ts', 'several/election.js'])('no error is found in %s', (name) => {
    const { verdict, reason } = graded.get(name)!
    expect([verdict, reason]).toEqual(['no error found', ''])
  })

  it.each(Object.keys(CHEATS))('%s is found in a small world', (name) => {
    const [, says, most] = CHEATS[name]
    const { verdict, broken, reason } = graded.get(`${name}.js`)!
    expect(verdict, reason).toBe('wrong')
    const found = broken.find(({ property }) => says.test(property))
    expect(found?.n, JSON.stringify(broken)).toBeLessThanOrEqual(most)
  })

  it('a variable that all nodes share is named with its line', () => {
    const { verdict, reason } = graded.get('shared-variable.js')!
    expect(verdict).toBe('wrong')
    expect(reason).toMatch(/shared-variable\.js:\d+:\d+: .*best/)
  })

  it('what happens only where messages overtake each other says so', async () => {
    const { verdict, broken } = graded.get('peterson-any-order.ts')!
    expect(verdict).toBe('wrong')
    const [{ hint, replay }] = broken
    expect(hint).toContain("Declare order: 'fifo'")
    expect(replay).toMatch(/ --order any --mode untimed$/)
    const { code } = await builtShell(...replay.split(' ').slice(1))
    expect(code).toBe(1)
  })

  it('the constant of a cheat is in the ids that show it', () => {
    const { broken } = graded.get('magic-id.js')!
    expect(broken[0].ids).toContain(77)
  })

  it('says in which world each was graded', () => {
    expect(graded.get('right.js')!.world).toMatchObject({
      ...{ network: 'ring', ids: 'unique', knows: [], time: 'asynchronous', order: 'any' },
      ...{ start: 'any', crashes: false, elects: 'largest', problem: 'leader election' },
    })
    expect(graded.get('n-leads-in-rounds.js')!.world).toMatchObject({
      ...{ time: 'rounds', knows: ['n'], start: 'together' },
    })
  })

  it('gives points for what holds', () => {
    const points = (name: string) => graded.get(name)!.points
    // 4 for at most 2 n messages is beyond LCR.
    expect(points('right.js')).toMatchObject({ sum: 14, most: 18 })
    // Not in any order, and other costs.
    expect(points('peterson.ts')).toMatchObject({ sum: 11 })
    // Wrong, but with one leader at most.
    expect(points('smallest-leads.js')).toMatchObject({ sum: 5 })
    // What an error cut short is not known.
    expect(points('undeclared-n.js')).toMatchObject({ sum: 2 })
  })

  it('has a line for each file in a spreadsheet, and a page without other files', () => {
    const csv = readFileSync(join(folder, 'grades.csv'), 'utf8')
    const [head, ...lines] = csv.trimEnd().split('\r\n')
    expect(head).toMatch(/^file,algorithm,verdict,reason,world,.*,points,of,/)
    expect(lines).toHaveLength(graded.size)
    const page = readFileSync(join(folder, 'grades.html'), 'utf8')
    expect(page).not.toMatch(/(src|href)="(?!#)/)
    expect(page.match(/<section /g)).toHaveLength(graded.size)
    for (const name of graded.keys()) expect(page).toContain(name)
  })
})

describe('requirements', () => {
  it('refuse an easier world with the reason, before anything is graded', async () => {
    const path = join(folder, 'files', 'n-leads-in-rounds.js')
    const words = ['--require', 'asynchronous,uniform,any-start,ring', '--json']
    const { code, out } = await builtShell('grade', path, ...words)
    const { verdict, refused, broken, reason } = fileIn(out)
    expect([code, verdict, broken]).toEqual([3, 'refused', []])
    const unmet = refused.map(({ require }: { require: string }) => require)
    expect(unmet).toEqual(['asynchronous', 'uniform', 'any-start'])
    expect(reason).toContain("not uniform: it knows the number of nodes (knows: 'n')")
  })

  it('let others pass, which are graded', async () => {
    const path = join(folder, 'files', 'zero-is-false.js')
    const words = ['--require', 'asynchronous,uniform,any-order', '--json']
    const { refused, broken } = fileIn((await builtShell('grade', path, ...words)).out)
    expect(refused).toEqual([])
    expect(broken).not.toEqual([])
  })

  it.each([
    [['--require', 'asynchronus'], 'Did you mean asynchronous?'],
    [['--require', ''], 'is not a requirement'],
    [['--points', 'nowhere.json'], 'nowhere.json'],
    [['--seconds', '0'], '--seconds'],
  ])('%s is wrong usage', async (words, says) => {
    const { code, out, err } = await builtShell(
      'grade',
      join(folder, 'files', 'right.js'),
      ...words,
    )
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(says)
  })

  it.each([['nothing.ts'], ['nowhere/'], [`${tmpdir()}/no-such-folder`]])(
    '%s cannot be graded',
    async (path) => {
      const { code, out } = await builtShell('grade', path)
      expect([code, out]).toEqual([2, ''])
    },
  )
})
