import { afterEach, describe, expect, it } from 'vitest'
import { CLOCK, ENDLESS_LOOP, GUARD, guardLoops, sourceColumn } from './loop-guard.ts'
import { loadTypeScript } from './typescript.ts'

const { ts } = await loadTypeScript()

function guarded(source: string) {
  const file = ts.createSourceFile('mine.ts', source, ts.ScriptTarget.ES2022, true)
  return guardLoops(ts, file)
}

/** What the body of a function returns, with and without the guard. */
function run(body: string): unknown {
  return new Function(`${GUARD}${guarded(`function f() {${body}}`).text};return f()`)()
}

/** A clock on which time passes with every look. */
function hurry(): void {
  let now = 0
  const clocks = globalThis as unknown as Record<symbol, unknown>
  clocks[Symbol.for(CLOCK)] = () => {
    now += 10
    return now
  }
}

afterEach(() => {
  delete (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(CLOCK)]
})

describe('guarded code does the same', () => {
  it.each([
    'let s = 0; for (let i = 0; i < 9; i++) s += i; return s',
    'let s = 0; for (const x of [1, 2, 3]) { if (x === 2) continue; s += x } return s',
    'let s = ""; for (const k in { a: 1, b: 2 }) s += k; return s',
    'let i = 0; while (i < 5) i++; return i',
    'let i = 0; do i++; while (i < 5); return i',
    'let i = 0; do { i++ } while (i < 5); return i',
    'let i = 0; while (i++ < 5); return i',
    'let s = 0; outer: for (;;) { for (;;) { s++; if (s < 3) continue outer; break outer } } return s',
    'let s = 0; for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) s += i * j; return s',
    'let s = 0; if (s === 0) for (let i = 0; i < 3; i++) s += i; else s = 9; return s',
    'const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map((f) => f())',
    'return [1, 2].map((x) => { let s = 0; for (let i = 0; i < x; i++) s++; return s })',
    'class A { static n = 0; static { for (let i = 0; i < 4; i++) A.n++ } } return A.n',
    'function* g() { while (true) yield 7 } return g().next().value',
    'try { throw 3 } catch (e) { return e }',
    'try { throw 3 } catch { return 4 } finally { }',
    'let s = 0; for (let i = 0; i < 100000; i++) s++; return s',
    'const g = (k) => (k < 2 ? 1 : g(k - 1) + g(k - 2)); return g(10)',
    'const o = { g(k) { for (;;) return k === 0 ? { k } : this.g(k - 1) } }; return o.g(5)',
    'function even(k) { return k === 0 || odd(k - 1) } function odd(k) { if (k === 0) return false; return even(k - 1) } return even(2000)',
    'const g = (k) => k === 0 ? [] : [k, ...g(k - 1).map((x) => x + 1)]; return g(4)',
    'function g(k) { if (k === 0) throw 3; try { g(k - 1) } catch (e) { throw e + 1 } } try { g(4) } catch (e) { return e }',
    'const f = (n = (() => { let k = 0; while (k < 3) k++; return k })()) => n; return f()',
  ])('%s', (body) => {
    expect(run(body)).toEqual(new Function(body)())
  })
})

it('lines keep their numbers, and columns can be found again', () => {
  const source = 'const a = 1\nfor (;;) { a.b.c }\nwhile (a) a.d\n'
  const { text, insertions } = guarded(source)
  expect(text.split('\n')).toHaveLength(source.split('\n').length)
  for (const [line, word] of [
    [1, 'a.b.c'],
    [2, 'a.d'],
    [0, 'const'],
  ] as const) {
    const column = text.split('\n')[line].indexOf(word)
    expect(sourceColumn(insertions, line, column)).toBe(source.split('\n')[line].indexOf(word))
  }
})

describe('a loop without end is stopped', () => {
  const endless = (body: string) => {
    hurry()
    try {
      return run(body)
    } catch (error) {
      return error
    }
  }

  it.each([
    'while (true) {}',
    'for (;;);',
    'do {} while (true)',
    'for (const x of (function* () { for (;;) yield 1 })()) x',
    'while (true) { try { throw 1 } catch {} }',
    'while (true) { try { while (true) {} } catch {} }',
    'try { while (true) {} } catch { return "caught" }',
    'try { while (true) {} } finally { return "hidden" }',
    'while (true) { for (let i = 0; i < 2000; i++) {} }',
    'const f = () => { for (let i = 0; i < 2000; i++) {} }; while (true) f()',
    'const list = [1]; for (const x of list) list.push(x)',
    'const g = (k) => k < 2 ? 1 : g(k - 1) + g(k - 2); g(60)',
    'function g(k) { return k < 2 ? 1 : h(k - 1) + h(k - 2) } const h = (k) => g(k); g(60)',
    'const o = { g(k) { return k < 2 ? 1 : this.g(k - 1) + this.g(k - 2) } }; o.g(60)',
  ])('%s', (body) => {
    const error = endless(body) as Error & { loop: { line: number } }
    expect(error.name).toBe(ENDLESS_LOOP)
    expect(error.loop.line).toBe(0)
  })

  it('a handler that mentions its own message is not taken for recursive', () => {
    const source = 'const on = { ELECTION(my, net) { net.send(0, ELECTION, {}) } }'
    expect(guarded(source).text).toBe(source)
  })

  it('but not one that takes many turns in a short time, or few in a long one', () => {
    expect(run('let s = 0; for (let i = 0; i < 3000000; i++) s++; return s')).toBe(3_000_000)
    hurry()
    expect(run('let s = 0; for (let i = 0; i < 500000; i++) s++; return s')).toBe(500_000)
  })
})
