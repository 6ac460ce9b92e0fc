import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../../support/built-program.ts'
import { sample } from '../../support/campaign.ts'
import { builtShell } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-errors-'))
afterAll(() => rmSync(folder, { recursive: true }))

const LCR = `import { algorithm, left, message, nat, uid } from 'conclave'

const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })

export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  state: { seen: nat },
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

/** Runs LCR with a piece replaced; the error with the path left out. */
async function run(piece: string, by: string, name = 'mine.ts', ...flags: string[]) {
  const path = join(folder, name)
  expect(LCR).toContain(piece)
  writeFileSync(path, LCR.replace(piece, by))
  const { code, out, err } = await builtShell('run', path, '--ids', '1,2,3', ...flags)
  return { code, out, err: err.replaceAll(`${folder}/`, '') }
}

describe('the type check', () => {
  const mistakes = [
    ['net.lead()', 'net.leed()', '19:13: net.leed does not exist. Did you mean net.lead?'],
    ['net.lead()', 'my.laps = 1', '19:12: my.laps is not declared. Add it to the state'],
    [
      'net.lead()',
      'if (net.n > 1) net.lead()',
      "19:17: needs does not declare net.n. Add knows: ['n']",
    ],
    ['net.lead()', "my.status = 'leader'", '19:12: my.status cannot be assigned. Use net.lead()'],
    [
      'net.lead()',
      'net.send(left, OTHER, {})',
      '19:24: "OTHER" is not defined. Declare it: const OTHER',
    ],
    [
      "'ring'",
      "'rings'",
      '8:12: "rings" is not one of "ring", "complete", "tree", "hypercube", "any". Did you mean "ring"?',
    ],
    [
      'id > my.id',
      'id - my.id > 0',
      "17:11: ids are compared, never computed with. Add ids: 'numbers'",
    ],
    [
      'id > my.id',
      'id > my.id && id !== 77',
      '17:25: an id is compared with something that is not an id',
    ],
    ['{ id: my.id }', '{}', '13:30: "id" is missing.'],
    ['{ id: my.id }', '{ id: my.id, x: 1 }', '13:43: "x" is not known here.'],
    ['{ seen: nat }', '{ seen: Boolean }', '10:12: BooleanConstructor is not a type of a field.'],
    ["  name: 'mine',\n", '', '6:26: the definition has no "name".'],
    [
      'message, nat',
      'nat',
      '3:18: "message" is not defined. Add: import { algorithm, left, message, nat, uid } from \'conclave\'',
    ],
    ["from 'conclave'", "from 'conclav'", '1:52: cannot import "conclav". Did you mean conclave?'],
  ]

  it.each(sample(mistakes, 3))('%s -> %s', async (piece, by, says) => {
    const { code, out, err } = await run(piece, by)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`mine.ts:${says}`)
    const [, line, caret] = err.split('\n')
    expect(line).toMatch(/^ {2}\d+ \| /)
    expect(caret).toMatch(/^ +\| *\^$/)
  })

  it('is left out with --no-types, and for JavaScript unless it asks for it', async () => {
    const wrong = "const unused: number = 'text'\nexport default"
    expect((await run('export default', wrong)).code).toBe(2)
    expect((await run('export default', wrong, 'mine.ts', '--no-types')).code).toBe(0)
    const script = 'const unused = 1 + {}.x.y\nexport default'
    expect(
      (
        await run(
          'export default',
          `if (false) { ${script.split('\n')[0]} }\nexport default`,
          'mine.js',
        )
      ).code,
    ).toBe(0)
    const checked = await run('import {', '// @ts-check\nimport {', 'mine.js')
    expect(checked.code).toBe(0)
    const { err } = await run(
      'import {',
      "// @ts-check\nlet wrong = 1; wrong = 'text'\nimport {",
      'mine.js',
    )
    expect(err).toContain('mine.js:2:16: Type "string" is not assignable to type "number".')
  })
})

describe('what a file throws has its place', () => {
  it.each([
    [
      'net.lead()',
      "throw new Error('no')",
      '19:15: the handler ELECTION threw at position 2 (id 3), time 3: no.',
    ],
    [
      'net.lead()',
      'JSON.parse("x").y.z',
      '19:14: the handler ELECTION threw at position 2 (id 3), time 3: ',
    ],
    [
      'export default',
      'const t: number[][] = []\nt[3].push(1)\nexport default',
      '7:6: Cannot read properties of undefined',
    ],
    ['export default', "throw new Error('here')\nexport default", '6:7: here.'],
    [
      'net.lead()',
      '(function forever(n: number): number { return forever(n + 1) + 1 })(1)',
      'the function forever calls itself without end at position 2 (id 3), time 3.',
    ],
  ])('%s -> %s', async (piece, by, says) => {
    const { code, out, err } = await run(piece, by, 'mine.ts', '--no-types')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(says)
    expect(err).not.toContain('base64')
  })

  it('in a file that it imports, too', async () => {
    writeFileSync(
      join(folder, 'part.ts'),
      '\nexport function part(): void {\n  throw new Error("in part")\n}\n',
    )
    const { err } = await run('net.lead()', 'part()', 'mine.ts', '--no-types')
    expect(err).toContain('"part" is not defined')
    const path = join(folder, 'mine.ts')
    writeFileSync(path, `import { part } from './part.ts'\n${LCR.replace('net.lead()', 'part()')}`)
    const { err: told } = await builtShell('run', path, '--ids', '1,2,3')
    expect(told).toContain(
      'part.ts:3:9: the handler ELECTION threw at position 2 (id 3), time 3: in part.',
    )
  })

  it('when a promise fails that nobody waits for', () => {
    const path = join(folder, 'later.ts')
    writeFileSync(path, `Promise.reject(new Error('later'))\n${LCR}`)
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'run', path, '-n', '3'], {
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('later.ts:1:16: ')
    expect(stderr).not.toContain('    at ')
  })
})

it.each([
  ['start(my, net) {', 'start(my, net {', '12:17: syntax error: "," expected.'],
  ['  },\n})\n', '  },\n}\n', '32:1: syntax error: ")" expected, but the file ends here.'],
])('%s -> %s is a syntax error', async (piece, by, says) => {
  expect((await run(piece, by)).err).toContain(`mine.ts:${says}`)
})

it('a handler that does not return is stopped, with the line of its loop', async () => {
  const { code, err } = await run('net.lead()', 'while (true) my.seen = 1')
  expect(code).toBe(2)
  expect(err).toContain(
    'mine.ts:19:9: the handler ELECTION did not return within 3 s at position 2 (id 3), time 3 (line 19: while (true) my.seen = 1).',
  )
})

describe('advice leads to a definition that is accepted', () => {
  const FIELDS = 'a: uid, b: uid, best: maybe(uid), seen: list(uid), count: nat'
  const wrong = (line: string) =>
    LCR.replace('nat, uid', 'list, maybe, nat, uid')
      .replace('seen: nat', FIELDS)
      .replace('if (id > my.id) net', `${line}\n      if (id > my.id) net`)
  const CASES: readonly [name: string, source: string][] = [
    ...[
      'if (Math.max(my.a, my.b) < my.id) my.count = 1',
      'my.a = Math.max(my.a, id)',
      'my.a = Math.min(my.a, my.b, id)',
      'my.best = Math.max(my.best, id)',
      'my.best = larger(my.best, id)',
      'const most = Math.max(my.a, my.b, id); if (most === id) my.count = 1',
      'const most: typeof id = Math.max(my.a, id); my.a = most',
      'my.seen = [...my.seen, id]; my.a = Math.max(...my.seen)',
      'my.seen = [...my.seen, id].sort((a, b) => a - b)',
      'my.seen = [...my.seen, id].toSorted((a, b) => { return b - a })',
      'my.a = Math.max(my.a, 0)',
      'my.count = Math.abs(id)',
      'my.count = id + 1',
      'if (id % 2 === 0) my.count = 1',
      'if (id > 3) my.count = 1',
      'if (my.a === 0) my.count = 1',
      'my.a = 0',
      'let most = 0; if (id > most) most = id; my.count = most',
      'my.a = larger(my.a, id); my.count = id + 1',
      'my.a = [my.a, id].reduce((a, b) => Math.max(a, b), 0)',
      'if (my.ID === id) my.count = 1',
      'my.laps = 1\n      my.laps = 2',
      'if (net.n > 2) my.count = 1',
      'if (net.choose(2) === 1) my.count = 1',
      'if (net.onward === 1) my.count = 1; net.leed()',
    ].map((line): [string, string] => [line, wrong(line)]),
    ['start without net', LCR.replace('start(my, net)', 'start(my)')],
    ['a handler without net', LCR.replace('LEADER(my, { id }, net)', 'LEADER(my, { id })')],
    ['a handler with nothing', LCR.replace('LEADER(my, { id }, net)', 'LEADER()')],
    ['no wakes', LCR.replace('  wakes: true,\n', '')],
    ['no name', LCR.replace("  name: 'mine',\n", '')],
    ['no state', LCR.replace('  state: { seen: nat },\n', '')],
    ['no imports', LCR.replace(/^import .*\n/, '')],
    ['needs rings', LCR.replace("topology: 'ring'", "topology: 'rings'")],
    ['needs a topolgy', LCR.replace("topology: 'ring'", "topolgy: 'ring'")],
  ]

  /** What each piece of advice asks for, as a change of the file. */
  const CHANGES: readonly [
    advice: RegExp,
    change: (source: string, found: readonly string[]) => string,
  ][] = [
    [
      /Add: (import \{ .* \} from 'conclave')\n/,
      (source, [, line]) => `${line}\n${source.replace(/^import .*'conclave'\n/m, '')}`,
    ],
    [
      /[Aa]dd ids: 'numbers' to needs, and write numericUid in place of uid/,
      (source) => numeric(source.replace("ids: 'unique'", "ids: 'numbers'")),
    ],
    [/Write numericUid in place of uid\./, (source) => numeric(source)],
    [
      /Math\.\w+ computes, and ids are only compared\. Write (.*?)\.( The same .*)?\n/,
      (source, [, by]) => source.replace(/Math\.(max|min)\((\.\.\.)?[^()]*\)/, by),
    ],
    [
      /Write (Math\.\w+\(.*?\))\.( The same .*)?\n/,
      (source, [, by]) => source.replace(/\b(larger|smaller)\([^()]*\)/, by),
    ],
    [
      /may be null here\. Write (\(.*\))\.\n/,
      (source, [, by]) => source.replace(/\b(larger|smaller)\([^()]*\)/, by),
    ],
    [
      /Write (sort|toSorted)\(compareIds\)\./,
      (source, [, name]) =>
        source.replace(/\.(sort|toSorted)\(\(a, b\) => .*\)$/m, `.${name}(compareIds)`),
    ],
    [
      /for example state: \{ (\w+: nat) \}/,
      (source, [, field]) => source.replace('state: { ', `state: { ${field}, `),
    ],
    [
      /needs does not declare .*\. Add (.*?) to it\./,
      (source, [, word]) => source.replace("ids: 'unique'", `ids: 'unique', ${word}`),
    ],
    [
      /to the parameters: ((\w+)\(.*\))\./,
      (source, [, whole, name]) =>
        source.replace(new RegExp(`\\b${name}\\([^)]*\\)(?= \\{)`), whole),
    ],
    [
      /the definition has no ".*"\. Add (\w+: .*?)(, with .*| if .*)?\.\n/,
      (source, [, member]) => source.replace('algorithm({', `algorithm({\n  ${member},`),
    ],
    [
      /(?:"(\w+)" is not one of|no member "(\w+)").* Did you mean "?(\w+)"?\?/,
      (source, [, word, member, by]) => source.replace(new RegExp(`\\b${word ?? member}\\b`), by),
    ],
    [
      /(\w+\.\w+) (?:is not declared|does not exist).* Did you mean ([\w.]+)\?/,
      (source, [, path, by]) => source.replace(new RegExp(`(?<![\\w.])${path}\\b`), by),
    ],
  ]
  const numeric = (source: string) => source.replace(/(?<!import.*)\buid\b/g, 'numericUid')

  // The long tests follow the advice for each of them.
  const daily = (_: unknown, i: number) => process.env.LONG_TESTS !== undefined || i % 5 === 1
  it.each(CASES.filter(daily))('%s', async (_name, given) => {
    const path = join(folder, 'advised.ts')
    const told: string[] = []
    for (let source = given; ; ) {
      writeFileSync(path, source)
      const { code, err } = await builtShell('run', path, '--ids', '1,2,3')
      if (err === '' || !err.includes('advised.ts:')) {
        expect({ code, err }).toMatchObject({ err: '' })
        break
      }
      told.push(err)
      const followed = CHANGES.flatMap(([advice, change]) => {
        const found = advice.exec(err)
        return found === null ? [] : [change(source, found)]
      })
      expect(followed.length, err).toBeGreaterThan(0)
      expect(followed[0], err).not.toBe(source)
      source = followed[0]
      expect(told.length, told.join('\n')).toBeLessThan(5)
    }
    expect(told.length).toBeGreaterThan(0)
  })
})

it('names every line of a mistake that is made twice', async () => {
  const { err } = await run('net.lead()', 'my.laps = 1\n        my.laps = 2')
  expect(err).toContain('state: { laps: nat }. The same in line 20.')
})
