import { type Browser, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { serveLab } from '../../src/cli/lab/server.ts'

export interface LabBench {
  readonly address: string
  /** A new page, and the errors of its console so far. */
  page(size?: { width: number; height: number }): Promise<{ page: Page; errors: string[] }>
  close(): Promise<void>
}

/** The shared browser, and the built page on a server. */
export async function openBench(): Promise<LabBench> {
  const browser = await connect()
  const server = await serveLab(0)
  return {
    address: server.address,
    async page(viewport = { width: 1440, height: 900 }) {
      const page = await browser.newPage({ viewport })
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
  await slider.fill(String(target))
  await soon(() => step(page)).toBe(String(target))
}

/** The browser that all suites share. */
function connect(): Promise<Browser> {
  const browser = inject('browser')
  if ('missing' in browser) throw new Error(browser.missing)
  return chromium.connect(browser.address)
}
