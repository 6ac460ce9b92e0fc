import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabBench, openBench, soon } from './browser.ts'
import { axeViolations, openScenario } from './page-actions.ts'

/** One page for all tests, of which the last needs the compiler. */
describe('proofs for every n', () => {
  let bench: LabBench
  let page: Page
  let errors: string[]
  beforeAll(async () => {
    bench = await openBench()
    ;({ page, errors } = await bench.page({ width: 1440, height: 1600 }))
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })
  afterAll(() => bench?.close())

  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const found = () => page.getByRole('region', { name: 'Prove', exact: true }).innerText()
  const stage = () => page.getByRole('region', { name: 'Counterexample to induction' })
  const clause = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) })

  it('proves what is on the stage, and shows what a clause that is left out was for', async () => {
    await openScenario(page, bench, { algorithm: 'lcr', n: 4 })
    await button('Check').click()
    await button('Prove for every n').click()
    await soon(found).toContain('Proved for every n')
    expect(await found()).toContain('at most one leader: proved for every ring')
    expect(await stage().count()).toBe(0)
    await clause('passed only smaller').click()
    await soon(found).toContain('at most one leader: not proved')
    expect(await found()).toContain('This does not say that it is wrong')
    await soon(() => stage().getByRole('heading').first().innerText()).toContain('Before the step')
  })

  it('steps once by keys, says the same in words, and goes back to the run', async () => {
    expect(await stage().locator('circle.broken').count()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await soon(() => stage().locator('circle.broken').count()).toBe(2)
    // Two nodes lead now, and one led before.
    expect(await stage().locator('.node.leader').count()).toBe(2)
    expect(await page.getByRole('complementary').innerText()).toMatch(/broken: at most one leader/)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, '.lab'), colorScheme).toEqual([])
    }
    await page.keyboard.press('ArrowLeft')
    await soon(() => stage().locator('.node.leader').count()).toBe(1)
    await page.keyboard.press('Escape')
    await soon(() => page.locator('canvas.stage').count()).toBe(1)
  })

  it('proves own code, and shows the way of which a wrong clause speaks', async () => {
    await button('Close the checker').click()
    await button('Code').click()
    await button('Edit').click()
    await page.waitForSelector('.cm-content', { timeout: 60_000 })
    const source = page.getByRole('textbox', { name: 'Source of the definition' })
    await source.filter({ hasText: "name: 'lcr'" }).waitFor()
    const right = await source.innerText()
    const turned = right.replace('inside(owner, b, m.to)', 'inside(m.to, b, owner)')
    expect(turned).not.toBe(right)
    await source.fill(turned)
    await button('Prove for every n').click()
    await button('Show why "an id has passed only smaller ones" is not proved').click()
    await button('After the step').click()
    await soon(() => stage().locator('path.way').count()).toBe(1)
    await soon(() => stage().locator('.message.broken').count()).toBe(1)
    await source.fill(right)
    await button('Prove for every n').click()
    await soon(found).toContain('Proved for every n')
    await soon(() => stage().count()).toBe(0)
    expect(errors).toEqual([])
  })
})
