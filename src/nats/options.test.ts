import { describe, expect, it } from 'vitest'
import { parseNatsAddresses, withoutSecrets } from './options.ts'

const parse = (text: string) => parseNatsAddresses(text, 'here')

describe('addresses of NATS', () => {
  it('have a scheme and a port by default', () => {
    expect(parse('localhost')).toEqual({
      hosts: ['localhost:4222'],
      shown: 'nats://localhost:4222',
      tls: false,
    })
    expect(parse('tls://[::1]:99')).toMatchObject({ hosts: ['[::1]:99'], tls: true })
  })

  it('may name a user, a token and several servers', () => {
    expect(parse('nats://ada:b%40c@one:1,two')).toMatchObject({
      hosts: ['one:1', 'two:4222'],
      user: 'ada',
      password: 'b@c',
      shown: 'nats://one:1,nats://two:4222',
    })
    expect(parse('nats://s3cret@one')).toMatchObject({ token: 's3cret' })
  })

  it('are never shown with a password, not even a malformed one', () => {
    const texts = [
      'nats://ada:s3cret@one:99999',
      'ws://ada:s3cret@one',
      'nats://ada:s3cret@',
      'nats://ada:x,s3cret@one/path',
      'nats://:s3cret@one',
      'nats://ada:s3cret/@one',
      'ada:s3cret@one:port',
      'nats://ada:s3cret@one,nats://bob:s3cret2@two',
    ]
    for (const text of texts) {
      expect(withoutSecrets(text), text).not.toContain('s3cret')
      expect(() => parse(text), text).toThrow(/^here: (?!.*s3cret)/)
    }
  })
})
