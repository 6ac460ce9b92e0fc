import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freeAddresses } from '../../test/support/free-ports.ts'
import { type NatsServer, startNatsServer } from '../../test/support/nats-server.ts'
import { connectNats, type NatsEvent } from './connection.ts'
import type { NatsOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'conclave-nats-test-'))
const file = (name: string, text = '') => {
  const path = join(folder, name)
  if (text !== '') writeFileSync(path, text)
  return path
}

let server: NatsServer | null = null
afterEach(async () => {
  await server?.stop()
  server = null
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function serve(config: string): Promise<string> {
  server = await startNatsServer({ config, jetStream: false })
  return server.url
}

/** Connects, sends a message to itself, and closes. */
async function roundTrip(options: NatsOptions): Promise<string> {
  const connection = await connectNats(options)
  try {
    connection.subscribe('question', { callback: (_, message) => void message.respond('answer') })
    return (await connection.request('question')).string()
  } finally {
    await connection.close()
  }
}

/** The line with which a connection fails; nothing secret is in it. */
async function failure(options: NatsOptions): Promise<string> {
  const error = await connectNats(options).then(
    (connection) => connection.close().then(() => 'connected'),
    (reason) => reason,
  )
  expect(error.name).toBe('UsageError')
  expect(error.message).not.toMatch(/s3cret|\n/)
  return error.message
}

describe('a connection to NATS', () => {
  it('takes a user with a password from the address or from options', async () => {
    const url = await serve('authorization { user: ada, password: "s3cret:@1" }')
    const host = url.slice(7)
    expect(await roundTrip({ servers: `nats://ada:s3cret%3A%401@${host}` })).toBe('answer')
    expect(await roundTrip({ servers: url, user: 'ada', password: 's3cret:@1' })).toBe('answer')
    expect(await roundTrip({ servers: `nats://ada@${host}`, password: 's3cret:@1' })).toBe('answer')
    expect(await failure({ servers: `nats://ada:s3cret2@${host}` })).toBe(
      `nats://${host}: The server does not accept the credentials. ` +
        'Check user and password, token, NKey or credentials file.',
    )
    expect(await failure({ servers: url })).toContain('does not accept the credentials')
    expect(await failure({ servers: `nats://s3cret@${host}`, user: 'ada' })).toContain(
      'Several credentials are given: user, token.',
    )
  })

  it('takes a token', async () => {
    const url = await serve('authorization { token: s3cret }')
    expect(await roundTrip({ servers: url, token: 's3cret' })).toBe('answer')
    expect(await roundTrip({ servers: url.replace('//', '//s3cret@') })).toBe('answer')
    expect(await failure({ servers: url, token: 's3cret2' })).toContain('does not accept')
  })

  it('takes the seed of an NKey', async () => {
    const [known, unknown] = [nkeys.createUser(), nkeys.createUser()]
    const url = await serve(`authorization { users: [{ nkey: ${known.getPublicKey()} }] }`)
    const seed = (key: typeof known) => `# a seed\n${Buffer.from(key.getSeed())}\n`
    const nkeyFile = file('known.nk', seed(known))
    expect(await roundTrip({ servers: url, nkeyFile })).toBe('answer')
    const other = file('unknown.nk', seed(unknown))
    expect(await failure({ servers: url, nkeyFile: other })).toContain('does not accept')
    const broken = file('broken.nk', 'SUs3cret\n')
    expect(await failure({ servers: url, nkeyFile: broken })).toBe(
      `${broken}: This file has no seed of a user's NKey. It needs a line that begins with SU.`,
    )
  })

  it('takes a file of credentials', async () => {
    const account = madeAccount()
    const url = await serve(account.config)
    expect(await roundTrip({ servers: url, credsFile: file('a.creds', account.creds) })).toBe(
      'answer',
    )
    const missing = file('missing.creds')
    expect(await failure({ servers: url, credsFile: missing })).toBe(
      `${missing}: Cannot read this file: ENOENT: no such file or directory. ` +
        'Check its path and rights.',
    )
    const broken = file('broken.creds', 's3cret')
    expect(await failure({ servers: url, credsFile: broken })).toContain(
      'This is not a file of credentials',
    )
  })

  it('says what is wrong with an address', async () => {
    const [address] = await freeAddresses(1)
    expect(await failure({ servers: `nats://ada:s3cret@${address}` })).toBe(
      `nats://${address}: No server listens there. Start nats-server, or correct the address.`,
    )
    expect(await failure({ servers: 'http://ada:s3cret@localhost' })).toContain(
      '"http://localhost" begins with http://.',
    )
    expect(await failure({ servers: 'nats://no.such.host.invalid' })).toContain(
      'This host is unknown.',
    )
    const mute = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => mute.once('listening', resolve))
    const { port } = mute.address() as { port: number }
    expect(await failure({ servers: `127.0.0.1:${port}`, timeoutMs: 100 })).toContain(
      'No server of NATS answers there.',
    )
    mute.close()
  })

  it('tells when it is lost and when it is back', async () => {
    const url = await serve('')
    const events: NatsEvent[] = []
    const connection = await connectNats({ servers: url }, (event) => events.push(event))
    const seen = () => events.map(({ what }) => what)
    await server?.halt('SIGKILL')
    await expect.poll(seen, { timeout: 60_000 }).toContain('disconnected')
    await server?.restart()
    await expect.poll(seen, { timeout: 60_000 }).toContain('reconnected')
    await connection.close()
    await expect.poll(seen, { timeout: 60_000 }).toContain('closed')
  })
})

describe('TLS to NATS', () => {
  beforeAll(() => {
    const openssl = (words: string) =>
      execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'ignore' })
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1'
    openssl(`req -x509 ${key} -subj /CN=authority -keyout ca.key -out ca.pem`)
    for (const [name, hosts] of [
      ['server', 'IP:127.0.0.1,DNS:localhost'],
      ['elsewhere', 'DNS:elsewhere,DNS:localhost'],
      ['client', 'DNS:client'],
    ])
      openssl(
        `req -x509 ${key} -subj /CN=${name} -addext subjectAltName=${hosts} ` +
          `-CA ca.pem -CAkey ca.key -keyout ${name}.key -out ${name}.pem`,
      )
  })

  const config = (name: string, more = '') =>
    `tls { cert_file: "${file(`${name}.pem`)}", key_file: "${file(`${name}.key`)}" ${more} }`
  const ca = { caFile: file('ca.pem') }

  it('needs the authority of the server', async () => {
    const url = await serve(config('server'))
    expect(await roundTrip({ servers: url, tls: ca })).toBe('answer')
    expect(await roundTrip({ servers: url.replace('127.0.0.1', 'localhost'), tls: ca })).toBe(
      'answer',
    )
    expect(await failure({ servers: url })).toMatch(
      /The connection by TLS failed: .*certificate.*\. Name the file with the certificate of/,
    )
  })

  it("compares addresses with the server's certificate", async () => {
    const url = await serve(config('elsewhere'))
    expect(await failure({ servers: url, tls: ca })).toContain(
      "Use a name or address that is in the server's certificate.",
    )
  })

  it('shows a certificate of the client', async () => {
    const url = await serve(config('server', `, verify: true, ca_file: "${file('ca.pem')}"`))
    const own = { ...ca, certFile: file('client.pem'), keyFile: file('client.key') }
    expect(await roundTrip({ servers: url, tls: own })).toBe('answer')
    expect(await failure({ servers: url, tls: ca, timeoutMs: 500 })).toContain(
      'The server asks for a certificate of the client.',
    )
    expect(await failure({ servers: url, tls: { certFile: own.certFile } })).toContain(
      'A certificate and its key are given together.',
    )
  })

  it('is not given up for a server without it', async () => {
    const url = await serve('')
    expect(await failure({ servers: url, tls: ca })).toContain('The server has no TLS.')
    expect(await failure({ servers: url.replace('nats:', 'tls:') })).toContain(
      'Write nats:// in place of tls://.',
    )
  })
})

/** An operator, an account and a user, as `nsc` makes them. */
function madeAccount(): { readonly config: string; readonly creds: string } {
  const [operator, account, user] = [
    nkeys.createOperator(),
    nkeys.createAccount(),
    nkeys.createUser(),
  ]
  const everything = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, conn: -1 }
  const limits = { ...everything, leaf: -1, wildcards: true }
  const accountJwt = jwt(operator, account, { type: 'account', limits })
  const userJwt = jwt(account, user, { type: 'user', pub: {}, sub: {}, ...everything })
  const key = account.getPublicKey()
  return {
    config: [
      `operator: ${jwt(operator, operator, { type: 'operator' })}`,
      'resolver: MEMORY',
      `resolver_preload: { ${key}: ${accountJwt} }`,
    ].join('\n'),
    creds: [
      '-----BEGIN NATS USER JWT-----',
      userJwt,
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      Buffer.from(user.getSeed()).toString(),
      '------END USER NKEY SEED------',
      '',
    ].join('\n'),
  }
}

type Key = ReturnType<typeof nkeys.createUser>

function jwt(issuer: Key, subject: Key, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const body = [
    part({ typ: 'JWT', alg: 'ed25519-nkey' }),
    part({
      jti: subject.getPublicKey(),
      iat: 1,
      iss: issuer.getPublicKey(),
      sub: subject.getPublicKey(),
      name: 'test',
      nats: { ...claims, version: 2 },
    }),
  ].join('.')
  return `${body}.${Buffer.from(issuer.sign(Buffer.from(body))).toString('base64url')}`
}
