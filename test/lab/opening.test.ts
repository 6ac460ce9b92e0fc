import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openedFiles } from '../../src/cli/lab/opened-files.ts'
import { serveLab } from '../../src/cli/lab/server.ts'
import { builtShell, shell } from '../support/run-command.ts'
import { goTo, type LabBench, openBench, soon, step } from './browser.ts'

/** Sends the largest id round and round. */
const ENDLESS = `
  import { algorithm, left, message, uid } from 'conclave'
  const ELECTION = message({ id: uid })
  export default algorithm({
    name: 'endless',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ELECTION },
    state: { best: uid },
    wakes: true,
    start(my, net) {
      my.best = my.id
      net.send(left, ELECTION, { id: my.id })
    },
    on: {
      ELECTION(my, { id }, net) {
        if (id > my.best) my.best = id
        net.send(net.onward, ELECTION, { id: my.best })
      },
    },
  })`

/** LCR of the catalogue, under its name, with no invariant. */
const BARE = `
  import { algorithm, left, message, uid } from 'conclave'
  const ELECTION = message({ id: uid })
  const LEADER = message({ id: uid })
  export default algorithm({
    name: 'lcr',
    needs: { topology: 'ring', ids: 'unique' },
    messages: { ELECTION, LEADER },
    state: {},
    wakes: true,
    start(my, net) {
      net.send(left, ELECTION, { id: my.id })
    },
    on: {
      ELECTION(my, { id }, net) {
        if (id > my.id) net.send(left, ELECTION, { id })
        if (id === my.id) {
          net.lead()
          net.send(left, LEADER, { id })
        }
      },
      LEADER(my, { id }, net) {
        if (id !== my.id) {
          net.follow(id)
          net.send(left, LEADER, { id })
        }
        net.stop()
      },
    },
  })`

describe('opening files', () => {
  let bench: LabBench
  const folder = mkdtempSync(join(tmpdir(), 'conclave-opening-'))
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(async () => {
    await bench?.close()
    rmSync(folder, { recursive: true })
  })

  async function openFile(page: Page, path: string): Promise<void> {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.locator('.sharing input[type=file]').setInputFiles(path)
  }

  function drop(page: Page, text: string): Promise<void> {
    return page.evaluate((content) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], 'dropped.jsonl'))
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      )
    }, text)
  }

  const steps = (page: Page) => page.getByLabel('Step', { exact: true }).getAttribute('max')

  it('shows the step of conclave prove, before and after', async () => {
    const [definition, file] = [join(folder, 'bare.js'), join(folder, 'step.jsonl')]
    writeFileSync(definition, BARE)
    expect(await builtShell('prove', definition, '--trace', file)).toMatchObject({ code: 3 })
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await openFile(page, file)
    const stage = page.getByRole('region', { name: 'Counterexample to induction' })
    await soon(() => stage.getByRole('heading').first().innerText()).toContain('Before the step')
    expect(await stage.locator('.node.leader').count()).toBe(1)
    await stage.getByRole('button', { name: 'After the step' }).click()
    await soon(() => stage.locator('.node.leader').count()).toBe(2)
    expect(await stage.locator('circle.broken').count()).toBe(2)
    expect(errors).toEqual([])
  })

  it('shows the counterexample of conclave check, up to what it breaks', async () => {
    const file = join(folder, 'broken.jsonl')
    const flags = ['--ids', '1,2,3', '--crashes', '1', '--detect', 'off', '--trace', file]
    expect(await shell('check', 'chang-roberts', ...flags)).toMatchObject({ code: 1 })
    const [head] = readFileSync(file, 'utf8').split('\n')
    const { moves, property } = JSON.parse(head).check
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await openFile(page, file)
    await soon(() => steps(page)).toBe(String(moves.length))
    await goTo(page, moves.length)
    await soon(() => page.locator('.caption .now').innerText()).toContain(property)
    // Position 2 has sent its id: the whole state is known, although it is not in the file.
    await page.keyboard.press('b')
    await soon(() => page.locator('.inspector').innerText()).toMatch(/Node 3.*participant\s+yes/is)
    expect(await page.locator('.interventions').innerText()).toMatch(
      /recording.*nothing can be changed/s,
    )
    expect(errors).toEqual([])
  })

  it('opens the files that conclave lab names: a counterexample of own code', async () => {
    const [source, trace] = [join(folder, 'endless.ts'), join(folder, 'endless.jsonl')]
    writeFileSync(source, ENDLESS)
    const flags = ['--ids', '30,20', '--trace', trace]
    expect(await builtShell('check', source, ...flags)).toMatchObject({ code: 1 })
    const files = [trace, source].map((path) => ({ name: path, text: readFileSync(path, 'utf8') }))
    const server = await serveLab([0], files)
    const { page, errors } = await bench.page()
    // Until the compiler is there the page says what it opens, and shows nothing else.
    let deliver = () => {}
    const wanted = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route('**/typescript.js', (route) => wanted.then(() => route.continue()))
    await page.goto(server.address)
    await soon(() => page.locator('#lab').innerText()).toMatch(
      /^Opening \S*endless\.jsonl and \S*endless\.ts \.\.\.$/,
    )
    deliver()
    const { moves } = JSON.parse(files[0].text.split('\n')[0]).check
    await soon(() => steps(page)).toBe(String(moves.length))
    await goTo(page, moves.length)
    await page.keyboard.press('n')
    await soon(() => page.locator('.inspector').innerText()).toMatch(/best\s+30/i)
    expect(errors).toEqual([])
    await server.close()
  })

  const TWO = `${ENDLESS.replace('export default', 'export const endless =')}
    export const other = endless
  `

  it('opens an own definition in the editor, by the name of its export', async () => {
    const source = join(folder, 'two.ts')
    writeFileSync(source, TWO)
    const server = await serveLab([0], await openedFiles([`${source}#other`]))
    const { page, errors } = await bench.page()
    await page.goto(server.address)
    await soon(() => page.locator('.editor .cm-content').innerText()).toContain("name: 'endless'")
    await soon(async () => Number(await steps(page))).toBeGreaterThan(10)
    expect(errors).toEqual([])
    await server.close()
  })

  it('opens a scenario with comments and an own algorithm in an exported page', async () => {
    writeFileSync(join(folder, 'two.ts'), TWO)
    const scenario = join(folder, 'own.json')
    writeFileSync(
      scenario,
      `{ // own
        "title": "Round and round", "algorithm": "./two.ts#endless", "ids": [3, 1, 2], "until": 20,
      }`,
    )
    const file = join(folder, 'own.html')
    expect(await builtShell('lab', scenario, '--export', file)).toMatchObject({ code: 0 })
    const { page, errors } = await bench.page()
    await page.goto(pathToFileURL(file).href)
    await soon(async () => Number(await steps(page))).toBeGreaterThan(20)
    expect(errors).toEqual([])
  })

  it('simulates the run of a --trace file again, and shows plain events as they are', async () => {
    const file = join(folder, 'run.jsonl')
    await shell('run', 'bully', '-n', '5', '--seed', '3', '--trace', file)
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    await openFile(page, file)
    await soon(() => page.getByLabel('Algorithm').inputValue()).toBe('bully')
    // The whole run is known once its end is reported.
    await soon(async () => {
      await page.getByLabel('Step', { exact: true }).press('End')
      return page.locator('.caption .now').innerText()
    }).toMatch(/^The end/)
    const known = await steps(page)
    await drop(page, readFileSync(file, 'utf8').split('\n').slice(1).join('\n'))
    await soon(() => page.getByLabel('Recording').isVisible()).toBe(true)
    await soon(() => steps(page)).toBe(known)
    expect(errors).toEqual([])
  })

  it('says what is wrong with a file, and leaves the run alone', async () => {
    const { page } = await bench.page()
    await page.goto(bench.lab)
    await goTo(page, 5)
    await drop(page, '{"at":1,"node":0,"event":"wake"}\n{"at":2}')
    await soon(() => page.getByRole('alert').innerText()).toMatch(/neither.*Line 2/)
    expect(await step(page)).toBe('5')
    const file = join(folder, 'strange.json')
    writeFileSync(file, '[]')
    await openFile(page, file)
    await soon(() => page.locator('.sharing').innerText()).toMatch(/neither a scenario/)
  })
})
