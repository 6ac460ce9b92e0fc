import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fragmentOf } from '../../web/src/address/link.ts'
import { type LabBench, openBench, soon, step } from './browser.ts'

/** Own code that tries every way out that a worker might have, then sends ids round and round. */
const curious = (address: string) => `
  import { algorithm, left, message, uid } from 'conclave'
  const tries = {
    fetch: () => fetch('${address}/fetch').catch(() => {}),
    request: () => {
      const request = new XMLHttpRequest()
      request.open('GET', '${address}/xhr', false)
      request.send()
    },
    socket: () => new WebSocket('${address.replace('http', 'ws')}/socket'),
    events: () => new EventSource('${address}/events'),
    scripts: () => importScripts('${address}/scripts.js'),
    module: () => new Function('return import("${address}/module.js")')().catch(() => {}),
    worker: () => new Worker('${address}/worker.js'),
    inner: () => new Worker(URL.createObjectURL(
      new Blob(['fetch("${address}/inner"); importScripts("${address}/inner.js")']))),
    data: () => new Worker('data:text/javascript,fetch("${address}/data")'),
    beacon: () => navigator.sendBeacon('${address}/beacon'),
    image: () => { new Image().src = '${address}/image.png' },
    cache: () => caches.open('x').then((cache) => cache.add('${address}/cache')).catch(() => {}),
    transport: () => new WebTransport('${address.replace('http', 'https')}/transport'),
    font: () => new FontFace('x', 'url(${address}/font)').load().catch(() => {}),
  }
  for (const attempt of Object.values(tries)) try { attempt() } catch {}
  const ELECTION = message({ id: uid })
  export default algorithm({
    name: 'curious',
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

describe('code of someone else', () => {
  let bench: LabBench
  const asked: string[] = []
  const target = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('')
  })
  let link: (page: string) => Promise<string>
  beforeAll(async () => {
    bench = await openBench()
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`
    target.on('upgrade', ({ url = '' }, socket) => {
      asked.push(url)
      socket.destroy()
    })
    const own = { path: '/src/algorithms/ring/curious.ts', source: curious(address) }
    const runs = [{ scenario: { ids: [3, 1, 2], until: 20 }, own }]
    const document = { version: 1, runs, shown: 0, step: 4, time: 1 } as const
    link = async (page) => page + (await fragmentOf(document))
    // The oracle works: a page without a policy reaches the server.
    const { page } = await bench.page()
    await page.evaluate((to) => fetch(`${to}/alive`), address)
    expect(asked).toEqual(['/alive'])
    asked.length = 0
    await page.close()
  })
  afterAll(async () => {
    await bench?.close()
    target.close()
  })

  it('is shown and waits for a click; then it runs without a network', async () => {
    const { page, errors } = await bench.page()
    const workers: string[] = []
    page.on('worker', (worker) => workers.push(worker.url()))
    await page.goto(await link(bench.address))
    await soon(() => page.getByRole('heading').innerText()).toMatch(/code by someone else/)
    expect(await page.locator('.foreign-code pre').innerText()).toContain("name: 'curious'")
    expect(workers.filter((url) => !url.includes('ring-worker'))).toEqual([])
    await page.getByRole('button', { name: 'Run this code' }).click()
    await soon(() => step(page)).toBe('4')
    await soon(() => page.title()).toBe('curious on a ring of 3 · Conclave lab')
    expect(errors.filter((error) => !/Content Security Policy|violates/.test(error))).toEqual([])
    // What was allowed once is not asked again by reload and back.
    await page.reload()
    await soon(() => step(page)).toBe('4')
    await page.waitForTimeout(500)
    expect(asked).toEqual([])
  })

  it('does not run where it is not wanted, and the page goes on', async () => {
    const { page, errors } = await bench.page()
    await page.goto(await link(bench.address))
    await page.getByRole('button', { name: 'Do not run it' }).click()
    await soon(() => page.locator('canvas.stage').count()).toBe(1)
    await page.reload()
    await soon(() => page.getByRole('heading').innerText()).toMatch(/code by someone else/)
    expect(errors).toEqual([])
    expect(asked).toEqual([])
  })
})
