import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import * as elections from '../../../src/algorithms/elections.ts'
import { loadTypeScript } from '../../../src/compiler/typescript.ts'
import { builtShell } from '../../../test/support/run-command.ts'
import { standaloneSource } from './standalone-source.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const files = new Map(
  readdirSync(join(ROOT, 'src/algorithms'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `/src/algorithms/${name}`)
    .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
)
const { ts } = await loadTypeScript()

const scratch = mkdtempSync(join(tmpdir(), 'conclave-standalone-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** The algorithms that the editor offers to start from, with their files. */
const offered = Object.values(elections).map(({ name }) => {
  const path = [...files.keys()].find((one) => files.get(one)!.includes(`  name: '${name}',`))!
  return { name, path, source: files.get(path)! }
})

/** Runs a text as an own file of a user would run. */
async function runOf(name: string, source: string) {
  const file = join(scratch, `${name}.ts`)
  writeFileSync(file, source)
  const { code, out, err } = await builtShell('run', file, '--seed', '3', '--json')
  return { code, err, messages: out === '' ? null : JSON.parse(out).messages }
}

describe('a definition as a file of its own', () => {
  it('imports conclave alone, and declares each name once, whatever it begins as', () => {
    for (const { name, path, source } of offered) {
      const text = standaloneSource(ts, path, source, files)
      const file = ts.createSourceFile('own.ts', text, ts.ScriptTarget.ES2022, true)
      const imports = file.statements.filter(ts.isImportDeclaration)
      const from = imports.map(({ moduleSpecifier }) => moduleSpecifier.getText(file))
      expect([...new Set(from)], name).toEqual(["'conclave'"])
      const declared = file.statements.flatMap((statement) =>
        ts.isVariableStatement(statement)
          ? statement.declarationList.declarations.map((one) => one.name.getText(file))
          : ts.isDeclarationStatement(statement) && statement.name
            ? [statement.name.getText(file)]
            : [],
      )
      expect(new Set(declared).size, name).toBe(declared.length)
      // All of the definition is there, to the letter.
      const body = source.slice(source.lastIndexOf("'\n\n") + 3)
      expect(text.endsWith(body), name).toBe(true)
      expect(standaloneSource(ts, path, text, files), name).toBe(text)
    }
  })

  const tried = offered.filter(({ name }) => process.env.LONG_TESTS || name === 'wireless')
  it.each(tried)('runs as $name of the catalogue does', async ({ name, path, source }) => {
    const own = await runOf(name, standaloneSource(ts, path, source, files))
    const { code, out, err } = await builtShell('run', name, '--seed', '3', '--json')
    expect(own).toEqual({ code, err, messages: JSON.parse(out).messages })
  })

  it('keeps the names of its author apart from those that come along', async () => {
    const { path, source } = offered.find(({ name }) => name === 'hirschberg-sinclair')!
    const alone = standaloneSource(ts, path, source, files)
    const come = [...alone.matchAll(/^(?:const|function|interface|type) (\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
    expect(come.length).toBeGreaterThan(1)
    const mine = come.map((name) => `void '${name}'\nfunction ${name}() {}\n${name}()\n`)
    const renamed = source
      .replace('{ announcementReason,', '{ announcementReason as said,')
      .replace(': announcementReason', ': said')
    const text = standaloneSource(ts, path, [renamed, ...mine].join('\n'), files)
    expect(text).toContain('function said(')
    for (const name of come) expect(text).toMatch(new RegExp(`^\\w+ ${name}2\\b`, 'm'))
    expect(await runOf('mine', text)).toEqual(await runOf('alone', alone))
  })
})
