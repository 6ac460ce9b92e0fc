import { UsageError } from '../../../../src/core/usage-error.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'
import type { Lesson, LessonEntry, LessonPart } from './lesson.ts'
import { readFacts } from './lesson-file.ts'
import { readQuestion, readScenario, readTask } from './parse-block.ts'

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
          ? readScenario(block)
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
