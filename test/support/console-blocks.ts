import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Documents call the program by npx, and it then names itself so. */
export const STARTED_BY_NPX = { ...process.env, npm_command: 'exec' }

/** Whether the documents are rewritten instead of compared. */
export const update = process.env.UPDATE_DOCS === '1'

/** Pages whose console blocks are run and compared by one test; others have a test of their own. */
export const CONSOLE_PAGES: readonly string[] = [
  'README.md',
  'docs/simulating.md',
  'docs/tutorial.md',
  'docs/language.md',
  'docs/proving.md',
  'docs/grading.md',
  'docs/networks.md',
  'docs/scenarios.md',
  'docs/experiments.md',
  'docs/cluster.md',
]

/** A command in a document, and the output that is pasted below it. */
export interface ConsoleBlock {
  readonly command: string
  readonly output: string
}

/** Code in a document; with a name where it is to be saved as a file. */
export interface CodeBlock {
  readonly language: string
  readonly name: string | undefined
  readonly code: string
}

export function consoleBlocks(document: string): ConsoleBlock[] {
  const blocks = document.matchAll(/```console\n\$ (npx conclave [^\n]+)\n([\s\S]*?)```/g)
  return [...blocks].map(([, command, output]) => ({ command, output }))
}

/** Blocks of a language, such as the one that begins with the line "ts two-way.ts". */
export function codeBlocks(document: string): CodeBlock[] {
  const blocks = document.matchAll(/^```(\w*)(?: ([\w.-]+))?\n([\s\S]*?)^```/gm)
  return [...blocks].map(([, language, name, code]) => ({ language, name, code }))
}

/** A folder in which the commands of a document work: its own files, and those of a checkout. */
export function folderOf(document: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-docs-'))
  for (const name of ['examples', 'experiments', 'docs'])
    symlinkSync(join(root, name), join(folder, name))
  for (const { name, code } of codeBlocks(document))
    if (name !== undefined) writeFileSync(join(folder, name), code)
  return folder
}

/** The words of a command line that follow the name of the program; quotes are the shell's. */
export function wordsOf({ command }: Pick<ConsoleBlock, 'command'>): string[] {
  const words = command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  return words.slice(2).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'))
}

/** Pictures that a document shows with their commands: `npx conclave run ... --svg picture.svg`. */
export function picturesIn(document: string): { words: string[]; file: string }[] {
  const shown = document.matchAll(/`(npx conclave run [^`]*) --svg ([^`]+)`/g)
  return [...shown].map(([, command, file]) => ({ words: wordsOf({ command }), file }))
}

/** Fails unless the document shows the real output; to update is to paste that instead. */
export function expectPasted(path: string, { command, output }: ConsoleBlock, out: string): void {
  // Documents call the program by npx, and it then names itself so.
  const real = out.replace(
    /(?<!npx )\bconclave (?=(?:run|check|prove|lab|experiment|explain) )/g,
    'npx $&',
  )
  if (update) {
    const text = readFileSync(path, 'utf8')
    const pasted = text.replace(`$ ${command}\n${output}`, () => `$ ${command}\n${real}`)
    writeFileSync(path, pasted)
  } else expect(steady(output)).toBe(steady(real))
}

/** Masks what differs from run to run: process ids, CPU time, and counts of gossip messages. */
function steady(text: string): string {
  return text
    .replace(/[\d,.]+ ms of CPU/g, '# ms of CPU')
    .replace(/^( {2}\d+ +)\d+( +\d+ +(?:leader|lost))/gm, '$1#$2')
    .replace(/^( {2}\d+ +)\d+( +\S+ +\S+ +\S+ % +)\d+$/gm, '$1#$2#')
    .replace(/ +/g, ' ')
    .trim()
}
