import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../support/campaign.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { clickNode, openScenario, placeOf } from './page-actions.ts'

let bench: LabBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench?.close())

const RING = { algorithm: 'lcr', n: 8, ids: '3,2,7,8,5,4,1,6' }

function isPlaying(page: Page): Promise<boolean> {
  return page.getByRole('button', { name: 'Pause', exact: true }).isVisible()
}

/** Elements that are seen but reach beyond the screen. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [width, height] = [document.documentElement.clientWidth, innerHeight]
    return [...document.querySelectorAll<HTMLElement>('button, a, input, select, canvas, h1, h2')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.closest('.unseen, .panel, .side, .dialog, .legend'))
      .flatMap((element) => {
        const { left, right, top, bottom, width: wide } = element.getBoundingClientRect()
        const beyond = left < -1 || right > width + 1 || top < -1 || bottom > height + 1
        return wide > 1 && beyond ? [element.outerHTML.slice(0, 90)] : []
      })
  })
}

/** Controls of a bar that cover each other. */
function overlapping(bar: string): string[] {
  const boxes = [
    ...document.querySelectorAll<HTMLElement>(`${bar} :is(button, input, select, output)`),
  ]
    .filter((one) => one.checkVisibility())
    .map((one) => ({ name: one.outerHTML.slice(0, 80), box: one.getBoundingClientRect() }))
  return boxes.flatMap(({ name, box }, i) =>
    boxes
      .slice(i + 1)
      .filter(({ box: { left, right, top, bottom } }) => {
        const [wide, high] = [
          Math.min(box.right, right) - Math.max(box.left, left),
          Math.min(box.bottom, bottom) - Math.max(box.top, top),
        ]
        return wide > 1 && high > 1
      })
      .map((other) => `${name} and ${other.name}`),
  )
}

/** The text of a QR code by its path of dark runs. */
function decoded(path: string | null): string {
  const runs = [...(path ?? '').matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) =>
    run.slice(1).map(Number),
  )
  const [side, scale] = [Math.max(...runs.map(([x, , length]) => x + length)) + 4, 3]
  const width = side * scale
  const data = new Uint8ClampedArray(4 * width * width).fill(255)
  for (const [x, y, length] of runs)
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      const start = 4 * (row * width + x * scale)
      data.fill(0, start, start + 4 * length * scale)
    }
  return decodeQR({ width, height: width, data })
}

describe('keys', () => {
  it('mean the same after a dialog, a press and a touch of the clock', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, RING)
    // After an exhibit is chosen it waits, and Space plays or pauses.
    await page.getByRole('button', { name: 'Gallery', exact: true }).click()
    await page.getByRole('button', { name: /LCR, worst ring/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect([await isPlaying(page), await step(page)]).toEqual([false, '0'])
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(true)
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(false)
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    // A dialog that was closed, and a button that was pressed, leave Space to the run.
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Next event', exact: true }).click()
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(true)
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(false)
    // On a control that was reached by Tab it is for the control.
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: 'Event before', exact: true }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await soon(() => step(page)).toBe('1')
    expect(await isPlaying(page)).toBe(false)
    // A remote goes forwards, also after the slider and the number were touched.
    for (const touched of [page.getByLabel('Time', { exact: true }), page.getByLabel('Step')]) {
      await touched.click()
      await page.keyboard.press('Home')
      await page.keyboard.press('PageDown')
      await soon(() => step(page)).toBe('8')
      await page.keyboard.press('ArrowRight')
      await soon(() => step(page)).toBe('9')
      await page.keyboard.press('PageUp')
      await soon(() => step(page)).toBe('8')
    }
    expect(errors).toEqual([])
    await page.close()
  })

  it('pause the play behind a dialog, and go on after it', async () => {
    const { page } = await bench.page()
    await openScenario(page, bench, { algorithm: 'lcr', n: 40 })
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(true)
    await page.keyboard.press('?')
    await soon(() => page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true)
    expect(await isPlaying(page)).toBe(false)
    await page.keyboard.press('Escape')
    await soon(() => isPlaying(page)).toBe(true)
    await page.close()
  })
})

describe('the player', () => {
  it('shows the moment of a violation whole: all of an anonymous ring lead at once', async () => {
    const { page } = await bench.page()
    await openScenario(page, bench, { algorithm: 'lcr', n: 6, ids: 'same', timing: 'sync' })
    await page.getByLabel('Speed').selectOption('10')
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(false)
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/lead/)
    const stopped = await step(page)
    await page.keyboard.press('Home')
    await page.keyboard.press('v')
    await soon(() => step(page)).toBe(stopped)
    // Nothing of the round is left.
    await page.keyboard.press('PageUp')
    await soon(() => step(page)).not.toBe(stopped)
    await page.keyboard.press('PageDown')
    await soon(() => step(page)).toBe(stopped)
    await page.close()
  })

  it('goes by time, as the diagram does, and says the moment', async () => {
    const { page } = await bench.page()
    await openScenario(page, bench, RING)
    const clock = page.getByLabel('Time', { exact: true })
    await soon(() => clock.getAttribute('max')).toBe('16')
    await goTo(page, 16)
    expect(Number(await clock.inputValue())).toBeCloseTo(1)
    expect(await clock.getAttribute('aria-valuetext')).toBe('time 1, step 16 of 37')
    await page.close()
  })

  it('plays on where a node crashes by a click', async () => {
    const { page } = await bench.page()
    await openScenario(page, bench, RING)
    await page.getByLabel('Speed').selectOption('0.25')
    await clickNode(page, 2)
    await page.keyboard.press('Space')
    await soon(() => isPlaying(page)).toBe(true)
    await page.getByRole('button', { name: /^Crash/ }).click()
    await soon(() => page.locator('.branch-note').count()).toBe(1)
    await soon(() => isPlaying(page)).toBe(true)
    await page.close()
  })
})

describe('on a desktop', () => {
  it('controls have words that fit, at every width', async () => {
    const { page, errors } = await bench.page({ width: 1280, height: 720 })
    await page.goto(`${bench.address}#lesson=lcr`)
    const middleOf = async (selector: string) => {
      const { y, height } = (await page.locator(selector).first().boundingBox())!
      return y + height / 2
    }
    // In a lesson the clock may take two rows; the speed stands beside Play.
    await page.locator('.legend').waitFor()
    await soon(() => middleOf('.time-bar select')).toBeCloseTo(await middleOf('.play'), 0)
    // The longest words are those of the way back.
    await page.getByRole('button', { name: 'Open in the lab' }).click()
    await page.getByRole('button', { name: 'Back to the lesson' }).waitFor()
    // Just above and below the widths at which the bar changes.
    for (const width of [1440, 1341, 1340, 1280, 1181, 1180, 1121, 1024, 981, 980, 768, 701]) {
      await page.setViewportSize({ width, height: 800 })
      for (const word of ['Scenario', 'Diagram', 'Counts', 'Break', 'Share']) {
        const button = page.locator('.top').getByRole('button', { name: word, exact: true })
        expect(await button.first().innerText(), `${width}`).toBe(word)
      }
      expect(await page.locator('.play').innerText(), `${width}`).toMatch(/^(Play|Pause)$/)
      await soon(() => outside(page)).toEqual([])
      expect(await page.evaluate(overlapping, '.top'), `${width}`).toEqual([])
      expect(await page.evaluate(overlapping, '.time-bar'), `${width}`).toEqual([])
    }
    expect(errors).toEqual([])
    await page.close()
  })
})

/** The smallest sizes are tried daily, and all of them in the long tests. */
const PHONES = [
  [320, 568],
  [768, 1024],
  [390, 844],
  [640, 900],
  [844, 390],
]

describe.each(sample(PHONES, 5))('at %i by %i', (width, height) => {
  it('all controls are on the screen, and parts open by touch', async () => {
    const { page, errors } = await bench.page({ width, height }, true)
    await openScenario(page, bench, RING)
    const fits = async (what: string) => {
      await soon(() => outside(page)).toEqual([])
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide, what).toBe(width)
    }
    await fits('at first')
    for (const part of ['Scenario', 'Diagram', 'Counts', 'Break']) {
      const button = page.getByRole('button', { name: part, exact: true })
      await button.tap()
      await soon(() => button.getAttribute('aria-pressed')).toBe('true')
      await fits(part)
    }
    // What is tapped shows its details and what can be done to it.
    await page.getByRole('button', { name: 'Break', exact: true }).tap()
    await page
      .locator('canvas.stage')
      .first()
      .tap({ position: await placeOf(page, 2) })
    const crash = page.getByRole('button', { name: /^Crash/ })
    await soon(() => crash.isVisible()).toBe(true)
    await crash.tap()
    await soon(() => page.getByText(/^Simulating/).count()).toBe(0)
    await fits('after a crash')
    for (const tool of ['Compare', 'Present']) {
      const button = page.locator('.top').getByRole('button', { name: tool, exact: true })
      if (!(await button.isVisible())) await page.getByRole('button', { name: 'Menu' }).tap()
      await soon(() => button.isVisible()).toBe(true)
      await fits(`menu for ${tool}`)
      await button.tap()
      if (tool === 'Compare') await page.getByRole('button', { name: 'Close' }).tap()
    }
    await soon(() => page.getByRole('button', { name: 'Leave presentation' }).isVisible()).toBe(
      true,
    )
    await fits('presentation')
    expect(errors).toEqual([])
    await page.close()
  })
})

describe('a presentation', () => {
  const screens = [
    [1920, 1080],
    [1024, 768],
    [844, 390],
  ]
  it.each(sample(screens, 3))('gives the picture most of %i by %i', async (width, height) => {
    const { page, errors } = await bench.page({ width, height })
    await openScenario(page, bench, RING)
    await page.keyboard.press('p')
    const cost = page.locator('.cost')
    await soon(() => cost.innerText()).toMatch(/^0\s+of at most 36 messages$/)
    const share = async () => (await page.locator('canvas.stage').boundingBox())!.height / height
    await soon(share).toBeGreaterThanOrEqual(0.7)
    await page.keyboard.press('d')
    await soon(() => page.locator('.diagram').isVisible()).toBe(true)
    await soon(share).toBeGreaterThanOrEqual(0.7)
    // The black screen of a remote changes nothing else.
    await page.keyboard.press('PageDown')
    await soon(() => step(page)).toBe('8')
    for (const key of ['b', '.']) {
      await page.keyboard.press(key)
      await soon(() => page.locator('.blank').isVisible()).toBe(true)
      await page.keyboard.press(key)
      await soon(() => page.locator('.blank').isVisible()).toBe(false)
      expect(await step(page)).toBe('8')
    }
    // Question and answer.
    await page.keyboard.press('q')
    const card = page.locator('.question-card')
    await soon(() => card.innerText()).toMatch(/^Who will lead/)
    await soon(() => cost.innerText()).not.toContain('at most')
    await soon(() => step(page)).toBe('0')
    await page.keyboard.press('q')
    await soon(() => card.innerText()).toMatch(/8.* leads, after 29 messages/)
    await soon(() => page.locator('.judgement').innerText()).toBe('All properties hold')
    // The link, as a camera reads it.
    await page.keyboard.press('l')
    const code = page.getByRole('img', { name: 'QR code of the link' })
    await soon(() => code.isVisible()).toBe(true)
    const fragment = decoded(await code.locator('path').getAttribute('d'))
    expect(fragment).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#lab=/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await soon(() => page.locator('.presentation-bar').count()).toBe(0)
    expect(errors).toEqual([])
    await page.close()
  })
})

describe('a presentation of a lesson', () => {
  it('shows its picture, and leaves the text where it was', async () => {
    const { page, errors } = await bench.page()
    await page.goto(`${bench.address}#lesson=lcr`)
    await soon(() => page.locator('canvas.stage').count()).toBe(1)
    await page.mouse.wheel(0, 300)
    await soon(() => page.evaluate(() => scrollY)).toBe(300)
    const name = () => page.locator('canvas.stage').first().getAttribute('aria-label')
    await soon(name).toMatch(/ring:8/)
    await page.keyboard.press('p')
    await soon(() => page.locator('.presentation-bar').isVisible()).toBe(true)
    const stage = page.locator('canvas.stage').locator('visible=true')
    await soon(() => stage.getAttribute('aria-label')).toMatch(/ring:8/)
    await page.keyboard.press('Escape')
    await soon(() => page.locator('.presentation-bar').count()).toBe(0)
    await soon(() => page.evaluate(() => scrollY)).toBe(300)
    expect(errors).toEqual([])
    await page.close()
  })
})

describe('forced colours', () => {
  it('keep what is pressed and how far a count has come', async () => {
    const { page } = await bench.page()
    await page.emulateMedia({ forcedColors: 'active' })
    await openScenario(page, bench, RING)
    await goTo(page, 37)
    const look = (selector: string, property: 'color' | 'backgroundColor') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => getComputedStyle(element)[name], property)
    const pressed = '.top [aria-pressed="true"]'
    expect(await look(pressed, 'backgroundColor')).not.toBe(await look('.top', 'backgroundColor'))
    expect(await look(pressed, 'backgroundColor')).not.toBe(await look(pressed, 'color'))
    expect(await look('.gauge i', 'backgroundColor')).not.toBe(
      await look('.side', 'backgroundColor'),
    )
    await page.close()
  })
})
