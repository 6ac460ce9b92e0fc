import type { ReadStream } from 'node:tty'

/** What keys mean where one goes through something; arrow keys are several characters. */
export const KEYS: Readonly<Record<string, Move>> = {
  '\r': 'next',
  '\n': 'next',
  ' ': 'next',
  n: 'next',
  '\x1b[C': 'next',
  '\x1b[B': 'next',
  b: 'back',
  p: 'back',
  '\x7f': 'back',
  '\x1b[D': 'back',
  '\x1b[A': 'back',
  g: 'first',
  '\x1b[H': 'first',
  G: 'last',
  '\x1b[F': 'last',
  q: 'quit',
  '\x04': 'quit',
  '\x1b': 'quit',
  '\x03': 'interrupt',
}

export type Move = 'next' | 'back' | 'first' | 'last' | 'quit' | 'interrupt'

/** A key or an escape sequence: an arrow key is several characters at once. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them.
const KEY = /\x1b\[[\d;]*[A-Za-z~]|\x1bO[A-Z]|[\s\S]/gu

/**
 * The keys that are pressed in a terminal, one by one and without an echo. The terminal is as it
 * was when the loop over them ends, and also when the process ends.
 */
export function terminalKeys(input: ReadStream = process.stdin): AsyncIterable<string> {
  const raw = input.isRaw
  input.setEncoding('utf8')
  input.setRawMode(true)
  const restore = () => input.setRawMode(raw)
  process.once('exit', restore)
  return keysOf(input, () => {
    process.off('exit', restore)
    restore()
    // Otherwise the process would wait for further keys.
    input.pause()
    input.unref()
  })
}

async function* keysOf(input: ReadStream, end: () => void): AsyncGenerator<string> {
  try {
    for await (const text of input.iterator({ destroyOnReturn: false }))
      for (const [key] of String(text).matchAll(KEY)) yield key
  } finally {
    end()
  }
}
