import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, goTo, openDesk, soon } from './browser.ts'
import { clickNode, openScenario, pictureOf } from './hands.ts'

describe('breaking a run', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 300_000)
  afterAll(() => desk?.close())

  const counts = (page: Page) => page.locator('.counts').innerText()

  it('crashes the leader by a click: bully elects another, both branches stay', async () => {
    const { page, errors } = await desk.page()
    await openScenario(page, desk, { algorithm: 'bully', n: 5, ids: [1, 2, 3, 4, 5] })
    await page.getByRole('button', { name: 'Next election' }).click()
    await page.keyboard.press('End')
    await clickNode(page, 4)
    await page.getByRole('button', { name: 'Crash id 5' }).click()
    const branches = page.locator('.branches li')
    await soon(() => branches.nth(1).innerText()).toMatch(/^crash of position 4 at .*4 leads/s)
    expect(await branches.nth(0).innerText()).toMatch(/as it was.*5 leads/s)
    await page.keyboard.press('End')
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/id 4 leads/)
    await branches.nth(0).getByRole('button', { name: 'as it was' }).click()
    await page.keyboard.press('End')
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/id 5 leads/)
    expect(errors).toEqual([])
  })

  it('drops a message, and the run before that is the same', async () => {
    const { page, errors } = await desk.page()
    await openScenario(page, desk, { algorithm: 'lcr', ids: [1, 2, 3, 4, 5, 6] })
    await goTo(page, 8)
    const before = await counts(page)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Drop it' }).click()
    await soon(() => page.locator('.branches li').count()).toBe(2)
    await goTo(page, 8)
    expect(await counts(page)).toBe(before)
    await page.keyboard.press('End')
    await soon(() => page.locator('.branches').innerText()).toMatch(/dropping/)
    expect(errors).toEqual([])
  })

  it('looks the same at a step after scrubbing to and fro', async () => {
    const { page, errors } = await desk.page()
    await openScenario(page, desk, { algorithm: 'hirschberg-sinclair', n: 8, seed: 3 })
    const pictures = new Map<number, string>()
    for (const target of [5, 40, 20]) {
      await goTo(page, target)
      pictures.set(target, await pictureOf(page))
    }
    expect(new Set(pictures.values()).size).toBe(3)
    for (const target of [40, 5, 20, 5, 40]) {
      await goTo(page, target)
      expect(await pictureOf(page)).toBe(pictures.get(target))
    }
    expect(errors).toEqual([])
  })

  it('stops at a violation and says what is broken', async () => {
    const { page, errors } = await desk.page()
    await openScenario(page, desk, { algorithm: 'lcr', n: 4, ids: 'same', timing: 'sync' })
    await page.getByRole('button', { name: 'Next violation' }).click()
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/at most one leader/)
    expect(errors).toEqual([])
  })
})
