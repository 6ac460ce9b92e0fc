import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabBench, openBench, soon, step } from './browser.ts'
import { axeViolations, openScenario } from './page-actions.ts'

/** One page for all tests: three nodes with the same id, of which two come to lead. */
describe('the checker', () => {
  let bench: LabBench
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    bench = await openBench()
    ;({ page, errors } = await bench.page({ width: 1440, height: 1200 }))
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })
  afterAll(() => bench?.close())

  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const panel = (name: string) => page.getByRole('region', { name, exact: true })
  const words = (name: string) => panel(name).innerText()
  const choices = () => panel('What can happen next').locator('.choice')

  it('explores what is shown, and shows a counterexample as a branch', async () => {
    const same = { algorithm: 'lcr', n: 3, ids: 'same', timing: 'async', 'allow-weaker': true }
    await openScenario(page, bench, same)
    await button('Check').click()
    await button(/^Explore/).click()
    await soon(() => words('Explore')).toContain('Violated: at most one leader')
    expect(await words('Explore')).toContain('14 states')
    expect(await words('What is explored')).toMatch(/3 nodes/)
    await button('Watch it').click()
    await soon(() => page.getByRole('region', { name: 'Break it' }).innerText()).toContain(
      'counterexample to "at most one leader"',
    )
    await page.keyboard.press('v')
    await soon(() => page.locator('.caption .now').innerText()).toContain('at most one leader')
    // It is simulated, so it can be changed.
    await page.keyboard.press('Home')
    await page.keyboard.press('n')
    await button(/^Crash/).click()
    await soon(() => page.locator('.branches li').count()).toBe(3)
  })

  it('walks through its states by keys, back by the arrow, and knows where it is', async () => {
    await button('without changes').click()
    await soon(() => choices().count()).toBe(3)
    await soon(() => words('States')).toContain('All')
    await page.keyboard.press('1')
    await soon(() => choices().allInnerTexts()).toContain('3\n1 receives election(1) from 1')
    await page.keyboard.press('3')
    await soon(() => step(page)).toBe('2')
    await page.keyboard.press('ArrowLeft')
    await soon(() => words('What can happen next')).toContain('after 1')
    await page.keyboard.press('ArrowRight')
    await soon(() => words('What can happen next')).toContain('after 2')
    // The second node leads; whatever is next, the third can lead too.
    const ahead = choices().filter({ hasText: /receives election/ })
    for (let taken = 2; taken < 6; taken++) {
      if ((await words('What can happen next')).includes('Violated')) break
      await ahead.first().click()
      await soon(() => words('What can happen next')).toContain(`after ${taken + 1}`)
    }
    await soon(() => words('What can happen next')).toContain('Violated: at most one leader')
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/Violated/)
    await button('Simulate it').click()
    await soon(() => words('Break it')).toContain('what was walked through')
  })

  it('can be read by everybody, and forgets its verdict when the scenario changes', async () => {
    await button(/^Explore/).click()
    await soon(() => page.locator('.verdicts').count()).toBe(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, '.panel'), colorScheme).toEqual([])
    }
    await page.getByText('Change what is explored').click()
    await page.getByLabel('crashes').fill('1')
    await page.getByLabel('crashes').press('Enter')
    await soon(() => page.locator('.verdicts').count()).toBe(0)
    await soon(() => words('What is explored')).toContain('up to 1 crash')
    expect(await page.locator('.checker .command code').innerText()).toContain('--crashes 1')
    expect(errors).toEqual([])
  })
})
