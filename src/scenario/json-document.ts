import { UsageError } from '../core/index.ts'
import { quoted } from '../core/text-format.ts'

/** White space, and comments as JavaScript has them. */
const BLANK = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TEXT = /"(?:[^"\\\n]|\\.)*"/y
const WORD = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
/** Deeper documents would exhaust the stack. */
const DEPTH_MAX = 500
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

/**
 * Reads JSON with comments and commas after the last entry. Errors begin with the name of the
 * document, the line and the column.
 */
export function parseJsonDocument(text: string, name: string): unknown {
  if (text.trim() === '')
    throw new UsageError(name, 'the file is empty.', 'Write for example {"algorithm": "lcr"}.')
  return new JsonReader(text, name).document()
}

class JsonReader {
  private at = 0
  private depth = 0

  constructor(
    private readonly text: string,
    private readonly name: string,
  ) {}

  document(): unknown {
    const value = this.value('a value')
    this.skipBlank()
    if (this.at < this.text.length)
      throw this.error(`${this.rest()} comes after the end of the document.`, 'Remove it.')
    return value
  }

  private value(expected: string): unknown {
    this.skipBlank()
    const { at } = this
    const next = this.text[at]
    if (next === '{') return this.nested(() => this.object())
    if (next === '[') return this.nested(() => this.array())
    if (next === '"') return this.string()
    const digits = this.match(NUMBER)
    if (digits !== null) return Number(digits)
    const word = this.match(WORD)
    if (word !== null && Object.hasOwn(WORDS, word)) return WORDS[word]
    this.at = at
    if (word !== null)
      throw this.error(`${word} is not a value.`, `Put texts in quotation marks: "${word}".`)
    throw this.unexpected(expected)
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEPTH_MAX)
      throw this.error(`more than ${DEPTH_MAX} brackets are open.`, 'Close some of them.')
    const value = read()
    this.depth--
    return value
  }

  private object(): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    this.at++
    for (;;) {
      this.skipBlank()
      if (this.taken('}')) return Object.fromEntries(entries)
      const { at } = this
      if (this.text[at] !== '"') throw this.unquotedName()
      const name = this.string()
      if (entries.has(name)) {
        this.at = at
        throw this.error(`the field ${quoted(name)} is there twice.`, 'Remove one of the two.')
      }
      this.skipBlank()
      if (!this.taken(':')) throw this.unexpected(`a colon after ${quoted(name)}`)
      entries.set(name, this.value(`the value of ${quoted(name)}`))
      this.skipBlank()
      if (!this.taken(',') && this.text[this.at] !== '}') throw this.unexpected('a comma or }')
    }
  }

  private array(): unknown[] {
    const values: unknown[] = []
    this.at++
    for (;;) {
      this.skipBlank()
      if (this.taken(']')) return values
      values.push(this.value('a value or ]'))
      this.skipBlank()
      if (!this.taken(',') && this.text[this.at] !== ']') throw this.unexpected('a comma or ]')
    }
  }

  private string(): string {
    const { at } = this
    const text = this.match(TEXT)
    if (text === null)
      throw this.error('the text has no closing quotation mark on this line.', 'Add it.')
    try {
      return JSON.parse(text)
    } catch {
      this.at = at
      throw this.error(
        `${text} is not a text of JSON.`,
        'Write \\\\ for a backslash, \\n for a line.',
      )
    }
  }

  private unquotedName(): UsageError {
    const { at } = this
    const word = this.match(WORD)
    this.at = at
    return word === null
      ? this.unexpected('the name of a field or }')
      : this.error(`the name ${word} is not in quotation marks.`, `Write "${word}".`)
  }

  private skipBlank(): void {
    this.match(BLANK)
    if (this.text.startsWith('/*', this.at)) throw this.error('the comment has no end.', 'Add */.')
  }

  private taken(letter: string): boolean {
    if (this.text[this.at] !== letter) return false
    this.at++
    return true
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) return null
    this.at += found.length
    return found
  }

  private unexpected(expected: string): UsageError {
    const place = this.at >= this.text.length ? 'but the file ends' : `before ${this.rest()}`
    return this.error(`expected ${expected}, ${place}.`, 'Correct it.')
  }

  /** The rest of the line, or its beginning. */
  private rest(): string {
    const [line] = this.text.slice(this.at).split('\n')
    return line.slice(0, 20).trimEnd()
  }

  private error(problem: string, hint: string): UsageError {
    const before = this.text.slice(0, this.at).split('\n')
    const place = `${before.length}:${before.at(-1)!.length + 1}`
    return new UsageError(`${this.name}:${place}`, `this is not valid JSON: ${problem}`, hint)
  }
}
