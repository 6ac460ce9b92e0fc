import { readdirSync, readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Intervention, ScenarioInput } from '../../src/scenario/index.ts'
import { rightChoices } from '../../web/src/lessons/checking/goal-check.ts'
import { lessonRun } from '../../web/src/lessons/checking/lesson-run.ts'
import { quantityOf } from '../../web/src/lessons/checking/quantities.ts'
import {
  changed,
  type Lesson,
  type LessonQuestion,
  type LessonTask,
} from '../../web/src/lessons/format/lesson.ts'
import { parseLesson } from '../../web/src/lessons/format/parse-lesson.ts'
import { RunFrame } from '../../web/src/recording/frame.ts'
import { sample } from '../support/campaign.ts'
import { goTo, type LabBench, openBench, soon } from './browser.ts'
import { axeViolations } from './page-actions.ts'

const FOLDER = new URL('../../docs/lessons/', import.meta.url)
const lessons = readdirSync(FOLDER)
  .filter((name) => /^\d\d-.*\.md$/.test(name))
  .map((file) => parseLesson(readFileSync(new URL(file, FOLDER), 'utf8'), file))

const tried = sample(lessons, 7)

/** Fills the fields of a task's form, by their names in a scenario. */
const FIELDS: Readonly<Record<string, (card: Locator, value: unknown) => Promise<void>>> = {
  ids: (card, ids) => filled(card.getByLabel(/^Ids/), ids),
  n: (card, n) => filled(card.getByLabel('Nodes'), n),
  wake: (card, wake) => patterned(card, 'Starting nodes', String(wake), 'some, by position'),
  seed: (card, seed) => filled(card.getByLabel('Seed'), seed),
  recover: (card, recover) => filled(card.getByLabel('Recover'), recover),
  weights: (card, weights) => filled(card.getByLabel('Weights of links'), weights),
  delay: (card, delay) => patterned(card, 'Delay', String(delay), 'as text'),
  async topology(card, topology) {
    const [kind, ...numbers] = String(topology).split(':')
    await card.getByLabel('Network').selectOption(kind)
    for (const [i, number] of numbers.entries())
      await filled(card.locator('.numbers input').nth(i), number)
  },
  async set(card, set) {
    for (const [name, value] of Object.entries(set as object)) {
      const field = card.getByLabel(name, { exact: true })
      if (await field.evaluate((one) => one.matches('select')))
        await field.selectOption(String(value))
      else await filled(field, value)
    }
  },
}

/** Chooses a pattern and fills in its numbers, or writes what no pattern covers. */
async function patterned(card: Locator, label: string, text: string, other: string) {
  const select = card.getByLabel(label, { exact: true })
  const [kind, ...numbers] = text.split(':')
  const known = await select.locator(`option[value="${kind}"]`).count()
  await select.selectOption(known > 0 ? kind : 'other')
  if (known === 0) return filled(card.getByLabel(`${label}: ${other}`), text)
  const beside = 'xpath=ancestor::div[@class="row"]/following-sibling::div[1]//input'
  const fields = select.locator(beside)
  for (const [i, number] of numbers.entries()) await filled(fields.nth(i), number)
}

async function filled(input: Locator, value: unknown): Promise<void> {
  await input.fill(String(value))
  await input.press('Enter')
}

const BUTTONS: Readonly<Record<Intervention['what'], RegExp>> = {
  crash: /^Crash /,
  recover: /^Recover /,
  wake: /^Wake /,
  cut: /^Cut the link /,
  mend: /^Restore /,
  partition: /^Cut .* off$/,
  heal: /^Heal /,
  drop: /^Drop /,
  arrive: /^Delay /,
}

async function answerQuestion(card: Locator, question: LessonQuestion): Promise<void> {
  const { answer, scenario, choices } = question
  const computed = typeof answer === 'string'
  const value = computed ? quantityOf(answer, lessonRun(scenario!)) : answer
  if (choices.length === 0) await card.getByLabel('Your prediction').fill(String(value))
  else
    for (const [i, right] of rightChoices(question, value).entries())
      if (right) await card.locator('.choices input').nth(i).check()
  await card.getByRole('button', { name: 'Check' }).click()
  await soon(() => card.locator('.outcome').innerText()).toMatch(/^Right\./)
}

/** Begins a task. */
async function begun(card: Locator): Promise<void> {
  const begin = card.getByRole('button', { name: /^(Begin|Do it again)$/ })
  const reset = card.getByRole('button', { name: 'Reset' })
  await card.scrollIntoViewIfNeeded()
  await soon(async () => {
    if ((await reset.count()) === 0) await begin.click({ timeout: 1000 }).catch(() => {})
    return reset.count()
  }).toBe(1)
}

async function doTask(page: Page, card: Locator, task: LessonTask): Promise<void> {
  await begun(card)
  const { fields, changes, clauses } = task.solution!
  for (const [name, value] of Object.entries(fields)) await FIELDS[name](card, value)
  if (task.actions.includes('explore'))
    await page
      .getByRole('button', { name: /^Explore/ })
      .first()
      .click()
  if (clauses !== null) {
    await page
      .getByRole('button', { name: /^Prove/ })
      .first()
      .click()
    const list = page.getByRole('list', { name: 'Clauses of the definition' })
    await soon(() => list.getByRole('checkbox').count()).toBeGreaterThan(0)
    for (const box of await list.getByRole('checkbox').all()) {
      const label = await box.evaluate((one) => (one as HTMLInputElement).labels?.[0]?.innerText)
      const wanted = clauses.some((name) => label?.includes(name))
      if ((await box.isChecked()) !== wanted) await box.click()
    }
  }
  const before: Intervention[] = []
  for (const change of changes) {
    await makeChange(page, changed(task.scenario, fields), before, change)
    before.push(change)
  }
  const done = () => card.locator('.success').count()
  await soon(async () => ({ task: task.line, done: await done() })).toEqual({
    task: task.line,
    done: 1,
  })
}

/** Makes a change in the picture by the keys that choose nodes and messages. */
async function makeChange(
  page: Page,
  scenario: ScenarioInput,
  before: readonly Intervention[],
  change: Intervention,
): Promise<void> {
  const { log } = lessonRun(scenario, before)
  const step = log.stepsUntil(momentOf(log.world.unit, scenario, change.at))
  await goTo(page, step)
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('Escape')
  const [first, ...others] = chosenBy(change)
  if ('message' in change) {
    const open = [...new RunFrame(log).seek(step).open]
    const place = open.findIndex(
      (flight) => log.event(log.sending.at(flight)).message === change.message,
    )
    for (let i = 0; i <= place; i++) await page.keyboard.press('m')
  } else {
    for (let i = 0; i <= first; i++) await page.keyboard.press('n')
    for (const _ of others) await page.keyboard.press('N')
  }
  const actions = page.getByRole('region', { name: 'What you can do here' })
  await actions.getByRole('button', { name: BUTTONS[change.what] }).first().click()
}

/** The time of a change of gossip by messages is a cycle. */
function momentOf(unit: string, { set, algorithm }: ScenarioInput, at: number): number {
  const gossip = String(algorithm).startsWith('gossip')
  if (!gossip || unit === 'cycle') return unit === 'cycle' ? at - 1 : at
  return (at - 2) * Number((set as { period?: number } | undefined)?.period ?? 10)
}

function chosenBy(change: Intervention): readonly number[] {
  if ('node' in change) return [change.node]
  if ('link' in change) return [change.link[0]]
  return 'groups' in change ? change.groups[0] : [-1]
}

/** Serious violations of accessibility, in light and in dark. */
async function violations(page: Page): Promise<string[]> {
  const light = await axeViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeViolations(page, 'html', { runOnly: ['color-contrast'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark]
}

describe('lessons', () => {
  let bench: LabBench
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    bench = await openBench()
    ;({ page, errors } = await bench.page())
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(bench.address)
  })
  afterAll(() => bench?.close())

  it('are the first view, in order, and accessible', async () => {
    const list = page.getByRole('list', { name: 'Lessons' })
    await soon(() => list.getByRole('heading').allInnerTexts()).toEqual(
      lessons.map(({ title }) => title),
    )
    expect(await violations(page)).toEqual([])
  })

  it.each(tried)('can be completed: $slug', async (lesson: Lesson) => {
    await page.goto(`${bench.address}#lesson=${lesson.slug}`)
    await soon(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(lesson.title)
    const exercises = lesson.parts.filter(
      (part) => part.kind !== 'text' && part.kind !== 'scenario',
    )
    for (const [i, exercise] of exercises.entries()) {
      const card = page.locator('.exercise').nth(i)
      if (exercise.kind === 'question') await answerQuestion(card, exercise)
      else await doTask(page, card, exercise)
    }
    await soon(() => page.getByText('Lesson complete').count()).toBe(1)
    expect(errors).toEqual([])
  })

  it('say what is missing, and go to the lab and back with the work', async () => {
    await page.goto(`${bench.address}#lesson=lcr`)
    const card = page.locator('.task').first()
    await begun(card)
    await filled(card.getByLabel(/^Ids/), 'increasing')
    const findings = card.getByRole('list', { name: 'What the engine finds' })
    await soon(() => findings.innerText()).toMatch(/15 messages .*; 36 are wanted\./)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Open in the lab' }).click()
    await soon(() => page.getByLabel(/^Ids/).inputValue()).toBe('1,2,3,4,5,6,7,8')
    await filled(page.getByLabel(/^Ids/), 'decreasing')
    await soon(() => page.getByLabel(/^Ids/).inputValue()).toBe('8,7,6,5,4,3,2,1')
    await page.getByRole('button', { name: 'Back to the lesson' }).click()
    await soon(() => card.locator('.success').count()).toBe(1)
    await card.getByRole('button', { name: 'Reset' }).click()
    await soon(() => card.locator('.success').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('begin a task by its button, keep it in sight, and let starters be chosen by id', async () => {
    await page.goto(`${bench.address}#lesson=lcr`)
    const [first, last] = [page.locator('.task').first(), page.locator('.task').last()]
    await begun(first)
    await filled(first.getByLabel(/^Ids/), 'decreasing')
    await soon(() => first.locator('.success').count()).toBe(1)
    const begin = last.getByRole('button', { name: /^(Begin|Do it again)$/ })
    await begin.scrollIntoViewIfNeeded()
    // The first card becomes shorter when the other task begins.
    const top = () => last.evaluate((card) => Math.round(card.getBoundingClientRect().top))
    const before = await top()
    await begin.click()
    await soon(() => first.locator('.success').count()).toBe(0)
    await soon(async () => Math.abs((await top()) - before)).toBeLessThan(3)
    const starters = last.getByRole('group', { name: 'Nodes that start' })
    for (const id of ['8', '3']) await starters.getByRole('button', { name: id }).click()
    await soon(() => last.locator('.success').count()).toBe(1)
  })

  it('judge predictions by a tolerance, and explain', async () => {
    await page.goto(`${bench.address}#lesson=bully`)
    const card = page.locator('.question').first()
    const predict = async (number: number) => {
      await card.getByLabel('Your prediction').fill(String(number))
      await card.getByRole('button', { name: 'Check' }).click()
      await soon(() => card.locator('.outcome').count()).toBe(1)
      return card.locator('.outcome').innerText()
    }
    expect(await predict(12)).toBe('Not quite. It is 24; you said 12.')
    await card.getByRole('button', { name: 'Ask me again' }).click()
    expect(await predict(25)).toBe('Close enough. It is 24; you said 25.')
  })

  it('are ticked in the list, also after a reload', async () => {
    await page.goto(`${bench.address}#lessons`)
    await page.reload()
    const ticks = page.getByRole('list', { name: 'Lessons' }).getByText('done', { exact: true })
    await soon(() => ticks.count()).toBe(tried.length)
  })
})
