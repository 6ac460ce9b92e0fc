import { type Address, parseAddresses } from '../../cluster/index.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'

/** Where the processes of an election listen, and how they are linked. */
export interface Addresses {
  readonly flag: '--ring' | '--complete'
  readonly network: 'ring' | 'complete'
  /** By position; null where they are to be read from standard input. */
  readonly list: readonly Address[] | null
}

/** The addresses from the one flag of the two that the algorithm's network asks for. */
export function addressesOf(
  { ring, complete }: { readonly ring?: string; readonly complete?: string },
  { name, needs }: Algorithm,
): Addresses {
  const text = ring ?? complete
  if (text === undefined || (ring !== undefined && complete !== undefined)) {
    throw new UsageError(
      'conclave node',
      `--ring or --complete with the addresses of all processes is needed, but ${text === undefined ? 'neither was given' : 'both were given'}.`,
      'See conclave node --help.',
    )
  }
  const network = ring === undefined ? 'complete' : 'ring'
  const flag = `--${network}` as const
  if (needs.topology !== 'any' && needs.topology !== network) {
    throw new UsageError(
      flag,
      `${name} needs a ${needs.topology} network, but a ${network} network was given.`,
      `Use --${needs.topology}.`,
    )
  }
  return { flag, network, list: text === '-' ? null : parseAddresses(text.split(','), flag) }
}

/** The addresses of n processes out of one line of JSON. */
export function readAddresses(flag: string, line: string, n: number): Address[] {
  const texts = listIn(line)
  if (texts.length === n) return parseAddresses(texts, flag)
  throw new UsageError(
    flag,
    `a JSON array of ${n} addresses is needed on standard input, but something else came.`,
    'Write one line.',
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
