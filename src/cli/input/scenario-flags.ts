import { type Command, Option } from 'commander'
import { REPEATABLE } from '../../scenario/command-line.ts'
import type { ScenarioInput } from '../../scenario/index.ts'

const FLAGS: [flags: string, says: string][] = [
  [
    '-t, --topology <network>',
    'network with its size: ring:8, complete:16, grid:3x4, ... (default: what the algorithm needs)',
  ],
  ['-n <size>', 'number of nodes of the default network (default: 8)'],
  ['--ids <ids>', '3,2,7 or increasing, decreasing, bit-reversal, random, same (default: random)'],
  [
    '--wake <nodes>',
    'nodes that start: all, 0,4 (positions), 0@1,4@3 (with times), rate:0.8 (default: all; position 0 for bully, ring-list, wireless, tree-aggregate)',
  ],
  [
    '--weights <weights>',
    'weights of links: random, file (of the network), or 1,2,3 in the order of the sorted edges (default: file where it has weights, else random)',
  ],
  [
    '--values <values>',
    'values of nodes: 3,1,4 or uniform:0:1, index, peak; gossip: changes ;3@20=7 or ;drift:0.1',
  ],
  [
    '--elect-by <criterion>',
    'id, value, value:min, degree or near:X:Y; ids break ties (default: id; value with --values)',
  ],
  ['--role <name>', 'a separate election: name or name=algorithm, repeatable'],
  [
    '--crash <nodes>',
    'crashes: 7 (never up), 7@12 (at time 12), 50%@10 or 0.5@10 (half of the live nodes)',
  ],
  [
    '--recover <nodes>',
    'recoveries: 7@30, with another id 7@30:id=2, without stable storage 7@30:amnesia',
  ],
  ['--retire <nodes>', 'nodes that give up leadership for good and stay up: 7@20'],
  ['--detect <delay>', 'delay until the failure detector reports a crash, or off (default: 1)'],
  ['--suspect <nodes>', 'nodes falsely suspected by the failure detector: 3@10..20'],
  [
    '--loss <probability>',
    'probability that a message (in cycles: an exchange) is lost (default: 0)',
  ],
  ['--duplicate <probability>', 'probability that a message is duplicated (default: 0)'],
  ['--partition <groups>', 'network partition: 0,1,2/3,4@10..50'],
  ['--cut <links>', 'links that fail: 0-1@5..9, in one direction only 0to1@5..9'],
  ['--pause <nodes>', 'nodes that handle nothing for a while: 2@10..20'],
  [
    '--drift <ratio>',
    'async: ratio by which the rates of clocks differ: timers take up to 1 + ratio times as long (default: 0)',
  ],
  [
    '--disk <model>',
    'async: time that a node takes to write changed stable fields, such as uniform:1:5; its messages leave afterwards (default: none)',
  ],
  [
    '--tamper <messages>',
    'single messages, by their numbers in the trace: drop:17 (lost when sent), drop:17@5.5 (in flight), arrive:17@4.5',
  ],
  [
    '--mobility <speed>',
    'distance that nodes of a geometric network move in a unit of time, for at most 100 units (default: 0)',
  ],
  [
    '--again <time>',
    'start a second election at this time, but not before the first has ended (default: never)',
  ],
  [
    '--timing <timing>',
    'sync or async (default: async; sync where rounds are needed or ids are same); gossip: async or cycles',
  ],
  [
    '--delay <model>',
    'async: unit, constant:D, uniform:A:B, exponential:MEAN, lognormal:MU:SIGMA, pareto:ALPHA:MIN, serial:D, empirical:1,2,5, file:PATH (one delay a line), links:PATH (by link), weights (default: unit)',
  ],
  ['--order <order>', 'async: fifo or any (default: fifo)'],
  ['--until <time>', 'stop at this time or round; gossip: after this many cycles (periods)'],
  ['--max-messages <count>', 'stop after this many messages (default: 10 million or more)'],
  ['--seed <number>', 'the same seed gives the same run (default: 1)'],
  [
    '--coins <choices>',
    'random choices given, not drawn: 0:2,5;1:7 (by position, in order; the last one repeats)',
  ],
  [
    '--corrupt <seed>',
    'stabilizing: begin in any state, drawn with this seed, with any messages in flight',
  ],
  [
    '--tables <json>',
    'stabilizing: what each node believes of its neighbours at the beginning: [[null],[[99,0]]]',
  ],
  ['--set <key=value>', 'set a parameter of the algorithm, repeatable'],
  ['--allow-weaker', 'run even if the network model is weaker than the algorithm needs'],
]

/** Adds the flags of a scenario, all or those in `only`; `words` replace their descriptions. */
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

/** Real processes have no wake-up times. */
export const WAKE_AT_ONCE = 'nodes that start: all, 0,4 (positions) or rate:0.8 (default: all)'

/** The fields of a scenario, each with the name of its option in commander. */
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
