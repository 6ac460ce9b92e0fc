import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { aggregations } from '../../../src/algorithms/gossip/aggregations.ts'
import { byMessages, catalogue } from '../../../src/algorithms/index.ts'
import { builtShell } from '../../support/run-command.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const scratch = mkdtempSync(join(tmpdir(), 'conclave-new-'))
afterAll(() => rmSync(scratch, { recursive: true }))

async function written(name: string, like: string): Promise<string> {
  return newFolder(join(scratch, name), '--like', like)
}

async function newFolder(folder: string, ...flags: string[]): Promise<string> {
  const { code, err } = await builtShell('new', folder, ...flags)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return folder
}

const LONG = process.env.LONG_TESTS !== undefined

const elections = catalogue.map(({ name }) => name).filter((name) => name !== 'quorum-lease')
const gossips = aggregations
  .filter((one) => byMessages(one).computes!.aggregate.row === undefined)
  .map(({ name }) => name as string)
  .filter((name) => !['gossip-average-naive', 'rumor', 'flow-updating'].includes(name))

describe('a folder that begins with', () => {
  // The long tests begin with each of them.
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
      ...['README.md', 'node_modules', 'package.json', 'reasons.ts', 'scenario.json'],
      ...['taught.test.js', 'taught.ts', 'tsconfig.json'],
    ].sort(),
  )
})

describe('a folder of the tutorial', () => {
  it('has the definition with which the tutorial ends', async () => {
    const folder = await newFolder(join(scratch, 'my-election'))
    const tutorial = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8')
    const [, code] = /^```ts mended\.ts\n([\s\S]*?)^```/m.exec(tutorial)!
    expect(readFileSync(join(folder, 'my-election.ts'), 'utf8')).toBe(code)
    expect(readdirSync(folder).filter((name) => name.endsWith('.ts'))).toEqual(['my-election.ts'])
  })

  it('has invariant, reasons and display with --full', async () => {
    const folder = await newFolder(join(scratch, 'whole'), '--full')
    const text = readFileSync(join(folder, 'whole.ts'), 'utf8')
    for (const member of ['invariant', 'reasons', 'display'])
      expect(text).toMatch(new RegExp(`^  ${member}\\b`, 'm'))
  })

  // Inside a checkout, and anywhere else.
  it.each([ROOT, scratch])('works in %s, and names no path of this machine', async (place) => {
    const parent = mkdtempSync(join(place, '.new-'))
    try {
      const folder = await newFolder(join(parent, 'placed'))
      const texts = readdirSync(folder).filter((name) => name !== 'node_modules')
      for (const name of texts) {
        const text = readFileSync(join(folder, name), 'utf8')
        for (const path of [ROOT, ROOT.slice(0, -1), tmpdir(), homedir(), process.execPath])
          expect(text.includes(path), `${name} has ${path}`).toBe(false)
      }
      const readme = readFileSync(join(folder, 'README.md'), 'utf8')
      const commands = [...readme.matchAll(/`(np[xm] .*?)`/g)].map(([, line]) => line)
      expect(commands.length).toBeGreaterThanOrEqual(5)
      const daily = (line: string) => LONG || (place === ROOT && !line.includes(' grade '))
      for (const line of commands.filter(daily)) {
        const { status, stderr } = spawnSync(line, { cwd: folder, shell: true, encoding: 'utf8' })
        expect({ line, status, stderr }).toMatchObject({ status: 0 })
      }
      const { stdout, status } = spawnSync('npx conclave run placed.ts --ids 1,2,3', {
        ...{ cwd: folder, shell: true, encoding: 'utf8' },
      })
      expect([status, stdout.includes('id 3 is leader')]).toEqual([0, true])
    } finally {
      rmSync(parent, { recursive: true })
    }
  })

  it('has the types of conclave for an editor', async () => {
    const folder = await newFolder(join(scratch, 'typed'))
    const tsc = join(ROOT, 'web/node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], {
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
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
