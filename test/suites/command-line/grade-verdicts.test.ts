import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { offeredLanguage } from '../../../src/cli/grade/offered-language.ts'
import { sample } from '../../support/campaign.ts'
import { builtShell, expectUsageError } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'conclave-verdicts-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A grade takes seconds. */
const LONG = Boolean(process.env.LONG_TESTS)

interface GradedFile {
  readonly file: string
  readonly verdict: string
  readonly reason: string
  readonly sizes: { readonly every: number; readonly larger: number[]; readonly left: number[] }
  readonly broken: readonly { readonly property: string; readonly replay: string }[]
  readonly equals: readonly { readonly file: string; readonly how: string }[]
}

/** LCR whose ids travel only while a condition on their hops holds. */
function lcr(while_: string, top = '', more = ''): string {
  return `import { algorithm, leaderPerTerm, lease, left, message, nat, uid } from 'conclave'
${top}
const ELECTION = message({ id: uid, hops: nat })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: {},
  wakes: true,
  ${more}
  start(my, net) {
    net.send(left, ELECTION, { id: my.id, hops: 1 })
  },
  on: {
    ELECTION(my, { id, hops }, net) {
      if (id > my.id && (${while_})) net.send(left, ELECTION, { id, hops: hops + 1 })
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
}

/** The leader knows it, and the losers know nothing. */
const BASIC = lcr('true')
  .replace('        net.send(left, LEADER, { id })\n      }\n    },', '      }\n    },')
  .replace(/ {4}LEADER\(my[\s\S]*?net\.stop\(\)\n {4}\},\n/, '')
  .replace('messages: { ELECTION, LEADER },\n  announcement: .LEADER.,', 'messages: { ELECTION },')
  .replace("  announcement: 'LEADER',\n", '')
  .replace('{ ELECTION, LEADER }', '{ ELECTION }')

function nothing(problem: string): string {
  const idle = lcr('true', '', problem).replace(/ {2}start\([\s\S]*$/, '')
  return `${idle}  start(my, net) { net.stop() },\n  on: { ELECTION() {}, LEADER() {} },\n})\n`
}

let files = 0

function written(code: string, name = `${files++}.ts`): string {
  const path = join(scratch, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, code)
  return path
}

async function graded(code: string, ...more: string[]) {
  const path = written(code)
  const { code: exit, out, err } = await builtShell('grade', path, '--json', ...more)
  expect(err).toBe('')
  const [file]: GradedFile[] = JSON.parse(out).files
  return { exit, ...file }
}

/** Every command that a grade prints shows what it is printed for. */
async function expectReplayed({ broken }: Pick<GradedFile, 'broken'>): Promise<void> {
  for (const { property, replay } of broken) {
    const words = replay.split(' ')
    for (const flag of words[1] === 'check' ? CHECKED : SIMULATED)
      expect(words, replay).toContain(flag)
    const { code, out } = await builtShell(...words.slice(1))
    if (property === 'some node leads') continue
    expect(code, `${property}: ${replay}\n${out}`).toBe(1)
  }
}

const CHECKED = ['--topology', '--ids', '--wake', '--order', '--mode']
const SIMULATED = ['--topology', '--ids', '--wake', '--timing', '--seed', '--max-messages']

const HALF = 'const HALF = 50'
/** Wrong at some size: the verdict is never right, and wrong if the budget reaches. */
const WRONG: Readonly<Record<string, readonly [code: string, verdict: string]>> = {
  'at most 40 hops': [lcr('hops < 40'), 'wrong'],
  'at most 97 hops': [lcr('hops <= 96'), 'wrong'],
  'a product': [lcr('hops < 2 * 50'), 'wrong'],
  'a constant of the module': [lcr('hops < 6 * HALF', HALF), 'wrong'],
  'hidden in a text': [lcr('hops < "x".repeat(63).length'), 'wrong'],
  'one size alone': [lcr('hops !== 700'), 'wrong'],
  'beyond the budget': [lcr('hops < 70_000'), 'no error found'],
  'an id': [lcr('id !== (77 as never)'), 'wrong'],
  'its own problem': [nothing("problem: { name: 'leader election', properties: [] },"), 'refused'],
  'only terms': [nothing('problem: leaderPerTerm,'), 'wrong'],
  'only leases': [nothing('problem: lease,'), 'wrong'],
  'a chance to fail': [nothing('theory: { fails: () => 1 } as never,'), 'wrong'],
}

describe('a wrong definition is never right', () => {
  it.each(sample(Object.keys(WRONG), 13))('%s', async (name) => {
    const [code, verdict] = WRONG[name]
    const found = await graded(code)
    expect(found.verdict, found.reason).toBe(verdict)
    expect(found.exit).toBe({ wrong: 1, 'no error found': 0 }[verdict] ?? 3)
    if (name === 'beyond the budget') expect(found.sizes.left).toContain(70_000)
    await expectReplayed(found)
  })

  it.runIf(LONG)(
    'a file whose own problem is accepted is not right, and says by what it is judged',
    async () => {
      const empty = await graded(WRONG['its own problem'][0], '--allow-own-problem')
      expect([empty.verdict, empty.reason]).toEqual([
        'none',
        'not decided: its own problem (it has no properties)',
      ])
      const weak =
        "problem: { name: 'weak', properties: [{ name: 'x', when: 'always', broken: () => null }] },"
      const { verdict, reason } = await graded(nothing(weak), '--allow-own-problem')
      expect([verdict, reason]).toEqual(['no error found', 'judged by its own problem, weak'])
    },
  )
})

describe('the properties that count', () => {
  const ONE = 'exactly one leader at the end,at most one leader,the largest id leads'

  it.runIf(LONG)('decide whether losers that know nothing are wrong', async () => {
    const all = await graded(BASIC)
    expect(all.verdict).toBe('wrong')
    const { exit, verdict, broken } = await graded(BASIC, '--properties', ONE)
    expect([exit, verdict, broken]).toEqual([0, 'no error found', []])
    const endless = BASIC.replace(
      'net.lead()',
      'net.lead(), net.send(left, ELECTION, { id, hops: 1 })',
    )
    expect((await graded(endless, '--properties', ONE)).verdict).toBe('wrong')
  })

  it('must be known', async () => {
    const words = ['grade', written(BASIC), '--properties', 'at most one leadr']
    await expectUsageError(words, '--properties', 'Did you mean at most one leader?')
  })

  it.runIf(LONG)('are right if they are proved, and open if nothing judges them', async () => {
    const source = readFileSync(join(root, 'src/algorithms/ring/lcr.ts'), 'utf8')
    const alone = source
      .replace(/^import .*(bounds|display|reasons).*$/gm, '')
      .replace(/'(\.\.\/)+core\/index\.ts'/, "'conclave'")
      .replace(/^ {2}(theory|display|reasons): \{[\s\S]*?^ {2}\},$/gm, '')
    const always = ['--properties', 'at most one leader,a leader stays leader']
    const { verdict, reason } = await graded(alone, ...always)
    expect([verdict, reason]).toEqual(['right', ''])
    const untyped = alone.replace('on: {', '// @ts-ignore\n  on: {')
    expect((await graded(untyped, ...always)).verdict).toBe('no error found')
    const other = await graded(alone, '--properties', 'the leader is stable')
    expect([other.exit, other.reason]).toEqual([3, 'not decided: the leader is stable'])
  })
})

it('an aggregation is refused, not wrong', async () => {
  const range = `import { average, gossip } from 'conclave'
export default gossip({
  name: 'mean',
  aggregate: {
    parts: [{ rule: average, start: ({ value }) => value }],
    estimate: ([mean]) => mean,
    truth: (values) => values.reduce((a, b) => a + b) / values.length,
  },
})
`
  for (const code of [range, range.replace('estimate: ([mean]) => mean', 'estimate: () => 0')]) {
    const { exit, verdict, reason } = await graded(code)
    expect([exit, verdict]).toEqual([3, 'refused'])
    expect(reason).toContain('Only elections are graded.')
  }
})

it.runIf(LONG)('numbers of the source that are no ids are not taken for ids', async () => {
  const { verdict, reason } = await graded(lcr('hops > 0.05 || hops === -3 || hops < 1e300'))
  expect(verdict, reason).toBe('no error found')
})

it('a graded file may use every type of the language', () => {
  const { exports } = offeredLanguage()
  const isType = (value: unknown) => typeof value === 'object' && value !== null && 'write' in value
  const types = Object.entries(exports).filter(([, value]) => isType(value))
  expect(types.map(([name]) => name)).toEqual(expect.arrayContaining(['uid', 'term', 'counter']))
  const { message, list, nat } = exports as Record<string, (...given: unknown[]) => object>
  for (const [, type] of types) message({ field: type })
  for (const [name, given] of Object.entries({
    ...{ below: [3], list: [nat], set: [nat], maybe: [nat], stable: [nat], bytes: [3] },
    ...{ map: [nat, nat], pair: [nat, nat], record: [{ x: nat }], oneOf: ['a', 'b'] },
  }))
    message({ field: list((exports[name] as (...given: unknown[]) => unknown)(...given)) })
})

describe('a folder', () => {
  const ANNA = lcr('true')
  const FOLDER = {
    'anna.ts': ANNA,
    'bert.ts': ANNA,
    'carl.ts': `// Mine.\n${ANNA.replaceAll('ELECTION,', 'ELECTION ,')}`,
    'dora.ts': lcr('id > my.id'),
    'emil.js': 'const x = ',
    'fritz.ts': WRONG['its own problem'][0],
  }

  it.runIf(LONG)('has one word for a verdict everywhere, and a page for each author', async () => {
    const folder = join(scratch, 'course')
    for (const [name, code] of Object.entries(FOLDER)) written(code, join('course', name))
    const path = (name: string) => join(scratch, name)
    const words = ['--csv', path('g.csv'), '--html', path('g.html'), '--feedback', path('pages')]
    const { code, out } = await builtShell('grade', folder, ...words)
    expect(code).toBe(1)
    const verdicts = {
      ...{ anna: 'no error found', bert: 'no error found', carl: 'no error found' },
      ...{ dora: 'no error found', emil: 'wrong', fritz: 'refused' },
    }
    const csv = readFileSync(path('g.csv'), 'utf8').split('\r\n')
    const html = readFileSync(path('g.html'), 'utf8')
    for (const [name, verdict] of Object.entries(verdicts)) {
      expect(out).toMatch(new RegExp(`^${name}\\.\\ws +${verdict}( |$)`, 'm'))
      expect(csv.find((line) => line.includes(`${name}.`))).toContain(`,${verdict},`)
      expect(html).toMatch(new RegExp(`>${name}\\.\\ws</a></td><td><span[^>]*>${verdict}<`))
    }
    expect(out).toContain('6 files: 4 no error found, 1 wrong, 1 refused')
    expect(out.replace(/\s+/g, ' ')).toContain('anna.ts, bert.ts and carl.ts are equal but for')
    const pages = readdirSync(path('pages'))
    expect(pages).toEqual(Object.keys(FOLDER).map((name) => `${name}.html`))
    for (const page of pages) {
      const text = readFileSync(join(path('pages'), page), 'utf8')
      expect(text).toMatch(/<\/html>\n$/)
      // An author learns nothing of others, nor where the lecturer keeps the files.
      expect(text).not.toContain(scratch)
      for (const other of pages.filter((one) => one !== page))
        expect(text).not.toContain(other.replace('.html', ''))
    }
    const { files: all } = JSON.parse((await builtShell('grade', folder, '--json')).out)
    const [anna]: GradedFile[] = all
    expect(anna.equals.map(({ file, how }) => [file.slice(-7), how])).toEqual([
      ['bert.ts', 'text'],
      ['carl.ts', 'code'],
    ])
  })

  it.skipIf(!existsSync('/dev/full'))('of pages is written whole, or not at all', async () => {
    const pages = join(scratch, 'full')
    mkdirSync(pages)
    const paths = ['a.js', 'b.js'].map((name) => written('const x = ', join('two', name)))
    symlinkSync('/dev/full', join(pages, 'b.js.html'))
    const { code, err } = await builtShell('grade', ...paths, '--feedback', pages)
    expect(code).toBe(2)
    expect(err).toMatch(/^--feedback: .*b\.js\.html cannot be written: .*\n$/)
    expect(readdirSync(pages)).toEqual(['b.js.html'])
  })
})

/** Their own pages say how they fail: textbook forms under crashes, which their files answer. */
const BREAKING = ['bullyTextbook', 'ringListTextbook']

describe('no error is found in the elections of the catalogue, in own files', () => {
  const sources = join(root, 'src/algorithms')
  const list = readFileSync(join(sources, 'elections.ts'), 'utf8')
  const elections = [...list.matchAll(/export \{ (\w+) \} from '(.*)'/g)].map(([, name, file]) => ({
    name,
    file,
  }))

  it.runIf(LONG).each(elections)('$name', async ({ name, file }) => {
    const folder = join(scratch, `catalogue-${name}`)
    cpSync(sources, folder, { recursive: true, filter: (path) => !/\.(test\.ts|md)$/.test(path) })
    for (const one of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (one.endsWith('.ts')) {
        const code = readFileSync(join(folder, one), 'utf8')
        const own = code.replace(/from '(\.\.\/)+(?:core|problems)\/[^']*'/g, "from 'conclave'")
        writeFileSync(join(folder, one), own)
      }
    const entry = join(folder, 'graded.ts')
    writeFileSync(entry, `export { ${name} as default } from '${file}'\n`)
    const { out } = await builtShell('grade', entry, '--json', '--seconds', '300')
    const [{ verdict, reason, broken }] = JSON.parse(out).files
    expect(verdict, reason).toBe(BREAKING.includes(name) ? 'wrong' : 'no error found')
    await expectReplayed({ broken: broken.slice(0, 1) })
  })
})
