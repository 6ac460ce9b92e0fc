import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Answer, builtShell } from '../../support/run-command.ts'

/* An own file is accepted wherever a name of the catalogue is; clusters have tests of their own. */

const folder = mkdtempSync(join(tmpdir(), 'conclave own files '))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'files'))
const rings = join(folder, 'files', 'rings.ts')
copyFileSync(new URL('../../fixtures/own-rings.ts', import.meta.url), rings)
const range = join(folder, 'range.ts')
copyFileSync(new URL('../../../examples/range.ts', import.meta.url), range)

const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const json = async (...words: string[]) => {
  const { out, err } = await builtShell(...words, '--json')
  expect(err).toBe('')
  return JSON.parse(out)
}
const refusal = ({ code, out, err }: Answer) => {
  expect([code, out]).toEqual([2, ''])
  return err.replaceAll(folder, 'DIR')
}

describe('a reference to an own file', () => {
  it.each([
    [rings, 'DIR/files/rings.ts: the file exports several algorithms: first, second. Name one'],
    [`${rings}#third`, 'DIR/files/rings.ts: the file has no export "third". It exports the algo'],
    [`${rings}#secnd`, 'DIR/files/rings.ts: the file has no export "secnd". Did you mean second?'],
    [`${rings}#number`, 'DIR/files/rings.ts: the export "number" is not an algorithm.'],
    [join(folder, 'none.ts'), 'cannot be read: it does not exist. Check the path.'],
  ])('%s is refused with what there is', async (reference, says) => {
    for (const verb of ['run', 'check', 'explain', 'experiment', 'cluster'])
      expect(refusal(await builtShell(verb, reference))).toContain(says)
  })

  it('says that a file exports no algorithm', async () => {
    const empty = file('empty.ts', 'export const properties = []\n')
    const says = 'DIR/empty.ts: the file exports no algorithm. Write export default algorithm('
    expect(refusal(await builtShell('run', empty))).toContain(says)
  })
})

describe('an own file', () => {
  it('runs as the catalogue does, under its own name', async () => {
    const flags = ['--ids', '3,1,2', '--delay', 'uniform:1:5']
    const own = await json('run', `${rings}#first`, ...flags)
    const known = await json('run', 'lcr', ...flags)
    expect(own.scenario.algorithm).toBe(`${rings}#first`)
    expect([own.messages, own.time, own.bits]).toEqual([known.messages, known.time, known.bits])
    const { out } = await builtShell('run', `${rings}#first`, '-n', '4')
    expect(out.split('\n')[0]).toContain(`${rings}#first  ring:4`)
  })

  it('can be a role, in run and check', async () => {
    const words = ['lcr', '-n', '3', '--role', 'a', '--role', `b=${rings}#second`]
    const { roles } = await json('run', ...words)
    expect(roles.a.messages).toEqual(roles.b.messages)
    const checked = await json('check', ...words, '--order', 'fifo')
    expect(checked.roles.b).toMatchObject({ algorithm: `${rings}#second`, violated: null })
    expect(checked.roles.a.states).toBe(checked.roles.b.states)
    const gossip = ['run', 'lcr', '--role', `b=${range}`]
    expect(refusal(await builtShell(...gossip))).toMatch(/^--role: .*range.ts is an aggregation/)
  })

  it('quotes its path in the commands that reproduce a result', async () => {
    const wrong = file(
      'two words.ts',
      readFileSync(rings, 'utf8')
        .replace('export const second = ', '')
        .replace('if (id < my.id) return', ''),
    )
    const { out, code } = await builtShell('run', wrong, '--ids', '3,2,1')
    expect(code).toBe(1)
    expect(out).toContain(`conclave run '${wrong}' --ids 3,2,1`)
    const checked = await json('check', wrong, '-n', '3', '--ids', 'all')
    expect(checked.violated.command).toContain(`conclave check '${wrong}' --ids `)
  })

  it('is explained by what it declares', async () => {
    const { out } = await builtShell('explain', `${rings}#first`)
    expect(out).toMatch(/Assumes\n {2}a ring network[\s\S]*\n\nCost\n {2}not stated/)
    expect(out).toMatch(/Messages\n {2}election +id:uid\n {2}leader .*announcement/)
    expect(out).toContain('State\n  no fields')
    expect(out).not.toContain('Source texts')
    expect(await json('explain', range)).toMatchObject({ name: 'range', file: range })
  })

  it('is measured beside the catalogue, in one thread or several', async () => {
    const swept = `algorithm=lcr,${rings}#first,${rings}#second`
    const flags = ['--sweep', swept, '--sweep', 'n=3,5', '--repeat', '2', '--measure', 'messages']
    const results = async (workers: string) => {
      const out = join(folder, `results-${workers}`)
      const answer = await builtShell(
        'experiment',
        'lcr',
        ...flags,
        '--threads',
        workers,
        '--out',
        out,
      )
      expect(answer).toMatchObject({ code: 0, err: '' })
      return readFileSync(join(out, 'results.csv'), 'utf8')
    }
    const csv = await results('2')
    expect(csv).toBe(await results('1'))
    const rows = csv.trim().split('\n').slice(1)
    const of = (name: string) =>
      rows.flatMap((row) => {
        const [, algorithm, n, repeat, seed, messages] = row.split(',')
        return algorithm === name ? [[n, repeat, seed, messages]] : []
      })
    expect(of(`${rings}#first`)).toEqual(of('lcr'))
    expect(of('lcr')).toHaveLength(4)
  })

  it('is measured by its path alone; an aggregation by its convergence', async () => {
    const { points } = await json('experiment', `${rings}#first`, '--sweep', 'n=3,4')
    expect(points).toHaveLength(2)
    const cycles = ['--timing', 'cycles', '--sweep', 'n=10,20']
    const { title, points: found } = await json('experiment', range, ...cycles)
    expect(title).toBe(`${range} by n`)
    expect(Object.keys(found[0].measures)).toEqual(['factor', 'within', 'error', 'messages'])
    const wrong = ['--sweep', 'n=3', '--measure', 'messages.push']
    expect(refusal(await builtShell('experiment', `${rings}#first`, ...wrong))).toMatch(
      /there is no message type "push"\. The message types are election, leader\./,
    )
  })

  it('is named relative to the document of an experiment', async () => {
    const study = { base: { n: 4 }, sweep: { algorithm: ['lcr', 'files/rings.ts#second'] } }
    const { points } = await json('experiment', file('study.json', JSON.stringify(study)))
    expect(points).toHaveLength(2)
  })

  it('may be imported by the document of an experiment', async () => {
    const study = file(
      'study.ts',
      `import { first } from './files/rings.ts'
       export default { base: { n: 4 }, sweep: { algorithm: ['lcr', first], seed: '1..3' },
         measures: ['messages'] }`,
    )
    const threads = await builtShell('experiment', study, '--threads', '2')
    expect(threads).toMatchObject({ code: 0, err: '' })
    expect(threads).toEqual(await builtShell('experiment', study, '--threads', '1'))
    expect(threads.out).toMatch(/first +3 +\d+/)
  })
})

describe('an own aggregation', () => {
  it('runs in cycles and by messages', async () => {
    const values = ['--values', '3,1,4,1,5,9,2,6']
    for (const timing of ['cycles', 'async']) {
      const result = await json('run', range, ...values, '--timing', timing, '--until', '12')
      expect(result).toMatchObject({ truth: 8, verdict: { ok: true } })
      expect(result.cycles.at(-1)).toMatchObject({ min: 8, max: 8, within: 1 })
    }
  })

  it('is checked', async () => {
    const flags = ['--values', '3,1', '--set', 'exchanges=1']
    const { exhausted, violated, properties } = await json('check', range, ...flags)
    expect([exhausted, violated]).toEqual([true, null])
    expect(properties[0]).toMatchObject({ name: 'extremes are held by somebody', holds: true })
  })
})
