import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ProofReport } from '../../../src/api/prove.ts'
import { builtShell, shell, USAGE_ERROR } from '../../support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-prove-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** LCR in an own file, with what happens to an id that arrives, and clauses. */
function ring(name: string, { election = ELECTION, invariant = '' } = {}): string {
  const path = join(folder, name)
  writeFileSync(
    path,
    `import { algorithm, left, message, right, uid } from 'conclave'
const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'mine',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  state: {},
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      ${election}
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) {
        net.follow(id)
        net.send(left, LEADER, { id })
      }
      net.stop()
    },
  },
  invariant: ({ nodes, each }) => ({ ${invariant} }),
})
`,
  )
  return path
}

const LEADS = '{ net.lead(); net.send(left, LEADER, { id }) }'
const ELECTION = `if (id > my.id) net.send(left, ELECTION, { id })
      if (id === my.id) ${LEADS}`
const LEMMAS = `
    'ELECTION travels left': each(ELECTION).and(0, (m) => m.from === right),
    'an id has passed only smaller ones': each(ELECTION).and(2, (m, owner, b, ring) =>
      m.id !== owner.id || !ring.inside(owner, b, m.to) || b.id < owner.id),
    'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),
    'all follow the largest': nodes(2, (a, b) => a.leader === null || b.id <= a.leader),`

async function proving(...words: string[]): Promise<{ code: number; report: ProofReport }> {
  const { code, out, err } = await builtShell('prove', ...words, '--json')
  expect(err).toBe('')
  return { code, report: JSON.parse(out) }
}

describe('prove with a definition that can be proved', () => {
  it('says for which rings, ids and schedules, by what, and what is assumed', async () => {
    const { code, out } = await shell('prove', 'lcr')
    expect(code).toBe(0)
    const text = out.replace(/\s+/g, ' ')
    expect(text).toMatch(/^Proved for every ring, every choice of ids and every schedule /)
    expect(text).toContain('messages may be lost, overtaken and doubled; nodes may fall silent')
    expect(text).toMatch(
      /by induction: [\d,]+ steps on rings of up to 4 nodes with up to 2 messages in flight/,
    )
    expect(text).toContain('✓ at most one leader')
    expect(text).toContain('from: ELECTION travels left; an id has passed only smaller ones;')
    expect(text).toContain('assumed: ids are only compared (their types say so')
  })

  it('says the same of an own file, as data', async () => {
    const { code, report } = await proving(ring('right.ts', { invariant: LEMMAS }))
    expect(code).toBe(0)
    expect(report).toMatchObject({
      ...{ algorithm: 'mine', verdict: 'proved', violated: null, refusals: [] },
      for: { n: 'all', order: 'any', losses: true, duplicates: true },
    })
    expect(report.clauses.map(({ verdict }) => verdict)).toEqual(report.clauses.map(() => 'proved'))
    const passed = report.clauses.find(({ name }) => name.startsWith('an id has passed'))
    // Theorem 1: k + m + 1 nodes, and m + 1 messages.
    expect(passed).toMatchObject({ nodes: 2, messages: 1, cutoff: { nodes: 4, messages: 2 } })
    expect(report.assumed.join()).toMatch(/only compared \(the types in .*right\.ts show it\)/)
  })

  it('reads JavaScript with the type checker', async () => {
    const { code, report } = await proving(ring('right.js', { invariant: LEMMAS }))
    expect([code, report.unshown]).toEqual([0, []])
    expect(report.assumed.join()).toMatch(/only compared \(the types in .*right\.js show it\)/)
  })
})

it('explain names the clauses of a definition that states some, and only then', async () => {
  const { out } = await shell('explain', 'lcr')
  expect(out).toMatch(/\nProved for every n\n {2}by conclave prove lcr, from:\n {2}- ELECTION trav/)
  expect((await shell('explain', 'bully')).out).not.toContain('Proved for every n')
})

describe('prove without the clauses that are needed', () => {
  const bare = ring('bare.js')

  it('shows one step that breaks a property, and that small rings do not violate it', async () => {
    const { code, out } = await builtShell('prove', bare)
    expect(code).toBe(3)
    const text = out.replace(/\s+/g, ' ')
    expect(text).toMatch(/^Not proved for every ring: at most one leader/)
    expect(text).toContain('From here one step breaks it; what is not said may be anything')
    expect(text).toContain('ring of 2, going left: p0 (id 1) -> p1 (id 2) -> p0')
    expect(text).toContain('in flight to p0: ELECTION(id 1)')
    expect(text).toMatch(/step: p0 .*, becomes leader, .*sends LEADER\(id 1\) to p1/)
    expect(text).toContain('broken: at most one leader, for p0, p1')
    expect(text).toContain('The checker finds no violation on rings of up to 4 nodes')
    expect(text).not.toMatch(/wrong/i)
  })

  it('gives the step as data, in which the property fails afterwards and not before', async () => {
    const { report } = await proving(bare)
    const { cti, reach } = report.clauses.find(({ name }) => name === 'at most one leader')!
    const { nodes, step } = cti!
    const leading = (states: readonly Readonly<Record<string, unknown>>[]) =>
      states.filter(({ status }) => status === 'leader').length
    expect(leading(nodes)).toBe(1)
    expect(leading([step!.after, ...nodes.slice(1)])).toBe(2)
    expect(cti!.messages[0]).toMatchObject({ type: 'election', to: 0 })
    expect(reach).toEqual({ links: null, n: 4 })
  })

  it('draws it', async () => {
    const svg = join(folder, 'step.svg')
    await builtShell('prove', bare, '--svg', svg)
    const picture = readFileSync(svg, 'utf8')
    for (const text of ['mine: &quot;at most one leader&quot; is not proved', 'after the step'])
      expect(picture).toContain(text)
    expect(picture).toContain('>election(id 1)<')
  })
})

describe('prove --trace', () => {
  const trace = join(folder, 'step.jsonl')

  it('writes the step, which run --replay executes again', async () => {
    const bare = ring('traced.js')
    expect((await builtShell('prove', bare, '--trace', trace)).code).toBe(3)
    const { code, out } = await builtShell('run', bare, '--replay', trace)
    expect(code).toBe(1)
    expect(out).toMatch(/^One step breaks it again: at most one leader\n/)
    const text = out.replace(/\s+/g, ' ')
    expect(text).toContain('Position 1 (id 2): status leader, leader -, stopped false (leader')
    expect(text).toContain('(leader and stopped may be anything)')
    expect(out).toContain('In flight from position 1 to position 0: election(id 1)')
    expect(text).toContain('1. Position 0 (id 1) is woken by election(id 1)')
    const again = join(folder, 'again.jsonl')
    const files = ['--trace', again, '--svg', join(folder, 'replayed.svg')]
    const { out: json } = await builtShell('run', bare, '--replay', trace, '--json', ...files)
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(trace, 'utf8'))
    expect(JSON.parse(json)).toMatchObject({
      start: { states: [{ status: 'asleep' }, { status: 'leader' }] },
      violated: { property: 'at most one leader' },
    })
    // Where ids only pass smaller ones, the same step is no counterexample any more.
    const mended = ring('traced.js', { election: 'if (id > my.id) net.lead()' })
    expect((await builtShell('run', mended, '--replay', trace)).code).toBe(2)
  })

  it('writes the run that violates a property', async () => {
    const greedy = ring('violated.js', { election: `if (id >= my.id) ${LEADS}` })
    expect((await builtShell('prove', greedy, '--trace', trace)).code).toBe(1)
    const { code, out } = await builtShell('run', greedy, '--replay', trace)
    expect(code).toBe(1)
    expect(out).toMatch(/^Violated again: at most one leader\n/)
  })

  it('says where there is nothing to write', async () => {
    rmSync(trace, { force: true })
    const { code, err } = await shell('prove', 'lcr', '--trace', trace)
    expect([code, err]).toEqual([0, '--trace: not written, since there is no counterexample.\n'])
    expect(existsSync(trace)).toBe(false)
  })
})

describe('prove with what is false', () => {
  it('shows the run that violates a property, and leaves with 1', async () => {
    const greedy = ring('greedy.js', { election: `if (id >= my.id) ${LEADS}` })
    const { code, out } = await builtShell('prove', greedy)
    expect(code).toBe(1)
    expect(out).toMatch(/^Violated: at most one leader\n/)
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /it is violated on a ring of \d nodes with ids [\d,]+: nodes .* lead at once/,
    )
    expect(out).toMatch(/\n {2}1\. Position \d \(id \d\) wakes and sends election/)
    const [, ...words] = /\n {2}conclave (.*greedy\.js.*)\n/.exec(out)!
    expect((await builtShell(...words[0].split(' '))).code).toBe(1)
  })

  it('tells a clause that is false from one that only needs another', async () => {
    const invariant = `
      'nobody leads': nodes(1, (a) => a.status !== 'leader'),
      'LEADER names the largest': each(LEADER).and(1, (m, a) => a.id <= m.id),`
    const path = ring('clauses.js', { invariant })
    expect((await builtShell('prove', path)).out).not.toContain('Look at it')
    const { code, report } = await proving(path)
    expect(code).toBe(3)
    const [nobody, names] = report.clauses
    expect(nobody).toMatchObject({ verdict: 'open', reach: { links: 'needed', n: 1 } })
    expect(nobody.reach!.run!.at(-1)).toContain('becomes leader')
    // It is true, but not inductive: what ids on their way have passed must be said.
    expect(names).toMatchObject({ verdict: 'open', reach: { links: null, n: 4 } })
  })
})

describe('prove with what may be computed with', () => {
  const wrong: readonly (readonly [string, string, string])[] = [
    ['seven.js', 'if (id - my.id === 7) net.lead()', 'ids may'],
    ['parity.ts', 'if (Number(id) % 2 === 1) net.lead()', 'ids may'],
    ['caught.ts', 'try { if (Number(id) === 7) net.lead() } catch {}', 'ids may'],
    ['sorted.js', 'if (id > my.id && [id, my.id].sort()[1] === my.id) net.lead()', 'ids may'],
    ['boss.js', "if (my.id === Number('48611')) net.lead()", 'ids may'],
  ]
  it.each(wrong)('%s: says what and where, and leaves with 3', async (name, election, what) => {
    const path = ring(name, { election: `${election}\n      ${ELECTION}`, invariant: LEMMAS })
    const { code, out } = await builtShell('prove', path)
    expect(code).toBe(3)
    expect(out).toMatch(new RegExp(`^Not proved: ${what} be computed with\n`))
    expect(out).toMatch(new RegExp(`${name.replace('.', '\\.')}:15:\\d+: `))
    expect(out).not.toContain('✓')
    const { report } = await proving(path)
    expect(report).toMatchObject({ verdict: 'open' })
    expect(report.unshown[0].subject).toBe('ids')
  })

  it('finds a constant in a file that is imported, and what is kept outside', async () => {
    writeFileSync(join(folder, 'constants.js'), 'export const BOSS = 48611\n')
    const imported = ring('imported.js', { invariant: LEMMAS })
    const text = readFileSync(imported, 'utf8').replace(
      'if (id >',
      'if (my.id === BOSS) net.lead()\n$&',
    )
    writeFileSync(imported, `import { BOSS } from './constants.js'\n${text}`)
    expect((await proving(imported)).report.unshown[0].subject).toBe('ids')
    const counting = ring('counting.ts', { invariant: LEMMAS })
    const late = readFileSync(counting, 'utf8').replace('if (id >', 'if (late()) net.lead()\n$&')
    const count = 'const late = (() => { let n = 0; return () => ++n > 1e6 })()'
    writeFileSync(counting, late.replace('const ELECTION', `${count}\n$&`))
    const { code, report } = await proving(counting)
    expect([code, report.unshown.map(({ subject }) => subject)]).toEqual([3, ['code']])
  })
})

describe('prove with a variant', () => {
  const eager = `const eager = algorithm({
  name: 'eager', needs: { topology: 'ring', ids: 'unique' }, messages: {}, state: {}, wakes: true,
  start(_, net) { net.lead() }, on: {},
})`
  const withVariant = (name: string, params: string, variant: string) => {
    const path = ring(name, { invariant: LEMMAS })
    const members = `params: ${params},\n  variant: ${variant},\n  state: {}`
    const text = readFileSync(path, 'utf8').replace('state: {}', members)
    writeFileSync(path, text.replace('export default', `${eager}\nexport default`))
    return path
  }
  const way = "{ way: { says: 'how', choices: ['calm', 'eager'], value: () => 'calm' } }"
  const number = "{ speed: { says: 'how fast', value: () => 1 } }"

  it.each([
    ['way.ts', way, "({ way }) => (way === 'eager' ? eager : null)"],
    ['always.ts', '{}', '() => eager'],
  ])('%s: judges every one', async (name, params, variant) => {
    const { code, report } = await proving(withVariant(name, params, variant))
    expect([code, report.algorithm, report.violated]).toEqual([1, 'eager', 'at most one leader'])
  })

  it('shows a violation with the settings that choose it', async () => {
    const path = withVariant('shown.ts', way, "({ way }) => (way === 'eager' ? eager : null)")
    const { out } = await builtShell('prove', path)
    expect(out).toMatch(/conclave check \S+ --ids [\d,]+ --order any --set way=eager/)
  })

  it('proves nothing if a number chooses it', async () => {
    const path = withVariant('number.ts', number, '({ speed }) => (speed > 5 ? eager : null)')
    const { code, report } = await proving(path)
    expect([code, report.unshown.map(({ subject }) => subject)]).toEqual([3, ['parameters']])
  })

  it('proves all if they are right', async () => {
    const path = withVariant('same.ts', way, '() => null')
    expect((await proving(path)).code).toBe(0)
  })
})

describe('prove refuses', () => {
  it('with every condition that a definition does not meet, and what to do', async () => {
    const { code, out, err } = await shell('prove', 'time-slice')
    expect([code, err]).toEqual([2, ''])
    const lines = out.split(/\n {2}- /).slice(1)
    expect(lines.length).toBeGreaterThanOrEqual(4)
    for (const says of ['computes with ids', 'needs rounds', 'knows n', 'start together'])
      expect(out).toContain(says)
    const data = JSON.parse((await shell('prove', 'time-slice', '--json')).out)
    expect(data).toMatchObject({ verdict: 'refused', for: null, clauses: [] })
    expect(data.refusals).toHaveLength(lines.length)
  })

  it('what a handler does not declare, aggregations and unknown names, in one line', async () => {
    const undeclared = ring('undeclared.js', { election: 'if (my.idd === id) net.lead()' })
    for (const [name, says] of [
      [
        undeclared,
        'the handler ELECTION: my.idd is not available: the definition does not declare it.',
      ],
      ['lrc', 'Did you mean lcr?'],
      ['gossip-average', 'is an aggregation'],
    ]) {
      const { code, out, err } = await builtShell('prove', name)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain(says)
      expect(`${err.split('\n')[0]}\n`).toMatch(USAGE_ERROR)
    }
  })
})
