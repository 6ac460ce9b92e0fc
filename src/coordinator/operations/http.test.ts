import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { statusFixture } from '../../../test/support/status-fixture.ts'
import { type HttpServer, httpServer } from './http.ts'
import { Metrics, openMetrics } from './metrics.ts'

const metrics = new Metrics()
const count = metrics.counter('refused', 'Connections that were refused')
metrics.gauge('leads', 'Whether this member leads', () => [[{ role: 'cron' }, 1]])
const observe = metrics.histogram('write_seconds', 'Durations of writes')

let status = statusFixture()
let server: HttpServer
let started = true
beforeAll(async () => {
  const node = { status: () => status, metrics: () => metrics.snapshot() }
  server = await httpServer(() => (started ? node : null), { host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

function asked(path: string, { method = 'GET', host = '127.0.0.1:9400' } = {}) {
  const { port } = server.address
  return new Promise<{ code: number; type: string; body: string }>((resolve, reject) => {
    const headers = { host, connection: 'close' }
    request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () =>
        resolve({ code: response.statusCode!, type: response.headers['content-type']!, body }),
      )
    })
      .on('error', reject)
      .end()
  })
}

describe('the HTTP server', () => {
  it('answers 200 on the leader and 503 elsewhere', async () => {
    status = statusFixture()
    expect((await asked('/leader/cron')).code).toBe(200)
    expect(JSON.parse((await asked('/leader/mail')).body)).toEqual({
      role: 'mail',
      me: 'a',
      leads: false,
      leader: 'b',
      term: 3,
    })
    expect((await asked('/leader/mail')).code).toBe(503)
    expect((await asked('/leader/constructor')).code).toBe(404)
  })

  it('says whether the member is well', async () => {
    status = statusFixture()
    expect(await asked('/healthz')).toMatchObject({ code: 200, body: 'ok\n' })
    status = { ...statusFixture(), problems: ['journal: no space is left on the disk'] }
    const { code, body } = await asked('/healthz')
    expect([code, body]).toEqual([503, 'journal: no space is left on the disk\n'])
  })

  it('says that a member is being started', async () => {
    started = false
    for (const path of ['/healthz', '/leader/cron', '/status']) {
      expect(await asked(path)).toMatchObject({ code: 503, body: 'The member is being started.\n' })
    }
    started = true
  })

  it('gives the status as JSON', async () => {
    status = statusFixture()
    const { type, body } = await asked('/status?now')
    expect(type).toBe('application/json')
    expect(JSON.parse(body)).toEqual(statusFixture())
  })

  it('refuses foreign hosts, other methods and other paths', async () => {
    for (const host of ['evil.example', 'evil.example:9400', '127.0.0.1.evil.example']) {
      expect((await asked('/status', { host })).code).toBe(421)
    }
    for (const host of ['localhost:9400', '127.0.0.1', '[::1]:9400', '10.0.0.7:9400']) {
      expect((await asked('/status', { host })).code).toBe(200)
    }
    expect((await asked('/status', { method: 'POST' })).code).toBe(405)
    expect(await asked('/status', { method: 'HEAD' })).toMatchObject({ code: 200, body: '' })
    for (const path of ['/', '//', '/leader/', '/leader/../status', '/status/']) {
      expect((await asked(path)).code).toBe(404)
    }
  })

  it('gives metrics as OpenMetrics has them', async () => {
    count({ reason: 'another "cluster"\n' })
    count({ reason: 'another "cluster"\n' }, 2)
    observe(0.003)
    observe(20)
    const { type, body } = await asked('/metrics')
    expect(type).toContain('application/openmetrics-text; version=1.0.0')
    expect(body.split('\n').slice(0, 6)).toEqual([
      '# TYPE conclave_refused counter',
      '# HELP conclave_refused Connections that were refused',
      'conclave_refused_total{reason="another \\"cluster\\"\\n"} 3',
      '# TYPE conclave_leads gauge',
      '# HELP conclave_leads Whether this member leads',
      'conclave_leads{role="cron"} 1',
    ])
    expect(body).toContain('# UNIT conclave_write_seconds seconds\n')
    expect(body).toContain('conclave_write_seconds_bucket{le="0.0025"} 0\n')
    expect(body).toContain('conclave_write_seconds_bucket{le="0.005"} 1\n')
    expect(body).toContain('conclave_write_seconds_bucket{le="+Inf"} 2\n')
    expect(body).toContain('conclave_write_seconds_sum 20.003\n')
    expect(body.endsWith('\n# EOF\n')).toBe(true)
  })

  it('says in one line that its address is taken', async () => {
    const node = { status: () => status, metrics: () => [] }
    await expect(httpServer(() => node, server.address)).rejects.toThrow(
      'another process listens there',
    )
  })
})

describe('metrics', () => {
  it('keep a bounded number of labels', () => {
    const many = new Metrics()
    const add = many.counter('refused', 'Refused')
    for (let i = 0; i < 1000; i++) add({ reason: `stranger ${i}` })
    const lines = openMetrics(many.snapshot()).split('\n')
    expect(lines.length).toBeLessThan(110)
    expect(lines).toContain('conclave_refused_total{reason="other"} 900')
  })
})
