import type { Counterexample, ExplainedRun } from '../../check/index.ts'
import { wrapped } from '../../core/text-format.ts'
import { commandLine, shellWord } from '../../scenario/command-line.ts'
import { isCode } from '../input/user-algorithm.ts'
import type { Colours } from '../terminal/format.ts'
import type { CheckReport, Options } from './explore.ts'

/** The name of the file in commands that write one, where the user has not chosen a name. */
const TRACE = 'broken.jsonl'

/** Flags for the output, and for the budget unless random walks go beyond it. */
const OUTPUT = ['json', 'svg', 'trace', 'step', 'types']
const SIZE = ['n', 'ids']
const BUDGET = ['states', 'memory', 'seconds']

/** The steps of a counterexample and the commands that show it again. */
export function counterexampleLines(
  { violated, again = [] }: CheckReport,
  paint: Pick<Colours, 'width'>,
): string[] {
  if (violated === null) return []
  return ['', `${titleOf(violated)}:`, ...stepLines(violated, paint), ...commandLines(again)]
}

function titleOf({ property, loop, trace, shortest }: Counterexample): string {
  if (loop !== undefined)
    return `A counterexample to "${property}": ${loopInWords(loop, trace.length)}`
  return shortest
    ? `A shortest counterexample to "${property}"`
    : `A counterexample to "${property}", perhaps not a shortest one`
}

/** Which steps of a lasso repeat. */
export function loopInWords(first: number, last: number): string {
  if (first === last) return `step ${last} repeats forever`
  return `steps ${first} to ${last} repeat forever`
}

/** Spaces at which a line may end: not within `best: 4 -> 7` and `seen: + 3`. */
const BREAKS = /(?<!->| [+-]|:) (?!->)/

/** A sentence about a step in lines of at most this width. */
export function wrappedStep(text: string, width: number): string[] {
  return wrapped(text.split(BREAKS), width)
}

/** The steps of a run, numbered, each a sentence in lines that fit. */
export function stepLines(
  { trace }: Pick<ExplainedRun, 'trace'>,
  paint: Pick<Colours, 'width'>,
): string[] {
  const width = String(trace.length).length
  return trace.flatMap(({ text }, i) => {
    const [first, ...others] = wrappedStep(text, paint.width - width - 4)
    const indent = ' '.repeat(width + 4)
    return [`  ${String(i + 1).padStart(width)}. ${first}`, ...others.map((line) => indent + line)]
  })
}

/** A command that shows a counterexample again, and what it does. */
export interface FollowUp {
  readonly does: string
  readonly command: string
}

/** How to go through a counterexample, replay it and open it in the lab, given its command. */
export function followUps(name: string, options: Options, command: string): FollowUp[] {
  const { trace } = options
  const own = isCode(name) ? [name] : []
  const file = trace ?? TRACE
  return [
    { does: 'step by step', command: `${command} --step` },
    ...(trace === undefined
      ? [{ does: 'into a file', command: `${command} --trace ${TRACE}` }]
      : []),
    {
      does: trace === undefined ? 'replay that' : 'replay',
      command: ['conclave run', ...[...own, '--replay', file].map(shellWord)].join(' '),
    },
    {
      does: 'in the lab',
      command: ['conclave lab', ...[file, ...own].map(shellWord)].join(' '),
    },
  ]
}

function commandLines(commands: readonly FollowUp[]): string[] {
  if (commands.length === 0) return []
  const width = Math.max(...commands.map(({ does }) => does.length))
  return [
    '',
    'Look at it again:',
    ...commands.map(({ does, command }) => `  ${`${does}:`.padEnd(width + 1)} ${command}`),
  ]
}

/** The command line of a check with these options, without output and budget. */
export function checkCommandLine(
  name: string,
  options: Options,
  size: Readonly<Record<string, unknown>>,
): string {
  const { walk, file } = options
  const flagOf = (option: string) => option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
  // What the scenario file says need not be repeated.
  const read = ['file', ...(file?.taken ?? [])]
  const dropped = [...SIZE, ...OUTPUT, ...(walk === undefined ? BUDGET : []), ...read]
  const given = Object.entries(options)
    .map(([option, value]) => [flagOf(option), value] as const)
    .filter(([flag, value]) => !dropped.includes(flag) && value !== undefined && value !== 'auto')
  const flags = { ...size, ...Object.fromEntries(given) }
  const unchecked = options.types === false && { 'no-types': true }
  return commandLine('check', file?.path ?? name, { ...flags, ...unchecked })
}

/** The size and the ids as they were given. */
export function givenSize({ n, ids, file }: Options): Readonly<Record<string, unknown>> {
  const given = Object.entries({ n, ids })
  return Object.fromEntries(
    given.filter(([flag, value]) => value !== undefined && !file?.taken.includes(flag)),
  )
}
