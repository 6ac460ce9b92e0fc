import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { shell, shellJson } from '../../../test/support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

const words = (line: string) => line.split(' ')

describe('check with faults', () => {
  it.each([
    ['--cuts 1', 'for every permutation of the ids (up to 1 cut)'],
    ['--cuts 2', 'for every permutation of the ids (up to 2 cuts)'],
    ['--crashes 1 --detect off', '(up to 1 crash, detector off)'],
    ['--crash 2', 'for every permutation of the ids (2 dead from the start)'],
    [
      '--crash 1 --crashes 1 --losses 2 --states 50',
      '(up to 1 crash and 2 losses, 1 dead from the start)',
    ],
    ['--crashes 1 --recoveries 1 --reappear', '(up to 1 crash and 1 recovery under another id)'],
    ['--duplicates 1 --states 9', 'Not exhausted: the limit of 9 states was reached (up to 1 d'],
  ])('says first what %s covers', async (flags, headline) => {
    const { out } = await shell('check', 'wireless', '-t', 'path:3', ...words(flags))
    // The first line continues where it is long.
    expect(out.split(/\n {2}(?=\w+ on )/)[0].replace(/\s+/g, ' ')).toContain(headline)
  })

  it('has the faults in the JSON, if there are any', async () => {
    const line = 'check wireless -t path:3 --cuts 1 --crash 2'
    expect(await shellJson(...words(line))).toMatchObject({
      exhausted: true,
      faults: { crashes: 0, losses: 0, duplicates: 0, cuts: 1, recoveries: 0, dead: [2] },
      properties: [
        { name: 'no two leaders that reach each other' },
        { holds: true },
        { holds: true },
      ],
    })
    expect(await shellJson(...words('check lcr -n 2'))).not.toHaveProperty('faults')
  })

  it('explains and draws a counterexample with a crash', async () => {
    const files = { svg: join(folder, 'death.svg'), trace: join(folder, 'death.jsonl') }
    const line = `check lcr --ids 1,2,3 --crashes 1 --detect off --svg ${files.svg}`
    const { code, out } = await shell(...words(line), '--trace', files.trace)
    expect(code).toBe(1)
    expect(out).toMatch(/Position \d \(id \d\) .*crashes\./)
    const lines = readFileSync(files.trace, 'utf8').trim().split('\n')
    const events = lines.map((line) => JSON.parse(line).event)
    expect(events.filter((event) => event === 'crash')).toHaveLength(1)
    expect(readFileSync(files.svg, 'utf8')).toContain('class="mark crash"')
  })

  it('passes the largest delay of mode clocked to algorithms that know it', async () => {
    for (const mode of ['clocked:1', 'clocked:3'])
      expect((await shell('check', 'bully', '-n', '2', '--mode', mode)).code).toBe(0)
  })

  it('restarts ring elections when the ring closes, as run does', async () => {
    for (const line of ['lcr -n 3 --crashes 1', 'lcr -n 3 --crash 1', 'peterson -n 3 --crashes 2'])
      expect(await shellJson('check', ...words(line))).toMatchObject({
        exhausted: true,
        properties: [
          { holds: true },
          { holds: true },
          { name: 'every fair run ends', holds: true },
        ],
      })
    const { code, out } = await shell(...words('check slow-fast -n 2 --crashes 1'))
    expect([code, out]).toEqual([1, expect.not.stringContaining('attempt')])
  })

  it('adds notes where the model explains the result', async () => {
    const bound = 'delays are unbounded here, but bully needs a bound; leave --mode out to have one'
    const notified = 'all nodes are notified of all crashes and recoveries'
    const notes = async (line: string) => (await shell('check', ...words(line))).out
    expect(await notes('bully -n 2 --mode untimed')).toContain(bound)
    expect(await notes('bully -n 2')).not.toContain(bound)
    expect(await notes('lcr -n 2 --crashes 1 --recoveries 1')).toContain(notified)
    expect(await notes('lcr -n 2 --crashes 1 --detect off')).not.toContain(notified)
    expect(await notes('itai-rodeh -n 2 --crashes 1')).not.toContain(notified)
    expect(await shellJson(...words('check bully -n 2 --mode untimed'))).toMatchObject({
      notes: [`untimed: ${bound}`],
    })
    expect(await shellJson(...words('check lcr -n 2'))).not.toHaveProperty('notes')
  })

  it('tolerates two leaders during a hand-over', async () => {
    const recovery = 'check bully -n 3 --crashes 1 --recoveries 1 --mode clocked:1'
    expect(await shellJson(...words(recovery))).toMatchObject({ exhausted: true, violated: null })
  })

  it.each([
    ['lcr -n 3 --crashes -1', '--crashes'],
    ['lcr -n 3 --losses many', '--losses'],
    ['lcr -n 3 --crashes 4', '4 crashes are too many for 3 nodes'],
    [
      'lcr -n 3 --cuts 1',
      'algorithms for general graphs and complete networks; lcr requires a ring',
    ],
    ['lcr -n 3 --recoveries 1', 'exceeds the number of crashes (0)'],
    ['lcr -n 3 --crashes 1 --reappear', 'reappear needs at least one recovery'],
    ['lcr -n 3 --crash 1@3', '--crash'],
    ['lcr -n 3 --crashes 1 --detect soon', '--detect'],
    ['lcr -n 3 --crash 0,1 --wake 0', 'no node that is to start (0) is ever alive'],
    ['lcr -n 3 --trace one.file --svg one.file', 'the diagram cannot be written to one.file'],
    ['lcr -n 5000', 'at most 1,000 nodes'],
  ])('rejects %s in one line', async (line, message) => {
    const { code, out, err } = await shell('check', ...words(line))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
    expect(err.trim().split('\n')).toHaveLength(1)
  })
})

describe('check of scenarios of run', () => {
  it('lets any nodes start if a variant needs no common start', async () => {
    const wake = async (...flags: string[]) =>
      (await shellJson<{ wake: string }>('check', 'time-slice', '-n', '2', ...flags)).wake
    expect(await wake()).toBe('all')
    expect(await wake('--set', 'start=flood')).toBe('any')
  })

  it('uses --wake any by default, and rejects it where all must start', async () => {
    const report = async (...flags: string[]) => {
      const { speed: _, ...rest } = await shellJson('check', ...flags)
      return rest
    }
    expect(await report('lcr', '-n', '3', '--wake', 'any')).toEqual(await report('lcr', '-n', '3'))
    const line = 'check time-slice --ids 2,1 --wake any'
    const { code, err } = await shell(...words(line))
    expect([code, err]).toEqual([2, expect.stringContaining('must start at the beginning')])
    const weaker = await shellJson(...words(`${line} --allow-weaker`))
    expect(weaker).toMatchObject({ wake: 'any' })
  })

  it('elects by value, and names nodes by their ids', async () => {
    const svg = join(folder, 'values.svg')
    const world = 'lcr --ids 50,60,70 --values 3,1,2'
    expect((await shell('check', ...words(world))).code).toBe(0)
    const line = `${world} --crashes 1 --detect off --wake 2 --svg ${svg}`
    const { code, out } = await shell('check', ...words(line))
    expect(code).toBe(1)
    expect(out).toContain('Position 2 (id 70) wakes and sends election(id 70)')
    expect(out).toContain('ids in messages stand for election keys')
    for (const id of [50, 60, 70]) expect(readFileSync(svg, 'utf8')).toContain(`(${id})<`)
  })
})
