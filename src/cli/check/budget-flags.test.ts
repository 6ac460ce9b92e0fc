import { describe, expect, it } from 'vitest'
import { shell, shellJson } from '../../../test/support/run-command.ts'
import { main } from '../main.ts'
import type { CheckReport } from './explore.ts'

const words = (line: string) => line.split(' ')
const report = (line: string) => shellJson<CheckReport>('check', ...words(line))
const counts = ({ states, transitions, depth }: CheckReport) => ({ states, transitions, depth })

describe('reduction, storage and budget', () => {
  it('uses the reduction by default', async () => {
    const [full, reduced] = [await report('lcr -n 6 --reduction off'), await report('lcr -n 6')]
    expect(full.reduction).toEqual({
      ...{ persistentSets: false, stubbornSets: false, eagerWake: false, automorphisms: 1 },
      detail: 'none (switched off)',
    })
    expect(reduced.reduction).toMatchObject({ persistentSets: true, eagerWake: true })
    expect(reduced.states).toBeLessThan(full.states)
  })

  it('reports expected collisions, and stores whole states with --exact', async () => {
    const hashed = await report('hirschberg-sinclair --ids 3,2,4,1 --reduction off')
    expect(hashed.hash.exact).toBe(false)
    expect(hashed.hash.expectedMisses).toBe(hashed.states ** 2 / 2 ** 65)
    const exact = await report('hirschberg-sinclair --ids 3,2,4,1 --reduction off --exact')
    expect(exact.hash).toEqual({ exact: true, expectedMisses: 0 })
    expect(counts(exact)).toEqual(counts(hashed))
    expect(counts(await report('hirschberg-sinclair -n 4 --exact'))).toEqual(
      counts(await report('hirschberg-sinclair -n 4')),
    )
    const { out } = await shell('check', 'lcr', '-n', '3', '--exact')
    expect(out).toContain('; whole states')
  })

  it('walks beyond a limit, equally for equal seeds', async () => {
    const line = 'lcr -n 5 --reduction off --states 9 --walk 20'
    const { walk, exhausted, reason } = await report(line)
    expect({ exhausted, reason }).toEqual({
      exhausted: false,
      reason: 'the limit of 9 states was reached',
    })
    expect(walk?.walks).toBe(20)
    expect((await report(line)).walk).toEqual(walk)
    const { out } = await shell('check', ...words(line))
    expect(out).toContain(`20 random walks of up to ${walk?.longest} steps`)
    expect((await report('lcr -n 3 --walk 20')).walk).toBeUndefined()
    expect((await report('lcr -n 4 --states 5 --walk')).walk?.walks).toBe(1000)
    expect((await report('lcr -n 4 --states 5 --walk --seconds 0.1')).walk?.walks).toBeGreaterThan(
      0,
    )
  })

  it('says if a counterexample is perhaps not a shortest one', async () => {
    const line = 'peterson --ids 3,2,1 --order any --allow-weaker'
    const { out } = await shell('check', ...words(`${line} --states 10 --walk 5000`))
    expect(out).toContain('perhaps not a shortest one')
    expect(await report(line)).toMatchObject({ violated: { shortest: true } })
  })

  it('shows progress on a terminal only', async () => {
    const told = async (progress: boolean) => {
      let err = ''
      const io = { out: () => {}, err: (text: string) => (err += text), colours: false, progress }
      await main(words('check lcr -n 14 --ids decreasing --reduction off --seconds 1.5'), io)
      return err
    }
    const [shown, hidden] = [await told(true), await told(false)]
    expect(shown).toMatch(/[\d,]+ states \([\d,]+ per second\), depth \d+, [\d,]+ in the queue/)
    expect(hidden).toBe('')
  })

  it.each([
    ['--reduction on', '--reduction: expected one of off, auto, got "on"'],
    ['--walk 0', '--walk'],
    ['--walk some', '--walk'],
    ['--seconds 0', '--seconds'],
    ['--memory 0', '--memory'],
  ])('rejects %s in one line', async (flags, usageError) => {
    const { code, out, err } = await shell('check', 'lcr', ...words(flags))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(usageError)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})
