import { UsageError } from '../../../../src/core/usage-error.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import {
  LESSON_PICTURES,
  type Lesson,
  type LessonEntry,
  type LessonFacts,
  type LessonPart,
  type LessonPicture,
} from './lesson.ts'
import { readQuestion, readShownScenario, readTask } from './parse-block.ts'

/** A fenced block of a lesson: its words after the fence, and its lines. */
export interface LessonBlock {
  readonly file: string
  /** The line of the fence, from 1. */
  readonly line: number
  readonly words: readonly string[]
  readonly lines: readonly string[]
}

const LIVE = ['scenario', 'question', 'task']
const FENCE = /^(`{3,}|~{3,})\s*(.*?)\s*$/

/** Reads a lesson; mistakes are reported with file and line. `file` is its path in docs/lessons. */
export function parseLesson(text: string, file: string): Lesson {
  const { facts, body } = readFacts(text, file)
  const parts: LessonPart[] = []
  let prose: string[] = []
  let scenario: ScenarioInput | null = null
  const endProse = () => {
    const markdown = prose.join('\n').trim()
    if (markdown !== '') parts.push({ kind: 'text', markdown })
    prose = []
  }
  for (let i = 0; i < body.lines.length; i++) {
    const [, fence, info] = FENCE.exec(body.lines[i]) ?? []
    if (fence === undefined) {
      prose.push(body.lines[i])
      continue
    }
    const line = body.first + i
    const end = body.lines.findIndex((other, j) => j > i && other.trimEnd() === fence)
    if (end < 0)
      throw new UsageError(`${file}:${line}`, 'the block does not end.', `Add a line ${fence}.`)
    const [kind, ...words] = info.split(/\s+/)
    if (!LIVE.includes(kind)) {
      refuseMisspelt(kind, `${file}:${line}`)
      prose.push(...body.lines.slice(i, end + 1))
    } else {
      endProse()
      const block: LessonBlock = { file, line, words, lines: body.lines.slice(i + 1, end) }
      const part: LessonPart =
        kind === 'scenario'
          ? readShownScenario(block)
          : kind === 'question'
            ? readQuestion(block, scenario)
            : readTask(block, scenario)
      if (part.kind === 'scenario') scenario = part.scenario
      parts.push(part)
    }
    i = end
  }
  endProse()
  return { ...facts, parts }
}

/** What the list shows of a lesson. */
export function lessonEntry({ parts, ...facts }: Lesson): LessonEntry {
  const exercises = parts.filter(({ kind }) => kind === 'question' || kind === 'task').length
  return { ...facts, exercises }
}

/** Code in any other language is text; a misspelt block is not. */
function refuseMisspelt(kind: string, where: string): void {
  const known = LIVE.find((name) => kind.length > 3 && name.startsWith(kind.slice(0, 4)))
  if (known !== undefined)
    throw new UsageError(where, `there is no block ${kind}.`, `Write ${known}.`)
}

const FILE = /^(?<number>\d\d)-(?<slug>[a-z0-9-]+)\.md$/
const FACTS = ['summary', 'minutes', 'picture', 'sources']
const EXAMPLE = 'Begin the file with a line ---, the facts, and another line ---.'

/** The lines of a lesson after its facts and title, with the number of the first one. */
export interface LessonBody {
  readonly lines: readonly string[]
  readonly first: number
}

/** Reads the facts and the title at the top of a lesson. `file` is its path in docs/lessons. */
function readFacts(
  text: string,
  file: string,
): { readonly facts: LessonFacts; readonly body: LessonBody } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const { number, slug } = FILE.exec(file)?.groups ?? {}
  if (slug === undefined)
    throw new UsageError(file, 'the name is not that of a lesson.', 'Name it 14-my-lesson.md.')
  if (lines[0] !== '---') throw new UsageError(`${file}:1`, 'there are no facts.', EXAMPLE)
  const end = lines.indexOf('---', 1)
  if (end < 0) throw new UsageError(`${file}:1`, 'the facts do not end.', EXAMPLE)
  const given = new Map<string, { value: string; where: string }>()
  for (const [i, line] of lines.slice(1, end).entries()) {
    if (line.trim() === '') continue
    const where = `${file}:${i + 2}`
    const [, name, value] = /^([a-z]+):\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined)
      throw new UsageError(where, `"${line}" is not a fact.`, 'Write for example minutes: 10.')
    if (!FACTS.includes(name))
      throw new UsageError(
        where,
        `a lesson has no ${name}.`,
        `Use ${FACTS.join(', ')}.`,
      ).withCandidates(name, FACTS)
    given.set(name, { value, where })
  }
  const fact = (name: string) => {
    const found = given.get(name)
    if (found === undefined || found.value === '')
      throw new UsageError(`${file}:1`, `the lesson has no ${name}.`, `Add ${name}: to its facts.`)
    return found
  }
  const heading = lines.findIndex((line, i) => i > end && line.trim() !== '')
  const [, title] = /^# +(.+?) *$/.exec(lines[heading] ?? '') ?? []
  if (title === undefined)
    throw new UsageError(
      `${file}:${heading < 0 ? lines.length : heading + 1}`,
      'the title is missing.',
      'Begin the text with a line # and the title.',
    )
  return {
    facts: {
      slug,
      number: Number(number),
      title,
      summary: fact('summary').value,
      minutes: minutesOf(fact('minutes')),
      picture: pictureOf(fact('picture')),
      sources: fact('sources').value.split(/\s*;\s*/),
    },
    body: { lines: lines.slice(heading + 1), first: heading + 2 },
  }
}

function minutesOf({ value, where }: { value: string; where: string }): number {
  if (/^[1-9]\d?$/.test(value)) return Number(value)
  throw new UsageError(where, `${value} is not a number of minutes.`, 'Write for example 10.')
}

function pictureOf({ value, where }: { value: string; where: string }): LessonPicture {
  const found = LESSON_PICTURES.find((name) => name === value)
  if (found !== undefined) return found
  throw new UsageError(
    where,
    `there is no picture ${value}.`,
    `Use ${LESSON_PICTURES.join(', ')}.`,
  ).withCandidates(value, LESSON_PICTURES)
}
