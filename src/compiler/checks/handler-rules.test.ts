import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ownProgram } from '../own-program.ts'
import { SourceFiles } from '../source-files.ts'
import { loadTypeScript } from '../typescript.ts'
import { rulesBroken } from './handler-rules.ts'

const typescript = await loadTypeScript()
const PATH = join(fileURLToPath(new URL('../../..', import.meta.url)), 'mine.ts')

/** What is found in a source, without its types: lines and first words. */
function found(source: string): string[] {
  class OneFile extends SourceFiles {
    override read = (path: string) => (path === PATH ? source : super.read(path))
  }
  return rulesBroken(ownProgram(typescript, PATH, new OneFile(), false)).map(
    ({ place: { line }, problem }) => `${line}: ${problem}`,
  )
}

/** A definition whose handler has this code, below some declarations. */
const definition = (code: string, declared = '') => `import { algorithm, left } from 'conclave'
${declared}
export default algorithm({
  name: 'mine', needs: { topology: 'ring', ids: 'unique' }, messages: {}, state: {}, wakes: true,
  start(my, net) { ${code} },
  on: {},
})
`

describe('what a definition must not do', () => {
  it.each([
    ['', 'Math.random()', '5: the function start uses Math.random.'],
    ['', 'const { random } = Math; random()', '5: the function start uses Math.random.'],
    ['', "globalThis['Math'].random()", '5: the function start uses Math.random.'],
    ['', 'const m = Math; m.random()', '5: the function start uses Math as a value.'],
    ['', 'const g = globalThis', '5: the function start uses globalThis as a value.'],
    ['', 'Date.now()', '5: the function start uses Date.'],
    ['', 'new Date()', '5: the function start uses Date.'],
    ['', 'performance.now()', '5: the function start uses performance.'],
    ['', 'crypto.randomUUID()', '5: the function start uses crypto.'],
    ['', 'setTimeout(() => net.lead(), 1)', '5: the function start uses setTimeout.'],
    ['', 'queueMicrotask(() => 1)', '5: the function start uses queueMicrotask.'],
    ['', 'fetch("x")', '5: the function start uses fetch.'],
    ['', 'process.exit()', '5: the function start uses process.'],
    ['', 'Promise.resolve().then(() => 1)', '5: the function start uses Promise.'],
    ['const SALT = Math.random()', 'if (SALT > 1) return', '2: the definition uses Math.random.'],
    ['const now = () => Date.now()', 'now()', '2: the function now uses Date.'],
    ['async function f() {}', 'f()', '2: the function f is async: it goes on after its event.'],
    [
      'let n = 0',
      'n++',
      '5: the function start assigns "n", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'let n = 0',
      '[n] = [1]',
      '5: the function start assigns "n", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'let n = 0; const f = () => { n = 1 }',
      'f()',
      '2: the function f assigns "n", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'const t = []',
      't.push(1)',
      '5: the function start changes "t", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'const t = { a: { b: 1 } }',
      't.a.b = 2',
      '5: the function start changes "t", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'const t = new Map()',
      't.set(1, 2)',
      '5: the function start changes "t", a variable of the module (line 2): all nodes share it.',
    ],
    [
      'const t = new Set()',
      't.add(1)',
      '5: the function start changes "t", a variable of the module (line 2): all nodes share it.',
    ],
  ])('%s %s', (declared, code, problem) => {
    expect(found(definition(code, declared))).toContain(problem)
  })
})

describe('what is no mistake', () => {
  it.each([
    ['', 'const t = []; t.push(1); let n = 0; n++'],
    ['', 'const Date = { now: () => 1 }; Date.now()'],
    ['', 'const { max, min } = Math; max(1, 2); Math.floor(3)'],
    ['', 'my.Date = 1; const x = { Date: 2, setTimeout: 3 }'],
    [
      'const kinds = []; function kind(name) { kinds.push(name); return name }\nconst A = kind("a")',
      'A.length',
    ],
    ['const t0 = Date.now()', ''],
    ['let n = 0; function outside() { n++ }', ''],
    ['const set = { add: (x) => x, push: (x) => x }', 'set.add(1); set.push(2)'],
    ['function* g() { yield 1 }', 'for (const x of g()) x'],
    ['const t = new Map([[1, 2]])', 't.get(1); t.has(2)'],
    ['', 'console.log(1)'],
    ['', 'const date = new Map(); date.set(1, 2)'],
    ['interface Date {}', ''],
  ])('%s %s', (declared, code) => {
    expect(found(definition(code, declared))).toEqual([])
  })

  it('documents of experiments may use what they like', () => {
    const source = `let count = 0
const now = Date.now()
const n = [1, 2].map((size) => (count++, size))
export default { base: { algorithm: 'lcr', seed: now }, sweep: { n } }
`
    expect(found(source)).toEqual([])
  })
})

it('a member that needs does not have is named', () => {
  const source = definition('').replace("ids: 'unique'", "id: 'unique'")
  expect(found(source)).toEqual(['4: needs has no member "id".'])
})

it('properties must depend on the state alone, too', () => {
  const source = `let asked = 0
export const properties = [{ name: 'x', when: 'always', broken: () => (asked++ > 3 ? 'no' : null) }]
`
  expect(found(source)).toHaveLength(1)
})
