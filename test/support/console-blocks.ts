import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Whether the documents are written anew instead of compared. */
export const update = process.env.UPDATE_DOCS === '1'

/** A command in a document, and the output that is pasted below it. */
export interface ConsoleBlock {
  readonly command: string
  readonly output: string
}

export function consoleBlocks(document: string): ConsoleBlock[] {
  const blocks = document.matchAll(/```console\n\$ (npx conclave [^\n]+)\n([\s\S]*?)```/g)
  return [...blocks].map(([, command, output]) => ({ command, output }))
}

/** The words of a command line that follow the name of the program; quotes are the shell's. */
export function wordsOf({ command }: Pick<ConsoleBlock, 'command'>): string[] {
  const words = command.split(' ').slice(2)
  return words.map((word) => word.replace(/^'(.*)'$/, '$1'))
}

/** Pictures whose commands a document tells: `npx conclave run ... --svg docs/picture.svg`. */
export function picturesIn(document: string): { words: string[]; file: string }[] {
  const told = document.matchAll(/`(npx conclave run [^`]*) --svg ([^`]+)`/g)
  return [...told].map(([, command, file]) => ({ words: wordsOf({ command }), file }))
}

/** Fails unless the document shows the real output; to update is to paste that instead. */
export function expectPasted(path: string, { command, output }: ConsoleBlock, real: string): void {
  if (update) {
    const text = readFileSync(path, 'utf8')
    const pasted = text.replace(`$ ${command}\n${output}`, () => `$ ${command}\n${real}`)
    writeFileSync(path, pasted)
  } else expect(steady(output)).toBe(steady(real))
}

/** What differs from run to run: process numbers, CPU time, and how often a process was asked. */
function steady(text: string): string {
  return text
    .replace(/[\d,.]+ ms of CPU/g, '# ms of CPU')
    .replace(/^( {2}\d+ +)\d+( +\d+ +(?:leader|lost))/gm, '$1#$2')
    .replace(/^( {2}\d+ +)\d+( +\S+ +\S+ +\S+ % +)\d+$/gm, '$1#$2#')
    .replace(/ +/g, ' ')
    .trim()
}
