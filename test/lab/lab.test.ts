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
})
