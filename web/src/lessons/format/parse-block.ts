import { UsageError } from '../../../../src/core/usage-error.ts'
import type { Intervention, ScenarioInput } from '../../../../src/scenario/index.ts'
import { parseJsonDocument } from '../../../../src/scenario/json-document.ts'
import { isOfChecker, isQuantity, quantityNames, readGoal } from './goal.ts'
import {
  changed,
  type LessonQuestion,
  type LessonTask,
  type LessonTolerance,
  SHOWN_PANELS,
  type ShownScenario,
  TASK_ACTIONS,
  type TaskSolution,
} from './lesson.ts'
import type { LessonBlock } from './parse-lesson.ts'

const QUESTION_FIELDS = ['with', 'answer', 'tolerance', 'explanation']
const TASK_FIELDS = ['with', 'fields', 'actions', 'goal', 'hint', 'explanation', 'solution']
const CHOICE = /^[-*] \[([ xX])\] +(.+)$/

/** A field of a block: its text, and the line on which it begins. */
interface BlockField {
  readonly text: string
  readonly line: number
}

interface BlockContent {
  readonly text: string
  readonly choices: LessonQuestion['choices']
  readonly fields: ReadonlyMap<string, BlockField>
}

export function readShownScenario({ file, line, words, lines }: LessonBlock): ShownScenario {
  const where = `${file}:${line}`
  const shown = { speed: 1, at: 'start' as ShownScenario['at'], show: [] as ShownScenario['show'] }
  for (const word of words) {
    const [name, value = ''] = word.split('=')
    if (name === 'speed') shown.speed = numberIn(value, where, 'speed=2')
    else if (name === 'at')
      shown.at = value === 'start' || value === 'end' ? value : numberIn(value, where, 'at=end')
    else if (name === 'show') shown.show = namesIn(value, SHOWN_PANELS, where)
    else
      throw new UsageError(
        where,
        `a scenario has no ${name}.`,
        'Use speed=2, at=end or show=diagram.',
      ).withCandidates(name, ['speed', 'at', 'show'])
  }
  const scenario = jsonObject({ text: lines.join('\n'), line: line + 1 }, file)
  return { kind: 'scenario', line, scenario, ...shown }
}

export function readQuestion(block: LessonBlock, above: ScenarioInput | null): LessonQuestion {
  const { file, line } = block
  const { text, choices, fields } = contentOf(block, QUESTION_FIELDS)
  const answer = fields.get('answer')
  const ticked = choices.some(({ right }) => right)
  const where = `${file}:${line}`
  const scenario = fields.has('with') || answer ? scenarioFor(fields, above, file) : above
  if (answer === undefined && !ticked)
    throw new UsageError(
      where,
      'the question has no answer.',
      'Tick a choice by - [x], or add answer: messages.',
    )
  if (answer !== undefined && ticked)
    throw new UsageError(
      `${file}:${answer.line}`,
      'a choice is ticked, and an answer is given too.',
      'Remove one of the two.',
    )
  return {
    kind: 'question',
    line,
    text,
    scenario,
    choices,
    answer: answer === undefined ? null : answerIn(answer, scenario, file),
    tolerance: toleranceIn(fields.get('tolerance'), file),
    explanation: required(fields, 'explanation', where).text,
  }
}

export function readTask(block: LessonBlock, above: ScenarioInput | null): LessonTask {
  const { file, line } = block
  const { text, choices, fields } = contentOf(block, TASK_FIELDS)
  const where = `${file}:${line}`
  if (choices.length > 0)
    throw new UsageError(where, 'a task has no choices.', 'Make it a question.')
  const listed = (name: string) => fields.get(name)?.text.split(/\s*,\s*/) ?? []
  const actions = namesIn(listed('actions').join(), TASK_ACTIONS, at(fields, 'actions', block))
  if (listed('fields').length + actions.length === 0)
    throw new UsageError(where, 'nothing may be changed.', 'Add fields: ids, or actions: crash.')
  const scenario = scenarioFor(fields, above, file)
  if (scenario === null)
    throw new UsageError(where, 'there is no scenario above.', 'Add one, or with: {...}.')
  const goal = required(fields, 'goal', where)
  const solution = fields.get('solution')
  return {
    kind: 'task',
    line,
    text,
    scenario,
    actions,
    fields: listed('fields'),
    goal: readGoal(jsonObject(goal, file), `${file}:${goal.line}`),
    hint: fields.get('hint')?.text ?? null,
    explanation: required(fields, 'explanation', where).text,
    solution: solution === undefined ? null : solutionIn(solution, file),
  }
}

/** The text of a block, its choices, and its fields; a field goes on until the next one. */
function contentOf({ file, line, lines }: LessonBlock, known: readonly string[]): BlockContent {
  const text: string[] = []
  const choices: { text: string; right: boolean }[] = []
  const fields = new Map<string, { text: string; line: number }>()
  let field: { text: string; line: number } | null = null
  for (const [i, content] of lines.entries()) {
    const here = line + 1 + i
    const [, name, rest] = /^([a-z]+):(?:\s+(.*)|)$/.exec(content) ?? []
    const choice = CHOICE.exec(content)
    if (name !== undefined) {
      if (!known.includes(name))
        throw new UsageError(
          `${file}:${here}`,
          `there is no field ${name} here.`,
          `Use ${known.join(', ')}, or let the line not begin with a word and a colon.`,
        ).withCandidates(name, known)
      if (fields.has(name))
        throw new UsageError(`${file}:${here}`, `${name} is there twice.`, 'Remove one of them.')
      field = { text: (rest ?? '').trim(), line: here }
      fields.set(name, field)
    } else if (field !== null) field.text = `${field.text}\n${content.trim()}`.trim()
    else if (choice) choices.push({ text: choice[2], right: choice[1] !== ' ' })
    else if (choices.length > 0 && content.trim() !== '')
      choices.at(-1)!.text += ` ${content.trim()}`
    else text.push(content)
  }
  const asked = text.join('\n').trim()
  if (asked === '')
    throw new UsageError(`${file}:${line}`, 'the block has no text.', 'Say what is to be done.')
  for (const [name, { text, line }] of fields)
    if (text === '')
      throw new UsageError(`${file}:${line}`, `${name} is empty.`, 'Fill it in, or remove it.')
  return { text: asked, choices, fields }
}

function scenarioFor(
  fields: BlockContent['fields'],
  above: ScenarioInput | null,
  file: string,
): ScenarioInput | null {
  const given = fields.get('with')
  if (given === undefined) return above
  const { title: _, notes: __, ...base } = above ?? {}
  return changed(base, jsonObject(given, file))
}

function answerIn(
  { text, line }: BlockField,
  scenario: ScenarioInput | null,
  file: string,
): number | string {
  const where = `${file}:${line}`
  const number = Number(text)
  if (Number.isFinite(number)) return number
  if (!isQuantity(text))
    throw new UsageError(
      where,
      `${text} is neither a number nor a quantity.`,
      `Quantities are ${quantityNames.join(', ')}.`,
    ).withCandidates(text, quantityNames)
  if (isOfChecker(text))
    throw new UsageError(where, `${text} is found by the checker.`, 'Use it in the goal of a task.')
  if (scenario === null)
    throw new UsageError(where, 'there is no scenario above.', 'Add one, or with: {...}.')
  return text
}

function toleranceIn(field: BlockField | undefined, file: string): LessonTolerance {
  if (field === undefined) return { by: 0, share: false }
  const [, digits, share] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(field.text) ?? []
  if (digits === undefined)
    throw new UsageError(
      `${file}:${field.line}`,
      `${field.text} is not a tolerance.`,
      'Write for example 5 or 15%.',
    )
  return share ? { by: Number(digits) / 100, share: true } : { by: Number(digits), share: false }
}

function solutionIn(field: BlockField, file: string): TaskSolution {
  const value = json(field, file)
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const [first, ...rest] = list
  const named = isObject(first) && !('what' in first) ? first : null
  const { clauses = null, ...fields } = named ?? {}
  const changes = named === null ? list : rest
  if (clauses !== null && !Array.isArray(clauses))
    throw new UsageError(
      `${file}:${field.line}`,
      'clauses is no list.',
      'Write {"clauses": ["the name of a clause"]}.',
    )
  if (!changes.every((change) => isObject(change) && 'what' in change && 'at' in change))
    throw new UsageError(
      `${file}:${field.line}`,
      'a change of a solution has "what" and "at".',
      'Write for example [{"what": "crash", "node": 7, "at": 3.5}].',
    )
  return { clauses, fields, changes: changes as Intervention[] }
}

function json({ text, line }: BlockField, file: string): unknown {
  // Line breaks before it give messages the line of the file.
  return parseJsonDocument('\n'.repeat(line - 1) + text, file)
}

function jsonObject(field: BlockField, file: string): ScenarioInput {
  const value = json(field, file)
  if (isObject(value)) return value
  throw new UsageError(`${file}:${field.line}`, 'this is not an object of JSON.', 'Write {...}.')
}

function isObject(value: unknown): value is ScenarioInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function required(fields: BlockContent['fields'], name: string, where: string): BlockField {
  const field = fields.get(name)
  if (field !== undefined) return field
  throw new UsageError(where, `the block has no ${name}.`, `Add ${name}: to it.`)
}

function at(fields: BlockContent['fields'], name: string, { file, line }: LessonBlock): string {
  return `${file}:${fields.get(name)?.line ?? line}`
}

function namesIn<T extends string>(text: string, known: readonly T[], where: string): T[] {
  return text
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((name) => {
      const found = known.find((one) => one === name.trim())
      if (found !== undefined) return found
      throw new UsageError(
        where,
        `${name.trim()} is not one of ${known.join(', ')}.`,
        'Correct it.',
      ).withCandidates(name.trim(), known)
    })
}

function numberIn(text: string, where: string, example: string): number {
  const value = Number(text)
  if (text !== '' && Number.isFinite(value) && value >= 0) return value
  throw new UsageError(where, `"${text}" is not a number.`, `Write for example ${example}.`)
}
