import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'
import { instrument } from '../../../src/compiler/coverage/instrument.ts'
import { sample } from '../../../test/support/campaign.ts'
import { coveredDefinition } from './own-code.ts'

const SOURCES = new URL('../../../src/algorithms/', import.meta.url)

/** The sources of the catalogue, instrumented and compiled as the build of the page does. */
function instrumentedCatalogue() {
  const names = readdirSync(SOURCES, { recursive: true }).map((name) =>
    String(name).replaceAll('\\', '/'),
  )
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => {
      const path = `/src/algorithms/${name}`
      const source = readFileSync(new URL(name, SOURCES), 'utf8')
      const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true)
      const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS }
      const { outputText } = ts.transpileModule(instrument(ts, file).text, { compilerOptions })
      return { path, compiled: outputText, base: 0 }
    })
}

it('finds every module that the catalogue imports, so that its code can be marked', () => {
  const modules = instrumentedCatalogue()
  for (const { name } of sample([...catalogue, ...aggregations], 4)) {
    const scenario = { algorithm: name }
    const request = { scenario, code: null, intervention: null, modules, want: 'coverage' } as const
    expect(coveredDefinition(request, () => {}).name).toBe(name)
  }
})
