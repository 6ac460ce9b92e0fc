import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fragmentOf } from '../../web/src/address/link.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { pictureOf } from './page-actions.ts'

describe('the address', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  const hash = (page: Page) => page.evaluate('location.hash') as Promise<string>
  const branches = (page: Page) => page.locator('.branches li').count()

  async function choose(page: Page, exhibit: string): Promise<void> {
    await page.getByRole('button', { name: 'Gallery', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: exhibit }).click()
    await soon(() => hash(page)).toMatch(/^#exhibit=/)
  }

  it('says what is shown, and reload, back and forward show it again', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await choose(page, 'LCR, worst ring')
    await goTo(page, 20)
    await soon(() => hash(page)).toBe('#exhibit=lcr-worst-ring&step=20')
    expect(await page.title()).toBe('LCR, worst ring · Conclave lab')
    const picture = await pictureOf(page)
    await page.reload()
    await soon(() => step(page)).toBe('20')
    await soon(() => pictureOf(page)).toBe(picture)

    await page.keyboard.press('n')
    await page
      .getByRole('button', { name: /^Crash/ })
      .first()
      .click()
    await soon(() => branches(page)).toBe(2)
    await soon(() => hash(page)).toMatch(/^#lab=/)
    expect(await page.title()).toMatch(/^LCR, worst ring: .*crash/i)
    const changed = await page.evaluate('location.href')

    await choose(page, 'Hirschberg-Sinclair in phases')
    await goTo(page, 9)
    await soon(() => hash(page)).toBe('#exhibit=hirschberg-sinclair-in-phases&step=9')
    await page.goBack()
    await soon(() => branches(page)).toBe(2)
    await soon(() => page.evaluate('location.href')).toBe(changed)
    await page.goBack()
    await soon(() => hash(page)).toBe('#exhibit=lcr-worst-ring&step=20')
    await soon(() => step(page)).toBe('20')
    await soon(() => branches(page)).toBe(0)
    await page.goForward()
    await page.goForward()
    await soon(() => step(page)).toBe('9')
    expect(await page.title()).toBe('Hirschberg-Sinclair in phases · Conclave lab')

    // The address bar, copied into another window, gives the same picture.
    const { page: other, errors: others } = await bench.page()
    await other.goto(await page.evaluate('location.href'))
    await soon(() => step(other)).toBe('9')
    await soon(() => pictureOf(other)).toBe(await pictureOf(page))
    expect([...errors, ...others]).toEqual([])
  })

  it('keeps a comparison, and the moment in the middle of a play', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await soon(() => step(page)).not.toBe('0')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('checkbox', { name: /^peterson/i }).check()
    await page.keyboard.press('Escape')
    await soon(() => page.locator('canvas.stage').count()).toBe(2)
    await soon(() => hash(page)).toMatch(/^#lab=.*&step=\d+/)
    await page.keyboard.press(' ')
    await page.reload()
    await soon(() => page.locator('canvas.stage').count()).toBe(2)
    await soon(async () => Number(await step(page))).toBeGreaterThan(0)
    expect(errors).toEqual([])
  })

  it('of a bad link is answered in words, and the page goes on', async () => {
    const { page, errors } = await bench.page()
    await page.goto(`${bench.address}#lab=xxxx`)
    await soon(() => page.getByRole('alert').innerText()).toMatch(/cannot be read/)
    // The message lies above the page, and moves nothing.
    await soon(async () => {
      const scene = await page.locator('main.scene').boundingBox()
      const panel = await page.locator('.panel').boundingBox()
      return scene !== null && scene.x === panel?.width
    }).toBe(true)
    await page.goto(`${bench.address}#exhibit=no-such`)
    await soon(() => page.getByRole('alert').innerText()).toMatch(/no exhibit "no-such"/)
    await page.getByRole('button', { name: 'Continue here' }).click()
    expect(await page.getByRole('alert').count()).toBe(0)
    await choose(page, 'LCR, best ring')
    await page.goBack()
    await soon(() => page.getByRole('alert').innerText()).toMatch(/no exhibit/)
    const runs = [{ scenario: { algorithm: 'lcr', n: 3_000_000 } }]
    const large = { version: 1, runs, shown: 0, step: 0, time: 0 } as const
    await page.goto(bench.address + (await fragmentOf(large)))
    await soon(() => page.getByRole('alert').first().innerText()).toMatch(/up to 100,000 nodes/)
    expect(errors).toEqual([])
  })

  it('may be typed, and links within the page lead to it', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.address)
    for (const [typed, title] of [
      ['#lab', /Conclave lab$/],
      ['#lessons', /^Lessons/],
      ['#exhibit=lcr-worst-ring', /^LCR, worst ring/],
      ['#lessons', /^Lessons/],
      ['#lab', /^Chang-Roberts.* lab$/],
    ] as const) {
      await page.evaluate(`location.hash = '${typed}'`)
      await soon(() => page.title()).toMatch(title)
    }
    expect(errors).toEqual([])
  })

  it('of the first version still opens', async () => {
    const { page } = await bench.page()
    const runs = [{ scenario: { algorithm: 'lcr', n: 5 } }]
    const old = { version: 1, runs, shown: 0, step: 7, time: 1.5 } as const
    await page.goto(bench.address + (await fragmentOf(old)))
    await soon(() => step(page)).toBe('7')
    await soon(() => page.title()).toBe(
      'LCR (Le Lann, Chang, Roberts) on a ring of 5 · Conclave lab',
    )
  })
})
