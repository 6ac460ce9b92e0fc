import { Command } from 'commander'
import { catalogue } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { columns, paintFor } from '../paint.ts'

export function listCommand(io: Io, leave: Leave): Command {
  return new Command('list')
    .description('the catalogue: algorithm, network, model, cost')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample:\n  conclave list')
    .action(({ json }: { json?: true }) => {
      io.out(json ? `${JSON.stringify(catalogue.map(entryOf))}\n` : table(io))
      leave(EXIT.done)
    })
}

function entryOf({ name, needs, theory }: Algorithm) {
  return { name, network: needs.topology, model: modelOf(needs), cost: theory.cost }
}

/** What an algorithm asks for, in a few words. */
export function modelOf({ time, order, knows, ids, start }: Algorithm['needs']): string {
  return [
    time === 'rounds' ? 'synchronous' : 'any timing',
    ...(order === 'fifo' ? ['FIFO links'] : []),
    ...(knows?.includes('n') ? ['n known'] : []),
    ...(start === 'together' ? ['common start'] : []),
    ...(ids === undefined ? ['anonymous'] : []),
  ].join(', ')
}

function table(io: Io): string {
  const paint = paintFor(io.colours)
  const rows = catalogue
    .map(entryOf)
    .map(({ name, network, model, cost }) => [name, network, model, cost])
  const [head, ...lines] = columns([['algorithm', 'network', 'model', 'cost'], ...rows])
  return `${[paint.bold(head), ...lines].join('\n')}\n`
}
