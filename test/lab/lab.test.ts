import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetNames } from '../../src/cli/lab/server.ts'
import { type LabBench, openBench, soon, step } from './browser.ts'

describe('the lab', () => {
  let bench: LabBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench?.close())

  it('plays an election as soon as it is opened', async () => {
    const { page, errors } = await bench.page()
    await page.goto(bench.lab)
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
