import dns from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Address, parseAddress } from '../../transports/address.ts'
import { DialError } from '../connector.ts'

/**
 * Lookups at the same time. Each blocks a thread of the pool that also writes files, so a slow name
 * server must not get them all.
 */
const LOOKUPS = 2

let running = 0
const waiting: (() => void)[] = []

/** The addresses behind `host:port`, or behind the name of an SRV record. */
export async function resolveName(text: string): Promise<Address[]> {
  if (/^_[^:]+$/.test(text)) return resolveService(text)
  const { host, port } = parseAddress(text)
  if (isIP(host) !== 0) return [{ host, port }]
  const found = await inTurn(() => dns.lookup(host, { all: true })).catch((error) => {
    throw new DialError(nameProblem(host, error))
  })
  return found.map(({ address }) => ({ host: address, port }))
}

/** Smaller priorities first. The hosts keep their names, which say who is who. */
async function resolveService(name: string): Promise<Address[]> {
  const records = await dns.resolveSrv(name).catch((error) => {
    throw new DialError(nameProblem(name, error))
  })
  records.sort((one, other) => one.priority - other.priority || other.weight - one.weight)
  return records.map(({ name: host, port }) => ({ host, port }))
}

async function inTurn<T>(task: () => Promise<T>): Promise<T> {
  if (running >= LOOKUPS) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await task()
  } finally {
    running--
    waiting.shift()?.()
  }
}

function nameProblem(name: string, { code = '', message }: NodeJS.ErrnoException): string {
  const missing = ['ENOTFOUND', 'ENODATA', 'EAI_NODATA', 'EAI_NONAME'].includes(code)
  return missing ? `the name ${name} was not found` : `the name ${name}: ${message}`
}
