import { electionFor } from '../../algorithms/kinds.ts'
import { type ProofOptions, type ProofReport, proofReport, prove } from '../../api/prove.ts'
import type { ElectionName } from '../../api/targets.ts'
import { UsageError } from '../../core/index.ts'
import { counted } from '../../core/text-format.ts'
import { decimal } from '../../options/reading.ts'
import { sourceOf } from '../check/other-ids.ts'
import { isCode, ownFile, referencedDefinition } from '../input/user-algorithm.ts'
import { EXIT, exitCodesHelp, type Io, type Leave } from '../io.ts'
import { proofText } from '../prove/report.ts'
import { coloursFor } from '../terminal/format.ts'
import { refuseUnwritable } from '../terminal/output-file.ts'
import { ProgressLine } from '../terminal/progress.ts'
import { Verb } from '../verb.ts'

const EXAMPLES = `
Proved is what must never happen: two leaders at once, a leader that is no leader any more. It
holds on every ring (or complete network), for every choice of ids and every schedule, also where
messages are lost, overtaken or doubled. The proof is an induction over all small configurations,
with the very handlers that are simulated, checked and deployed; the definition states the clauses
that it needs in invariant. docs/proving.md has the theorem, the conditions, and how to find them.

Not proved does not mean that something is violated: the report then shows a configuration from
which one step breaks a clause, and says whether runs on rings of up to 4 nodes, or complete
networks of up to 3, violate it.

${exitCodesHelp({
  done: 'proved',
  violated: 'a run on a small network violates a property',
  usage: 'refused, wrong usage, or a file cannot be written',
  undecided: 'not proved',
})}

Examples:
  conclave prove lcr
  conclave prove lcr --find
  conclave prove lcr --json
  conclave prove mine.ts
  conclave prove mine.ts --svg step.svg --trace step.jsonl`

interface Options {
  readonly json?: true
  readonly svg?: string
  readonly trace?: string
  readonly find?: true
  readonly seconds?: string
  readonly types?: boolean
}

export function proveCommand(io: Io, leave: Leave): Verb {
  return new Verb('prove')
    .description('prove safety for every ring, every choice of ids and every schedule')
    .argument('<algorithm>', 'a name from conclave list, or your own algorithm (.ts)')
    .group('search')
    .option('--find', 'look for the invariant, in place of what the definition states')
    .option(
      '--seconds <number>',
      'with --find: try clauses over three nodes, too, within this time in all',
    )
    .group('output')
    .option('--json', 'one JSON document')
    .option('--svg <file>', 'draw the first step that breaks a clause which is not proved')
    .option('--trace <file>', 'write it as JSON lines, for conclave run --replay')
    .about(EXAMPLES)
    .action(async (name: string, options: Options) => {
      refuseUnwritable(options.svg, '--svg')
      refuseUnwritable(options.trace, '--trace')
      const report = await proving(name, options, io)
      // The report first: it is there even if the disk is full.
      io.out(options.json ? `${JSON.stringify(report)}\n` : proofText(report, name, coloursFor(io)))
      await writeFiles(report, name, options, io)
      leave(exitCode(report))
    })
}

async function proving(name: string, options: Options, io: Io): Promise<ProofReport> {
  const { types, find } = options
  const line = new ProgressLine(io)
  const onProgress = (steps: number) => line.show(() => `${counted(steps, 'step')} tried`)
  const how = { find: find === true, ...limitOf(options), onProgress }
  try {
    return isCode(name)
      ? await provingOwn(name, types !== false, how)
      : prove(name as ElectionName, how)
  } finally {
    line.clear()
  }
}

/** The limit of a search for an invariant that also tries clauses over three nodes. */
function limitOf({ find, seconds }: Options): Pick<ProofOptions, 'expired'> {
  if (seconds === undefined) return {}
  if (find === undefined)
    throw new UsageError('--seconds', 'limits the search for an invariant.', 'Add --find.')
  const isPositive = (value: number) => value > 0
  const most = decimal('--seconds', seconds, 'a number of seconds above 0', 60, isPositive)
  const begun = performance.now()
  return { expired: () => performance.now() - begun > 1000 * most }
}

/** Proves an own definition, whose source must show that it only compares ids and the like. */
async function provingOwn(
  name: string,
  types: boolean,
  options: ProofOptions,
): Promise<ProofReport> {
  const found = await referencedDefinition(name, { bare: true })
  const definition = electionFor('fileProof', found, name)
  const { use } = await sourceOf(name, { types })
  const shownBy = `the types in ${ownFile(name).path} show it`
  return proofReport(definition, { ...use, shownBy }, options)
}

function exitCode({ verdict, violated }: ProofReport): number {
  if (violated !== null) return EXIT.violated
  return { proved: EXIT.done, open: EXIT.undecided, refused: EXIT.usage }[verdict]
}

/** Draws the step that the report shows first, and writes it into a trace. */
async function writeFiles(
  report: ProofReport,
  name: string,
  { svg, trace }: Options,
  io: Io,
): Promise<void> {
  if (svg === undefined && trace === undefined) return
  const { drawStep, writeProofTrace } = await import('../prove/step-file.ts')
  const undrawn = svg === undefined ? null : drawStep(report, svg)
  if (undrawn !== null) io.err(`--svg: nothing to draw, since ${undrawn}.\n`)
  if (trace === undefined) return
  const { explorableOf } = await import('../input/user-properties.ts')
  const problem = writeProofTrace(report, await explorableOf(name), trace)
  if (problem !== null) io.err(`--trace: not written, since ${problem}.\n`)
}
