import { UsageError } from '../../core/index.ts'
import { EXPERIMENT, THREADS } from '../../options/experiment.ts'
import { SCENARIO } from '../../options/scenario.ts'
import type { ExperimentFlags } from '../experiment/study.ts'
import type { Io, Leave } from '../io.ts'
import { addExecutorFlags, ON_HELP } from '../jobs/executor-flags.ts'
import { Verb } from '../verb.ts'

const EXAMPLES = `
Examples:
  conclave experiment lcr --ids decreasing --sweep n=2^3..2^10 --fit auto
  conclave experiment singh --sweep n=2..100 --repeat 10 --wake rate:0.8 \\
    --fit "messages ~ n" --fit "time ~ log2(n)" --out results/singh
  conclave experiment lcr --sweep n=1..7 --repeat all
  conclave experiment gossip-average --timing cycles \\
    -t small-world:1000:20:{beta} --sweep beta=0..1:0.25
  conclave experiment mine.ts --sweep algorithm=mine.ts,lcr --sweep n=2^3..2^8
  conclave experiment lecture.json --sweep seed=1..20
  conclave experiment study.json --out results/one --shard 1/3
  conclave experiment study.json --out results/study --on nats://10.0.0.1:4222
  conclave experiment merge results/one results/two --out results/study

The values of a sweep are 2..100, 0..1:0.25, 2^3..2^10 or a list; its name is a flag of run, a
parameter (set.epoch) or a name in braces. With several sweeps the first one varies slowest.
${ON_HELP}`

export function experimentCommand(io: Io, leave: Leave): Verb {
  const verb = new Verb('experiment')
    .description('run many scenarios, fit growth laws and draw figures')
    .argument(
      '[algorithm|file...]',
      'an algorithm, your own (.ts), an experiment or scenario (.json, .ts), or merge with folders',
    )
    .group('sweep')
    .option('--measures', 'list all measures')
    .option('--quick', 'the reduced version of an experiment file that has one')
    .declare(EXPERIMENT)
    .group('output')
    .short('out', 'resume', 'json')
    .option('--table <fields>', 'one field down and one across: "n x algorithm"')
    .option('--all', 'all points in the table, however many')
    .option('--plain', 'figures without title and footer')
    .option('--size <size>', 'size of the figures in pixels: 800x500 (default: 1280x720)')
    .option('--pdf', 'write the figures as PDF too')
    .option('--out <folder>', 'folder for results.csv, summary.json, reports and figures')
    .option('--json', 'print summary.json')
    .group('workers')
    .option('--resume', 'continue an interrupted experiment')
    .option('--shard <i/k>', 'run only the i-th of k shares')
    .declare({ threads: THREADS })
  return addExecutorFlags(verb)
    .declare(SCENARIO)
    .about(EXAMPLES)
    .action(async (names: string[], options: ExperimentFlags) => {
      // Figures and reports are loaded only here: other commands start without them.
      const { conduct, listMeasures, merge, studyOf } = await import('../experiment/study.ts')
      if (options.measures) return leave(listMeasures(options, io))
      if (names.length === 0) {
        throw new UsageError(
          'conclave experiment',
          'the argument <algorithm|file...> is missing.',
          'See conclave experiment --help.',
        )
      }
      if (names[0] === 'merge') return leave(await merge(names.slice(1), options, io))
      leave(await conduct(await studyOf(names, options), options, io))
    })
}
