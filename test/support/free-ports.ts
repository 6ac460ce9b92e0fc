import { createServer } from 'node:net'

/** Below those that the system gives to clients, so that none of these takes one meanwhile. */
const FIRST = 20_000
const LAST = 32_000

/** Addresses on loopback at which nothing listens now. */
export async function freeAddresses(count: number): Promise<string[]> {
  const addresses: string[] = []
  const span = LAST - FIRST
  for (let i = 0; i < span && addresses.length < count; i++) {
    const port = FIRST + ((process.pid * 37 + i * 11) % span)
    if (await isFree(port)) addresses.push(`127.0.0.1:${port}`)
  }
  return addresses
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
