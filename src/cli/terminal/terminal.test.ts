import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asciiText, presented, programName, type Surroundings, terminalOf } from './terminal.ts'

const terminal = (env: Surroundings['env'], platform = 'linux', isTTY = true) =>
  terminalOf({ env, platform, stdout: { isTTY, columns: 100 }, stderr: { isTTY } })

describe('colours', () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
  ])('%o, terminal %s: %s', (env, isTTY, colours) => {
    expect(terminal(env, 'linux', isTTY).colours).toBe(colours)
  })

  it('and rewritten lines need a terminal that is not dumb', () => {
    expect(terminal({}).progress).toBe(true)
    expect(terminal({ TERM: 'dumb' }).progress).toBe(false)
    expect(terminal({}, 'linux', false).progress).toBe(false)
  })
})

describe('the width', () => {
  it('is COLUMNS, else that of the terminal, else 80', () => {
    expect(terminal({ COLUMNS: '132' }).width).toBe(132)
    expect(terminal({ COLUMNS: 'wide' }).width).toBe(100)
    const pipe = { env: {}, platform: 'linux', stdout: {}, stderr: {} }
    expect(terminalOf(pipe).width).toBe(80)
    expect(terminal({ COLUMNS: '3' }).width).toBe(40)
  })
})

describe('characters', () => {
  it.each([
    [{}, true],
    [{ LANG: 'C.UTF-8' }, true],
    [{ LANG: 'de_DE.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'en_US.ISO-8859-1', LANG: 'en_US.UTF-8' }, false],
  ])('with %o are outside of ASCII: %s', (env, unicode) => {
    expect(terminal(env).unicode).toBe(unicode)
  })

  it('on Windows depend on the console', () => {
    expect(terminal({}, 'win32').unicode).toBe(false)
    expect(terminal({ LANG: 'en_US.UTF-8' }, 'win32').unicode).toBe(false)
    expect(terminal({ WT_SESSION: 'a' }, 'win32').unicode).toBe(true)
  })

  it('of reports have others in ASCII, as wide where they are drawn', () => {
    const ring = '╭───▶ ♛ 8 ───╮ ✓ ✗ ██▌░ ▁▂▃▄▅▆▇█ · ☾'
    expect(asciiText(ring)).toMatch(/^[\x20-\x7e]+$/)
    expect(asciiText(ring)).toHaveLength(ring.length)
    expect(asciiText('means ± 95 %, R² → 1; Babaoğlu')).toBe('means +- 95 %, R^2 -> 1; Babaoglu')
    expect(asciiText('☃')).toBe('?')
    expect(asciiText('as it was')).toBe('as it was')
  })
})

describe('commands within a text', () => {
  const shown = (text: string, platform = 'linux') =>
    presented(text, { unicode: true }, () => 'npx conclave', platform)

  it('begin with the name of the program, once', () => {
    expect(shown('reproduce: conclave run lcr')).toBe('reproduce: npx conclave run lcr')
    expect(shown('npx conclave list\nconclave list')).toBe('npx conclave list\nnpx conclave list')
    expect(shown('conclave run x, conclave --help')).toBe('npx conclave run x, npx conclave --help')
    expect(shown('See conclave run --help.')).toBe('See npx conclave run --help.')
    expect(shown("import { lcr } from 'conclave' runs")).toBe("import { lcr } from 'conclave' runs")
    expect(shown('node_modules/conclave run')).toBe('node_modules/conclave run')
  })

  it('are quoted as the shells of Windows take it', () => {
    const line = "  reproduce: conclave run x --coins '0:2;1:7' --cut '0>1@5..9'\n  it's"
    expect(shown(line)).toContain("--coins '0:2;1:7'")
    expect(shown(line, 'win32')).toBe(
      '  reproduce: npx conclave run x --coins "0:2;1:7" --cut "0>1@5..9"\n  it\'s',
    )
  })
})

describe('the name of the program', () => {
  let folder: string
  const at = (...path: string[]) => join(folder, ...path)

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-name-'))
    for (const one of ['package/bin', 'elsewhere', 'project/node_modules', 'path', 'other'])
      mkdirSync(at(one), { recursive: true })
    writeFileSync(at('package/package.json'), '{}')
    writeFileSync(at('package/bin/conclave.js'), '')
    writeFileSync(at('other/conclave'), '')
    writeFileSync(at('other/package.json'), '{}')
    symlinkSync(at('package/bin/conclave.js'), at('path/conclave'))
    symlinkSync(at('package'), at('project/node_modules/conclave'))
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  const name = (env: Surroundings['env'], cwd: string) =>
    programName(env, at('package/bin/conclave.js'), at(cwd), 'linux')

  it('is one that works where the user is', () => {
    expect(name({ npm_command: 'exec' }, 'elsewhere')).toBe('npx conclave')
    expect(name({ PATH: at('path') }, 'elsewhere')).toBe('conclave')
    expect(name({ PATH: at('other') }, 'package')).toBe('npx conclave')
    expect(name({}, 'package/bin')).toBe('npx conclave')
    expect(name({}, 'project')).toBe('npx conclave')
    expect(name({}, 'elsewhere')).toBe(`node ${at('package/bin/conclave.js')}`)
    expect(name({}, '.')).toBe('node package/bin/conclave.js')
  })
})
