import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample } from '../support/campaign.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Another compiler than the one of this project: the page's. */
const TSC = join(root, 'web/node_modules/typescript/lib/tsc.js')

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
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PROJECTS: [string, object][] = [
  ['Node.js', { module: 'nodenext' }],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
]

it.each(sample(PROJECTS, 2))(
  'types work in a strict project for %s',
  { timeout: 120_000 },
  (_, modules) => {
    const project = { compilerOptions: { ...STRICT, ...modules }, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    let said = ''
    try {
      execFileSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8', cwd: folder })
    } catch (error) {
      said = (error as { stdout: string }).stdout
    }
    expect(said).toBe('')
  },
)
