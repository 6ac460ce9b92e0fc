import { describe, expect, it } from 'vitest'
import { loadTypeScript } from '../typescript.ts'
import { HIT, instrument } from './instrument.ts'

const { ts } = await loadTypeScript()

function instrumented(source: string) {
  return instrument(ts, ts.createSourceFile('mine.ts', source, ts.ScriptTarget.ES2022, true))
}

/** What the body of a function returns, and the texts of the pieces that have run. */
function run(body: string, ...given: readonly unknown[]) {
  const source = `function f(a, b) {${body}}`
  const { text, pieces } = instrumented(source)
  const ran = new Set<number>()
  const f = new Function(HIT, `${text};return f`)((piece: number) => ran.add(piece))
  const result = f(...given)
  const texts = [...ran].sort((x, y) => x - y).map((piece) => source.slice(...pieces[piece]))
  return { result, texts: texts.map((one) => one.trim()) }
}

describe('instrumented code does the same', () => {
  it.each([
    'let s = 0; for (let i = 0; i < 9; i++) s += i; return s',
    'let s = 0; for (const x of [1, 2, 3]) { if (x === 2) continue; s += x } return s',
    'let i = 0; do i++; while (i < 5); return i',
    'let s = 0; outer: for (;;) { for (;;) { s++; if (s < 3) continue outer; break outer } } return s',
    'switch (3) { case 1: return 1; case 3: case 4: return 4; default: return 0 }',
    'try { throw 1 } catch (e) { return e } finally { void 0 }',
    'const g = (x) => (y) => x > y ? x : y; return g(3)(4)',
    'const o = { m() { return 7 }, get p() { return this.m() } }; return o.p',
    'return [1, 2, 3].filter((x) => x > 1 && x < 3).map((x) => ({ x }))',
    'const { x = 4 } = {}\nlet y = x\n;[y] = [y + 1]\nreturn y',
    'if (false) return 1; else if (true) return 2; else return 3',
    'const n = null; return n ?? (() => 5)()',
    'async function later() { await 0 } return typeof later()',
  ])('%s', (body) => {
    expect(run(body).result).toEqual(new Function(body)())
  })
})

describe('what runs is told', () => {
  it('by the branch of an if', () => {
    const body = 'if (a > b) return a\nelse return b'
    expect(run(body, 2, 1).texts).toEqual(['if (a > b)', 'return a'])
    expect(run(body, 1, 2).texts).toEqual(['if (a > b)', 'return b'])
  })

  it('by the branch of an expression', () => {
    const body = 'return a > b ? a : b'
    expect(run(body, 2, 1).texts).toEqual([body, 'a'])
    expect(run('return a && b', 0, 1).texts).toEqual(['return a && b'])
    expect(run('return a && b', 1, 1).texts).toEqual(['return a && b', 'b'])
  })

  it('by the clause of a switch and by the turns of a loop', () => {
    const body = 'switch (a) { case 1: b++; break\ndefault: b-- }'
    expect(run(body, 1, 1).texts).toEqual(['switch (a)', 'case 1:', 'b++;', 'break'])
    expect(run('while (a < b) a++', 1, 1).texts).toEqual(['while (a < b)'])
    expect(run('while (a < b) a++', 0, 1).texts).toEqual(['while (a < b)', 'a++'])
  })
})

it('names handlers and functions, but not what handlers do not run', () => {
  const source = `
import { algorithm } from 'conclave'

/** Forwards. */
function forward(x: number): number {
  const twice = (y: number) => 2 * y
  return twice(x)
}

export default algorithm({
  name: 'mine',
  start(my, net) {},
  on: { TOKEN: (my, body, net) => forward(1) },
  theory: { bounds: [{ value: ({ n }) => n }] },
  display: { active: (my) => true },
})`
  const { functions } = instrumented(source)
  const shown = functions.map(({ path, span }) => [path.join('.'), source.slice(...span)])
  expect(shown.map(([path]) => path)).toEqual(['forward', 'start', 'on.TOKEN'])
  expect(shown[0][1]).toMatch(/^\/\*\* Forwards\. \*\/\nfunction forward[\s\S]*twice\(x\)\n}$/)
  expect(shown[2][1]).toBe('TOKEN: (my, body, net) => forward(1)')
})
