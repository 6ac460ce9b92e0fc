import { describe, expect, it } from 'vitest'
import { shell, shellJson } from './shell.ts'

interface Result {
  readonly leader: unknown
  readonly verdict: {
    ok: boolean
    properties: { name: string; holds: boolean | null; detail: string }[]
  }
}

const words = (line: string) => ['run', ...line.split(' ')]

describe('a run in which everybody dies', () => {
  it.each([
    'lcr -n 3 --crash 0,1,2',
    'bully -n 3 --crash 0@1,1@2,2@3',
    'wireless -n 4 --crash 0@5,1@5,2@5,3@5',
    'singh -n 3 --crash 0,1,2',
    'itai-rodeh -n 1 --crash 0',
  ])('%s decides nothing', async (line) => {
    const { leader, verdict } = await shellJson<Result>(...words(line))
    expect(leader).toBeNull()
    expect(verdict.ok).toBe(false)
    const open = verdict.properties.filter(({ holds }) => holds === null)
    expect(open.map(({ detail }) => detail)).toEqual(['no node is alive to lead or to follow'])
    const { code, out } = await shell(...words(line))
    expect(code).toBe(1)
    expect(out).toContain('nobody is alive')
  })

  it('is judged where one is left', async () => {
    const { verdict } = await shellJson<Result>(...words('bully -n 3 --wake 0 --crash 1@9,2@9'))
    expect(verdict.ok).toBe(true)
  })
})
