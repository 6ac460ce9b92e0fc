import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, inject, onTestFinished, TestRunner } from 'vitest'
import { serveLab } from '../../src/cli/lab/server.ts'

export interface LabBench {
  /** The address of the page. */
  readonly address: string
  /** The address of the lab with its first scenario. */
  readonly lab: string
  /** A new page until the end of the test or suite, and the errors of its console so far. */
  page(
    size?: { width: number; height: number },
    hasTouch?: boolean,
  ): Promise<{ page: Page; errors: string[] }>
  close(): Promise<void>
}

/** The shared browser, and the built page on a server. */
export async function openBench(): Promise<LabBench> {
  const browser = await connect()
  const server = await serveLab([0])
  return {
    address: server.address,
    lab: `${server.address}#lab`,
    async page(viewport = { width: 1440, height: 900 }, hasTouch = false) {
      const page = await browser.newPage({ viewport, hasTouch })
      // A page that plays on would take the processor from the tests after it.
      if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => page.close())
      await page.addInitScript(slowDisplay)
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      return { page, errors }
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}

/** Polls until an expectation holds, however busy the machine is. */
export function soon<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 30_000 })
}

/** The number of steps on the slider. */
export function step(page: Page): Promise<string> {
  return page.getByLabel('Step', { exact: true }).inputValue()
}

/** Moves the slider, once the run has got so far. */
export async function goTo(page: Page, target: number): Promise<void> {
  const slider = page.getByLabel('Step', { exact: true })
  await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThanOrEqual(target)
  // While it plays, the number may change between the choice of its digits and the typing.
  await soon(async () => {
    await slider.fill(String(target))
    return step(page)
  }).toBe(String(target))
}

/** A display with few frames a second: to draw them takes the browser most of its time. */
function slowDisplay(): void {
  const nextFrame = window.requestAnimationFrame.bind(window)
  const cancelled = new Set<number>()
  window.requestAnimationFrame = (draw) => {
    const handle = window.setTimeout(
      () => nextFrame((now) => cancelled.delete(handle) || draw(now)),
      50,
    )
    return handle
  }
  window.cancelAnimationFrame = (handle) => {
    window.clearTimeout(handle)
    cancelled.add(handle)
  }
}

/** The browser that all suites share. */
function connect(): Promise<Browser> {
  const browser = inject('browser')
  if ('missing' in browser) throw new Error(browser.missing)
  return chromium.connect(browser.address)
}
