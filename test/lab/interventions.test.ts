import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shellJson } from '../support/run-command.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'
import { clickNode, openScenario, pictureOf, placeOf } from './page-actions.ts'

describe('interventions', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('crashes the leader by a click: bully elects another, both branches stay', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'bully', n: 5, ids: [1, 2, 3, 4, 5] })
    await page.getByRole('button', { name: 'Next election' }).click()
    await page.keyboard.press('End')
    await clickNode(page, 4)
    await page.getByRole('button', { name: 'Crash 5' }).click()
    const branches = page.locator('.branches li')
    await soon(() => branches.nth(1).innerText()).toMatch(/^5 crashes at .*4 leads/s)
    expect(await branches.nth(0).innerText()).toMatch(/without changes.*5 leads/s)
    await page.keyboard.press('End')
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/: 4 leads/)
    // The command in the panel is that of the branch, and so is the scenario once it is taken.
    const command = (await page.locator('.command code').textContent())!
    const { messages } = await shellJson<{ messages: { total: number } }>(
      ...command.split(' ').slice(1),
    )
    expect(await branches.nth(1).innerText()).toContain(`${messages.total} messages`)
    expect(await page.locator('.branch-note').innerText()).toMatch(/5 crashes/)
    await branches.nth(0).getByRole('button', { name: 'without changes' }).click()
    expect(await page.locator('.branch-note').count()).toBe(0)
    await page.keyboard.press('End')
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/: 5 leads/)
    await branches.nth(1).getByRole('button', { name: '5 crashes' }).click()
    await page.getByRole('button', { name: 'Use the branch as the scenario' }).click()
    // Position 4 has id 5.
    await soon(() => page.locator('.fault').getByLabel('Who').inputValue()).toBe('4')
    expect(await branches.count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('drops a message, and the run before that is the same', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'lcr', ids: [1, 2, 3, 4, 5, 6] })
    await goTo(page, 6)
    const before = await pictureOf(page)
    // Two of the six that arrive at time 1 have arrived; the first of the others is dropped.
    await goTo(page, 8)
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Drop it' }).click()
    await soon(() => page.locator('.branches li').count()).toBe(2)
    await goTo(page, 6)
    expect(await pictureOf(page)).toBe(before)
    await page.keyboard.press('End')
    await soon(() => page.locator('.branches').innerText()).toMatch(/is dropped/)
    expect(errors).toEqual([])
  })

  it('changes gossip by messages as its next cycle begins, and a message at once', async () => {
    const { page, errors } = await bench.page()
    const gossip = { algorithm: 'gossip-max', topology: 'grid:3x3', until: 8, set: { period: 7 } }
    await openScenario(page, bench, gossip)
    await goTo(page, 60)
    const before = await page.locator('.counts').innerText()
    const actions = [
      ['n', 'Crash node 0', /node 0 crashes at cycle/, /--crash 0@\d/],
      ['m', 'Drop it', / is dropped at time/, /--tamper drop:\d+@/],
    ] as const
    for (const [i, [key, button, branch, flags]] of actions.entries()) {
      await page.keyboard.press(key)
      await page.getByRole('button', { name: button }).click()
      await soon(() => page.locator('.branches').innerText()).toMatch(branch)
      await soon(() => page.locator('.counts').innerText()).toBe(before)
      const command = (await page.locator('.command code').textContent())!
      expect(command).toMatch(flags)
      const { messages } = await shellJson<{ messages: { total: number } }>(
        ...command.split(' ').slice(1),
      )
      await soon(() =>
        page
          .locator('.branches li')
          .nth(i + 1)
          .innerText(),
      ).toContain(`${messages.total} messages`)
    }
    expect(errors).toEqual([])
  })

  it('says why something cannot be done, and stays where it was', async () => {
    const { page, errors } = await bench.page()
    const gossip = { algorithm: 'gossip-average', topology: 'grid:3x4', timing: 'cycles' }
    await openScenario(page, bench, gossip)
    await goTo(page, 30)
    await page.keyboard.press('n')
    await page.getByRole('button', { name: 'Cut node 0 off' }).click()
    await soon(() => page.locator('.interventions').innerText()).toMatch(
      /This is not possible.*messages/s,
    )
    expect(await page.locator('.branches').count()).toBe(0)
    expect(await step(page)).toBe('30')
    expect(await page.locator('canvas.stage').isVisible()).toBe(true)
    expect(errors).toEqual([])
  })

  it('shows the whole state of what is pointed at, by pointer and by keys', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'bully', n: 5, ids: [1, 2, 3, 4, 5] })
    await page.keyboard.press('End')
    await clickNode(page, 4)
    await soon(() => page.locator('.inspector').innerText()).toMatch(/Node 5.*leads/s)
    const tooltip = page.locator('.tooltip')
    expect(await tooltip.count()).toBe(0)
    const stage = page.locator('canvas.stage')
    await stage.hover({ position: await placeOf(page, 2) })
    await soon(() => tooltip.innerText()).toMatch(
      /Node 3 at position 2.*not elected, follows 5.*electing\s*no/s,
    )
    await page.mouse.move(0, 0)
    await page.keyboard.press('Escape')
    await stage.focus()
    await page.keyboard.press('ArrowDown')
    await soon(() => tooltip.innerText()).toMatch(/Node 1 at position 0/)
    await page.keyboard.press('ArrowDown')
    await soon(() => tooltip.innerText()).toMatch(/Node 2 at position 1/)
    await page.keyboard.press('Enter')
    await soon(() => page.locator('.inspector').innerText()).toMatch(/Node 2 at position 1/)
    expect(errors).toEqual([])
  })

  it('chooses a link by a click on it, and has a card where there is no panel', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'lcr', ids: [4, 9, 2, 7] })
    const [from, to] = [await placeOf(page, 1), await placeOf(page, 2)]
    const position = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
    await page.locator('canvas.stage').click({ position })
    const cut = page.getByRole('button', { name: 'Cut the link 9-2' })
    await soon(() => cut.count()).toBe(1)
    const card = page.getByRole('region', { name: 'Chosen' })
    expect(await card.count()).toBe(0)
    await page.getByRole('button', { name: 'Break', exact: true }).click()
    await clickNode(page, 1)
    await soon(() => card.innerText()).toMatch(/^Node 9/)
    await card.getByRole('button', { name: 'Crash 9' }).click()
    await soon(() => page.locator('.branches li').count()).toBe(2)
    await soon(() => card.count()).toBe(0)
    expect(errors).toEqual([])
  })

  it('looks the same at a step after scrubbing to and fro', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'hirschberg-sinclair', n: 8, seed: 3 })
    const pictures = new Map<number, string>()
    for (const target of [5, 40, 20]) {
      await goTo(page, target)
      pictures.set(target, await pictureOf(page))
    }
    expect(new Set(pictures.values()).size).toBe(3)
    for (const target of [40, 5, 20, 5, 40]) {
      await goTo(page, target)
      expect(await pictureOf(page)).toBe(pictures.get(target))
    }
    expect(errors).toEqual([])
  })

  it('stops at a violation and says what is broken', async () => {
    const { page, errors } = await bench.page()
    await openScenario(page, bench, { algorithm: 'lcr', n: 4, ids: 'same', timing: 'sync' })
    await page.getByRole('button', { name: 'Next violation' }).click()
    await soon(() => page.locator('.caption .now').innerText()).toMatch(/at most one leader/)
    expect(errors).toEqual([])
  })
})
