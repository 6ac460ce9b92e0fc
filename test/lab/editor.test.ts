import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, goTo, openDesk, soon, step } from './browser.ts'

describe('own code', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 300_000)
  afterAll(() => desk?.close())

  /** Opens the editor on LCR and puts one text in the place of another. */
  async function edit(page: Page, from: string, to: string): Promise<void> {
    await page.goto(desk.address)
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.waitForSelector('.cm-content', { timeout: 60_000 })
    const source = page.getByRole('textbox', { name: 'Source of the definition' })
    const text = await source.innerText()
    expect(text).toContain(from)
    await source.fill(text.replace(from, to))
  }

  it('runs a definition that starts from one of the catalogue', async () => {
    const { page, errors } = await desk.page()
    await edit(page, "name: 'lcr'", "name: 'mine'")
    const known = () => page.getByLabel('Step', { exact: true }).getAttribute('max')
    const before = await known()
    await page.getByRole('button', { name: 'Run it' }).click()
    // LCR takes fewer steps than the first scenario.
    await soon(async () => !['0', before].includes(await known())).toBe(true)
    await soon(() => page.locator('.counts').innerText()).toMatch(/election/)
    await soon(() => step(page)).not.toBe('0')
    await goTo(page, 9)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'Copy the link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    const { page: other, errors: others } = await desk.page()
    await other.goto(link)
    await soon(() => step(other)).toBe('9')
    const counts = (one: Page) => one.locator('.counts').innerText()
    await soon(() => counts(other)).toBe(await counts(page))
    expect([...errors, ...others]).toEqual([])
  })

  it('shows where a type is wrong', async () => {
    const { page } = await desk.page()
    await edit(page, 'if (id > my.id)', "if (id > 'x')")
    await soon(() => page.locator('.problems').innerText()).toMatch(/line \d+.*string/s)
    expect(await page.getByRole('button', { name: 'Run it' }).isDisabled()).toBe(true)
  })

  it('finds the counterexample of a bug, and plays it', async () => {
    const { page, errors } = await desk.page()
    await edit(page, 'if (id > my.id)', 'if (id !== my.id)')
    await page.getByRole('button', { name: 'Explore every interleaving' }).click()
    await soon(() => page.locator('.findings').innerText()).toMatch(/A counterexample in \d+ steps/)
    await page.getByRole('button', { name: 'Watch it' }).click()
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
  })

  it('stops an endless loop', async () => {
    const { page } = await desk.page()
    await edit(page, '  start(my, net) {', '  start(my, net) {\n    for (;;) if (my.id < 0) break')
    await page.getByRole('button', { name: 'Run it' }).click()
    await soon(() => page.locator('.problems').innerText()).toMatch(/did not come to an end/)
  })

  it('names the line in which a handler throws', async () => {
    const { page } = await desk.page()
    await edit(
      page,
      '    LEADER(my, { id }, net) {',
      "    LEADER(my, { id }, net) {\n      if (id) throw new Error('ouch')",
    )
    await page.getByRole('button', { name: 'Run it' }).click()
    await soon(() => page.locator('.problems').innerText()).toMatch(/line 3\d.*ouch/s)
  })
})
