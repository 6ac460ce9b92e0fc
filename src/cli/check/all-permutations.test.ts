import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sample } from '../../../test/support/campaign.ts'
import { builtShell, shell, shellJson } from '../../../test/support/run-command.ts'
import type { AllReport } from './all-permutations.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-check-all-'))
afterAll(() => rmSync(folder, { recursive: true }))

const words = (line: string) => line.split(' ')
const all = (line: string) => shellJson<AllReport>('check', ...words(line), '--ids', 'all')

describe('check --ids all', () => {
  it('explores what single commands explore, once per orbit', async () => {
    const { states, transitions, depth } = await all('lcr -n 3')
    const one = (ids: string) => shellJson<AllReport>('check', 'lcr', '--ids', ids)
    const singles = [await one('3,1,2'), await one('3,2,1')]
    const sum = (field: 'states' | 'transitions') => singles[0][field] + singles[1][field]
    expect([states, transitions]).toEqual([sum('states'), sum('transitions')])
    expect(depth).toBe(Math.max(...singles.map((single) => single.depth)))
  })

  it.each([
    ['lcr -n 4', 6, 24, 'every set of 4 ids, in every order: lcr only compares ids'],
    ['lcr -n 1', 1, 1, 'every id: lcr only compares ids'],
    ['lcr -n 3 --wake 0,1', 6, 6, 'every set of 3 ids, in every order'],
    ['lcr -n 3 --crash 1', 6, 6, 'every set of 3 ids, in every order'],
    ['lcr -n 3 --values 5,5,5', 6, 6, 'every set of 3 ids, in every order'],
    ['slow-fast -n 3', 6, 6, 'permutation of the ids 1 to 3; other ids were not tried: slow-fast'],
    ['time-slice -n 3', 6, 6, 'ids were not tried: time-slice computes with ids'],
    ['echo-extinction -t path:3', 6, 6, 'every set of 3 ids, in every order'],
    ['echo-extinction -t ring:4', 6, 24, 'every set of 4 ids, in every order'],
    ['ghs -t ring:3', 6, 6, 'every set of 3 ids, in every order: ghs only compares ids'],
    ['ring-list -n 3', 2, 6, 'every set of 3 ids, in every order: ring-list only compares ids'],
  ])('says what %s proves', async (line, needed, count, proves) => {
    const report = await all(line)
    expect(report).toMatchObject({
      ...{ exhausted: true, violated: null, arrangements: needed },
      coverage: { needed, all: count, proves: expect.stringContaining(proves) },
    })
    for (const { holds } of report.properties) expect(holds).toBe(true)
  })

  it('shows the first violating permutation as its own command does', async () => {
    const { violated, arrangements } = await all('chang-roberts -n 3 --crashes 1 --detect off')
    expect(violated?.command).toBe(
      `conclave check chang-roberts --ids ${violated?.ids} --crashes 1 --detect off`,
    )
    expect(arrangements).toBe(1)
    const single = words(violated!.command).slice(1)
    const { violated: alone } = await shellJson<AllReport>(...single)
    const { command: _, ...same } = violated!
    expect(same).toEqual(alone)
    const { code, out } = await shell(
      ...words('check chang-roberts -n 3 --crashes 1 --detect off --ids all'),
    )
    expect([code, out]).toEqual([1, expect.stringContaining(violated!.command)])
  })

  it('says that nodes without ids leave nothing to permute', async () => {
    const line = 'check itai-rodeh -n 2 --ids all --draws 2'
    const { out } = await shell(...words(line))
    expect(out).toContain('nodes have no ids: there is nothing to permute')
    expect(out).toContain('holds for every world of this kind')
    expect(out).not.toMatch(/permutations? of the ids|with ids/)
    const { violated } = await shellJson<AllReport>(...words(`${line} --losses 1`))
    expect(violated?.command).toBe('conclave check itai-rodeh -n 2 --draws 2 --losses 1')
    expect((await shell(...words(violated!.command).slice(1))).code).toBe(1)
  })

  it('walks beyond a limit as often as the command for one permutation', async () => {
    const { out } = await shell(...words('check lcr -n 3 --ids all --states 5 --walk'))
    expect(out).toContain('; 1,000 random walks of up to 11 steps\n')
    expect(await all('lcr -n 3 --states 5 --walk 7')).toMatchObject({ walk: { walks: 7 } })
    // A violation that a random walk finds is reported, too.
    const far = 'chang-roberts -n 4 --duplicates 1 --losses 1 --states 3 --walk 200'
    const { violated, walk, exhausted } = await all(far)
    expect(violated?.trace.length).toBeGreaterThan(0)
    expect([walk?.walks, exhausted]).toEqual([expect.any(Number), false])
  })

  it('names the weights for which it holds', async () => {
    const proves = async (line: string) => (await all(line)).coverage.proves
    expect(await proves('ghs -t path:3 --seed 4')).toMatch(/; with the weights of seed 4$/)
    expect(await proves('ghs -t path:3 --weights 2,1')).toMatch(/; with weights 2,1$/)
  })

  it('applies limits to all permutations together, and says what was not explored', async () => {
    const { states: enough } = await all('lcr -n 4')
    expect(await all(`lcr -n 4 --states ${enough}`)).toMatchObject({ exhausted: true })
    const few = await all(`lcr -n 4 --states ${enough - 1}`)
    const reason = `the limit of ${enough - 1} states was reached`
    expect(few).toMatchObject({ exhausted: false, reason, arrangements: 6, violated: null })
    for (const { holds } of few.properties) expect(holds).toBeNull()
    const { code, out } = await shell(...words('check lcr -n 9 --ids all --seconds 0.05'))
    expect([code, out.split('\n')[0]]).toEqual([3, 'Not exhausted: the time limit was reached'])
  })

  it.each([
    ['lcr -n 14', '14 nodes have 6,227,020,800 permutations of ids; at most 10,000,000'],
    ['lcr -n 3 --states many', '--states'],
    ['lcr -n 3 --seconds 0', '--seconds'],
    ['gossip-average -t complete:2', '--ids'],
  ])('rejects %s in one line', async (line, usageError) => {
    const { code, out, err } = await shell('check', ...words(line), '--ids', 'all')
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(usageError)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  const conditions = [
    ['compares only', 'id < my.id', null],
    ['has a constant', 'id < my.id && Number(my.id) !== 77', /(?<!\d)77(?!\d)/],
    ['has a large constant', 'id < my.id && Number(my.id) !== 4_000_000_007', /4000000007/],
    ['computes', 'Number(id) % 5 < Number(my.id) % 5', /./],
    ['compares digits', 'String(id) < String(my.id)', /./],
  ] as const

  it.each(sample(conditions, 4))(
    'tries other ids of an own file: one that %s',
    async (_, condition, ids) => {
      const right = readFileSync(
        new URL('../../../examples/smallest-first.ts', import.meta.url),
        'utf8',
      )
      const piece = 'id < my.id'
      expect(right).toContain(piece)
      const file = join(folder, 'own.ts')
      writeFileSync(file, right.replace(piece, condition))
      const check = (...flags: string[]) =>
        builtShell('check', file, '-n', '3', '--no-types', ...flags)
      const { code, out } = await check('--ids', 'all', '--json')
      const { violated, coverage } = JSON.parse(out) as AllReport
      if (ids === null) {
        expect([code, coverage.ids?.evidence]).toEqual([0, 'tested'])
        expect(coverage.proves).toMatch(
          /^every permutation of the ids 1 to 3; tested with \d\d other sets/,
        )
        return
      }
      expect([code, coverage.ids?.evidence]).toEqual([1, 'none'])
      expect(violated!.ids.join()).toMatch(ids)
      // The command that is printed shows it.
      expect((await builtShell(...words(violated!.command).slice(1))).code).toBe(1)
      const { out: report } = await check('--ids', 'all')
      expect(report.replace(/\s+/g, ' ')).toContain('does more with ids than compare them')
    },
  )

  it('proves of an own file that it only compares ids, with and without the id 0', async () => {
    const file = join(folder, 'typed.ts')
    const source = (condition: string) => `import { algorithm, left, message, uid } from 'conclave'
const ELECTION = message({ id: uid })
const LEADER = message({ id: uid })
export default algorithm({
  name: 'typed',
  needs: { topology: 'ring', ids: 'unique' },
  messages: { ELECTION, LEADER },
  state: { best: uid },
  wakes: true,
  start(my, net) {
    net.send(left, ELECTION, { id: my.id })
  },
  on: {
    ELECTION(my, { id }, net) {
      if (id > my.id && ${condition}) net.send(left, ELECTION, { id })
      if (id !== my.id) return
      net.lead()
      net.send(left, LEADER, { id })
    },
    LEADER(my, { id }, net) {
      if (id !== my.id) net.follow(id)
      if (id !== my.id) net.send(left, LEADER, { id })
      net.stop()
    },
  },
})
`
    const all = async (condition: string) => {
      writeFileSync(file, source(condition))
      return builtShell('check', file, '-n', '2', '--ids', 'all')
    }
    const right = await all('true')
    expect([right.code, right.out]).toEqual([
      0,
      expect.stringContaining(
        'holds for every set of 2 ids, in every order: typed only compares ids',
      ),
    ])
    // A field that is not set is 0, and so is the smaller of two ids.
    const unset = await all('my.best !== my.id')
    expect([unset.code, unset.out]).toEqual([1, expect.stringMatching(/^Violated: .*, ids .*0/)])
    const cast = await all('(my.id as unknown as number) !== 1000')
    expect([cast.code, cast.out.replace(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringMatching(/does more with ids than compare them \(\S*typed.ts:15:\d+: a cast/),
    ])
  })

  it('gives the same result in threads, also at a limit', async () => {
    // Others help after half a second, where seconds of work are left.
    const line = 'lcr -n 8 --reduction off --states 700000'
    const { speed: _, ...alone } = await all(line)
    const { out } = await builtShell(...words(`check ${line} --ids all --json`))
    const { speed: __, ...threaded } = JSON.parse(out) as AllReport
    expect(threaded).toEqual(alone)
    expect(threaded).toMatchObject({ states: 700_000, exhausted: false })
  })
})
