import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { coordinator } from '../../../src/coordinator/coordinator.ts'
import { bully, join } from '../../../src/index.ts'
import { freeAddresses } from '../../support/free-ports.ts'

const OFTEN = { timeout: 20_000, interval: 20 }
const SECRET = 'a secret that all of them share'

const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Passes on what goes to an address, and keeps it: all bytes in both directions. */
async function recorder(target: string) {
  const recorded: Buffer[] = []
  const sockets: Socket[] = []
  const [host, port] = target.split(':')
  const server: Server = createServer((near) => {
    const far = connect(Number(port), host)
    sockets.push(near, far)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on('data', (bytes) => {
        recorded.push(bytes)
        to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = `127.0.0.1:${(server.address() as { port: number }).port}`
  return { address, bytes: () => Buffer.concat(recorded) }
}

/** The names that can be read in the traffic of a coordinator, and how much there was. */
async function namesInCoordinator(secret?: string) {
  const names = ['margarethe', 'wilhelmina', 'friederike']
  const listens = await freeAddresses(names.length)
  const recorders = await Promise.all(listens.map(recorder))
  const members = Object.fromEntries(names.map((name, i) => [name, recorders[i].address]))
  const nodes = await Promise.all(
    names.map(async (me, i) => {
      const storage = mkdtempSync(joinPath(tmpdir(), 'conclave-'))
      cleanups.push(() => rmSync(storage, { recursive: true, force: true }))
      const node = await coordinator({
        ...{ cluster: 'apothecary', me, members, storage, listen: listens[i], bootstrap: true },
        ...(secret !== undefined && { secret }),
      })
      cleanups.push(() => node.close())
      return node
    }),
  )
  const roles = nodes.map((node) => node.role('bookkeeping'))
  await expect.poll(() => roles.map(({ leader }) => leader !== null), OFTEN).not.toContain(false)
  const bytes = Buffer.concat(recorders.map((one) => one.bytes()))
  const readable = [...names, 'apothecary', 'bookkeeping', 'conclave'].filter((name) =>
    bytes.includes(name),
  )
  return { readable, length: bytes.length }
}

/** The same of members of an election. */
async function namesInElection(secret?: string) {
  const listens = await freeAddresses(3)
  const recorders = await Promise.all(listens.map(recorder))
  const addresses = recorders.map(({ address }) => address)
  const members = await Promise.all(
    listens.map((listen, me) =>
      join(bully, {
        me,
        addresses,
        listen,
        ids: [1, 2, 3],
        ...(secret !== undefined && { secret }),
      }),
    ),
  )
  cleanups.push(...members.map((member) => () => member.close()))
  await expect.poll(() => members.map(({ leader }) => leader), OFTEN).toEqual([3, 3, 3])
  const bytes = Buffer.concat(recorders.map((one) => one.bytes()))
  const readable = ['position-', 'bully', 'election', 'conclave'].filter((name) =>
    bytes.includes(name),
  )
  return { readable, length: bytes.length }
}

describe.each([
  ['coordinators', namesInCoordinator],
  ['members of an election', namesInElection],
] as const)('who listens between %s', (_who, namesIn) => {
  it('reads no name if they share a secret', async () => {
    const { readable, length } = await namesIn(SECRET)
    expect(readable).toEqual([])
    expect(length).toBeGreaterThan(1000)
  })

  it('reads names if they do not', async () => {
    const { readable } = await namesIn()
    expect(readable.length).toBeGreaterThan(2)
  })
})
