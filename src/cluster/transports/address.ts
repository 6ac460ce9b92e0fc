import { UsageError } from '../../core/usage-error.ts'

/** Where a member listens. */
export interface Address {
  readonly host: string
  /** 0 is any free port; only for listening. */
  readonly port: number
}

const FORM = /^(?:\[([0-9a-f:.]+)\]|([^\s:[\]]+)):([0-9]{1,5})$/i

/** An address as people write it: `127.0.0.1:7001`, `localhost:7001`, `[::1]:7001`. */
export function parseAddress(text: string): Address {
  const [, ipv6, host, digits] = FORM.exec(text) ?? []
  const port = Number(digits)
  if (port >= 1 && port <= 65535) return { host: ipv6 ?? host, port }
  throw new UsageError(
    'address',
    `"${text}" is not a host with a port from 1 to 65535.`,
    'Write it like 127.0.0.1:7001.',
  )
}

/** An address as `parseAddress` reads it. */
export function addressText({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The addresses of all members; no two may be the same. */
export function parseAddresses(texts: readonly string[], where: string): Address[] {
  const addresses = texts.map((text) => {
    try {
      return parseAddress(text.trim())
    } catch (error) {
      throw error instanceof UsageError ? error.at(where) : error
    }
  })
  const names = addresses.map(addressText)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return addresses
  throw new UsageError(
    where,
    `${twice} is given twice; every process needs an address of its own.`,
    'Change one of them.',
  )
}
