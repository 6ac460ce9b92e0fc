import { Command } from 'commander'
import { candidatesFor } from '../choose/candidates.ts'
import { choiceDocument, choiceText } from '../choose/choice-report.ts'
import { COMPUTED } from '../choose/computed-functions.ts'
import { KNOWN, offeredWorld, type WorldFlags } from '../choose/offered-world.ts'
import { askedWorld } from '../choose/questions.ts'
import { EXIT, type Io, type Leave } from '../io.ts'

interface Options extends WorldFlags {
  readonly json?: true
}

const EXAMPLES = `
In a terminal, what is not said by flags is asked if --topology is left out. Everything that is not
said is taken to be as weak as possible: nodes know nothing but their ids, delays have no bound.
Costs are computed from proven bounds for this very network; networks of up to 1,000 nodes are
simulated, too. --timing: async (no bound on delays), clocks (nodes measure time, delays have no
bound), bounded (delays have a known bound), sync (rounds), pairs (nodes meet in pairs).

Examples:
  conclave choose
  conclave choose --topology ring:64 --save messages
  conclave choose --topology complete:16 --knows n,direction --save time
  conclave choose -t complete:5 --timing clocks --knows all --crashes
  conclave choose --topology ring:8 --anonymous --knows n
  conclave choose --topology random:100:0.08 --compute average --json`

export function chooseCommand(io: Io, leave: Leave): Command {
  return new Command('choose')
    .description('propose algorithms that fit a world, with their costs there')
    .option(
      '-t, --topology <network>',
      'network with its size: ring:64, complete:16, grid:3x4, ...',
    )
    .option('-n <size>', 'size, where the network is a name: --topology ring -n 64')
    .option('--compute <what>', `what is to be found: leader, ${COMPUTED.join(', ')}`)
    .option('--timing <async|clocks|bounded|sync|pairs>', 'how long messages take (default: async)')
    .option('--ids <numbers|unique|none>', 'ids of nodes; unique: only compared (default: numbers)')
    .option('--anonymous', 'the same as --ids none')
    .option('--knows <list>', `what else nodes know: nothing, all, or some of ${KNOWN.join(', ')}`)
    .option('--order <fifo|any>', 'whether links keep the order of messages (default: fifo)')
    .option('--wake <all|one|any>', 'which nodes start; any: at any time (default: all)')
    .option('--crashes', 'nodes may crash')
    .option('--loss <probability>', 'probability that a message is lost (default: 0)')
    .option('--save <messages|time|bits>', 'what is to be saved (default: messages)')
    .option('--seed <number>', 'seed of the first simulation (default: 1)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (options: Options) => {
      const { json, ...flags } = options
      const keys = json || flags.topology !== undefined ? undefined : io.keys?.()
      const world = keys === undefined ? offeredWorld(flags) : await askedWorld(flags, keys, io)
      if (world === null) return leave(EXIT.done)
      const candidates = candidatesFor(world)
      io.out(
        json
          ? `${JSON.stringify(choiceDocument(world, candidates))}\n`
          : choiceText(world, candidates, io),
      )
      leave(EXIT.done)
    })
}
