import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LabBench, openBench, soon, step } from './browser.ts'

describe('the lab', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('plays an election as soon as it is opened', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.address)
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
    await page.close()
  })

  it('is served whatever else is asked for', async () => {
    const status = async (path: string) => (await fetch(bench.address + path)).status
    // The address ends in a slash: the second of these asks for two.
    expect(await status('?embed')).toBe(200)
    expect(await status('/')).toBe(404)
    expect(await status('%')).toBe(404)
    expect(await status('')).toBe(200)
  })
})
