import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { connect as secureConnect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { createAuthority, issueCertificate } from '../../../../test/support/certificates.ts'
import type { Address } from '../../transports/address.ts'
import type { Stream, TlsCredentials } from '../stream.ts'
import { systemNetwork } from './system-network.ts'

const HERE: Address = { host: '127.0.0.1', port: 0 }
const HOUR = 3_600_000
const VALID = { from: new Date(Date.now() - HOUR), until: new Date(Date.now() + HOUR) }
const AUTHORITY = createAuthority('conclave billing', VALID)

function credentials(name: string): TlsCredentials {
  return { ca: AUTHORITY.cert, ...issueCertificate(AUTHORITY, name, VALID) }
}

/** A stream that is accepted here; `ended` tells whether it ended in order, once it is closed. */
async function accepting(tls: TlsCredentials | null) {
  let got: (stream: Stream) => void
  const accepted = new Promise<Stream>((resolve) => {
    got = resolve
  })
  const server = await systemNetwork(tls).listen(HERE, (stream) => got(stream))
  const first = new Promise<void>((heard) => {
    void accepted.then((stream) => stream.listen({ data: () => heard(), closed: () => {} }))
  })
  const ended = async (): Promise<boolean> => {
    const stream = await accepted
    const orderly = await new Promise<boolean>((resolve) =>
      stream.listen({ data: () => {}, closed: (_, ends) => resolve(ends) }),
    )
    stream.destroy()
    await server.close()
    return orderly
  }
  return { address: server.address, first, ended }
}

describe('a voter sees the orderly end of a stream', () => {
  it.each([
    ['when the other process closes it or is gone', 'destroy', true],
    ['and not when it is reset', 'resetAndDestroy', false],
  ] as const)('%s', async (_, how, orderly) => {
    const { address, first, ended } = await accepting(null)
    const socket = connect(address)
    socket.write('x')
    await first
    socket[how]()
    expect(await ended()).toBe(orderly)
  })

  it('with TLS also if nothing more was said, as by a process that is killed', async () => {
    const { address, first, ended } = await accepting(credentials('a'))
    const socket = connect(address)
    const secure = secureConnect({ socket, ...secureOptions(credentials('b')) })
    secure.on('error', () => {})
    secure.write('x')
    await first
    socket.destroy()
    expect(await ended()).toBe(true)
  })
})

it('what was said over TLS before anybody listened is heard', async () => {
  let got: (stream: Stream) => void
  const accepted = new Promise<Stream>((resolve) => {
    got = resolve
  })
  const server = await systemNetwork(credentials('a')).listen(HERE, (stream) => got(stream))
  const secure = secureConnect({
    socket: connect(server.address),
    ...secureOptions(credentials('b')),
  })
  secure.write('x')
  await once(secure, 'secureConnect')
  const stream = await accepted
  // The handshake of the side that accepts ends later.
  await setTimeout(200)
  const heard = new Promise((resolve) => stream.listen({ data: resolve, closed: resolve }))
  expect(await heard).toEqual(Buffer.from('x'))
  stream.destroy()
  secure.destroy()
  await server.close()
})

function secureOptions({ ca, cert, key }: TlsCredentials) {
  const texts = { ca: String(ca), cert: String(cert), key: String(key) }
  return { ...texts, checkServerIdentity: () => undefined }
}
