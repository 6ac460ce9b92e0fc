import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellJson } from '../support/run-command.ts'
import { type LabBench, openBench } from './browser.ts'

/** Machines may be busy. */
const PATIENCE = { timeout: 10_000 }

let bench: LabBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench?.close())

/** A page that moves only on request. */
async function still() {
  const opened = await bench.page()
  await opened.page.emulateMedia({ reducedMotion: 'reduce' })
  await opened.page.goto(bench.lab)
  await expect.poll(() => command(opened.page), PATIENCE).toContain('conclave run')
  return opened
}

/** How far each of 3,2,7,8,5,4,1,6 goes until it meets a larger id, and the announcement. */
const FIRST = 2 + 1 + 1 + 8 + 3 + 2 + 1 + 3 + 8

const command = async (page: Page) => (await page.locator('.command code').textContent()) ?? ''

/** How many messages there are in the end. */
async function total(page: Page): Promise<number> {
  await page.getByLabel('Step', { exact: true }).press('End')
  return Number.parseInt((await page.locator('.counts output').textContent())!, 10)
}

async function printed(page: Page): Promise<number> {
  const words = (await command(page)).split(' ').slice(1)
  const { messages } = await shellJson<{ messages: { total: number } }>(...words)
  return messages.total
}

describe('the scenario panel', () => {
  it('explains wrong input at its field and keeps the last good run meanwhile', async () => {
    const { page, errors } = await still()
    const ids = page.getByLabel(/^Ids by position/)
    await expect.poll(() => total(page), PATIENCE).toBe(FIRST)
    await ids.fill('3,1,3')
    const complaint = page.locator('.panel .error')
    await expect.poll(() => complaint.textContent(), PATIENCE).toMatch(/^Id 3 is listed twice/)
    expect(await ids.getAttribute('aria-invalid')).toBe('true')
    expect(await total(page)).toBe(FIRST)
    await ids.fill('3,1,2')
    await ids.press('Enter')
    await expect.poll(() => complaint.count(), PATIENCE).toBe(0)
    // 3 goes round, 1 and 2 take a step each, and the announcement goes round.
    await expect.poll(() => total(page), PATIENCE).toBe(3 + 1 + 1 + 3)
    expect(await printed(page)).toBe(8)
    expect(errors).toEqual([])
    await page.close()
  })

  it('stays open where a field is cleared to write something else', async () => {
    const { page } = await still()
    await page.getByText('Faults', { exact: true }).click()
    const loss = page.getByLabel('Loss', { exact: true })
    const complaint = page.locator('.panel .error')
    await loss.fill('2')
    await expect.poll(() => complaint.count(), PATIENCE).toBe(1)
    await loss.fill('')
    await expect.poll(() => complaint.count(), PATIENCE).toBe(0)
    expect(await loss.isVisible()).toBe(true)
    await page.close()
  })

  it('orders ids by buttons: worst and best are those of the theory', async () => {
    const { page } = await still()
    const n = 12
    await page.getByLabel('Nodes', { exact: true }).fill(`${n}`)
    await page.getByRole('button', { name: 'Worst' }).click()
    await expect.poll(() => total(page), PATIENCE).toBe((n * (n + 1)) / 2 + n)
    await page.getByRole('button', { name: 'Best' }).click()
    await expect.poll(() => total(page), PATIENCE).toBe(2 * n - 1 + n)
    await page.getByRole('button', { name: 'Shuffle' }).click()
    await expect.poll(() => command(page), PATIENCE).toContain('--seed 2')
    await expect.poll(() => page.locator('.panel .error').count()).toBe(0)
    const shuffled = await printed(page)
    await expect.poll(() => total(page), PATIENCE).toBe(shuffled)
    await page.close()
  })

  it('offers what fits the algorithm that is picked, and nothing else', async () => {
    const { page, errors } = await still()
    const algorithm = page.getByLabel('Algorithm', { exact: true })
    await algorithm.selectOption('time-slice')
    await expect.poll(() => page.getByLabel('Delay', { exact: true }).count(), PATIENCE).toBe(0)
    expect(await page.getByLabel('Starting nodes').count()).toBe(0)
    await algorithm.selectOption('ghs')
    await expect.poll(() => page.getByLabel('Weights of links').count(), PATIENCE).toBe(1)
    await page.getByLabel('Network', { exact: true }).selectOption('grid')
    await expect.poll(() => command(page), PATIENCE).toContain('--topology grid:4x4')
    await algorithm.selectOption('gossip-average')
    await expect.poll(() => page.getByLabel(/^Ids/).count(), PATIENCE).toBe(0)
    await page.getByLabel('Timing', { exact: true }).selectOption('cycles')
    await expect.poll(() => command(page), PATIENCE).toContain('--timing cycles')
    await expect.poll(() => page.locator('.panel .error').count()).toBe(0)
    expect(errors).toEqual([])
    await page.close()
  })

  it('asks for a guess before the play, and answers it after', async () => {
    const { page } = await still()
    await page.getByRole('button', { name: 'Guess first' }).click()
    // Neither counts nor pictures say what is to come.
    await page.getByLabel('Step', { exact: true }).press('ArrowRight')
    expect(await page.locator('.types .final').count()).toBe(0)
    expect(await page.locator('.caption').innerText()).not.toMatch(/8/)
    expect(await page.locator('.bounds').count()).toBe(0)
    expect(await page.locator('.time-bar .place').innerText()).not.toMatch(/ of /)
    await page.getByLabel('Which node will lead?').selectOption({ label: '7' })
    await page.getByLabel('About how many messages in all?').fill('30')
    await page.locator('.prediction').getByRole('button', { name: 'Play' }).click()
    await total(page)
    const answer = page.locator('.prediction [role=status]')
    await expect.poll(() => answer.textContent(), PATIENCE).toContain('8 leads')
    expect(await answer.textContent()).toContain(`${FIRST} messages: very close, you said 30`)
    await page.close()
  })

  it('tells each step in words while nothing plays', async () => {
    const { page } = await still()
    const spoken = page.locator('.caption [aria-live]').first()
    await page.getByLabel('Step', { exact: true }).press('Home')
    await page.getByLabel('Step', { exact: true }).press('ArrowRight')
    await expect
      .poll(() => spoken.textContent(), PATIENCE)
      .toBe('Step 1: 3 wakes and sends election(id 3) to 2.')
    await page.close()
  })
})

describe.each([
  ['a large screen', 1440, 900],
  ['a projector', 1024, 768],
  ['a phone held sideways', 844, 390],
])('on %s', (_, width, height) => {
  it('nothing reaches beyond the screen, and the stage is always to be seen', async () => {
    const { page } = await bench.page({ width, height })
    await page.goto(bench.lab)
    const fits = async (what: string) => {
      const { wide, high } = await page
        .locator('html')
        .evaluate((html) => ({ wide: html.scrollWidth, high: html.scrollHeight }))
      expect({ wide, high }, what).toEqual({ wide: width, high: height })
      const stage = await page.locator('main canvas').first().boundingBox()
      expect(Math.min(stage!.width, stage!.height), what).toBeGreaterThan(150)
      const bars = await page
        .locator('.top button, .time-bar button, .time-bar select, .part-tabs button')
        .evaluateAll((items) => items.map((item) => item.getBoundingClientRect().right))
      expect(Math.max(...bars), what).toBeLessThanOrEqual(width)
    }
    await expect.poll(() => page.locator('main canvas').count(), PATIENCE).toBeGreaterThan(0)
    await fits('at first')
    for (const part of ['Scenario', 'Diagram', 'Counts']) {
      await page.getByRole('button', { name: part, exact: true }).click()
      await fits(part)
    }
    await page.keyboard.press('p')
    await expect.poll(() => page.locator('.panel').isVisible()).toBe(false)
    await fits('presentation')
    await page.close()
  })
})
