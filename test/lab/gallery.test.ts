import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gallery } from '../../web/src/panel/gallery.ts'
import { sample } from '../support/campaign.ts'
import { wordsOf } from '../support/console-blocks.ts'
import { shellJson } from '../support/run-command.ts'
import { type LabBench, openBench } from './browser.ts'

interface Printed {
  readonly messages: { readonly total: number; readonly byType?: Record<string, number> }
  readonly bits: number
  readonly leading: readonly number[]
  readonly time: { readonly unit?: string; readonly ended: number }
  readonly verdict: {
    readonly properties: readonly { readonly name: string; readonly holds: boolean | null }[]
  }
}

/** Machines may be busy. */
const PATIENCE = { timeout: 10_000 }

/** The engine of the page is compared with the command line, too: page-engine.test.ts. */
const exhibits = sample(
  gallery.flatMap((room) => room.exhibits),
  12,
)

/** Numbers as people write them, thousands set apart. */
const numberIn = (text: string | null) => Number((text ?? '').replaceAll(',', '').match(/\d+/)?.[0])

async function pick(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Gallery' }).click()
  await page.getByRole('dialog').getByRole('button', { name: title }).first().click()
}

/** Goes to the end of a run, once the engine has come there. */
async function toTheEnd(page: Page): Promise<void> {
  const verdict = page.locator('.verdict li')
  await expect
    .poll(async () => {
      await page.getByLabel('Step', { exact: true }).press('End')
      return verdict.count()
    }, PATIENCE)
    .toBeGreaterThan(0)
  const caption = page.locator('.caption .now')
  await expect.poll(() => caption.textContent(), PATIENCE).toMatch(/The end|Violated/)
}

/** Nodes that meet send no messages: interactions and leaders are counted. */
function countsIn({ messages, bits, leading, time }: Printed): Record<string, number> {
  return time.unit === 'interaction'
    ? { interaction: time.ended, Leaders: leading.length }
    : { message: messages.total, Bits: bits }
}

async function counted(page: Page) {
  const rows = await page.locator('.types tr').allInnerTexts()
  const judged = await page.locator('.verdict li').evaluateAll((items) =>
    items.map((item) => ({
      name: item.querySelector('span + span')?.firstChild?.textContent ?? '',
      holds: item.className === 'undecided' ? null : item.className === 'holds',
    })),
  )
  const total = await page.locator('.counts output').textContent()
  const figure = page.locator('.figures > div').first()
  return {
    counts: {
      [total?.match(/message|interaction/)?.[0] ?? '']: numberIn(total),
      [(await figure.locator('dt').textContent()) ?? '']: numberIn(
        await figure.locator('dd').textContent(),
      ),
    },
    byType: Object.fromEntries(
      rows.map((row) => row.split(/\s+/)).map(([a, b]) => [a, numberIn(b)]),
    ),
    judged,
  }
}

describe('the gallery', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('shows in every scenario what the command beside it prints', async () => {
    const { page, errors } = await bench.page()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(bench.lab)
    for (const { title, watch } of exhibits) {
      await pick(page, title)
      await expect.poll(() => page.locator('.caption .watch').textContent()).toContain(watch)
      await toTheEnd(page)
      const command = (await page.locator('.command code').textContent())!
      const printed = await shellJson<Printed>(...wordsOf({ command: `npx ${command}` }))
      const shown = await counted(page)
      expect(shown, title).toEqual({
        counts: countsIn(printed),
        // Cycles have no messages of their own.
        byType: Object.keys(shown.byType).length > 0 ? printed.messages.byType : {},
        judged: printed.verdict.properties.map(({ name, holds }) => ({ name, holds })),
      })
    }
    expect(errors).toEqual([])
    await page.close()
  }, 240_000)

  it('is opened, walked and closed by keys alone', async () => {
    const { page } = await bench.page()
    await page.goto(bench.lab)
    const button = page.getByRole('button', { name: 'Gallery' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false)
    // The button gets the focus back, a moment after the dialog has closed.
    await expect.poll(() => button.evaluate((one) => one.matches(':focus'))).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(true)
    const cards = page.getByRole('dialog').locator('.card')
    await page.getByLabel('Find an exhibit').fill('bully crash')
    await expect.poll(() => cards.count()).toBe(1)
    expect(await cards.first().innerText()).toMatch(/leader crashes and recovers/)
    // Other names of the literature are found, too.
    await page.getByLabel('Find an exhibit').fill('mega-merger')
    await expect.poll(() => cards.count()).toBe(1)
    expect(await cards.first().innerText()).toMatch(/Gallager/)
    await page.getByLabel('Find an exhibit').fill('')
    await page.getByLabel('Order', { exact: true }).selectOption('level')
    expect(await cards.first().innerText()).toMatch(/first steps/)
    expect(await cards.last().innerText()).toMatch(/advanced/)
    await page.getByRole('button', { name: 'LCR, worst ring' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Algorithm').inputValue()).toBe('lcr')
    await page.close()
  })
})
