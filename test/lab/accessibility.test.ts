import { gzipSync } from 'node:zlib'
import type { RunOptions } from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageFile } from '../../src/cli/lab/server.ts'
import { sample } from '../support/campaign.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { axeViolations } from './page-actions.ts'

describe('accessibility', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it.each(sample(['light', 'dark'] as const, 2))(
    'has no serious violation in the %s scheme',
    async (colorScheme) => {
      const { page, errors } = await bench.page()
      await page.emulateMedia({ colorScheme })
      await page.goto(bench.lab)
      await goTo(page, 8)
      // A scheme changes nothing but colours.
      const rules: RunOptions = colorScheme === 'dark' ? { runOnly: ['color-contrast'] } : {}
      expect(await axeViolations(page, 'html', rules)).toEqual([])
      const press = (name: string) =>
        page.locator('.top').getByRole('button', { name, exact: true }).first().click()
      for (const name of ['Gallery', 'Compare', 'Growth', 'Share', 'Keys']) {
        await press(name)
        await soon(() => page.locator('dialog[open] .dialog-body > *').count()).toBeGreaterThan(1)
        expect(await axeViolations(page, 'dialog[open]', rules), name).toEqual([])
        await page.keyboard.press('Escape')
      }
      for (const name of ['Check', 'Code']) {
        await press(name)
        await soon(() => page.locator('.panel button').count()).toBeGreaterThan(1)
        expect(await axeViolations(page, '.panel', rules), name).toEqual([])
        await press(name)
      }
      await page.keyboard.press('n')
      await page.getByRole('button', { name: /^Crash/ }).click()
      await soon(() => page.locator('.branch-note').count()).toBe(1)
      for (const part of ['.branch-note', '.side'])
        expect(await axeViolations(page, part, rules), part).toEqual([])
      await page.keyboard.press('p')
      for (const key of ['d', 'q', 'q', 'l']) {
        await page.keyboard.press(key)
        await soon(() => page.locator('.presentation-bar').count()).toBe(1)
        expect(await axeViolations(page, 'html', rules), `presentation, ${key}`).toEqual([])
      }
      expect(errors).toEqual([])
      await page.close()
    },
  )

  it('goes by the keys of a presenter remote', async () => {
    const { page } = await bench.page()
    await page.goto(bench.lab)
    await goTo(page, 9)
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
    // The picture of a lesson plays otherwise.
    await page.goto(`${bench.address}#lesson=lcr`)
    const slider = page.getByLabel('Step', { exact: true })
    await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(0)
    await page.waitForTimeout(500)
    expect(await step(page)).toBe('0')
  })

  it('loads at most 151 KB until the first picture, its worker included', async () => {
    const { page, errors } = await bench.page()
    const sizeOf = (path: string) =>
      gzipSync(pageFile(path === '/' ? 'index.html' : path.slice(1)), { level: 9 }).length
    const loaded = (until: string) =>
      page.evaluate((name) => {
        const [end] = performance.getEntriesByName(name)
        return performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => end === undefined || startTime < end.startTime)
          .map((entry) => new URL(entry.name).pathname)
      }, until)
    const total = (paths: string[]) =>
      [...new Set(['/', ...paths])].reduce((sum, path) => sum + sizeOf(path), 0)
    await page.goto(bench.address)
    await soon(() => page.getByRole('link', { name: /ring/i }).count()).toBeGreaterThan(0)
    expect(total(await loaded('all'))).toBeLessThan(100_000)

    await page.goto('about:blank')
    // A machine on which the picture takes longer than the patience of the page would load more.
    await page.addInitScript(() => {
      const { setTimeout } = window
      const later = (task: TimerHandler, ms = 0) => (ms < 1500 ? setTimeout(task, ms) : 0)
      Object.assign(window, { setTimeout: later })
    })
    await page.goto(bench.lab)
    await soon(() => page.evaluate("performance.getEntriesByName('first picture').length")).toBe(1)
    const paths = await loaded('first picture')
    expect(paths.filter((path) => path.includes('worker')).length).toBe(1)
    expect(total(paths)).toBeLessThan(151_000)
    expect(errors).toEqual([])
    await page.close()
  })
})
