import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtShell, shell } from '../support/run-command.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { openScenario } from './page-actions.ts'

describe('sharing', () => {
  let bench: LabBench
  const folder = mkdtempSync(join(tmpdir(), 'conclave-lab-'))
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(async () => {
    await bench?.close()
    rmSync(folder, { recursive: true })
  })

  async function share(page: Page, button: string): Promise<string> {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: button }).click()
    const text = await page.getByRole('textbox', { name: 'Link' }).inputValue()
    await page.keyboard.press('Escape')
    return text
  }

  async function download(page: Page, button: string, row: string): Promise<string> {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const place = page.locator('.sharing .bar', { hasText: row })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: button }).click(),
    ])
    const path = join(folder, file.suggestedFilename())
    await file.saveAs(path)
    await page.keyboard.press('Escape')
    return path
  }

  it('reopens a link with the same scenario at the same moment', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.address)
    await goTo(page, 17)
    const link = await share(page, 'Copy the link')
    expect(link).toContain('#lab=')
    const { page: other, errors: others } = await bench.page()
    await other.goto(link)
    await soon(() => step(other)).toBe('17')
    await goTo(page, 17)
    const counts = (one: Page) => one.locator('.counts').innerText()
    await soon(() => counts(other)).toBe(await counts(page))
    expect([...errors, ...others]).toEqual([])
  })

  it('shows the stage and the clock alone in a frame', async () => {
    const { page, errors } = await bench.page({ width: 960, height: 640 })
    await page.goto(bench.address)
    await goTo(page, 9)
    const [, address] = /src="([^"]+)"/.exec(await share(page, 'Copy a frame for slides'))!
    await page.goto(address)
    await soon(() => step(page)).toBe('9')
    const seen = (selector: string) => page.locator(selector).isVisible()
    expect(await Promise.all(['canvas.stage', '.time-bar'].map(seen))).toEqual([true, true])
    for (const selector of ['.top', '.panel', '.side', '.diagram', '.leave'])
      expect(await seen(selector), selector).toBe(false)
    const { height } = (await page.locator('canvas.stage').boundingBox())!
    expect(height).toBeGreaterThan(560)
    expect(errors).toEqual([])
  })

  it('says so when a link was cut', async () => {
    const { page } = await bench.page()
    await page.goto(`${bench.address}#lab=abc`)
    await soon(() => page.getByRole('alert').innerText()).toMatch(/cannot be read/)
  })

  it('writes pictures, a film and the event log of the command line', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.address)
    await goTo(page, 12)
    const svg = readFileSync(await download(page, 'SVG', 'Diagram'), 'utf8')
    expect(svg).toMatch(/^<svg xmlns=.*<\/svg>\n$/s)
    const png = readFileSync(await download(page, 'PNG', 'Stage'))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    const log = readFileSync(await download(page, 'Event log', 'Run'), 'utf8')
    const trace = join(folder, 'cli.jsonl')
    const { scenario } = JSON.parse(log.split('\n')[0])
    await shell('run', scenario.algorithm, '--ids', scenario.ids.join(), '--trace', trace)
    expect(log).toBe(readFileSync(trace, 'utf8'))
    // A film takes as long as its run: that of four nodes is short.
    await openScenario(page, bench, { algorithm: 'lcr', n: 4 })
    const film = readFileSync(await download(page, 'Film', 'Run'))
    expect(film.subarray(0, 4).toString('hex')).toBe('1a45dfa3')
    const seconds = await page.evaluate(async (data) => {
      const video = document.createElement('video')
      video.src = `data:video/webm;base64,${data}`
      await new Promise((resolve) => {
        video.onloadedmetadata = resolve
      })
      video.currentTime = 1e6
      await new Promise((resolve) => {
        video.onseeked = resolve
      })
      return video.currentTime
    }, film.toString('base64'))
    expect(seconds).toBeGreaterThan(1)
    expect(errors).toEqual([])
  })

  it('plays from one exported file, without a server and with the network off', async () => {
    const file = join(folder, 'lab.html')
    expect(await builtShell('lab', '--export', file)).toMatchObject({ code: 0, err: '' })
    const { page, errors } = await bench.page()
    await page.context().setOffline(true)
    await page.goto(`file://${file}`)
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
  })

  it('has in one exported file all that own code needs, where that is wanted', async () => {
    const file = join(folder, 'lab-with-editor.html')
    const flags = ['--export', file, '--with-editor']
    expect(await builtShell('lab', ...flags)).toMatchObject({ code: 0, err: '' })
    const { page, errors } = await bench.page()
    await page.context().setOffline(true)
    await page.goto(`file://${file}`)
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.getByRole('button', { name: 'Explore every interleaving' }).click()
    await soon(() => page.locator('.findings').innerText()).toMatch(/✓ at most one leader/)
    expect(errors).toEqual([])
  })
})
