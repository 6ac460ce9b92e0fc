import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUsageError, shell } from '../../../test/support/run-command.ts'
import { statusFixture } from '../../../test/support/status-fixture.ts'
import { type HttpServer, httpServer } from '../../coordinator/operations/http.ts'

let status = statusFixture()
let server: HttpServer
let address = ''
const stranger = createServer((_request, response) => response.end('hello'))
let strange = ''

beforeAll(async () => {
  server = await httpServer(() => ({ status: () => status, metrics: () => [] }), {
    host: '127.0.0.1',
    port: 0,
  })
  address = `127.0.0.1:${server.address.port}`
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  strange = `127.0.0.1:${(stranger.address() as AddressInfo).port}`
})
afterAll(async () => {
  await server.close()
  stranger.close()
})

describe('conclave status', () => {
  it('prints what a member says, for people and for programs', async () => {
    const { code, out, err } = await shell('status', address)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('cron  a       7     0.81 s      4711\n')
    expect((await shell('status', `http://${address}/`)).out).toBe(out)
    expect(JSON.parse((await shell('status', address, '--json')).out)).toEqual(status)
  })

  it('asks the next member where one does not answer', async () => {
    expect((await shell('status', '127.0.0.1:1', strange, address)).code).toBe(0)
    await expectUsageError(
      ['status', strange],
      'conclave status',
      `${strange}: another program answers there`,
    )
  })

  it('exits with 1 where the member has a problem', async () => {
    status = { ...statusFixture(), problems: ['journal: the disk is read-only'] }
    const { code, out } = await shell('status', address)
    expect([code, out.split('\n')[1]]).toEqual([1, '! journal: the disk is read-only'])
  })

  it('is asked by address or by folder', async () => {
    const words = ['status', address, '--storage', 'state']
    await expectUsageError(words, 'conclave status', 'cannot be combined')
  })
})
