import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { builtShell } from '../../support/run-command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const example = readFileSync(join(root, 'examples/smallest-first.ts'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'conclave-properties-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = join(folder, 'mine.ts')
const trace = join(folder, 'trace.jsonl')

/** Checks the example with pieces of it replaced. */
async function checked(pieces: Record<string, string>, ...more: string[]) {
  let code = example
  for (const [piece, by] of Object.entries(pieces)) {
    expect(code).toContain(piece)
    code = code.replace(piece, by)
  }
  writeFileSync(path, code)
  const answer = await builtShell('check', path, '--ids', '2,1,3', ...more)
  return { ...answer, err: answer.err.replaceAll(path, 'mine.ts') }
}

it('an error of a handler is reported with its name and its place', async () => {
  const { code, out, err } = await checked({ 'net.lead()': "net['crown']()" }, '--no-types')
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^mine\.ts:24:\d+: .*ELECTION.*net\.crown/)
})

it('a handler may throw anything', async () => {
  const { code, out, err } = await checked({ 'net.lead()': 'throw null' })
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(/^[^\n]*ELECTION[^\n]* threw null\.\n$/)
})

it('a file that imports what is not there, or needs no known network, is refused', async () => {
  const missing = await checked({ "from 'conclave'": "from 'nope'" })
  expect(missing.err).toMatch(
    /^mine\.ts:\d+:\d+: cannot import "nope"\. Check the name, or run npm/,
  )
  const misspelt = await checked({ "topology: 'ring'": "topology: 'rign'" }, '--no-types')
  expect(misspelt.err.split('\n')[0]).toBe(
    'mine.ts:7:30: smallest-first: needs: topology: "rign" (a string) is unknown. Did you mean ring?',
  )
})

it('a run that cannot be reproduced is reported in one line', async () => {
  // Broken when it is first asked, and never again.
  const fickle = 'const wrong = asked() === 0 ? 0 : undefined'
  const { code, out, err } = await checked({
    'const wrong = leaders.find((node) => ids[node] !== Math.min(...ids))': fickle,
    'export const properties': 'const asked = ((n) => () => n++)(0)\nexport const properties',
  })
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(
    /^check smallest-first: .* Handlers and properties must be deterministic.*\n$/,
  )
})

describe('properties that a definition exports', () => {
  it('are checked beside the usual ones', async () => {
    const { code, out } = await checked({}, '--json')
    expect(code).toBe(0)
    const own = { name: 'the smallest leads', holds: true }
    expect(JSON.parse(out).properties).toContainEqual(expect.objectContaining(own))
  })

  it('are violated by a shortest run, which can be replayed', async () => {
    // The largest wins: a fine election, but not the one that was meant.
    const { code, out } = await checked(
      { 'if (id < my.id)': 'if (id > my.id)' },
      '--trace',
      trace,
      '--order',
      'fifo',
    )
    expect([code, out.split('\n')[0]]).toEqual([1, 'Violated: the smallest leads'])
    expect(out).toContain('✗ the smallest leads: 3 leads, and 1 is smaller')
    // A node that is reached starts, and links are FIFO: 3 returns behind 1 and 2. That is a
    // start and six receipts.
    expect(out).toMatch(/ 7\. Position 2 \(id 3\) .*becomes leader/)
    expect(out).not.toMatch(/ 8\. /)
    const again = await builtShell('run', path, '--replay', trace)
    expect(again.code).toBe(1)
    expect(again.out).toMatch(/^Violated again: the smallest leads\n/)
  })

  it('that must hold eventually are checked in a replay', async () => {
    const two = "leaders.length === 2 ? null : 'never two'"
    const eventual = {
      "when: 'always'": "when: 'eventually'",
      'return wrong ===': `return ${two}; wrong ===`,
    }
    const { code, out } = await checked(eventual, '--trace', trace, '--no-types')
    expect([code, out]).toEqual([1, expect.stringContaining('✗ the smallest leads: never two')])
    const again = await builtShell('run', path, '--replay', trace, '--no-types')
    expect(again.code).toBe(1)
    expect(again.out).toMatch(/^Violated again: the smallest leads\n/)
    expect(again.out).toContain('✓ every fair run elects')
  })

  it('of another definition are not checked on a trace, and the report says so', async () => {
    await checked({ 'if (id < my.id)': 'if (id > my.id)' }, '--trace', trace)
    writeFileSync(path, readFileSync(path, 'utf8').replace('const properties', 'const others'))
    const { code, out } = await builtShell('run', path, '--replay', trace)
    expect(code).toBe(1)
    expect(out.replace(/\n {4}/g, ' ')).toContain(
      '? the smallest leads: not checked, because this definition has no such property',
    )
  })

  it('that were corrected hold on the old trace', async () => {
    await checked({ 'if (id < my.id)': 'if (id > my.id)' }, '--trace', trace)
    const code = readFileSync(path, 'utf8').replaceAll('Math.min', 'Math.max')
    writeFileSync(path, code)
    const { out } = await builtShell('run', path, '--replay', trace)
    expect(out).toContain('✓ the smallest leads')
    expect(out).not.toContain('✗')
  })

  it('need the definition on the command line', async () => {
    await checked({}, '--trace', trace)
    const alone = await builtShell('run', '--replay', trace)
    expect([alone.code, alone.out]).toEqual([2, ''])
    expect(alone.err).toContain('conclave run mine.ts --replay FILE')
    writeFileSync(path, readFileSync(path, 'utf8').replace('if (id < my.id)', 'if (id > my.id)'))
    const other = await builtShell('run', path, '--replay', trace)
    expect([other.code, other.out]).toEqual([2, ''])
    expect(other.err.replaceAll(trace, 'trace')).toMatch(/^trace(, line \d+|: move \d+): /)
  })

  it.each([
    [{ 'const properties: Property[] = [': 'const properties = 7; [' }, 'a list of properties'],
    [{ "name: 'the smallest leads'": "name: ''" }, 'properties[0]: a property needs a name'],
    [
      { 'the smallest leads': 'at most one leader' },
      'the name "at most one leader" is that of a property of every',
    ],
    [
      { 'the smallest leads': 'no two leaders that reach each other' },
      'the name "no two leaders that reach each other" is that of a property',
    ],
    [{ 'the smallest leads': 'every fair run ends' }, 'the name "every fair run ends" is that'],
    [{ 'the smallest leads': 'every fair run elects' }, 'the name "every fair run elects" is that'],
    [
      { "when: 'always'": "when: 'often'" },
      'expected when to be always, at the end, from some time on, in the long run or eventually',
    ],
    [
      { "when: 'always'": "when: 'always', sees: 'nodes' as never" },
      'properties[0]: expected sees to be leaders, outcomes or single nodes, got "nodes"',
    ],
    [{ 'broken({': 'breaks({' }, 'properties[0]: expected broken to be a function'],
    [{ 'const ids =': "throw new Error('oh\\nno'); const ids =" }, 'broken threw "oh'],
    [{ 'return wrong === undefined ? null': 'return n > 0 ? n' }, 'broken returned 3'],
    [{ '[] = [': '[] = [null as never,' }, 'properties[0]: a property needs a name'],
  ])('are refused if they are malformed: %o', async (pieces, said) => {
    const { code, out, err } = await checked(pieces, '--no-types')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('mine.ts: propert')
    expect(err).toContain(said)
  })
})
