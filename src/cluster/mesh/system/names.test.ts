import { createSocket } from 'node:dgram'
import dns from 'node:dns/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resolveName } from './names.ts'

interface ServiceRecord {
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly host: string
}

const RECORDS: Readonly<Record<string, readonly ServiceRecord[]>> = {
  '_conclave._tcp.billing.test': [
    { priority: 2, weight: 0, port: 7003, host: 'c.billing.test' },
    { priority: 1, weight: 1, port: 7001, host: 'a.billing.test' },
    { priority: 1, weight: 9, port: 7002, host: 'b.billing.test' },
  ],
}

const labels = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ])

/** The name in a question, which begins after a header of twelve bytes. */
function nameIn(query: Buffer): string {
  const found: string[] = []
  for (let at = 12; query[at] > 0; at += 1 + query[at]) {
    found.push(query.toString('latin1', at + 1, at + 1 + query[at]))
  }
  return found.join('.')
}

/** An answer with SRV records; with none, that the name does not exist. */
function answerTo(query: Buffer): Buffer {
  const name = nameIn(query)
  const records = RECORDS[name] ?? []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(records.length > 0 ? 0x8180 : 0x8183, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  const question = query.subarray(12, 12 + name.length + 2 + 4)
  const answers = records.map(({ priority, weight, port, host }) => {
    const target = labels(host)
    const fixed = Buffer.alloc(18)
    // A pointer to the question, the type SRV, the class IN, a lifetime of 0.
    fixed.writeUInt16BE(0xc00c, 0)
    fixed.writeUInt16BE(33, 2)
    fixed.writeUInt16BE(1, 4)
    for (const [i, part] of [6 + target.length, priority, weight, port].entries()) {
      fixed.writeUInt16BE(part, 10 + 2 * i)
    }
    return Buffer.concat([fixed, target])
  })
  return Buffer.concat([header, question, ...answers])
}

const usual = dns.getServers()
const server = createSocket('udp4')

beforeAll(async () => {
  server.on('message', (query, { port, address }) => server.send(answerTo(query), port, address))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  dns.setServers([`127.0.0.1:${server.address().port}`])
})

afterAll(() => {
  dns.setServers(usual)
  server.close()
})

it('an SRV record gives hosts with their ports, the smaller priorities first', async () => {
  expect(await resolveName('_conclave._tcp.billing.test')).toEqual([
    { host: 'b.billing.test', port: 7002 },
    { host: 'a.billing.test', port: 7001 },
    { host: 'c.billing.test', port: 7003 },
  ])
})

it('addresses need no lookup, and localhost is this machine', async () => {
  expect(await resolveName('10.1.2.3:7001')).toEqual([{ host: '10.1.2.3', port: 7001 }])
  expect(await resolveName('[2001:db8::1]:7001')).toEqual([{ host: '2001:db8::1', port: 7001 }])
  const all = await Promise.all(Array.from({ length: 8 }, () => resolveName('localhost:7001')))
  for (const found of all) {
    expect(found.length).toBeGreaterThan(0)
    for (const { host, port } of found)
      expect([port, /^(127\.|::1$)/.test(host)]).toEqual([7001, true])
  }
})

it('a name that is missing, or no address, is told in one line', async () => {
  await expect(resolveName('_none._tcp.test')).rejects.toThrow(
    'the name _none._tcp.test was not found',
  )
  await expect(resolveName('no address')).rejects.toThrow('"no address" is not a host with a port')
})
