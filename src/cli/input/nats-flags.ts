import { UsageError } from '../../core/index.ts'
import { type NatsOptions, parseNatsAddresses, withoutSecrets } from '../../nats/options.ts'
import type { Option } from '../../options/option.ts'

/** The flags of a connection to NATS; their names are those of the command `nats`. */
export interface NatsFlags {
  readonly user?: string
  readonly creds?: string
  readonly nkey?: string
  readonly tlsca?: string
  readonly tlscert?: string
  readonly tlskey?: string
}

/** There is no flag for a password or a token: all users of a machine see its process list. */
export const NATS_HELP = `
As whom to connect to NATS: nats://user:password@host:4222 or nats://token@host:4222, or --user,
--creds or --nkey. The environment has what is not given: NATS_URL, NATS_USER, NATS_PASSWORD,
NATS_TOKEN, NATS_CREDS, NATS_NKEY, NATS_CA, NATS_CERT, NATS_KEY. A password belongs there: on the
command line it is in the process list until the program hides it. tls://host:4222 insists on TLS.`

export const NATS: Readonly<Record<keyof NatsFlags, Option>> = {
  user: { group: 'NATS', value: 'name', says: 'NATS: user; the password is in NATS_PASSWORD' },
  creds: { group: 'NATS', value: 'file', says: 'NATS: file of credentials (JWT)' },
  nkey: { group: 'NATS', value: 'file', says: 'NATS: file with the seed of an NKey' },
  tlsca: { group: 'NATS', value: 'file', says: "NATS: certificate of the server's authority" },
  tlscert: { group: 'NATS', value: 'file', says: 'NATS: certificate of this client' },
  tlskey: { group: 'NATS', value: 'file', says: 'NATS: key of this client' },
}

export const NATS_NAMES = Object.keys(NATS) as (keyof NatsFlags)[]

/** Without the flag of an address there is no connection that they could belong to. */
export function refuseNatsFlags(flags: NatsFlags, address: '--on' | '--nats'): void {
  const unused = NATS_NAMES.find((name) => flags[name] !== undefined)
  if (unused !== undefined)
    throw new UsageError(`--${unused}`, `it is for ${address} only.`, 'Leave it out.')
}

/**
 * Where to connect and as whom. `where` is the flag or argument of the address, which may be in the
 * environment instead. Credentials of the command line displace those of the environment.
 */
export function natsOptionsOf(
  url: string | undefined,
  flags: NatsFlags,
  where: string,
  env: Readonly<NodeJS.ProcessEnv> = process.env,
): NatsOptions {
  const servers = url ?? env.NATS_URL
  if (servers === undefined || servers === '')
    throw new UsageError(
      where,
      'the address of a NATS server is missing.',
      'Write nats://host:4222, or set NATS_URL.',
    )
  const addresses = parseNatsAddresses(servers, url === undefined ? 'NATS_URL' : where)
  const { user, creds, nkey } = flags
  const named = { user, credsFile: creds, nkeyFile: nkey }
  const isNamed = [user, creds, nkey, addresses.user, addresses.token].some(isGiven)
  const files = {
    caFile: flags.tlsca ?? env.NATS_CA,
    certFile: flags.tlscert ?? env.NATS_CERT,
    keyFile: flags.tlskey ?? env.NATS_KEY,
  }
  const tls = given(files)
  return {
    servers,
    ...given(isNamed ? named : environmentOf(env)),
    ...given({ password: takesPassword(named, addresses) ? env.NATS_PASSWORD : undefined }),
    ...(Object.keys(tls).length > 0 && { tls }),
  }
}

/** Whether the password of the environment belongs to a user who is named without one. */
function takesPassword(
  { user, credsFile, nkeyFile }: Record<string, string | undefined>,
  addresses: { readonly password?: string; readonly token?: string },
): boolean {
  if (isGiven(credsFile) || isGiven(nkeyFile)) return false
  return isGiven(user) || (isGiven(addresses.token) && !isGiven(addresses.password))
}

/** As for the command `nats`, a user without a password is a token. */
function environmentOf(env: Readonly<NodeJS.ProcessEnv>): Record<string, string | undefined> {
  const { NATS_USER: user, NATS_PASSWORD: password, NATS_TOKEN: token } = env
  const { NATS_CREDS: credsFile, NATS_NKEY: nkeyFile } = env
  return isGiven(user) && !isGiven(password)
    ? { token: user, credsFile, nkeyFile }
    : { user, password, token, credsFile, nkeyFile }
}

function given<T>(options: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, T] => isGiven(entry[1])),
  )
}

/** An empty variable of the environment counts as none. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== ''
}

/**
 * The words of a command line as the process list may show them, or null where it shows no secret.
 */
export function withoutPasswords(words: readonly string[]): string | null {
  const shown = words.map((word) => (/:\/\/.*@/s.test(word) ? withoutSecrets(word) : word))
  return shown.some((word, i) => word !== words[i]) ? shown.join(' ') : null
}
