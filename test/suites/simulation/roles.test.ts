import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RolesReport } from '../../../src/cli/run/execute.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const run = (line: string) => shellJson<RolesReport>('run', ...line.split(' '))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Without what the machine decides. */
const timeless = (report: unknown) =>
  JSON.parse(JSON.stringify(report, (key, value) => (key === 'speed' ? undefined : value)))

interface Line {
  readonly at: number
  readonly role?: string
  readonly event: string
  readonly leader?: number
}

async function traced(line: string): Promise<Line[]> {
  const path = join(folder, 'run.jsonl')
  await shell('run', ...line.split(' '), '--trace', path)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.slice(1).map((text) => JSON.parse(text))
}

const TWO = 'lcr -n 5 --delay uniform:1:9 --role monitor --role printer=chang-roberts'

describe('several roles on the command line', () => {
  it('give one result each, and total counts', async () => {
    const { roles, ...whole } = await run(TWO)
    expect(Object.keys(roles)).toEqual(['monitor', 'printer'])
    const { monitor, printer } = roles
    expect(monitor.scenario).toMatchObject({ algorithm: 'lcr', role: 'monitor' })
    expect(printer.scenario).toMatchObject({ algorithm: 'chang-roberts', role: 'printer' })
    expect(whole.messages.total).toBe(monitor.messages.total + printer.messages.total)
    expect(whole).toMatchObject({ n: 5, links: 5, leader: monitor.leader, verdict: { ok: true } })
    expect(whole.scenario).toMatchObject({
      algorithm: 'lcr',
      role: ['monitor', 'printer=chang-roberts'],
    })
  })

  it('can be replayed from the scenario, together and one by one', async () => {
    const whole = timeless(await run(TWO))
    const path = join(folder, 'again.json')
    writeFileSync(path, JSON.stringify(whole.scenario))
    expect(timeless(await run(path))).toEqual(whole)
    writeFileSync(path, JSON.stringify(whole.roles.printer.scenario))
    expect(timeless(await run(path)).roles.printer).toEqual(whole.roles.printer)
  })

  it('are named in a trace ordered by time, each with its own events', async () => {
    const together = await traced(TWO)
    expect(together.map(({ at }) => at)).toEqual(together.map(({ at }) => at).sort((a, b) => a - b))
    const [first, second] = TWO.split(/ (?=--role)/).slice(1)
    for (const role of [first, second]) {
      const name = role.split(/[ =]/)[1]
      const alone = await traced(TWO.replace(first, role).replace(` ${second}`, ''))
      expect(alone.length).toBeGreaterThan(10)
      expect(together.filter((event) => event.role === name)).toEqual(alone)
    }
  })

  it('are reported one after the other', async () => {
    const { out, code } = await shell('run', ...TWO.split(' '))
    expect(code).toBe(0)
    const headings = out.split('\n').filter((line) => /^role /.test(line))
    expect(headings).toEqual(['role monitor', 'role printer'])
    const { messages } = await run(TWO)
    expect(out.trimEnd().endsWith(`2 roles, ${messages.total} messages in total`)).toBe(true)
  })

  it('fail if one fails, and the command has all roles', async () => {
    const line = 'lcr -n 5 --role a --role b --max-messages 3'.split(' ')
    const { out, code } = await shell('run', ...line)
    expect(code).toBe(1)
    expect(out).toContain('reproduce: conclave run lcr -n 5 --role a --role b --max-messages 3')
  })

  it('can be drawn one by one', async () => {
    const path = join(folder, 'one.svg')
    const { code } = await shell('run', 'lcr', '-n', '3', '--role', 'a', '--svg', path)
    expect(code).toBe(0)
    expect(readFileSync(path, 'utf8')).toContain('<svg')
  })
})

describe('an election by value on the command line', () => {
  const VALUED = 'lcr --ids 70,80,90 --values 3,9,1'

  it('records what was compared', async () => {
    const { scenario, leader } = await run(VALUED)
    expect(scenario).toMatchObject({ values: [3, 9, 1], 'elect-by': 'value', topology: 'ring:3' })
    expect(leader).toEqual({ node: 1, id: 80 })
    expect((await run('lcr')).scenario).toMatchObject({ 'elect-by': 'id' })
    expect((await run('time-slice')).scenario).not.toHaveProperty('elect-by')
  })

  it('reports ids and values, not keys', async () => {
    const { out } = await shell('run', ...VALUED.split(' '), '--trace', '-')
    expect(out).toContain('follows p1(80)')
    expect(out).toContain('sends leader(id 80) to p2(90)')
    expect(out).toContain('id 80 is leader (position 1, value 9)')
    expect(out).toContain('elected by value')
    const follows = (await traced(VALUED)).filter(({ event }) => event === 'follow')
    expect(follows.map(({ leader }) => leader)).toEqual([80, 80])
  })
})

describe('several roles in the checker', () => {
  interface Checked {
    readonly states: number
    readonly transitions: number
    readonly depth: number
    readonly exhausted: boolean
    readonly properties: readonly { readonly name: string; readonly holds: boolean | null }[]
    readonly violated: { readonly property: string; readonly role: string } | null
    readonly roles: Readonly<Record<string, Checked>>
  }
  const check = (line: string) => shellJson<Checked>('check', ...line.split(' '))

  it.each([
    ['-n 3', 'peterson'],
    ['--ids 2,3,1 --wake 0,2 --order any --allow-weaker', 'chang-roberts'],
    ['-n 3 --ids all --worst messages', 'franklin'],
  ])('are checked as if each were alone: %s', async (world, other) => {
    const { roles, ...whole } = await check(`lcr ${world} --role a --role b=${other}`)
    const [a, b] = [await check(`lcr ${world}`), await check(`${other} ${world}`)]
    expect(timeless(roles)).toEqual({ a: timeless(a), b: timeless(b) })
    expect(whole).toMatchObject({
      states: a.states + b.states,
      transitions: a.transitions + b.transitions,
      depth: Math.max(a.depth, b.depth),
    })
    expect(whole.properties.map(({ name }) => name)).toEqual([
      ...a.properties.map(({ name }) => `a: ${name}`),
      ...b.properties.map(({ name }) => `b: ${name}`),
    ])
  })

  it('have the network of the first, and rounds if one needs them', async () => {
    const { roles } = await check('lcr -n 3 --role a --role b=slow-fast')
    for (const role of ['a', 'b'])
      expect(roles[role]).toMatchObject({ topology: 'ring:3', mode: 'clocked:1' })
    const mixed = await check('bully -n 3 --mode clocked:1 --role a --role b=ghs')
    expect(mixed.roles.b).toMatchObject({ topology: 'complete:3' })
  })

  it('are violated if one is, and the report names it first', async () => {
    const line =
      'check ring-list -t complete:2 --duplicates 1 --mode untimed --role a --role b=bully'
    const { code, out } = await shell(...line.split(' '))
    const { violated, roles } = await check(line.slice('check '.length))
    expect(violated).toMatchObject({ role: 'b', property: `b: ${roles.b.violated!.property}` })
    expect(roles.a.violated).toBeNull()
    expect([code, out]).toEqual([1, expect.stringMatching(/^role b: Violated: /)])
    const cut = await shell(...'check lcr -n 4 --role a=ring-list --states 5'.split(' '))
    expect([cut.code, cut.out]).toEqual([3, expect.stringMatching(/^role a: Not exhausted: /)])
  })

  it('write a trace of one role, which can be replayed', async () => {
    const path = join(folder, 'checked.jsonl')
    const line = `check lcr -n 3 --losses 1 --role a --trace ${path}`
    expect((await shell(...line.split(' '))).code).toBe(1)
    expect((await shell('run', '--replay', path)).out).toMatch(/^Violated again: /)
  })

  it.each([
    ['lcr -n 3 --role a --role a', 'a is listed twice'],
    ['lcr -n 3 --role 7', 'expected a role name'],
    ['lcr -n 3 --role a=nobody', 'no algorithm'],
    ['lcr -n 3 --role a --role b=bully', 'bully needs a complete network'],
    ['lcr -n 3 --role a --role b --svg no/where.svg', 'does not exist'],
    ['lcr -n 3 --role a --role b --svg two.svg', 'there are 2 roles'],
    ['lcr -n 3 --role a --role b --trace two.jsonl', 'there are 2 roles'],
    ['lcr -n 3 --role a --seconds soon', '--seconds'],
    ['gossip-max --values 1,2 --role a', '--role'],
  ])('are rejected in one line: %s', async (line, complaint) => {
    const { code, out, err } = await shell('check', ...line.split(' '))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(complaint)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})
