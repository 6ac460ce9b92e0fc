import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo, type LabBench, openBench, soon } from './browser.ts'
import { axeViolations, openScenario } from './page-actions.ts'

/** The code that is marked as having just run, line by line. */
function marked(page: Page): Promise<string[]> {
  return page
    .locator('.listing .ran-line')
    .evaluateAll((lines) =>
      lines.map((line) =>
        [...line.querySelectorAll('span.ran')].map((span) => span.textContent).join(''),
      ),
    )
}

/** The last event in the note above the listing, and the code that ran in it. */
async function shown(page: Page): Promise<{ note: string; code: string[] }> {
  return { note: await page.locator('.code-view .note').innerText(), code: await marked(page) }
}

describe('the code beside the stage', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('marks what has just run, in the catalogue and in own code', async () => {
    const { page, errors } = await bench.page()
    // The ids 1 and 2 are swallowed by the next node at time 1, and 3 is passed on.
    await openScenario(page, bench, { algorithm: 'lcr', ids: [1, 2, 3] })
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    const expectSteps = async () => {
      await goTo(page, 1)
      await soon(() => marked(page)).toEqual(['net.send(left, ELECTION, { id: my.id })'])
      await goTo(page, 4)
      await soon(() => shown(page)).toEqual({
        note: expect.stringMatching(/^\d receives election\(id \d\) from \d:$/),
        code: expect.arrayContaining([
          expect.stringMatching(/^if \(id > my\.id\)/),
          'if (id === my.id)',
        ]),
      })
      await page.keyboard.press('End')
      await soon(() => marked(page)).toEqual(['if (id !== my.id)', 'net.stop()'])
    }
    await expectSteps()
    // Handlers alone: no imports, no theory.
    const text = await page.locator('.listing').innerText()
    expect(text).toMatch(/When election arrives/)
    expect(text).not.toMatch(/import|theory|conclave/)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeViolations(page, '.code-view'), colorScheme).toEqual([])
    }
    // The editor opens the algorithm that is shown; what runs then is own code.
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByRole('button', { name: 'Close the editor' }).click()
    await soon(() => page.locator('.listing').count()).toBe(1)
    await page.keyboard.press('End')
    await soon(() => marked(page)).toEqual(['if (id !== my.id)', 'net.stop()'])
    expect(errors).toEqual([])
  })

  it('offers the form of the lectures where the catalogue has one', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'bully', ids: [1, 2, 3], wake: '0' })
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await soon(() => page.locator('.listing').innerText()).toMatch(/mayBeAlive/)
    await page.getByRole('button', { name: 'As in lectures' }).click()
    await soon(() => page.locator('.listing').innerText()).not.toMatch(/mayBeAlive/)
    await soon(() => page.locator('.listing').innerText()).toMatch(/When coordinator arrives/)
    expect(await page.getByRole('button', { name: 'As in lectures' }).count()).toBe(0)
    expect(errors).toEqual([])
  })
})
