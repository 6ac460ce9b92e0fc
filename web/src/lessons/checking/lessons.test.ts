import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { changed, type Lesson } from '../format/lesson.ts'
import { parseLesson } from '../format/parse-lesson.ts'
import { checkGoal, rightChoices } from './goal-check.ts'
import { lessonCheck, lessonProof, lessonRun } from './lesson-run.ts'
import { quantityOf } from './quantities.ts'

const FOLDER = fileURLToPath(new URL('../../../../docs/lessons/', import.meta.url))
const files = readdirSync(FOLDER)
  .filter((name) => /^\d.*\.md$/.test(name))
  .sort()
const read = (file: string) => parseLesson(readFileSync(FOLDER + file, 'utf8'), file)

it('numbers the lessons of a course from 1, each once', () => {
  const numbers = files.map((file) => read(file).number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

it('lists all lessons of the course, in their order', () => {
  const page = readFileSync(`${FOLDER}README.md`, 'utf8')
  const listed = [...page.matchAll(/^\d+\. \[(.+?)\]\((.+?)\)/gm)]
  expect(listed.map(([, title, file]) => [title, file])).toEqual(
    files.map((file) => [read(file).title, file]),
  )
})

describe.each(files)('%s', (file) => {
  const lesson: Lesson = read(file)

  const scenarios = lesson.parts.filter((part) => part.kind === 'scenario')
  it.each(scenarios)('runs the scenario in line $line', ({ scenario }) => {
    expect(lessonRun(scenario).log.steps).toBeGreaterThan(0)
  })

  const questions = lesson.parts.filter((part) => part.kind === 'question')
  it.each(questions)('has one answer to the question in line $line', (question) => {
    const { answer, scenario, choices } = question
    const computed = typeof answer === 'string'
    const value = computed ? quantityOf(answer, lessonRun(scenario!)) : answer
    if (computed) expect(value).not.toBeNull()
    const right = rightChoices(question, value).filter(Boolean).length
    if (choices.length === 0) expect(value).toEqual(expect.any(Number))
    else if (answer !== null) expect(right, `the engine says ${value}`).toBe(1)
    else expect(right).toBeLessThan(choices.length)
  })

  const tasks = lesson.parts.filter((part) => part.kind === 'task')
  it.each(tasks)('has a task in line $line that is not done, and can be', (task) => {
    const { scenario, goal, solution, actions } = task
    const start = checkGoal(goal, lessonRun(scenario))
    expect(
      start.every(({ met }) => met),
      'it is done before it begins',
    ).toBe(false)
    if (solution === null) return
    const { fields, changes } = solution
    const other = Object.keys(fields).filter((name) => !task.fields.includes(name))
    expect(other, 'the solution changes fields that the task does not offer').toEqual([])
    const done = changed(scenario, fields)
    if (solution.clauses !== null && solution.clauses.length > 0) {
      const before = checkGoal(goal, lessonRun(done), lessonProof(done, []))
      expect(before.filter(({ met }) => !met).length, 'it is proved from nothing').toBe(1)
    }
    const check = actions.includes('prove')
      ? lessonProof(done, solution.clauses ?? [])
      : actions.includes('explore')
        ? lessonCheck(done)
        : null
    expect(checkGoal(goal, lessonRun(done, changes), check).filter(({ met }) => !met)).toEqual([])
  })
})
