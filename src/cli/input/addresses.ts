import { type Address, memberNetwork, parseAddresses } from '../../cluster/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'

/** The addresses of all processes, and the network between them. */
export interface Addresses {
  readonly flag: '--ring' | '--complete'
  readonly network: 'ring' | 'complete'
  /** By position; null if they are read from standard input. */
  readonly list: readonly Address[] | null
}

/** The addresses from --ring or --complete, whichever the algorithm needs. */
export function addressesOf(
  {
    ring,
    complete,
    links,
  }: { readonly ring?: string; readonly complete?: string; readonly links?: string },
  algorithm: Algorithm,
): Addresses {
  const usual = links === undefined ? memberNetwork(algorithm) : 'complete'
  const text = ring ?? complete
  if (text === undefined || (ring !== undefined && complete !== undefined)) {
    throw new UsageError(
      'conclave node',
      text === undefined
        ? '--ring or --complete is required, with the addresses of all processes.'
        : '--ring and --complete cannot be combined.',
      'See conclave node --help.',
    )
  }
  const network = ring === undefined ? 'complete' : 'ring'
  const flag = `--${network}` as const
  if (links === undefined && algorithm.needs.topology !== 'any' && usual !== network) {
    throw new UsageError(
      flag,
      `${algorithm.name} does not run on a ${network} network.`,
      `Use --${usual}.`,
    )
  }
  return { flag, network, list: text === '-' ? null : parseAddresses(text.split(','), flag) }
}

/** The addresses of n processes from one line of JSON. */
export function readAddresses(flag: string, line: string, n: number): Address[] {
  const texts = listIn(line)
  if (texts.length === n) return parseAddresses(texts, flag)
  throw new UsageError(
    flag,
    `the first line of standard input is not a JSON array of ${n} addresses.`,
    'Write for example ["127.0.0.1:7001","127.0.0.1:7002"].',
  )
}

function listIn(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return []
  }
}
