import { main } from '../src/cli/main.ts'

export interface Answer {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in this process, as a pipe would see it. */
export async function shell(...words: string[]): Promise<Answer> {
  let out = ''
  let err = ''
  const code = await main(words, {
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

/** The JSON that a command line prints. */
export async function shellJson<T = Record<string, unknown>>(...words: string[]): Promise<T> {
  const { out } = await shell(...words, '--json')
  return JSON.parse(out) as T
}
