import { Command } from 'commander'
import { FAULT_KINDS, type FaultKind, randomRun } from '../../check/index.ts'
import { addBudgetFlags } from '../check/budget-flags.ts'
import { type CheckReport, type ExploredWorld, explore, type Options } from '../check/explore.ts'
import { checkJson } from '../check/json-report.ts'
import { checkReport, notesReport } from '../check/report.ts'
import { type RoleReports, roleChecksOf, rolesJson, rolesText } from '../check/roles.ts'
import { addScenarioFlags } from '../input/scenario-flags.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor } from '../terminal/format.ts'
import { refuseOneFile, refuseUnwritable } from '../terminal/output-file.ts'

const FLAGS = [
  ...['topology', 'n', 'ids', 'wake', 'order', 'seed', 'set', 'allow-weaker'],
  ...['crash', 'detect', 'values', 'elect-by', 'weights', 'role'],
]
const WORDS = {
  wake: 'who starts, at the beginning: all or 0,4; or any, at any moment (default: any)',
  order: 'fifo or any (default: fifo)',
  ids: '3,2,7 or increasing, decreasing, ...; all: every arrangement of 1..n (default: random)',
  crash: 'who is dead from the beginning: 7 or 2,7',
  role: 'an election of its own, checked by itself: name or name=algorithm, repeatable',
  detect: 'mode clocked: after how long a fault is noticed; off: never (default: 1)',
}
const FAULTS: Readonly<Record<FaultKind, string>> = {
  crashes: 'any live node may die, at any moment and in the middle of its sends, so many times',
  losses: 'any message in flight may get lost, so many times',
  duplicates: 'any message in flight may be doubled, so many times',
  cuts: 'any link of a general graph may be cut for good, so many times',
  recoveries: 'any dead node may come back, so many times',
}

const EXAMPLES = `
By default any non-empty set of nodes may wake by itself, each at any moment.
Modes: untimed, a timer may go off at any moment once it is set; patient, only when nothing is in
flight; clocked:D, whole units of time, every message takes 1 to D of them and timers are exact.
Faults: what may go wrong at any moment, each kind at most so many times. A crash or a cut is told
to each neighbour at any later moment; in mode clocked after the time that --detect says. On a
ring everybody is told of a crash: the ring closes, and the election starts again. All are told
the same in the same order, each at its own moment; who comes back knows all of it at once. After a
recovery an old leader may stand until it hears of the new one: in mode clocked as long as the
algorithm says, else until nothing more happens.
Aggregations: every node begins at most two exchanges (--set exchanges=2).
A definition (.ts) may export more to judge: export const properties = [{ name, when: 'always',
'at the end' or 'eventually', broken(situation) }], where broken tells what is wrong, or null where
nothing is.

Examples:
  conclave check lcr -n 5
  conclave check hirschberg-sinclair --ids 3,1,4,2
  conclave check slow-fast --ids 2,1,3 --mode clocked:1
  conclave check lcr -n 4 --crashes 1
  conclave check bully -n 3 --crashes 1 --mode clocked:2
  conclave check gossip-average-naive --values 0,4,8
  conclave check peterson -n 4 --order any --allow-weaker --svg broken.svg
  conclave check lcr -n 4 --role monitor --role printer=peterson
  conclave check lcr -n 3 --ids same --trace broken.jsonl
  conclave run --replay broken.jsonl`

/** What `conclave check --help` says of runs as a whole, and of all permutations of the ids. */
const COVERAGE_HELP = `
A run is fair if no message in flight, no timer that is set and no news of the detector is
ignored for ever; nobody must wake by itself, and nothing must go wrong. "Every fair run ends" is
broken by a run that goes round in circles and ignores nothing. Coins are not held against anybody:
where only unlucky ones keep a run going, it is not checked.
--draws K: what coins can make of a run may have no end. Then every run is explored in which no
node draws more than K times; one that takes more is followed to the last state before that, and
that runs end is not checked.
--ids all: every permutation of the ids 1 to n. Those that become each other when the network is
turned are tried once, where ids are only compared and nothing else tells positions apart. The
limits hold for all together.
--worst messages: what a run costs at most and at least, over all schedules. --worst time: in mode
clocked by the clock; else the longest chain of messages, each sent by the receiver of the one
before, which is at least the time that delays of at most one unit allow, and may be more.

  conclave check lcr -n 6 --ids all
  conclave check itai-rodeh -n 2 --draws 3
  conclave check chang-roberts -n 4 --worst messages`

export function checkCommand(io: Io, leave: Leave): Command {
  const command = new Command('check')
    .description('explore every interleaving of a small world')
    .argument('<algorithm>', 'a name from conclave list, or a definition (.ts)')
  addScenarioFlags(command, FLAGS, WORDS)
  for (const kind of FAULT_KINDS)
    command.option(`--${kind} <count>`, `${FAULTS[kind]} (default: 0)`)
  command
    .option('--draws <count>', 'cut runs where a node wants to draw more often (default: no limit)')
    .option('--reappear', 'who comes back does so under the id of another node')
    .option(
      '--mode <mode>',
      'untimed, patient or clocked:D (default: untimed; clocked:1 for rounds)',
    )
  return addBudgetFlags(command)
    .option('--worst <what>', 'messages or time: the exact worst and best case over all schedules')
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw the counterexample; where all holds, a sample run, or the worst')
    .option('--trace <file>', 'write it as JSON lines, for conclave run --replay')
    .addHelpText('after', EXAMPLES)
    .addHelpText('after', COVERAGE_HELP)
    .action(async (name: string, options: Options) => {
      refuseOneFile(options.trace, options.svg)
      refuseUnwritable(options.trace, '--trace')
      refuseUnwritable(options.svg, '--svg')
      const parts = await roleChecksOf(name, options)
      const reports: [role: string, report: CheckReport][] = []
      for (const { role, name, options } of parts) {
        const exploring =
          options.ids === 'all'
            ? (await import('../check/all-permutations.ts')).exploreAll
            : explore
        const explored = await exploring(name, options, io)
        if (explored === null) return leave(EXIT.interrupted)
        await writeFiles(explored, options)
        reports.push([role ?? '', explored.result])
      }
      const nameless = parts[0].role === null
      io.out(textOf(reports, nameless, options, io))
      const broken = reports.some(([, { violated }]) => violated !== null)
      leave(broken ? EXIT.violated : EXIT.done)
    })
}

function textOf(reports: RoleReports, nameless: boolean, { json }: Options, io: Io): string {
  const [[, result]] = reports
  if (json) return `${JSON.stringify(nameless ? checkJson(result) : rolesJson(reports))}\n`
  const paint = coloursFor(io.colours)
  return nameless
    ? checkReport(result, paint) + notesReport(result.notes)
    : rolesText(reports, paint)
}

/** The counterexample, or where there is none the costliest run, or one by chance. */
async function writeFiles(
  { subject, rules, result }: ExploredWorld,
  options: Options,
): Promise<void> {
  if (options.trace === undefined && options.svg === undefined) return
  const { scenario, world } = subject
  const { violated, worst } = result
  const costly = violated === null && worst?.samples?.most
  const story = violated ?? (costly || randomRun(world, rules, scenario.seed))
  const kind = costly ? { kind: `a run with the most ${worst!.of}` } : {}
  const { writeCounterexample } = await import('../check/counterexample-files.ts')
  writeCounterexample({ scenario, world, rules, story, ...kind, broken: brokenIn(result) }, options)
}

/** What the counterexample breaks, and how. */
function brokenIn({ violated, properties }: CheckReport) {
  if (violated === null) return null
  const { property } = violated
  return {
    property,
    detail: properties.find(({ name }) => name === property)?.detail ?? '',
  }
}
