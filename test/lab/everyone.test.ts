import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk, soon, step } from './browser.ts'
import { obstacles } from './hands.ts'

const ASSETS = new URL('../../dist/lab/assets/', import.meta.url)

describe('for everyone', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 300_000)
  afterAll(() => desk?.close())

  it.each(['light', 'dark'] as const)(
    'has no serious obstacle when it is %s',
    async (colorScheme) => {
      const { page, errors } = await desk.page()
      await page.emulateMedia({ colorScheme })
      await page.goto(desk.address)
      await soon(() => step(page)).not.toBe('0')
      expect(await obstacles(page)).toEqual([])
      for (const name of ['Gallery', 'Compare', 'Share', 'Keys']) {
        await page.getByRole('button', { name, exact: true }).click()
        expect(await obstacles(page, 'dialog[open]'), name).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('n')
      await page.getByRole('button', { name: /^Crash id/ }).click()
      await soon(() => page.locator('.branch-note').count()).toBe(1)
      for (const part of ['.branch-note', '.side'])
        expect(await obstacles(page, part), part).toEqual([])
      await page.keyboard.press('p')
      expect(await obstacles(page), 'presentation').toEqual([])
      expect(errors).toEqual([])
      await page.close()
    },
  )

  it('goes by the keys of a presenter remote', async () => {
    const { page } = await desk.page()
    await page.goto(desk.address)
    await soon(() => step(page)).not.toBe('0')
    await page.keyboard.press('Home')
    await soon(() => step(page)).toBe('0')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await soon(() => step(page)).toBe('2')
    await page.keyboard.press('PageDown')
    await soon(() => step(page)).toBe('8')
    await page.keyboard.press('ArrowLeft')
    await soon(() => step(page)).toBe('7')
    await page.keyboard.press('?')
    await soon(() => page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true)
  })

  it('does not move by itself where motion is not wanted', async () => {
    const { page } = await desk.page()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(desk.address)
    const slider = page.getByLabel('Step', { exact: true })
    await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(0)
    await page.waitForTimeout(500)
    expect(await step(page)).toBe('0')
  })

  it('loads less than 150 KB at first', () => {
    const html = readFileSync(new URL('../index.html', ASSETS))
    const first = readdirSync(ASSETS).filter((name) => html.includes(name))
    const sizes = first.map((name) => gzipSync(readFileSync(new URL(name, ASSETS))).length)
    expect(first.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(html).length)).toBeLessThan(150_000)
  })
})
