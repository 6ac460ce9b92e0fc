import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../support/campaign.ts'
import { builtShell, shell } from '../support/run-command.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { openScenario, pictureOf } from './page-actions.ts'

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
    await page.goto(bench.lab)
    await goTo(page, 17)
    const link = await share(page, 'Copy the link')
    expect(link).toBe(`${bench.address}#exhibit=chang-roberts-all-start&step=17`)
    const { page: other, errors: others } = await bench.page()
    await other.goto(link)
    await soon(() => step(other)).toBe('17')
    await goTo(page, 17)
    const counts = (one: Page) => one.locator('.counts').innerText()
    await soon(() => counts(other)).toBe(await counts(page))
    expect([...errors, ...others]).toEqual([])
  })

  it('shows the stage, its caption and legend and the clock in a frame', async () => {
    const { page, errors } = await bench.page({ width: 960, height: 640 })
    await page.goto(bench.lab)
    await goTo(page, 9)
    const [, address] = /src="([^"]+)"/.exec(await share(page, 'Copy a frame for slides'))!
    await page.goto(address)
    await soon(() => step(page)).toBe('9')
    const seen = (selector: string) => page.locator(selector).isVisible()
    expect(await Promise.all(['canvas.stage', '.time-bar'].map(seen))).toEqual([true, true])
    for (const selector of ['.top', '.panel', '.side', '.diagram', '.leave'])
      expect(await seen(selector), selector).toBe(false)
    const { height } = (await page.locator('canvas.stage').boundingBox())!
    expect(height).toBeGreaterThan(440)
    expect(await seen('.caption')).toBe(true)
    expect(await page.locator('.legend').innerText()).toMatch(/undecided.*Open in the lab/s)
    expect(errors).toEqual([])
  })

  it('says so when a link was cut', async () => {
    const { page } = await bench.page()
    await page.goto(`${bench.address}#lab=abc`)
    await soon(() => page.getByRole('alert').innerText()).toMatch(/cannot be read/)
  })

  it('writes pictures, a film and the event log of the command line', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await goTo(page, 12)
    const svg = readFileSync(await download(page, 'SVG', 'Diagram'), 'utf8')
    expect(svg).toMatch(/^<svg xmlns=.*<\/svg>\n$/s)
    const png = readFileSync(await download(page, 'PNG', 'Stage'))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    const log = readFileSync(await download(page, 'Event log', 'Data'), 'utf8')
    const trace = join(folder, 'cli.jsonl')
    const { scenario } = JSON.parse(log.split('\n')[0])
    await shell('run', scenario.algorithm, '--ids', scenario.ids.join(), '--trace', trace)
    expect(log).toBe(readFileSync(trace, 'utf8'))
    const json = JSON.parse(readFileSync(await download(page, 'Scenario', 'Data'), 'utf8'))
    expect(json).toEqual(scenario)
    // Losses and crashes are in the pictures as they are on the stage, with words for all of it.
    const faulty = { algorithm: 'bully', n: 5, ids: [1, 2, 3, 4, 5], loss: 0.4, crash: '4@1.5' }
    await openScenario(page, bench, faulty)
    await goTo(page, 12)
    const stage = readFileSync(await download(page, 'SVG', 'Stage'), 'utf8')
    expect(stage).toMatch(/<g class="loss">/)
    const words = [...stage.matchAll(/<text[^>]*>([^<]*)/g)].map(([, word]) => word)
    const title = 'Bully on a complete network of 5'
    for (const word of [title, 'crashed', 'lost', 'election', 'undecided'])
      expect(words).toContain(word)
    expect(errors).toEqual([])
  })

  /** Daily one of the two: a film takes as long as its run. That of four nodes is short. */
  const SHORT = { algorithm: 'lcr', n: 4 }
  const films = sample(['WebM', 'GIF'], 2)

  it.runIf(films.includes('WebM'))('writes films as WebM, which can be cancelled', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, SHORT)
    const film = readFileSync(await download(page, 'WebM', 'Film'))
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
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('button', { name: 'WebM' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await soon(() => page.getByRole('progressbar').count()).toBe(0)
    expect(errors).toEqual([])
  })

  it.runIf(films.includes('GIF'))('writes films as GIF', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, SHORT)
    const gif = readFileSync(await download(page, 'GIF', 'Film'))
    // The browser reads it: the frames are as many as the seconds need, and differ.
    const read = await page.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const decoder = new ImageDecoder({ data: bytes, type: 'image/gif' })
      await decoder.tracks.ready
      await decoder.completed
      const { frameCount } = decoder.tracks.selectedTrack!
      const pictureOf = async (frameIndex: number) => {
        const { image } = await decoder.decode({ frameIndex })
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight)
        const pen = canvas.getContext('2d')!
        pen.drawImage(image, 0, 0)
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
        return { width: canvas.width, colours: new Set(new Uint32Array(data.buffer)).size, data }
      }
      const [first, last] = [await pictureOf(0), await pictureOf(frameCount - 1)]
      const changed = first.data.some((byte, i) => byte !== last.data[i])
      return { frameCount, width: first.width, colours: last.colours, changed }
    }, gif.toString('base64'))
    expect(read).toMatchObject({ width: 640, changed: true })
    expect(read.frameCount).toBeGreaterThan(50)
    expect(read.colours).toBeGreaterThan(20)
    expect(errors).toEqual([])
  })

  it('says that a link is local, and saves the run as a file that saves itself again', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await goTo(page, 14)
    await page.keyboard.press('n')
    await page
      .getByRole('button', { name: /^Crash/ })
      .first()
      .click()
    await soon(() => page.locator('.branches li').count()).toBe(2)
    await goTo(page, 21)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await soon(() => page.locator('.local-note').innerText()).toMatch(/on your computer only/)
    await page.getByLabel('Address of the lab for others').fill('https://example.org/lab/')
    await page.getByRole('button', { name: 'Copy the link' }).click()
    const link = page.getByRole('textbox', { name: 'Link', exact: true })
    await soon(() => link.inputValue()).toMatch(/^https:\/\/example\.org\/lab\/#lab=/)
    await page.keyboard.press('Escape')
    const picture = await pictureOf(page)

    let file = await download(page, 'Save this run', 'Save this run')
    const { page: other, errors: others } = await bench.page()
    await other.context().setOffline(true)
    for (const name of sample(['again.html', 'third.html'], 2)) {
      await other.goto(pathToFileURL(file).href)
      await soon(() => step(other)).toBe('21')
      await soon(() => other.locator('.branches li').count()).toBe(2)
      await soon(() => pictureOf(other)).toBe(picture)
      const next = await download(other, 'Save this run', 'Save this run')
      file = join(folder, name)
      renameSync(next, file)
    }
    await other.goto(pathToFileURL(file).href)
    await soon(() => step(other)).toBe('21')
    // Parts that are loaded later are in the file.
    await other.getByRole('button', { name: 'Gallery', exact: true }).click()
    await soon(() => other.getByRole('dialog').innerText()).toMatch(/Chang-Roberts/)
    expect([...errors, ...others]).toEqual([])
  })

  it('plays from one exported file, without a server and with the network off', async () => {
    const file = join(folder, 'lab.html')
    expect(await builtShell('lab', '--export', file)).toMatchObject({ code: 0, err: '' })
    const { page, errors } = await bench.page()
    await page.context().setOffline(true)
    await page.goto(`file://${file}#lab`)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
  })

  it('has in one exported file all that own code needs, where that is wanted', async () => {
    const file = join(folder, 'lab-with-editor.html')
    const flags = ['--export', file, '--with-editor']
    expect(await builtShell('lab', ...flags)).toMatchObject({ code: 0, err: '' })
    const { page, errors } = await bench.page()
    await page.context().setOffline(true)
    await page.goto(`file://${file}#lab`)
    await page.getByRole('button', { name: 'Code', exact: true }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('button', { name: 'Explore every interleaving' }).click()
    await soon(() => page.locator('.findings').innerText()).toMatch(/at most one leader: for each/)
    expect(errors).toEqual([])
  })
})
