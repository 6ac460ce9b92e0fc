import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { main } from '../../src/cli/main.ts'

/** A mistake of the user: one line with its place, what is wrong, and how to fix it. */
export const USAGE_ERROR = /^\S[^\n]*?: [^\n]+[.?] [A-Z][^\n]*[.?]\n$/

export interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, as a pipe would see it. */
export function shell(...words: string[]): Promise<Answer> {
  return answerOf(main, words)
}

/** The same by the program as it is built, which starts threads and which users' files import. */
export async function builtShell(...words: string[]): Promise<Answer> {
  const built = await import(fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)))
  return answerOf(built.main, words)
}

async function answerOf(program: typeof main, words: readonly string[]): Promise<Answer> {
  let out = ''
  let err = ''
  const code = await program(words, {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    colours: false,
    progress: false,
  })
  return { code, out, err }
}

/** Runs an invalid command line: nothing is printed but the error, which begins with its place. */
export async function expectUsageError(
  words: readonly string[],
  where: string,
  says: string,
): Promise<void> {
  const { code, out, err } = await shell(...words)
  expect(err).toMatch(USAGE_ERROR)
  expect(err.startsWith(`${where}: `), err).toBe(true)
  expect(err).toContain(says)
  expect({ code, out }).toEqual({ code: 2, out: '' })
}

/** The JSON that a command line prints. */
export async function shellJson<T = Record<string, unknown>>(...words: string[]): Promise<T> {
  const { out } = await shell(...words, '--json')
  return JSON.parse(out) as T
}
