import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { assetNames, LAB_PORTS, serveLab } from '../../src/cli/lab/server.ts'
import { type LabBench, openBench, soon, step } from './browser.ts'

describe('the lab', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('opens at the beginning of an election, and plays it at a press of Play', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
    const steps = page.getByLabel('Step', { exact: true })
    await soon(async () => Number(await steps.getAttribute('max'))).toBeGreaterThan(30)
    // The parts around the stage come last.
    await soon(() => page.getByLabel('Algorithm').inputValue()).toBe('chang-roberts')
    expect(await step(page)).toBe('0')
    // It waits while the scenario is prepared, too.
    const known = await steps.getAttribute('max')
    await page.getByLabel('Nodes', { exact: true }).fill('5')
    await soon(async () => [null, '0', known].includes(await steps.getAttribute('max'))).toBe(false)
    expect(await step(page)).toBe('0')
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await soon(() => step(page)).not.toBe('0')
    expect(errors).toEqual([])
    await page.close()
  })

  it('has the first of its ports that is free, and says which are not', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const server = await serveLab([port, port, 0])
    expect(server.address).toBe(`http://127.0.0.1:${server.port}/`)
    await server.close()
    await expect(serveLab([port])).rejects.toThrow(`port ${port} is in use`)
    await expect(serveLab([port, port])).rejects.toThrow(`ports ${port} to ${port} are in use`)
  })

  it('has the same address at every start, or says why not', async () => {
    const command = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
    const start = async () => {
      const child = spawn(process.execPath, [command, 'lab', '--no-open'])
      onTestFinished(() => void child.kill())
      let out = ''
      for await (const text of child.stdout) {
        out += text
        if (out.includes('Ctrl-C')) break
      }
      const end = async () => {
        child.kill('SIGINT')
        expect(await once(child, 'exit')).toEqual([130, null])
      }
      return { out, port: Number(/127\.0\.0\.1:(\d+)/.exec(out)?.[1]), end }
    }
    const first = await start()
    expect(LAB_PORTS).toContain(first.port)
    expect(Math.max(...LAB_PORTS)).toBeLessThan(32_768)
    const second = await start()
    expect(LAB_PORTS.slice(LAB_PORTS.indexOf(first.port) + 1)).toContain(second.port)
    expect(second.out).toMatch(
      new RegExp(`^Port ${LAB_PORTS[0]} is in use, .* not appear at port ${second.port}\\.$`, 'm'),
    )
    if (first.port === LAB_PORTS[0]) expect(first.out).not.toContain('in use')
    await Promise.all([first.end(), second.end()])
    const again = await start()
    expect(again.out).toBe(first.out)
    await again.end()
  })

  it('is served whatever else is asked for', async () => {
    const status = async (path: string) => (await fetch(bench.address + path)).status
    // The address ends in a slash: the second of these asks for two.
    expect(await status('?embed')).toBe(200)
    expect(await status('/')).toBe(404)
    expect(await status('%')).toBe(404)
    expect(await status('')).toBe(200)
  })

  /** Unlike fetch, it sends any header. */
  const ask = (path: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage & { body: string }>((resolve, reject) => {
      get(bench.address + path, { headers }, (response) => {
        let body = ''
        response.on('data', (part) => {
          body += part
        })
        response.on('end', () => resolve(Object.assign(response, { body })))
      }).on('error', reject)
    })

  it('is served with a policy, compressed, and files that never change are kept', async () => {
    const page = await ask('')
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none';/)
    expect(page.headers['content-security-policy']).not.toContain('unsafe-eval')
    const [entry] = /assets\/index-[\w-]+\.js/.exec(page.body)!
    const whole = await ask(entry)
    expect(whole.headers['cache-control']).toMatch(/immutable/)
    for (const encoding of ['gzip', 'br']) {
      const { headers } = await ask(entry, { 'accept-encoding': `x, ${encoding};q=0.5` })
      expect(headers['content-encoding']).toBe(encoding)
      expect(Number(headers['content-length'])).toBeLessThan(whole.body.length / 2)
    }
    const workers = assetNames().filter((name) => /worker-/.test(name))
    const policies = await Promise.all(
      workers.map(async (name) => (await ask(`assets/${name}`)).headers['content-security-policy']),
    )
    const confined = "default-src 'none'; script-src 'unsafe-eval'"
    // The compiler reads code and loads its own parts, but runs nothing.
    const free = workers.filter((_, i) => policies[i] !== confined)
    expect(free.map((name) => name.slice(0, 15))).toEqual(['compiler-worker'])
    expect(workers.length).toBe(4)
  })

  it('answers by no other name, and says what is not there', async () => {
    const { port } = new URL(bench.address)
    expect((await ask('', { host: `localhost:${port}` })).statusCode).toBe(200)
    const other = await ask('', { host: `lab.example:${port}` })
    expect([other.statusCode, other.body.split('\n').length]).toEqual([421, 2])
    const missing = await ask('no/such')
    expect([missing.statusCode, missing.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ])
    expect(missing.body).toContain('<a href="/">')
  })
})
