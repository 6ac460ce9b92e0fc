import { Command } from 'commander'
import { modelOf } from '../../algorithms/assumptions.ts'
import { type Aggregation, aggregations, catalogue } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor, rowsWithin } from '../terminal/format.ts'

export function listCommand(io: Io, leave: Leave): Command {
  return new Command('list')
    .description('list all algorithms with their networks, needs and costs')
    .option('--json', 'print it as JSON')
    .addHelpText('after', '\nExample:\n  conclave list')
    .action(({ json }: { json?: true }) => {
      io.out(json ? `${JSON.stringify(entries())}\n` : table(io))
      leave(EXIT.done)
    })
}

function entries() {
  return [...catalogue.map(entryOf), ...aggregations.map(aggregationEntry)]
}

function aggregationEntry({ name, theory }: Aggregation) {
  return {
    name,
    network: 'any',
    model: 'gossip, by messages or in cycles, values, anonymous',
    cost: theory.cost,
  }
}

function entryOf({ name, needs, meet, theory }: Algorithm) {
  return { name, network: needs.topology, model: modelOf(needs, meet !== null), cost: theory.cost }
}

function table(io: Io): string {
  const paint = coloursFor(io)
  const known = entries()
  const rows = known.flatMap(({ name, network, cost, model }) => [
    [name, network, cost],
    ['', '', model],
  ])
  const head = ['algorithm', 'network', 'cost, and what it needs']
  const [title, ...listed] = rowsWithin([head, ...rows], paint.width)
  const needs = (i: number) => i % 2 === 1
  const lines = listed.flatMap((row, i) => (needs(i) ? row.map((line) => paint.dim(line)) : row))
  return `${[...title.map((line) => paint.bold(line)), ...lines].join('\n')}\n`
}
