import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBench, soon } from './browser.ts'

const DOCS = new URL('../../docs/', import.meta.url)
const update = process.env.UPDATE_DOCS === '1'
/** All pictures together stay small, since they are part of the package. */
const MOST_BYTES = 1_500_000

interface Screen {
  readonly size: readonly [width: number, height: number]
  readonly dark?: boolean
  readonly at: string
  /** Brings about what is to be seen. */
  readonly act?: (page: Page) => Promise<unknown>
}

const WIDE = [1280, 800] as const
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
const keys = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.keyboard.press(name)
}
const ended = (page: Page) =>
  soon(async () => {
    await page.keyboard.press('End')
    return page.locator('.caption').innerText()
  }).toMatch(/The end/)

const SCREENS: Readonly<Record<string, Screen>> = {
  lessons: { size: WIDE, at: '' },
  lesson: {
    size: WIDE,
    at: '#lesson=hirschberg-sinclair',
    act: (page) => soon(() => page.locator('canvas.stage').count()).toBe(1),
  },
  lab: { size: [1440, 900], dark: true, at: '#exhibit=gallager-humblet-spira', act: ended },
  race: {
    size: WIDE,
    at: '#exhibit=chang-roberts-all-start',
    act: async (page) => {
      await press(page, 'Compare')
      for (const name of [/^Hirschberg-Sinclair$/, /^Peterson/])
        await page.getByRole('checkbox', { name }).check()
      await press(page, 'Start the race')
      await keys(page, 'End')
    },
  },
  check: {
    size: WIDE,
    at: '#lab',
    act: async (page) => {
      await page.getByLabel('Nodes', { exact: true }).fill('3')
      await page.keyboard.press('Enter')
      await press(page, 'Check')
      await press(page, 'Explore every order')
      await soon(() => page.locator('.checker').innerText()).toMatch(/at most one leader/)
    },
  },
  code: {
    size: WIDE,
    dark: true,
    at: '#lab',
    act: async (page) => {
      await press(page, 'Code')
      await soon(() => page.locator('.panel').innerText()).toMatch(/arrives/)
      await keys(page, 'Space', 'Home', 'PageDown', 'PageDown', 'ArrowRight')
    },
  },
  gossip: {
    size: WIDE,
    at: '#exhibit=average-cycle-by-cycle',
    act: (page) => keys(page, 'Space', 'Home', 'PageDown', 'PageDown', 'PageDown'),
  },
  present: {
    size: [1280, 720],
    at: '#exhibit=bully-the-lowest-starts',
    act: async (page) => {
      await keys(page, 'p', 'q', 'q')
      await soon(() => page.locator('.question-card').innerText()).toMatch(/leads/)
    },
  },
  phone: {
    size: [390, 844],
    dark: true,
    at: '#lab',
    act: async (page) => {
      await keys(page, 'Space', 'Home', 'PageDown', 'PageDown')
      await press(page, 'Counts')
    },
  },
  'phone-lesson': {
    size: [390, 844],
    at: '#lesson=lcr',
    act: (page) => soon(() => page.locator('canvas.stage').count()).toBe(1),
  },
}

function fileOf(name: string): URL {
  return new URL(`screens/${name}.webp`, DOCS)
}

/** A smaller form of a picture, made by the browser. */
async function webp(page: Page, png: Buffer): Promise<Buffer> {
  const data = await page.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.85)
  }, png.toString('base64'))
  return Buffer.from(data.split(',')[1], 'base64')
}

describe('the pictures of the lab', () => {
  it.runIf(update)('are taken from the page', async () => {
    const bench = await openBench()
    mkdirSync(new URL('screens/', DOCS), { recursive: true })
    const { page: converter } = await bench.page()
    for (const [name, { size, dark = false, at, act }] of Object.entries(SCREENS)) {
      const [width, height] = size
      const { page, errors } = await bench.page({ width, height })
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
      await page.goto(bench.address + at)
      await act?.(page)
      await page.mouse.move(0, 0)
      await page.waitForTimeout(1500)
      writeFileSync(fileOf(name), await webp(converter, await page.screenshot()))
      expect(errors, name).toEqual([])
      await page.close()
    }
    await bench.close()
  })

  it('are all on their page, of their sizes, and small', () => {
    const text = readFileSync(new URL('lab-screens.md', DOCS), 'utf8')
    const named = [...text.matchAll(/\(screens\/([\w-]+)\.webp\)/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(Object.keys(SCREENS).sort())
    let bytes = 0
    for (const name of named) {
      const file = readFileSync(fileOf(name))
      bytes += file.length
      // The header of an extended WebP.
      const size = [24, 27].map((at) => file.readUIntLE(at, 3) + 1)
      expect(size, name).toEqual(SCREENS[name].size)
    }
    expect(bytes).toBeLessThan(MOST_BYTES)
  })
})
