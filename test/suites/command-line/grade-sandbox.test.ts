import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInSandbox } from '../../../src/cli/grade/sandbox.ts'
import { sample } from '../../support/campaign.ts'
import { builtShell } from '../../support/run-command.ts'

/** A right election; a test puts code at its top or into its handler. */
const election = (top: string, handler: string) => `
import { algorithm, left, message, uid } from 'conclave'
${top}
const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  announcement: 'LEADER',
  state: {},
  wakes: true,
  start(my, net) { net.send(left, ELECTION, { id: my.id }) },
  on: {
    ELECTION(my, { id }, net) {
      ${handler}
      if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) { net.lead(); net.send(left, LEADER, { id }) }
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) { net.follow(id); net.send(left, LEADER, { id }) }
      net.stop()
    },
  },
})
`

/** There is no such thing in the sandbox, or the compiler has refused it. */
const HOSTLESS = /undefined|not defined|not a (function|constructor)|uses \w+/

let folder: string
let server: Server
let requests = 0

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-sandbox-'))
  server = createServer((_, answer) => {
    requests++
    answer.end('here')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
})

afterAll(async () => {
  await new Promise((closed) => server.close(closed))
  rmSync(folder, { recursive: true })
})

interface GradedFile {
  readonly file: string
  readonly verdict: string
  readonly reason: string
  readonly sandbox: readonly string[]
}

describe('files that do more than elect', () => {
  let graded: Map<string, GradedFile>
  let code: number
  const victim = () => join(folder, 'victim.txt')
  const written = () => join(folder, 'written.txt')

  /** By name: the code at the top, the code in a handler, and what is said about it. */
  const hostile = (): Record<string, [top: string, handler: string, says: RegExp]> => {
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`
    const q = JSON.stringify
    const all: Record<string, [top: string, handler: string, says: RegExp]> = {
      'import-fs': [
        "import { rmSync } from 'node:fs'",
        `rmSync(${q(victim())})`,
        /imports "node:fs"/,
      ],
      'import-bare-fs': ["import fs from 'fs'", 'fs.readdirSync("/")', /imports "fs"/],
      'import-package': ["import { build } from 'esbuild'", 'build', /imports "esbuild"/],
      'import-beside': ["import other from './right.js'", 'other', /side by side stand alone/],
      'import-above': ["import '../../../../etc/passwd'", '', /imports|Could not resolve/],
      'dynamic-import': ["const fs = import('node:fs')", 'fs', /loads "node:fs"/],
      'computed-import': ["const name = 'node:' + 'fs'", 'import(name)', /modules at run time/],
      require: ["const fs = require('node:fs')", 'fs', /calls require for "node:fs"/],
      'computed-require': ["const name = 'f' + 's'", 'require(name)', /modules at run time/],
      'builtin-module': [
        `globalThis.process.getBuiltinModule('fs').writeFileSync(${q(written())}, '')`,
        '',
        HOSTLESS,
      ],
      'exit-top': ['globalThis["process"].exit(0)', '', HOSTLESS],
      'exit-handler': ['', 'globalThis["process"].exit(0)', HOSTLESS],
      'kill-parent': ['', 'globalThis["process"].kill(globalThis["process"].ppid)', HOSTLESS],
      environment: ['const home = globalThis["process"].env.HOME', 'home', HOSTLESS],
      fetch: [`globalThis["fetch"](${q(url)})`, '', HOSTLESS],
      'fetch-handler': ['', `globalThis["fetch"](${q(url)})`, HOSTLESS],
      socket: [`new globalThis["WebSocket"](${q(url.replace('http', 'ws'))})`, '', HOSTLESS],
      'function-constructor': [
        "(() => {}).constructor('return process')().exit(0)",
        '',
        /made from text/,
      ],
      'async-constructor': ["(async () => {}).constructor('process.exit(0)')()", '', /from text/],
      eval: ['globalThis["eval"]("1")', '', HOSTLESS],
      prototype: ['Array.prototype.push = () => 0', '', /read only|read-only|not extensible/],
      stringify: ['JSON.stringify = () => "{}"', '', /read only|read-only/],
      global: ['globalThis.leak = 1', '', /not extensible/],
      stack: ['Error.prepareStackTrace = (_, sites) => sites', '', /not extensible/],
      chance: ['const r = Math["random"]()', 'r', /Math\.random|coins/],
      clock: ['const d = globalThis["Date"].now()', 'd', /clock|Date/],
      fake: ['', '', /not made by algorithm/],
      'loop-top': ['for (;;) {}', '', /did not return within/],
      'loop-handler': ['', 'while (true) {}', /did not return within/],
      'loop-hidden': ['/(a+)+$/.test("a".repeat(60) + "b")', '', /not finished after|loading/],
      recursion: ['', 'const f = () => f() + 1; f()', /calls itself without end/],
      memory: ['const all = []; for (;;) all.push(new Array(1e6).fill(0))', '', /memory|MB/],
      buffers: [
        'const all = []; for (;;) all.push(new Uint8Array(2e8).fill(1))',
        '',
        /allocation failed|memory|MB/,
      ],
    }
    return Object.fromEntries(sample(Object.entries(all), 4))
  }

  beforeAll(async () => {
    const all = join(folder, 'all')
    mkdirSync(all)
    writeFileSync(victim(), 'alive')
    for (const [name, [top, handler]] of Object.entries(hostile()))
      writeFileSync(join(all, `${name}.js`), election(top, handler))
    const fake = "name: 'mine', kinds: [], layout: {}, needs: { topology: 'ring' }"
    writeFileSync(join(all, 'fake.js'), `export default { ${fake} }`)
    writeFileSync(join(all, 'right.js'), election('', ''))
    const answer = await builtShell('grade', all, '--json', '--seconds', '10')
    code = answer.code
    const { files }: { files: GradedFile[] } = JSON.parse(answer.out)
    graded = new Map(files.map((one) => [one.file.replace(/^.*\/|\.js$/g, ''), one]))
  })

  it('do not keep the others from being graded', () => {
    expect(code).toBe(1)
    expect(graded.get('right')?.verdict).toBe('no error found')
    expect(new Set(graded.keys())).toEqual(new Set([...Object.keys(hostile()), 'fake', 'right']))
  })

  it('are all named, and none is right', () => {
    const wrongly = Object.entries(hostile()).flatMap(([name, [, , says]]) => {
      const { verdict, reason } = graded.get(name)!
      return !['right', 'no error found'].includes(verdict) && says.test(reason)
        ? []
        : [`${name}: ${verdict}: ${reason}`]
    })
    expect(wrongly).toEqual([])
  })

  it('have changed nothing and reached nobody', () => {
    expect(readFileSync(victim(), 'utf8')).toBe('alive')
    expect(existsSync(written())).toBe(false)
    expect(requests).toBe(0)
  })

  it('say under which protection they ran', () => {
    expect(graded.get('right')?.sandbox).toEqual(
      expect.arrayContaining(['bare realm', 'permission model', 'empty environment']),
    )
  })
})

/** An election in which nobody leads, and what it tries in order to be called right. */
const nobodyLeads = (more: Readonly<Record<string, string>>) => {
  const { top = '', exported = '', state = '{}', last = '', handler = '' } = more
  return `
import { algorithm, left, message, nat, uid } from 'conclave'
${top}
const ELECTION = message({ id: uid })
const mine = algorithm({
  name: 'mine',
  needs: ${more.needs ?? "{ topology: 'ring', ids: 'unique' }"},
  messages: { ELECTION },
  state: ${state},
  wakes: true,
  start(my, net) { net.send(left, ELECTION, { id: my.id }) },
  on: { ELECTION(my, { id }, net) { ${handler} } },
  ${last}
})
export default mine
${exported}
`
}

describe('a wrong election that meddles with its judges', () => {
  /** Everything that can be reached from a value, with what is not frozen made useless. */
  const SPOIL = `
    const spoil = (root) => {
      const seen = new Set(), left = [root]
      while (left.length > 0) {
        const one = left.pop()
        if (one === null || !['object', 'function'].includes(typeof one) || seen.has(one)) continue
        seen.add(one)
        try { left.push(Object.getPrototypeOf(one)) } catch {}
        for (const key of Reflect.ownKeys(one))
          try {
            const { value, get } = Object.getOwnPropertyDescriptor(one, key)
            left.push(value, get)
            if (typeof value === 'function' && !Object.isFrozen(one)) one[key] = () => null
          } catch {}
      }
    }`
  const always = "{ name: 'mine is fine', when: 'always', broken(global)"
  const spoiled = '{ spoil(global); spoil(global.state(0)); return null }'
  const spoiling = `const properties = [${always} ${spoiled} }]`
  const cases: Record<string, string> = {
    'through what handlers see': nobodyLeads({
      top: SPOIL,
      handler: 'spoil(my); spoil(net); spoil(this)',
    }),
    'through the algorithm': nobodyLeads({ top: SPOIL, exported: 'spoil(mine)' }),
    'through the language': nobodyLeads({
      top: `import * as conclave from 'conclave'\n${SPOIL}\nspoil({ ...conclave })`,
    }),
    'through a property': nobodyLeads({ top: SPOIL, exported: `export ${spoiling}` }),
    'through its own type': nobodyLeads({
      top: `${SPOIL}\nconst type = { ...nat, write(out, value) { spoil(out) } }`,
      state: '{ x: type }',
    }),
    'through changing needs': nobodyLeads({
      top: 'let asked = 0',
      needs: "{ topology: 'ring', get ids() { return asked++ > 3 ? undefined : 'unique' } }",
    }),
    'through an error': nobodyLeads({
      top: SPOIL,
      handler: 'try { net.crown() } catch (error) { spoil(error) }',
    }),
  }

  it.each(sample(Object.keys(cases), 3))('%s is wrong all the same', async (name) => {
    const path = join(folder, 'meddling.js')
    writeFileSync(path, cases[name])
    const { code, out } = await builtShell('grade', path, '--json', '--seconds', '20')
    expect([code, JSON.parse(out).files[0].verdict], out).toEqual([1, 'wrong'])
  })
})

/** Runs a script as it is: no compiler has looked at it. */
async function evaluated(script: string, seconds = 10) {
  const request = JSON.stringify({
    ...{ file: 'mine.js', wanted: null, reference: null, require: [], costs: [], numbers: [] },
    ...{ properties: [], allowOwnProblem: false },
    idUse: { kind: 'unknown', detail: '' },
    use: { misuses: {}, startsAtZero: true },
  })
  const limits = { seconds, memoryMB: 256 }
  const { result } = await runInSandbox(
    { code: script, name: 'own-file', request },
    limits,
    () => {},
  )
  return result
}

/** What an expression is worth in the sandbox, as text; how it fails otherwise. */
async function probed(expression: string, before = ''): Promise<string> {
  const result = await evaluated(
    `(${before || '0'}, function (conclave) { "use strict"
      let found
      try { found = String(${expression}) } catch (error) { found = 'threw: ' + error.message }
      throw new Error(found)
    })`,
  )
  return 'failed' in result ? result.failed.message : JSON.stringify(result)
}

describe('a script that no compiler has seen', () => {
  const HOST = ['process', 'require', 'module', 'fetch', 'WebSocket', 'Buffer', 'setTimeout']

  it('finds nothing of the host', async () => {
    const names = [...HOST, 'setImmediate', 'queueMicrotask', 'WebAssembly', 'SharedArrayBuffer']
    const kinds = await probed(`[${names.map((name) => `typeof ${name}`)}].join()`)
    expect(kinds).toBe(names.map(() => 'undefined').join())
  })

  it('cannot make code from text', async () => {
    for (const text of [
      "conclave.algorithm.constructor('return 1')()",
      "(() => {}).constructor('return 1')()",
      "(function* () {}).constructor('return 1')()",
      "Reflect.construct(Object.getPrototypeOf(() => {}).constructor, ['return 1'])",
      "eval('1')",
    ])
      expect(await probed(text), text).toMatch(/^threw: /)
  })

  it('gets no answer from an import: nothing of the host runs meanwhile', async () => {
    const leak =
      "import('node:fs').then((m) => (globalThis.leak = m), (e) => (globalThis.leak = e))"
    expect(await probed('typeof leak', leak)).toBe('undefined')
  })

  it('cannot report by itself', async () => {
    const forged = JSON.stringify({ done: { name: 'forged', grade: { verdict: 'right' } } })
    const result = await evaluated(`(function () { return { default: ${forged} } })`)
    expect(result).toHaveProperty('failed')
  })

  it('is stopped when it uses its processor time up', async () => {
    const result = await evaluated('(function () { for (;;) {} })', 2)
    expect(result).toEqual({
      stopped: 'time',
      progress: { doing: 'loading the file', violated: [] },
    })
  })

  it('is stopped when it uses its memory up', async () => {
    const bomb = 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5))'
    expect(await evaluated(`(function () { ${bomb} })`)).toMatchObject({ stopped: 'memory' })
  })
})
