import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Desk, openDesk, soon, step } from './browser.ts'

describe('the lab', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  }, 300_000)
  afterAll(() => desk?.close())

  it('plays an election as soon as it is opened', async () => {
    const { page, errors } = await desk.page()
    await page.goto(desk.address)
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
    await page.close()
  })

  it('is served whatever else is asked for', async () => {
    const status = async (path: string) => (await fetch(desk.address + path)).status
    // The address ends in a slash: the second of these asks for two.
    expect(await status('?embed')).toBe(200)
    expect(await status('/')).toBe(404)
    expect(await status('%')).toBe(404)
    expect(await status('')).toBe(200)
  })
})
