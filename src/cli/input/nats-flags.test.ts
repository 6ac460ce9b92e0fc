import { describe, expect, it } from 'vitest'
import { natsOptionsOf, withoutPasswords } from './nats-flags.ts'

const URL_ONLY = 'nats://one:4222'
const PASSWORD = { NATS_PASSWORD: 's3cret' }

describe('the flags of a connection to NATS', () => {
  it('come before the environment', () => {
    const env = { NATS_URL: 'nats://two', NATS_CREDS: 'env.creds', NATS_CA: 'env.pem' }
    expect(natsOptionsOf(undefined, {}, '<url>', env)).toEqual({
      servers: 'nats://two',
      credsFile: 'env.creds',
      tls: { caFile: 'env.pem' },
    })
    expect(natsOptionsOf(URL_ONLY, { nkey: 'a.nk', tlsca: 'a.pem' }, '--on', env)).toEqual({
      servers: URL_ONLY,
      nkeyFile: 'a.nk',
      tls: { caFile: 'a.pem' },
    })
    expect(natsOptionsOf('nats://ada:pw@one', {}, '--on', env)).toEqual({
      servers: 'nats://ada:pw@one',
      tls: { caFile: 'env.pem' },
    })
  })

  it('take the password from the environment only', () => {
    expect(natsOptionsOf(URL_ONLY, { user: 'ada' }, '--on', PASSWORD)).toMatchObject({
      user: 'ada',
      password: 's3cret',
    })
    expect(natsOptionsOf('nats://ada@one', {}, '--on', PASSWORD)).toEqual({
      servers: 'nats://ada@one',
      password: 's3cret',
    })
    expect(natsOptionsOf(URL_ONLY, { creds: 'a.creds' }, '--on', PASSWORD)).toEqual({
      servers: URL_ONLY,
      credsFile: 'a.creds',
    })
    expect(natsOptionsOf(URL_ONLY, {}, '--on', { NATS_USER: 't0ken' })).toMatchObject({
      token: 't0ken',
    })
    expect(natsOptionsOf(URL_ONLY, {}, '--on', { ...PASSWORD, NATS_USER: 'ada' })).toEqual({
      servers: URL_ONLY,
      user: 'ada',
      password: 's3cret',
    })
  })

  it('name the place of a mistake, without its password', () => {
    const wrong = () => natsOptionsOf('http://ada:s3cret@one', {}, '--on', {})
    expect(wrong).toThrow(/^--on: "http:\/\/one" begins with http:\/\/\. /)
    expect(() => natsOptionsOf(undefined, {}, '<url>', { NATS_URL: 'ws://x' })).toThrow(
      /^NATS_URL:/,
    )
    expect(() => natsOptionsOf(undefined, {}, '<url>', {})).toThrow(
      '<url>: the address of a NATS server is missing. Write nats://host:4222, or set NATS_URL.',
    )
  })
})

describe('the process list', () => {
  it('shows addresses without passwords, and other words as they are', () => {
    expect(withoutPasswords(['run', 'lcr', '--crash', '7@12'])).toBeNull()
    expect(withoutPasswords(['worker', 'nats://ada:s3cret@one:4222', '--parallel', '2'])).toBe(
      'worker nats://one:4222 --parallel 2',
    )
  })
})
