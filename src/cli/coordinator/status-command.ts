import { Command } from 'commander'
import type { CoordinatorStatus } from '../../coordinator/operations/status.ts'
import { UsageError } from '../../core/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { askStatus } from './ask-member.ts'
import { isWell, statusLines } from './status-report.ts'

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

export function statusCommand(io: Io, leave: Leave): Command {
  return new Command('status')
    .description('who leads, in which terms, and who is reachable, as a running member knows it')
    .argument('[addresses...]', 'addresses of members, as in their --http')
    .option('--storage <folder>', 'ask the member on this machine that has this folder')
    .option('--watch', 'look again every second, until Ctrl-C')
    .option('--json', 'print the status as JSON; with --watch a line each time')
    .addHelpText('after', EXAMPLES)
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
