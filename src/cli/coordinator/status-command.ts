import { get } from 'node:http'
import { parseAddress } from '../../cluster/transports/address.ts'
import { controlRequest } from '../../coordinator/operations/control.ts'
import type { CoordinatorStatus, MemberStatus } from '../../coordinator/operations/status.ts'
import { UsageError } from '../../core/index.ts'
import { counted } from '../../core/text-format.ts'
import { elapsedText } from '../input/duration.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { type Colours, coloursFor, columns } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

interface Options {
  readonly storage?: string
  readonly watch?: true
  readonly json?: true
}

const EXAMPLES = `
Ask any member: by the address that it has in --http, or on its machine by its storage folder. Given
several addresses, the first member that answers is asked. Exit code 1: a role has no leader that
this member knows of, or it neither votes nor leads, and says why.

Examples:
  conclave status 127.0.0.1:9400
  conclave status --storage /var/lib/billing --watch
  conclave status 127.0.0.1:9400 127.0.0.1:9401 --json`

/** A second: the time between two looks. */
const INTERVAL = 1000

export function statusCommand(io: Io, leave: Leave): Verb {
  return new Verb('status')
    .description('who leads, in which terms, and who is reachable, as a running member knows it')
    .argument('[addresses...]', 'addresses of members, as in their --http')
    .group('members')
    .option('--storage <folder>', 'ask the member on this machine that has this folder')
    .group('output')
    .option('--watch', 'look again every second, until Ctrl-C')
    .option('--json', 'print the status as JSON; with --watch a line each time')
    .about(EXAMPLES)
    .action(async (addresses: string[], options: Options) => {
      leave(await showStatus(addresses, options, io))
    })
}

async function showStatus(
  addresses: readonly string[],
  { storage, watch, json }: Options,
  io: Io,
): Promise<number> {
  if ((addresses.length === 0) === (storage === undefined))
    throw new UsageError(
      'conclave status',
      storage === undefined
        ? 'the address of a member is missing.'
        : 'an address and --storage cannot be combined.',
      'Write for example conclave status 127.0.0.1:9400.',
    )
  const paint = coloursFor(io)
  let status = await askStatus(addresses, storage)
  for (;;) {
    const lines = json ? [JSON.stringify(status)] : statusLines(status, paint)
    // A terminal shows the newest only.
    const clear = watch && io.progress && !json ? '\u001b[H\u001b[2J' : ''
    io.out(`${clear}${lines.join('\n')}\n`)
    if (!watch) return isWell(status) ? EXIT.done : EXIT.violated
    if (!json && clear === '') io.out('\n')
    status = await nextStatus(addresses, storage, io)
  }
}

/** The status at the next look at which a member answers: it may be restarted meanwhile. */
async function nextStatus(
  addresses: readonly string[],
  storage: string | undefined,
  io: Io,
): Promise<CoordinatorStatus> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
    try {
      return await askStatus(addresses, storage)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      io.err(`${error.message}\n`)
    }
  }
}

/** A member that is silent for so long does not answer, in milliseconds. */
const PATIENCE = 3000
/** Longer answers are not those of a member. */
const ANSWER_LENGTH_MAX = 10_000_000

/** The status of the first member that answers. */
export async function askStatus(
  addresses: readonly string[],
  storage: string | undefined,
): Promise<CoordinatorStatus> {
  if (storage !== undefined)
    return (await controlRequest(storage, 'status', {}, PATIENCE)) as CoordinatorStatus
  const problems: string[] = []
  for (const address of addresses) {
    try {
      return await statusAt(address)
    } catch (error) {
      if (error instanceof UsageError) throw error
      problems.push(`${address}: ${(error as Error).message}`)
    }
  }
  throw new UsageError(
    'conclave status',
    `no member answers (${problems.join('; ')}).`,
    'Give the address that a member has in --http, or its folder with --storage.',
  )
}

function statusAt(text: string): Promise<CoordinatorStatus> {
  const { host, port } = parseAddress(text.replace(/^http:\/\//, '').replace(/\/$/, ''))
  return new Promise((resolve, reject) => {
    const request = get({ host, port, path: '/status', timeout: PATIENCE }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > ANSWER_LENGTH_MAX) request.destroy(new Error('the answer is too long'))
      })
      response.on('end', () => {
        const status = statusIn(body)
        if (response.statusCode === 200 && status !== null) resolve(status)
        else reject(new Error('another program answers there'))
      })
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('no answer within 3 s')))
    request.on('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Error(code === 'ECONNREFUSED' ? 'nobody listens there' : message)),
    )
  })
}

function statusIn(body: string): CoordinatorStatus | null {
  try {
    const status = JSON.parse(body)
    return Array.isArray(status.members) && typeof status.roles === 'object' ? status : null
  } catch {
    return null
  }
}

/** What a member knows of its cluster, as lines for people. */
export function statusLines(status: CoordinatorStatus, paint: Colours): string[] {
  const { name, me, configuration, members, roles, problems } = status
  const { term, number, voters, next } = configuration
  const facts = [
    `as ${me} sees it`,
    counted(voters.length, 'voter'),
    `configuration ${term}.${number}`,
    ...(next === null ? [] : [`changing to ${next.join(', ')}`]),
  ]
  const roleRows = Object.entries(roles).map(([role, { leader, term, leaseMs, pid }]) => [
    role,
    leader ?? 'nobody',
    String(term),
    leaseMs === null ? '-' : elapsedText(leaseMs),
    pidText(pid),
  ])
  return [
    `${paint.bold(name)}  ${paint.dim(facts.join(' · '))}`,
    ...problems.map((problem) => paint.red(`! ${problem}`)),
    ...table(['role', 'leader', 'term', 'lease left', 'pid'], roleRows, paint),
    ...table(
      ['member', 'address', 'votes', 'state', 'round trip', 'last heard', 'pid'],
      members.map((member) => memberRow(member, me, configuration.witnesses)),
      paint,
    ),
  ]
}

function memberRow(
  { id, address, votes, reachable, roundTripMs, silentMs, pid }: MemberStatus,
  me: string,
  witnesses: readonly string[],
): string[] {
  const state = id === me ? 'this member' : reachable ? 'reachable' : 'unreachable'
  const time = (milliseconds: number | null) =>
    milliseconds === null || id === me ? '-' : elapsedText(milliseconds)
  return [
    id,
    address ?? '-',
    votes ? (witnesses.includes(id) ? 'witness' : 'yes') : 'no',
    state,
    time(roundTripMs),
    time(silentMs),
    pidText(pid),
  ]
}

/** Members of an older version do not tell it. */
function pidText(pid: number | null | undefined): string {
  return String(pid ?? '-')
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Colours,
): string[] {
  if (rows.length === 0) return []
  const [first, ...rest] = columns([head, ...rows])
  return ['', paint.dim(first), ...rest]
}

/** Whether every role has a leader, and the member that was asked is well. */
export function isWell({ problems, roles }: CoordinatorStatus): boolean {
  return problems.length === 0 && Object.values(roles).every(({ leader }) => leader !== null)
}
