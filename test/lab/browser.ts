import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { serveLab } from '../../src/cli/lab/server.ts'

const CHROMIUM = '/usr/bin/chromium'

export interface Desk {
  readonly address: string
  /** A fresh page, with what it has complained about so far. */
  page(size?: { width: number; height: number }): Promise<{ page: Page; errors: string[] }>
  close(): Promise<void>
}

/** A browser and the built page, served. Debian's chromium is fetched if it is missing. */
export async function openDesk(): Promise<Desk> {
  const browser = await launch()
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

/** What is to become true, however busy the machine is. */
export function soon<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 30_000 })
}

/** How many steps have happened, as the slider says. */
export function step(page: Page): Promise<string> {
  return page.getByLabel('Step', { exact: true }).inputValue()
}

/** Moves the slider, once the run is known so far. */
export async function goTo(page: Page, target: number): Promise<void> {
  const slider = page.getByLabel('Step', { exact: true })
  await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThanOrEqual(target)
  await slider.fill(String(target))
  await soon(() => step(page)).toBe(String(target))
}

function launch(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) fetchChromium()
  return chromium.launch({
    executablePath: CHROMIUM,
    // Root has no sandbox in a container.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
}

function fetchChromium(): void {
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const options = ['install', '-y', '--no-install-recommends', 'chromium']
  try {
    execFileSync('apt-get', options, quiet as never)
  } catch {
    execFileSync('apt-get', ['update'], quiet as never)
    execFileSync('apt-get', options, quiet as never)
  }
  expect(existsSync(CHROMIUM), 'Debian has a chromium').toBe(true)
}
