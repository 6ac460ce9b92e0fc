import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { check, experiment, join as joinCluster, simulate } from '../../src/index.ts'
import { sample } from '../support/campaign.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** The compiler of this project, and another one: the page's. */
const TSC = join(root, 'node_modules/typescript/bin/tsc')
const PAGE_TSC = join(root, 'web/node_modules/typescript/lib/tsc.js')
/** The oldest compiler that understands the declarations, which docs/api.md names. */
const OLDEST = '5.4.5'

/** As strict as can be, with declarations checked, and none of Node.js or of a browser. */
const STRICT = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  types: [],
  lib: ['es2022'],
  target: 'es2022',
  noEmit: true,
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-types-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/conclave'))
  cpSync(join(root, 'test/fixtures/consumer.ts'), join(folder, 'consumer.ts'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a compiler prints about the files of the folder. */
function compiled(compiler: string, modules: object, files = ['consumer.ts']): string {
  const project = { compilerOptions: { ...STRICT, ...modules }, files }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', cwd: folder })
    .stdout
}

/** Whether the files of the folder are modules, or of CommonJS. */
function packageType(type: 'module' | 'commonjs'): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
}

const PROJECTS = [
  ['Node.js', 'module', { module: 'nodenext' }, PAGE_TSC],
  ['a bundler', 'module', { module: 'esnext', moduleResolution: 'bundler' }, PAGE_TSC],
  ['Node.js with CommonJS', 'commonjs', { module: 'node16' }, TSC],
] as const

it.each(sample(PROJECTS, 2))(
  'types work in a strict project for %s',
  (_, type, modules, compiler) => {
    packageType(type)
    expect(compiled(compiler, modules)).toBe('')
  },
)

it.skipIf(!process.env.LONG_TESTS)(`types work with TypeScript ${OLDEST}`, () => {
  const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
  expect(/TypeScript (\S+) or later/.exec(page)?.[1]).toBe(OLDEST.replace(/\.\d+$/, ''))
  const words = ['pack', '--silent', `typescript@${OLDEST}`]
  const tarball = execFileSync('npm', words, { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['xzf', tarball], { cwd: folder })
  for (const [name, type, modules] of PROJECTS) {
    packageType(type)
    expect(compiled(join(folder, 'package/lib/tsc.js'), modules), name).toBe('')
  }
})

/** Each function with an algorithm of each kind: an own one, one of the catalogue, and its name. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  simulate: ['mine', 'lcr', "'bully'", "'gossip-average'", 'aggregations[0]!', 'sum'],
  check: ['mine', 'lcr', "'bully'", "'gossip-average'", 'aggregations[0]!', 'sum'],
  experiment: ['mine', 'lcr', "'bully'", "'gossip-average'", '[mine, sum]'],
  join: ['mine', 'lcr', "'bully'"],
}

const FUNCTIONS: Readonly<Record<string, (algorithm: string, options: object) => unknown>> = {
  simulate: (algorithm, options) => simulate(algorithm as 'lcr', options),
  check: (algorithm, options) => check(algorithm as 'lcr', options),
  experiment: (algorithm, options) => experiment(algorithm as 'lcr', options),
  join: (algorithm, options) => joinCluster(algorithm as 'lcr', options as never),
}

/** The names of all options, from the message about one that does not exist. */
async function optionsOf(call: string): Promise<string[]> {
  const elections = await refusal(call, 'lcr')
  const [, names = ''] = /The options are (.*)\.$/.exec(elections) ?? []
  return names.split(', ')
}

async function refusal(call: string, algorithm: string): Promise<string> {
  try {
    await FUNCTIONS[call](algorithm, { noSuchOptionAtAll: 1 })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

const HEAD = `import { aggregations, check, experiment, gossip } from 'conclave'
import { join, lcr, simulate } from 'conclave'
import { mine } from './consumer.js'
declare const sum: ReturnType<typeof gossip>
`

/** Values that no option has, and names that none has, each in a line of its own. */
it('a wrong option is reported at that option', async () => {
  packageType('module')
  const lines = HEAD.split('\n')
  const wrong: number[] = []
  const write = (call: string, algorithm: string, option: string) => {
    lines.push(`${call}(`, `  ${algorithm},`, '  {', ...(call === 'join' ? ['    me: 0,'] : []))
    lines.push(`    ${option},`)
    wrong.push(lines.length)
    lines.push('  },', ')')
  }
  for (const [call, algorithms] of Object.entries(CALLS)) {
    const options = await optionsOf(call)
    expect(options.length, call).toBeGreaterThan(15)
    for (const algorithm of algorithms)
      for (const option of options) {
        write(call, algorithm, `${option}x: 0 as never`)
        if (option !== 'me') write(call, algorithm, `${option}: Symbol()`)
      }
  }
  write('simulate', 'lcr', "timing: 'synchronous'")
  write('simulate', 'lcr', 'crash: [{ position: 2 }]')
  write('check', 'lcr', 'crash: 1')
  write('simulate', "'gossip-average'", "n: '8'")
  writeFileSync(join(folder, 'wrong.ts'), lines.join('\n'))
  const said = compiled(TSC, { module: 'nodenext' }, ['wrong.ts'])
  const reported = [...said.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line))
  expect(reported.map((line) => lines[line - 1])).toEqual(wrong.map((line) => lines[line - 1]))
  expect(reported).toEqual(wrong)
})
