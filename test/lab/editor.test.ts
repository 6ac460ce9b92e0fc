import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtShell } from '../support/run-command.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { axeViolations } from './page-actions.ts'

/** One page for all tests: loading the compiler takes most of the time. */
describe('own code', () => {
  let bench: LabBench
  let page: Page
  let errors: string[]
  let original: string
  beforeAll(async () => {
    bench = await openBench()
    ;({ page, errors } = await bench.page({ width: 1440, height: 1200 }))
    await page.goto(bench.lab)
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.waitForSelector('.cm-content', { timeout: 60_000 })
    // The editor opens the algorithm that is shown.
    await source().filter({ hasText: "name: 'chang-roberts'" }).waitFor()
    await page.getByLabel('Start from').selectOption('lcr')
    await source().filter({ hasText: "name: 'lcr'" }).waitFor()
    // The editor draws the lines in sight; until it has measured itself, these are the first ones.
    await source()
      .filter({ hasText: /},\s*}\)\s*$/ })
      .waitFor()
    original = await source().innerText()
  })
  const folder = mkdtempSync(join(tmpdir(), 'conclave-editor-'))
  afterAll(async () => {
    await bench?.close()
    rmSync(folder, { recursive: true })
  })

  const source = () => page.getByRole('textbox', { name: 'Source of the definition' })
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  /** The file that a press of a button saves. */
  async function savedBy(press: () => Promise<void>): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([page.waitForEvent('download'), press()])
    const path = join(folder, 'download')
    await download.saveAs(path)
    return { name: download.suggestedFilename(), text: readFileSync(path, 'utf8') }
  }

  /** Puts one text in the place of another in LCR. */
  async function edit(from: string, to: string): Promise<void> {
    expect(original).toContain(from)
    await source().fill(original.replace(from, to))
  }

  it('shows where a type is wrong, and runs and explores nothing until it is right', async () => {
    await edit('if (id > my.id)', "if (id > 'x')")
    await soon(() => page.locator('.problems').innerText()).toMatch(/line \d+.*string/s)
    for (const name of ['Run it', 'Explore every interleaving', 'Measure'])
      expect(await button(name).isDisabled(), name).toBe(true)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, '.panel'), colorScheme).toEqual([])
    }
  })

  it('keeps what was written, whatever else is looked at, until one starts over', async () => {
    const start = page.getByLabel('Start from')
    await start.selectOption('franklin')
    await soon(() => source().innerText()).toContain("name: 'franklin'")
    await start.selectOption('lcr')
    await soon(() => source().innerText()).toContain("if (id > 'x')")
    await button('Close the editor').click()
    await page.reload()
    await button('Code').click()
    await button('Edit').click()
    await start.selectOption('lcr')
    await soon(() => source().innerText()).toContain("if (id > 'x')")
    await button('Start over').click()
    await soon(() => source().innerText()).toContain('if (id > my.id)')
    expect(await button('Start over').count()).toBe(0)
  })

  it('runs a definition that starts from one of the catalogue', async () => {
    await edit("name: 'lcr'", "name: 'mine'")
    const known = () => page.getByLabel('Step', { exact: true }).getAttribute('max')
    const before = await known()
    await button('Run it').click()
    // LCR takes fewer steps than the first scenario.
    await soon(async () => !['0', before].includes(await known())).toBe(true)
    await soon(() => page.locator('.counts').innerText()).toMatch(/election/)
    await soon(() => step(page)).not.toBe('0')
    await goTo(page, 9)
    // Commands take the saved file, though LCR imports other files of the catalogue.
    const saved = await savedBy(() => button('Save').click())
    expect(saved.name).toBe('mine.ts')
    const file = join(folder, saved.name)
    writeFileSync(file, saved.text)
    const ran = await builtShell('run', file, '-n', '6', '--seed', '3', '--json')
    const lcr = await builtShell('run', 'lcr', '-n', '6', '--seed', '3', '--json')
    expect([ran.err, JSON.parse(ran.out).messages]).toEqual(['', JSON.parse(lcr.out).messages])
    expect(await builtShell('check', file, '-n', '3')).toMatchObject({ code: 0, err: '' })
    await button('Share').click()
    expect(await savedBy(() => button('Algorithm (.ts)').click())).toEqual(saved)
    await button('Copy the link').click()
    const link = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.keyboard.press('Escape')
    const { page: other, errors: others } = await bench.page()
    await other.goto(link)
    await other.getByRole('button', { name: 'Run this code' }).click()
    // Nothing else is shown while the compiler is fetched.
    expect(await other.locator('.watch').count()).toBe(0)
    await soon(() => step(other)).toBe('9')
    const counts = (one: Page) => one.locator('.counts').innerText()
    await soon(() => counts(other)).toBe(await counts(page))
    expect(others).toEqual([])
    await other.close()
  })

  it('finds the counterexample of a bug, and plays it', async () => {
    await edit('if (id > my.id)', 'if (id !== my.id)')
    await soon(() => button('Explore every interleaving').isEnabled()).toBe(true)
    await button('Explore every interleaving').click()
    await soon(() => page.locator('.findings').innerText()).toMatch(
      /A shortest counterexample: \d+ steps/,
    )
    await button('Watch it').click()
    await soon(() => step(page)).not.toBe('0')
    // What is known of the code before is not known of the code now.
    await edit('if (id > my.id)', 'if (id >= my.id)')
    await soon(() => page.locator('.findings').innerText()).toContain('before your last change')
  })

  it('names the line in which a handler throws', async () => {
    await edit(
      '    LEADER(my, { id }, net) {',
      "    LEADER(my, { id }, net) {\n      if (id) throw new Error('ouch')",
    )
    await button('Run it').click()
    await soon(() => page.locator('.problems').innerText()).toMatch(/line 3\d.*ouch/s)
  })

  it('stops an endless loop, and the play with it', async () => {
    await edit('  start(my, net) {', '  start(my, net) {\n    for (;;) if (my.stopped) break')
    await button('Run it').click()
    await soon(async () => (await page.locator('.problems').allInnerTexts()).join()).toMatch(
      /line \d+.*did not come to an end/s,
    )
    await soon(() => button('Play').count()).toBe(1)
    expect(errors).toEqual([])
  })
})
