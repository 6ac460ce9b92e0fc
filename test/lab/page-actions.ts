import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { fragmentOf } from '../../web/src/address/link.ts'
import { geometryOf } from '../../web/src/stage/geometry.ts'
import { type LabBench, soon, step } from './browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Serious accessibility violations that axe finds in a page, or in a part of it. */
export async function axeViolations(
  page: Page,
  part = 'html',
  options: RunOptions = {},
): Promise<string[]> {
  // Colours that are still changing have no contrast of their own.
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const results = (await page.evaluate(
    `axe.run('${part}', ${JSON.stringify(options)})`,
  )) as AxeResults
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Opens a scenario as a link would, at its beginning. */
export async function openScenario(page: Page, bench: LabBench, scenario: object): Promise<void> {
  const document = { version: 1, runs: [{ scenario }], shown: 0, step: 0, time: 0 } as const
  await page.goto(bench.address + (await fragmentOf(document as never)))
  const slider = page.getByLabel('Step', { exact: true })
  await soon(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(0)
  await soon(() => step(page)).toBe('0')
}

/** Where the stage draws a node of a complete network or a ring. */
export async function placeOf(page: Page, node: number): Promise<{ x: number; y: number }> {
  const stage = page.locator('canvas.stage').first()
  const { width, height } = (await stage.boundingBox())!
  const name = (await stage.getAttribute('aria-label'))!
  const [, kind, n] = /(ring|complete):(\d+)/.exec(name)!
  const world = { kind, n: Number(n), places: null } as never
  const { x, y } = geometryOf(world, width, height, 1, 0)
  return { x: x[node], y: y[node] }
}

export async function clickNode(page: Page, node: number): Promise<void> {
  const position = await placeOf(page, node)
  await page.locator('canvas.stage').first().click({ position })
  await page.mouse.move(0, 0)
}

/** The stage at rest, pixel for pixel: without the motion after a step. */
export async function pictureOf(page: Page): Promise<string> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  return page
    .locator('canvas.stage')
    .first()
    .evaluate(async (canvas) => {
      // Sizes are observed between two frames.
      for (let frame = 0; frame < 2; frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve))
      return (canvas as HTMLCanvasElement).toDataURL()
    })
}
