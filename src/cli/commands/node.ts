import { createInterface } from 'node:readline'
import { Command } from 'commander'
import {
  type Address,
  addressText,
  Listener,
  Member,
  parseAddress,
  peersOf,
  tcpLinks,
  tcpTransport,
} from '../../cluster/index.ts'
import { Complaint } from '../../core/index.ts'
import { uidBits } from '../../core/world.ts'
import { flagged, prepare } from '../../scenario/index.ts'
import { decimal, integer } from '../../scenario/reading.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { algorithmNamed } from '../lookup.ts'
import { refuseSimulated } from '../real-processes.ts'
import { addScenarioFlags, givenOf, WAKE_AT_ONCE } from '../scenario-flags.ts'

interface Options extends Record<string, unknown> {
  readonly algorithm: string
  readonly ring: string
  readonly me: string
  readonly n?: string
  readonly patience: string
  readonly stay?: true
  readonly json?: true
}

/** What one process says when its part is over. */
export interface NodeReport {
  readonly node: number
  readonly id: number
  readonly status: string
  readonly leader: number | null
  readonly messages: { readonly total: number; readonly byType: Readonly<Record<string, number>> }
}

const EXAMPLES = `
Every process of a ring is started with the same --ring and its own --me. With --ring - the
process prints the address it listens at and reads the ring from standard input: one JSON array.

Examples, in two terminals:
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 0
  conclave node --algorithm lcr --ring 127.0.0.1:7001,127.0.0.1:7002 --me 1`

export function nodeCommand(io: Io, leave: Leave): Command {
  const command = new Command('node')
    .description('one real process of a ring')
    .requiredOption('--algorithm <name>', 'a name from conclave list')
    .requiredOption('--ring <addresses>', 'the addresses of all processes, by position, or -')
    .requiredOption('--me <position>', 'the position of this process, from 0')
  return addScenarioFlags(command, ['n', 'ids', 'wake', 'seed', 'set'], {
    n: 'how many processes there are; needed with --ring -',
    wake: WAKE_AT_ONCE,
  })
    .option('--patience <seconds>', 'how long to wait for the neighbours', '60')
    .option('--stay', 'stay after the election, until interrupted')
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => leave(await takePart(options, io)))
}

async function takePart(options: Options, io: Io): Promise<number> {
  const algorithm = algorithmNamed(options.algorithm, '--algorithm')
  const patience =
    1000 * decimal('--patience', options.patience, 'a number of seconds above 0', 60, (s) => s > 0)
  const ring = options.ring === '-' ? null : ringOf(options.ring.split(','))
  const n = ring?.length ?? integer('-n', options.n, 1, 10_000)
  const me = positionOf(options.me, n)
  const given = { ...givenOf(options), topology: `ring:${n}` }
  const preparation = prepare(given, algorithm, flagged)
  refuseSimulated(preparation)
  const { world, conditions } = preparation
  const log = (line: string) => io.err(`position ${me}: ${line}\n`)
  const listener = await Listener.at(ring?.[me] ?? { host: '127.0.0.1', port: 0 })
  const addresses = ring ?? (await ringFromParent(listener, n, io))
  const transport = tcpTransport({
    listener,
    links: tcpLinks(world.topology, me, addresses),
    patience,
    log,
  })
  const member = new Member({
    transport,
    algorithm,
    position: me,
    n,
    id: world.ids[me],
    params: world.params,
    peers: peersOf(world, me),
    uidBits: uidBits(world),
    starts: conditions.starts.nodes.includes(me),
    stay: options.stay === true,
    log,
  })
  if (!options.json) {
    let known: number | null = null
    member.on('outcome', ({ status, leader }) => {
      if (leader === known) return
      known = leader
      const self = status === 'leader' ? ' (this process)' : ''
      io.out(`position ${me}: id ${leader} leads${self}\n`)
    })
  }
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    void member.close()
  }
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  // Whoever started this process and spoke to it is gone: nobody is left to report to.
  if (ring === null) process.stdin.once('end', interrupt).resume()
  try {
    await member.open()
    await member.ended
  } catch (error) {
    if (!interrupted) throw error
  } finally {
    await member.close()
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    if (ring === null) process.stdin.destroy()
  }
  io.out(reportText(reportOf(member, me, world.ids[me]), options.json === true))
  if (interrupted) return EXIT.interrupted
  return member.outcome.leader === null ? EXIT.violated : EXIT.done
}

function reportOf(member: Member, node: number, id: number): NodeReport {
  const { status, leader } = member.outcome
  const { total, byType } = member.counts
  return { node, id, status, leader, messages: { total, byType } }
}

function reportText(report: NodeReport, json: boolean): string {
  if (json) return `${JSON.stringify(report)}\n`
  const { node, messages } = report
  const types = Object.entries(messages.byType).map(([type, count]) => `${count} ${type}`)
  return `position ${node}: sent ${messages.total} messages (${types.join(', ')})\n`
}

function ringOf(texts: readonly string[]): Address[] {
  const addresses = texts.map((text) => addressOf(text.trim()))
  const twice = addresses.find((one, i) =>
    addresses.slice(0, i).some((other) => addressText(other) === addressText(one)),
  )
  if (twice === undefined) return addresses
  throw new Complaint(
    '--ring',
    'every process needs an address of its own',
    `${addressText(twice)} is there twice`,
    'Change one of them.',
  )
}

function addressOf(text: string): Address {
  try {
    return parseAddress(text)
  } catch (error) {
    throw error instanceof Complaint ? error.at('--ring') : error
  }
}

function positionOf(me: string, n: number): number {
  const position = integer('--me', me, 0, Number.MAX_SAFE_INTEGER)
  if (position < n) return position
  throw new Complaint(
    '--me',
    `a position from 0 to ${n - 1} is needed`,
    `${position} was given`,
    'Positions are counted from 0.',
  )
}

/** Tells whoever started this process where it listens, and is told the ring. */
async function ringFromParent(listener: Listener, n: number, io: Io): Promise<Address[]> {
  io.out(`${JSON.stringify({ listening: addressText(listener.address) })}\n`)
  try {
    for await (const line of createInterface({ input: process.stdin })) {
      const texts = listIn(line)
      if (texts.length === n) return ringOf(texts)
      break
    }
    throw new Complaint(
      '--ring',
      `a JSON array of ${n} addresses is needed on standard input`,
      'something else came',
      'Write one line.',
    )
  } catch (error) {
    process.stdin.destroy()
    await listener.close()
    throw error
  }
}

function listIn(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    return Array.isArray(value) ? value.map(String) : []
  } catch {
    return []
  }
}
