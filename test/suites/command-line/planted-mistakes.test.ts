import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sample } from '../../support/campaign.ts'
import { CORRECT, MISTAKES, type PlantedMistake, planted } from '../../support/planted-mistakes.ts'
import { type Answer, builtShell } from '../../support/run-command.ts'

const scratch = mkdtempSync(join(tmpdir(), 'conclave-mistakes-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const LANGUAGES = ['ts', 'js'] as const

let files = 0

/** A file whose name says nothing, so that the message has to. */
function fileOf(language: string, source: string): string {
  const path = join(scratch, `${files++}.${language}`)
  writeFileSync(path, source)
  return path
}

/** One message with the file and the line, and neither a stack trace nor an address of code. */
function expectPlace({ err }: Answer, { at }: PlantedMistake, path: string, line: number | null) {
  expect(err.startsWith(path), err).toBe(true)
  const [, named] = /^:(\d+)/.exec(err.slice(path.length)) ?? []
  if (at !== '') expect(named, err).toBeDefined()
  if (line !== null) expect(Number(named), err).toBe(line)
  expect(err).not.toMatch(/^\s+at \S+ \(|base64|data:text/m)
}

function expectNamed(answer: Answer, mistake: PlantedMistake, path: string): void {
  const { code, out, err } = answer
  expect(out + err).toMatch(mistake.says)
  if (mistake.outcome === 'violated' && code !== 2) {
    expect(code, out).toBe(1)
    return
  }
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expectPlace(answer, mistake, path, planted(mistake).line)
}

describe.each(LANGUAGES)('in a file of %s', (language) => {
  it('no mistake is found where there is none', async () => {
    const path = fileOf(language, CORRECT)
    const commands = [
      ['run', path, '-n', '4'],
      ['check', path, '-n', '3'],
      ['grade', path],
    ]
    for (const words of language === 'js' ? commands : commands.slice(0, 2)) {
      const { code, out, err } = await builtShell(...words)
      expect({ code, err }, out).toEqual({ code: 0, err: '' })
    }
  })

  // The long tests plant each of them. The compiler removes types, which changes nothing.
  it.each(sample(MISTAKES, language === 'js' ? 6 : 12))(
    '$name is named by run and check',
    async (mistake) => {
      const path = fileOf(language, planted(mistake).source)
      const { ids = '1,3,2' } = mistake
      const limit = ['--max-messages', '10000']
      expectNamed(await builtShell('run', path, '--ids', ids, ...limit), mistake, path)
      // The compiler is the same for all commands: what it does not see matters here.
      if (language === 'js')
        expectNamed(await builtShell('check', path, '--ids', ids), mistake, path)
    },
  )
})

it('grade names them in one table', async () => {
  const folder = join(scratch, 'graded')
  mkdirSync(folder)
  const graded = sample(MISTAKES, 10)
  const nameOf = (index: number) => `${String(index).padStart(2, '0')}.js`
  for (const [index, mistake] of graded.entries())
    writeFileSync(join(folder, nameOf(index)), planted(mistake).source)
  const { code, out } = await builtShell('grade', folder, '--json')
  expect(code).toBe(1)
  const { files: rows } = JSON.parse(out) as { files: { file: string; verdict: string }[] }
  for (const [index, mistake] of graded.entries()) {
    const row = rows.find(({ file }) => file.endsWith(nameOf(index)))
    expect(row?.verdict, `${mistake.name}: ${JSON.stringify(row)}`).toBe('wrong')
    expect(JSON.stringify(row), mistake.name).toMatch(mistake.says)
  }
})
