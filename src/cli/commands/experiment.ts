import { Command, Option } from 'commander'
import type { ExperimentFlags } from '../experiment/study.ts'
import { addScenarioFlags } from '../input/scenario-flags.ts'
import type { Io, Leave } from '../io.ts'

const EXAMPLES = `
Examples:
  conclave experiment lcr --ids decreasing --sweep n=2^3..2^10 --fit auto
  conclave experiment singh --sweep n=2..100 --repeat 10 --wake rate:0.8 \\
    --fit "messages ~ n" --fit "time ~ log2(n)" --out results/singh
  conclave experiment lcr --sweep n=1..7 --repeat all
  conclave experiment gossip-average --timing cycles -t small-world:1000:20:{beta} \\
    --sweep beta=0..1:0.25
  conclave experiment study.json --out results/one --shard 1/3
  conclave experiment merge results/one results/two results/three --out results/study

A sweep takes 2..100, 0..1:0.25, 2^3..2^10 or a list, for a field of run, a parameter (set.epoch)
or a name in braces. The first of several sweeps changes last.`

export function experimentCommand(io: Io, leave: Leave): Command {
  const many = (flags: string, says: string) =>
    new Option(flags, says).argParser((value: string, before: string[] = []) => [...before, value])
  const command = new Command('experiment')
    .description('run many scenarios, and find what they have in common')
    .argument(
      '<algorithm|file...>',
      'an algorithm, an experiment (.json, .ts), or merge and folders',
    )
    .addOption(many('--sweep <name=values>', 'what is varied, repeatable'))
    .option('--repeat <times>', 'runs per point, or all: every arrangement of the ids (default: 1)')
    .addOption(many('--measure <name>', 'what is measured, repeatable (default: the usual)'))
    .addOption(many('--fit <form>', 'auto, or "messages ~ n log2 n", repeatable'))
    .option('--x <name>', 'the swept number along which growth is measured (default: n)')
    .option('--log <axes>', 'logarithmic axes of the figures: x, y or x,y')
    .option('--title <text>', 'what the report is called')
    .option('--out <folder>', 'where results.csv, summary.json, reports and figures go')
    .option('--resume', 'go on with an experiment that was interrupted')
    .option('--workers <count>', 'threads (default: as many as there are processors)')
    .option('--shard <i/k>', 'only the i-th of k shares of the runs')
    .option('--quick', 'the small form of an experiment that has one')
    .option('--json', 'print summary.json')
  return addScenarioFlags(command)
    .addHelpText('after', EXAMPLES)
    .action(async (names: string[], options: ExperimentFlags) => {
      // What draws and writes reports is loaded only here: other commands start without it.
      const { conduct, merge, studyOf } = await import('../experiment/study.ts')
      if (names[0] === 'merge') return leave(await merge(names.slice(1), options, io))
      leave(await conduct(await studyOf(names, options), options, io))
    })
}
