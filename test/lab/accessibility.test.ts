import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { RunOptions } from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabBench, openBench, soon, step } from './browser.ts'
import { axeViolations } from './page-actions.ts'

const ASSETS = new URL('../../dist/lab/assets/', import.meta.url)

describe('accessibility', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it.each(['light', 'dark'] as const)(
    'has no serious violation in the %s scheme',
    async (colorScheme) => {
      const { page, errors } = await bench.page()
      await page.emulateMedia({ colorScheme })
      await page.goto(bench.address)
      await soon(() => step(page)).not.toBe('0')
      // A scheme changes nothing but colours.
      const rules: RunOptions = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
      expect(await axeViolations(page, 'html', rules)).toEqual([])
      for (const name of ['Gallery', 'Compare', 'Share', 'Keys']) {
        await page.getByRole('button', { name, exact: true }).click()
        expect(await axeViolations(page, 'dialog[open]', rules), name).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.keyboard.press('n')
      await page.getByRole('button', { name: /^Crash id/ }).click()
      await soon(() => page.locator('.branch-note').count()).toBe(1)
      for (const part of ['.branch-note', '.side'])
        expect(await axeViolations(page, part, rules), part).toEqual([])
      await page.keyboard.press('p')
      expect(await axeViolations(page, 'html', rules), 'presentation').toEqual([])
      expect(errors).toEqual([])
      await page.close()
    },
  )

  it('goes by the keys of a presenter remote', async () => {
    const { page } = await bench.page()
    await page.goto(bench.address)
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
    const { page } = await bench.page()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(bench.address)
    const slider = page.getByLabel('Step', { exact: true })
    await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(0)
    await page.waitForTimeout(500)
    expect(await step(page)).toBe('0')
  })

  it('loads less than 165 KB at first', () => {
    const html = readFileSync(new URL('../index.html', ASSETS))
    const first = readdirSync(ASSETS).filter((name) => html.includes(name))
    const sizes = first.map((name) => gzipSync(readFileSync(new URL(name, ASSETS))).length)
    expect(first.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, gzipSync(html).length)).toBeLessThan(165_000)
  })
})
