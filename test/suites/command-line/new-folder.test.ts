import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { aggregations } from '../../../src/algorithms/gossip/aggregations.ts'
import { catalogue, defaultAlgorithm } from '../../../src/algorithms/index.ts'
import { builtShell } from '../../support/run-command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'conclave-new-'))
afterAll(() => rmSync(scratch, { recursive: true }))

async function written(name: string, like: string): Promise<string> {
  const folder = join(scratch, name)
  const { code, err } = await builtShell('new', folder, '--like', like)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return folder
}

const elections = catalogue.map(({ name }) => name).filter((name) => name !== 'quorum-lease')
const gossips = aggregations
  .filter((one) => defaultAlgorithm(one).computes!.aggregate.row === undefined)
  .map(({ name }) => name as string)
  .filter((name) => !['gossip-average-naive', 'rumor', 'flow-updating'].includes(name))

describe('a folder that begins with', () => {
  // The long tests begin with each of them.
  const LONG = process.env.LONG_TESTS !== undefined
  const daily = (_: unknown, i: number) => LONG || i % 6 === 0
  it.each([...elections, ...gossips].filter(daily))('%s has sound types and runs', async (like) => {
    const folder = await written(`my-${like}`, like)
    const { code, out, err } = await builtShell('run', join(folder, 'scenario.json'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`my-${like}: a first run`)
  })

  it.each(['lcr', 'gossip-average', 'bully', 'ghs', 'time-slice'].slice(0, LONG ? 5 : 1))(
    '%s passes its own test, and a definition that is wrong does not',
    async (like) => {
      const folder = await written(`tested-${like}`, like)
      const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const test = () => spawnSync(scripts.test, { cwd: folder, shell: true, encoding: 'utf8' })
      expect(test().status).toBe(0)
      const file = join(folder, `tested-${like}.ts`)
      const wrong = readFileSync(file, 'utf8')
        .replace(/net\.lead\(\)/g, 'net.withdraw()')
        .replace(/\[mean\]\) => mean/, '[mean]) => mean + 1')
      expect(wrong).not.toBe(readFileSync(file, 'utf8'))
      writeFileSync(file, wrong)
      expect(test().status).toBe(1)
    },
  )
})

it('every algorithm teaches what its members are for', async () => {
  const folder = await written('taught', 'lcr')
  const text = readFileSync(join(folder, 'taught.ts'), 'utf8')
  expect(text).toContain("name: 'taught'")
  expect(text).toContain('// One handler for each message type.')
  expect(text).not.toMatch(/theory|core\/index/)
  expect(readdirSync(folder).sort()).toEqual(
    [
      ...['README.md', 'package.json', 'reasons.ts', 'scenario.json'],
      ...['taught.test.js', 'taught.ts', 'tsconfig.json'],
    ].sort(),
  )
})

it('a folder with files is not overwritten', async () => {
  const folder = await written('twice', 'lcr')
  writeFileSync(join(folder, 'twice.ts'), 'mine')
  const { code, err } = await builtShell('new', folder)
  expect([code, err.includes('exists already')]).toEqual([2, true])
  expect(readFileSync(join(folder, 'twice.ts'), 'utf8')).toBe('mine')
})

it.each([
  [['new', join(scratch, 'My Election')], 'the name "My Election" is not made of'],
  [['new', join(scratch, 'one'), '--like', 'lcrr'], 'Did you mean lcr?'],
  [['new', join(scratch, 'one'), '--like', 'gossip-average-naive'], 'Begin with gossip-average.'],
])('%s is refused', async (words, says) => {
  const { code, out, err } = await builtShell(...words)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(says)
  expect(existsSync(join(scratch, 'one'))).toBe(false)
})
