import { Command } from 'commander'
import { type Aggregation, aggregations, catalogue } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { columns, paintFor } from '../paint.ts'

export function listCommand(io: Io, leave: Leave): Command {
  return new Command('list')
    .description('the catalogue: algorithm, network, model, cost')
    .option('--json', 'one JSON document')
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

function entryOf({ name, needs, theory }: Algorithm) {
  return { name, network: needs.topology, model: modelOf(needs), cost: theory.cost }
}

const KNOWLEDGE = {
  n: 'n known',
  peers: 'neighbours known',
  liveness: 'failure detector',
  weights: 'weights of links',
  direction: 'sense of direction',
  inputs: 'values',
} as const

/** What an algorithm asks for, in a few words. */
export function modelOf({ time, order, knows, ids, start }: Algorithm['needs']): string {
  return [
    time === 'rounds' ? 'synchronous' : (time ?? 'any timing'),
    ...(order === 'fifo' ? ['FIFO links'] : []),
    ...(knows ?? []).map((what) => KNOWLEDGE[what]),
    ...(start === 'together' ? ['common start'] : []),
    ...(ids === undefined ? ['anonymous'] : []),
  ].join(', ')
}

function table(io: Io): string {
  const paint = paintFor(io.colours)
  const known = entries()
  const rows = columns([
    ['algorithm', 'network', 'cost, and what it needs'],
    ...known.map(({ name, network, cost }) => [name, network, cost]),
    ...known.map(({ model }) => ['', '', model]),
  ])
  const [head, ...lines] = rows
  const told = known.flatMap((_, i) => [lines[i], paint.dim(lines[known.length + i])])
  return `${[paint.bold(head), ...told].join('\n')}\n`
}
