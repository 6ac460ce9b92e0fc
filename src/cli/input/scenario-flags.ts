import { type Command, Option } from 'commander'
import { REPEATABLE } from '../../scenario/command-line.ts'
import type { ScenarioInput } from '../../scenario/index.ts'

const FLAGS: [flags: string, says: string][] = [
  [
    '-t, --topology <network>',
    'network with its size: ring:8, complete:16, grid:3x4, ... (default: what the algorithm needs)',
  ],
  ['-n <size>', 'size of the default network (default: 8)'],
  ['--ids <ids>', '3,2,7 or increasing, decreasing, bit-reversal, random, same (default: random)'],
  [
    '--wake <who>',
    'who starts: all, 0,4 or 0@1,4@3 (positions, with times), rate:0.8 (default: all; position 0 for bully, ring-list, wireless, tree-aggregate)',
  ],
  ['--weights <weights>', 'what links cost: random, or 1,2,3 in the order of the sorted edges'],
  [
    '--values <values>',
    'what nodes hold: 3,1,4 or uniform:0:1, index, peak; gossip: changes ;3@20=7 or ;drift:0.1',
  ],
  [
    '--elect-by <what>',
    'who wins: id, value, value:min, degree, near:X:Y; ties by id (default: id; value with --values)',
  ],
  ['--role <name>', 'an election of its own: name or name=algorithm, repeatable'],
  ['--crash <who>', 'who dies: 7 (never up), 7@12 (then), 0.5@10 (half of the living)'],
  ['--recover <who>', 'who comes back: 7@30, under another id 7@30:id=2'],
  ['--retire <who>', 'who steps down for good and stays alive: 7@20'],
  ['--detect <delay>', 'after how long the failure detector tells, or off (default: 1)'],
  ['--suspect <who>', 'whom the detector takes for dead though alive: 3@10..20'],
  ['--loss <probability>', 'that a message, or in cycles an exchange, is lost (default: 0)'],
  ['--duplicate <probability>', 'that a message arrives twice (default: 0)'],
  ['--partition <groups>', 'who cannot reach whom: 0,1,2/3,4@10..50'],
  ['--cut <links>', 'links that fail: 0-1@5..9'],
  [
    '--tamper <messages>',
    'single messages, by their numbers in the trace: drop:17 (lost as it is sent), drop:17@5.5 (on its way), arrive:17@4.5',
  ],
  [
    '--mobility <speed>',
    'how far the nodes of a geometric network go in a unit of time, for 100 units at most (default: 0)',
  ],
  [
    '--again <time>',
    'a second election at that time, or as soon as the first has ended if that is later (default: never)',
  ],
  [
    '--timing <timing>',
    'sync or async (default: async; sync where rounds are needed or ids are same); gossip: async or cycles',
  ],
  ['--delay <model>', 'async: unit, constant:D, uniform:A:B, exponential:MEAN (default: unit)'],
  ['--order <order>', 'async: fifo or any (default: fifo)'],
  ['--until <time>', 'stop at this time or round; gossip: after so many cycles, that is periods'],
  ['--max-messages <count>', 'stop after so many messages (default: 10 million or more)'],
  ['--seed <number>', 'same seed, same run (default: 1)'],
  ['--set <key=value>', 'a parameter of the algorithm, repeatable'],
  ['--allow-weaker', 'run although the world is weaker than the algorithm needs'],
]

/** Adds the flags of a scenario, or those that are named, some with words of their own. */
export function addScenarioFlags(
  command: Command,
  only?: readonly string[],
  words: Readonly<Record<string, string>> = {},
): Command {
  for (const [flags, says] of FLAGS) {
    const option = new Option(flags, words[new Option(flags).name()] ?? says)
    if (only && !only.includes(option.name())) continue
    if (REPEATABLE.includes(option.name())) {
      option.argParser((value: string, before: string[] = []) => [...before, value])
    }
    command.addOption(option)
  }
  return command
}

/** Real processes cannot be told when to wake. */
export const WAKE_AT_ONCE = 'who starts: all, 0,4 (positions) or rate:0.8 (default: all)'

/** The fields of a scenario, each with the name of the option that a command keeps it under. */
const FIELDS = FLAGS.map(([flags]) => {
  const option = new Option(flags)
  return [option.name(), option.attributeName()] as const
})

/** The fields of a scenario among the options of a command. */
export function givenOf(options: Readonly<Record<string, unknown>>): ScenarioInput {
  const given: Record<string, unknown> = {}
  for (const [field, attribute] of FIELDS)
    if (options[attribute] !== undefined) given[field] = options[attribute]
  return given
}
