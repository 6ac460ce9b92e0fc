import { Command } from 'commander'
import { flagged, prepare } from '../../scenario/index.ts'
import { integer } from '../../scenario/reading.ts'
import { type ClusterOutcome, startCluster } from '../cluster-processes.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { algorithmNamed } from '../lookup.ts'
import { columns, grouped, paintFor } from '../paint.ts'
import { refuseSimulated } from '../real-processes.ts'
import { addScenarioFlags, givenOf, WAKE_AT_ONCE } from '../scenario-flags.ts'

interface Options extends Record<string, unknown> {
  readonly json?: true
  readonly n?: string
}

/** Each member is a process of its own. */
const MOST = 200

const EXAMPLES = `
Examples:
  conclave cluster chang-roberts -n 5
  conclave cluster hirschberg-sinclair --ids 3,2,7,8,5,4,1,6 --json`

export function clusterCommand(io: Io, leave: Leave): Command {
  const command = new Command('cluster')
    .description('several real processes on loopback, and what they elect')
    .argument('<algorithm>', 'a name from conclave list')
  return addScenarioFlags(command, ['n', 'ids', 'wake', 'seed', 'set'], { wake: WAKE_AT_ONCE })
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, options: Options) => {
      const algorithm = algorithmNamed(name)
      if (options.n !== undefined) integer('-n', options.n, 1, MOST)
      const given = givenOf(options)
      const preparation = prepare(given, algorithm, flagged)
      refuseSimulated(preparation)
      const { world } = preparation
      integer('-n', world.topology.n, 1, MOST)
      const outcome = await startCluster(algorithm, world.topology.n, given, io)
      if (outcome === null) return leave(EXIT.interrupted)
      io.out(options.json ? `${JSON.stringify(outcome)}\n` : report(outcome, io))
      leave(outcome.agreed ? EXIT.done : EXIT.violated)
    })
}

function report({ algorithm, n, leader, messages, nodes }: ClusterOutcome, io: Io): string {
  const paint = paintFor(io.colours)
  const rows = columns([
    ['position', 'process', 'id', 'status', 'leader', 'sent'],
    ...nodes.map(({ node, pid, id, status, leader: view, messages: { total } }) =>
      [node, pid, id, status, view ?? '-', grouped(total)].map(String),
    ),
  ])
  const types = Object.entries(messages.byType).map(([type, count]) => `${grouped(count)} ${type}`)
  const who =
    leader === null ? 'no single leader' : `id ${leader.id} leads (position ${leader.node})`
  return `${[
    `${paint.bold(algorithm)}  ${paint.dim(`${n} processes over TCP on loopback`)}`,
    '',
    ...rows.map((row) => `  ${row}`),
    '',
    `  ${paint.bold(who)}, ${grouped(messages.total)} messages (${types.join(', ')})`,
  ].join('\n')}\n`
}
