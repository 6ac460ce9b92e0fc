import { describe, expect, it } from 'vitest'
import { anonymousRings } from '../../../src/cli/commands/explain.ts'
import type { RunReport } from '../../../src/cli/run/execute.ts'
import { sum } from '../../support/oracles.ts'
import { symmetric } from '../../support/random-worlds.ts'
import { shell, shellJson } from '../../support/run-command.ts'

const words = (line: string) => line.split(' ')

describe('explain anonymous', () => {
  it('has the induction, the ways around it, and commands to try', async () => {
    const { code, out, err } = await shell('explain', 'anonymous')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const heads = out.split('\n').filter((line) => /^\S/.test(line))
    expect(heads.slice(1)).toEqual([...anonymousRings.sections.map(([head]) => head), 'Try'])
    expect(out).toContain('  conclave run lcr -n 6 --ids same')
    for (const line of out.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('gives the same as JSON', async () => {
    expect(await shellJson('explain', 'anonymous')).toEqual(
      JSON.parse(JSON.stringify(anonymousRings)),
    )
  })

  it('gives commands that show what it says: only random choices elect one leader', async () => {
    for (const [command] of anonymousRings.examples) {
      const [program, ...line] = words(command)
      expect(program).toBe('conclave')
      const { leader, leaders, n } = await shellJson<RunReport>(...line)
      if (command.includes('itai-rodeh')) expect(leader).toEqual({ node: leaders[0], id: null })
      else expect([0, n]).toContain(leaders.length)
      expect((await shell(...line)).code).toBe(leader === null ? 1 : 0)
    }
  })
})

describe('run --ids same', () => {
  it('shows round by round the one state of all nodes, and says why that must be', async () => {
    const { code, out } = await shell(...words('run lcr -n 6 --ids same'))
    expect(code).toBe(1)
    const rows = [...out.matchAll(/^ {2}(\d+) {2,}(\d+) {2,}(.+)$/gm)].map(([, ...cells]) => cells)
    expect(rows).toEqual([
      ['1', '1', 'is undecided; sends election'],
      ['2', '1', 'is leader; sends leader'],
      ['3', '1', 'is leader, has stopped'],
    ])
    const text = out.replace(/\s+/g, ' ')
    expect(text).toContain('all are leaders, or none is. No deterministic algorithm can do better')
    expect(text).toContain('conclave explain anonymous')
  })

  it.each(symmetric.map(({ name }) => name))('%s: all send alike in every round', async (name) => {
    const report = await shellJson<RunReport>(...words(`run ${name} -n 5 --ids same`))
    const { symmetry = [], messages, leaders } = report
    for (const { sent, state, distinctStates } of symmetry) {
      expect(distinctStates).toBe(1)
      expect(state).toMatchObject({ stopped: expect.any(Boolean) })
      for (const count of Object.values(sent)) expect(count % 5).toBe(0)
    }
    for (const [type, total] of Object.entries(messages.byType))
      expect(sum(symmetry.map(({ sent }) => sent[type]))).toBe(total)
    expect(symmetry.at(-1)?.state?.status === 'leader').toBe(leaders.length === 5)
  })

  it('says so where something else distinguishes the nodes; shows few rounds', async () => {
    const { out } = await shell(...words('run itai-rodeh -n 40 --ids same'))
    const { symmetry } = await shellJson<RunReport>(...words('run itai-rodeh -n 40 --ids same'))
    expect(symmetry![0]).toMatchObject({ round: 1, state: null })
    expect(out.replace(/\s+/g, ' ')).toContain(
      'In round 1 something other than ids broke the symmetry: randomness',
    )
    expect(out).toContain(`  and ${symmetry!.length - 16} more\n`)
    const late = await shell(...words('run lcr -n 4 --ids same --wake 0'))
    expect(late.out).not.toContain('No deterministic algorithm')
  })

  it('has no conclusion for a single node', async () => {
    const { code, out } = await shell(...words('run lcr -n 1 --ids same'))
    expect(code).toBe(0)
    expect(out).not.toContain('Equal nodes')
  })
})

describe('itai-rodeh', () => {
  it('is listed and explained as anonymous, and its leader has no id', async () => {
    expect((await shell('list')).out).toMatch(/^itai-rodeh +ring .*\n +.*n known,\s+anonymous$/m)
    expect((await shell('explain', 'itai-rodeh')).out).toContain('no ids')
    const { leader, leaders, nodes, messages } = await shellJson<RunReport>('run', 'itai-rodeh')
    expect(leader).toEqual({ node: leaders[0], id: null })
    expect(nodes!.every(({ id }) => id === null)).toBe(true)
    expect(Object.keys(messages.byType)).toEqual(['token', 'leader'])
    const { out, code } = await shell('run', 'itai-rodeh')
    expect({ code, said: out.includes(`position ${leaders[0]} is leader, elected`) }).toEqual({
      code: 0,
      said: true,
    })
  })
})

describe('explain time-slice', () => {
  it('describes a setting and its effect', async () => {
    const { out } = await shell('explain', 'time-slice')
    expect(out).toMatch(/^ {2}start {2}together {2}together or flood; /m)
    expect(out).toMatch(
      /^With --set start=flood\n {2}synchronous, n known\n {2}messages +worst +2n$/m,
    )
    expect(await shellJson('explain', 'time-slice')).toMatchObject({
      parameters: [{ name: 'start', default: 'together', choices: ['together', 'flood'] }],
      messages: [{ name: 'leader' }],
    })
  })
})
