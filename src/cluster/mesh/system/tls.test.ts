import { randomBytes } from 'node:crypto'
import { connect as secureConnect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { createAuthority, issueCertificate } from '../../../../test/support/certificates.ts'
import {
  type GivenMesh,
  type WatchedMesh,
  watchedMesh,
} from '../../../../test/support/mesh-fixture.ts'
import { systemClock } from '../../clock.ts'
import { addressText } from '../../transports/address.ts'
import type { TlsCredentials } from '../stream.ts'
import { systemNetwork } from './system-network.ts'
import { refuseCertificate } from './tls.ts'

const DAY = 24 * 3600 * 1000
const validity = (first: number, last: number) => ({
  from: new Date(Date.now() + first * DAY),
  until: new Date(Date.now() + last * DAY),
})
const AUTHORITY = createAuthority('conclave billing', validity(-10, 10))
const FOREIGN = createAuthority('conclave billing', validity(-10, 10))

function credentials(name: string, authority = AUTHORITY, valid = validity(-1, 1)): TlsCredentials {
  const { cert, key } = issueCertificate(authority, name, valid)
  return { ca: AUTHORITY.cert, cert, key }
}

const OFTEN = { timeout: 4_000, interval: 5 }
let open: WatchedMesh[] = []

afterEach(async () => {
  const closing = open.map(({ mesh }) => mesh.close())
  open = []
  await Promise.all(closing)
})

async function member(
  name: string,
  tls: TlsCredentials | (() => TlsCredentials) | null,
  given: GivenMesh = {},
): Promise<WatchedMesh> {
  const environment = {
    clock: systemClock,
    network: systemNetwork(tls),
    randomBytes: (count: number) => randomBytes(count),
  }
  const security = { tls: tls !== null }
  const watched = await watchedMesh(name, environment, { security, ...given })
  open.push(watched)
  return watched
}

/** The reasons for which a target and whoever dialled it refused each other. */
async function refusals(target: WatchedMesh, dialling: WatchedMesh): Promise<string[][]> {
  dialling.mesh.dial(new Map([['a', addressText(target.mesh.address!)]]))
  await expect.poll(() => target.refused.length * dialling.refused.length, OFTEN).toBeGreaterThan(0)
  expect(target.events).toEqual([])
  expect(dialling.events).toEqual([])
  return [target, dialling].map(({ refused }) => [...new Set(refused.map(({ reason }) => reason))])
}

describe('over TLS', () => {
  it('members with certificates of their names connect', async () => {
    const [a, b] = [await member('a', credentials('a')), await member('b', credentials('b'))]
    b.mesh.dial(new Map([['a', addressText(a.mesh.address!)]]))
    await expect.poll(() => a.events, OFTEN).toEqual(['up b'])
    await expect.poll(() => b.events, OFTEN).toEqual(['up a'])
    const long = new Uint8Array(300_000).fill(9)
    b.mesh.send('a', long)
    a.mesh.send('b', Uint8Array.of(1, 2))
    await expect.poll(() => a.events.at(-1), OFTEN).toBe(`b says ${[...long]}`)
    await expect.poll(() => b.events.at(-1), OFTEN).toBe('a says 1,2')
    a.mesh.drop('b', 'silent')
    await expect.poll(() => b.events.at(-1), OFTEN).toBe('up a')
  })

  const WRONG: [name: string, () => TlsCredentials, reason: string][] = [
    ['expired', () => credentials('b', AUTHORITY, validity(-3, -1)), 'expired'],
    ['not yet valid', () => credentials('b', AUTHORITY, validity(1, 3)), 'expired'],
    ['of a foreign authority', () => credentials('b', FOREIGN), 'foreign'],
    ['of another member', () => credentials('c'), 'name'],
  ]

  it.each(WRONG)(
    'a member whose certificate is %s is refused, and told',
    async (_name, of, reason) => {
      const [a, b] = [await member('a', credentials('a')), await member('b', of())]
      expect(await refusals(a, b)).toEqual([[reason], [reason]])
      expect(a.lines[0]).toMatch(/^connection from 127\.0\.0\.1:\d+ refused: .*certificate/)
      expect(b.lines[0]).toMatch(/^a at 127\.0\.0\.1:\d+: refused by the other side: .*certificate/)
    },
  )

  it.each(WRONG)(
    'whoever is dialled is refused if its certificate is %s',
    async (_name, of, reason) => {
      const impostor = { ...of() }
      const [a, b] = [await member('a', impostor), await member('b', credentials('b'))]
      expect(await refusals(a, b)).toEqual([[reason], [reason]])
    },
  )

  it('a member without TLS is refused, whoever dials', async () => {
    const plaintext = { security: { tls: false, insecure: true } }
    const [a, b] = [await member('a', credentials('a')), await member('b', null, plaintext)]
    const [target, dialling] = await refusals(a, b)
    expect(target).toEqual(['no-tls'])
    expect(dialling).toEqual(['closed'])
    const [c, d] = [await member('a', null, plaintext), await member('b', credentials('b'))]
    expect(await refusals(c, d)).toEqual([['garbage'], ['closed']])
    expect(d.lines[0]).toMatch(/closed during the TLS handshake$/)
  })

  it('a client without a certificate, and one with an older TLS, are refused', async () => {
    const a = await member('a', credentials('a'))
    const { port } = a.mesh.address!
    const bare = secureConnect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    bare.on('error', () => {})
    bare.write('anything')
    await expect.poll(() => a.refused, OFTEN).toMatchObject([{ reason: 'no-certificate' }])
    const older = secureConnect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.2',
    })
    older.on('error', () => {})
    await expect.poll(() => a.refused.length, OFTEN).toBe(2)
    expect(a.refused[1]).toMatchObject({ reason: 'no-tls' })
  })

  it('certificates that were renewed are used from the next connection on', async () => {
    let now = credentials('a', AUTHORITY, validity(-3, -1))
    const [a, b] = [await member('a', () => now), await member('b', credentials('b'))]
    await refusals(a, b)
    now = credentials('a')
    await expect.poll(() => b.events, OFTEN).toEqual(['up a'])
  })

  it('credentials that do not belong together are refused at the start', () => {
    const mixed = { ...credentials('a'), key: credentials('b').key }
    expect(() => systemNetwork(mixed)).toThrow(
      /^tls: the certificates cannot be used: .*key values/,
    )
    expect(() => systemNetwork({ ...mixed, cert: 'nonsense' })).toThrow(/^tls: /)
  })

  it('a member refuses a certificate of its own that the others would refuse', () => {
    const refusal = (of: TlsCredentials, name = 'a', now = Date.now()) => {
      const { message } = catchError(() => refuseCertificate(of, name, now))
      return message
    }
    const right = credentials('a')
    expect(() => refuseCertificate(right, 'a', Date.now())).not.toThrow()
    expect(refusal(right, 'b')).toMatch(/^tls: the certificate is that of "a", not of b\. /)
    expect(refusal(credentials('a', FOREIGN))).toMatch(/^tls: .* was not signed by the given/)
    expect(refusal(right, 'a', Date.now() + 2 * DAY)).toMatch(/^tls: .* of a has expired: /)
    expect(refusal(right, 'a', Date.now() - 2 * DAY)).toMatch(/^tls: .* of a is not valid yet: /)
    const older = createAuthority('conclave billing', validity(-10, -5))
    const orphan = issueCertificate(older, 'a', validity(-1, 1))
    expect(refusal({ ...orphan, ca: older.cert })).toMatch(/^tls: .* of the authority has expired/)
    // Of several authorities, and of a chain, one is enough.
    const ca = `${FOREIGN.cert}${AUTHORITY.cert}`
    expect(() => refuseCertificate({ ...right, ca }, 'a', Date.now())).not.toThrow()
    const chain = { ...right, ca: FOREIGN.cert, cert: `${right.cert}${AUTHORITY.cert}` }
    expect(refusal(chain)).toMatch(/^tls: .* was not signed by the given/)
  })
})

function catchError(run: () => void): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
