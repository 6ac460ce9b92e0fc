import { type Command, CommanderError, Option } from 'commander'
import { findEntry } from '../algorithms/catalogue.ts'
import { UsageError } from '../core/index.ts'
import { HandlerError } from '../core/language/validation/handler-error.ts'
import { suggestionFor } from '../core/usage-error.ts'
import { useOwnNames } from './input/other-names.ts'
import { fileProblem } from './input/read-file.ts'
import { checkHandlers, isCode } from './input/user-algorithm.ts'
import { checkTypes, thrownByUsers } from './input/user-module.ts'
import { EXIT, exitCodesHelp, Interrupted, type Io, type Leave } from './io.ts'
import { filled, widthOf } from './terminal/format.ts'
import { NO_COLOUR, Verb } from './verb.ts'
import { VERSION } from './version.ts'

const EXAMPLES = `
Examples:
  conclave list               all algorithms
  conclave explain lcr        how it works and what it costs
  conclave run lcr -n 8       simulate one election
  conclave check lcr -n 5     explore every interleaving
  conclave prove lcr          prove that it is safe for every n
  conclave cluster lcr -n 5   run it between real processes
  conclave help run           all flags of a command, with examples

${exitCodesHelp({
  done: 'every property holds',
  violated: 'a property is violated, or in run undecided',
  undecided:
    'undecided (check, prove, grade and experiment: nothing is violated, but not every property or claim is known to hold)',
})}`

/** A command; help may depend on the words. */
type CommandMaker = (io: Io, leave: Leave, words: readonly string[]) => Verb | Promise<Verb>

/** In the order of the help. Each is loaded only when it is called: loading all is slow. */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  list: async () => (await import('./commands/list.ts')).listCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  prove: async () => (await import('./commands/prove.ts')).proveCommand,
  experiment: async () => (await import('./commands/experiment.ts')).experimentCommand,
  grade: async () => (await import('./commands/grade.ts')).gradeCommand,
  new: async () => (await import('./commands/new.ts')).newCommand,
  lab: async () => (await import('./commands/lab.ts')).labCommand,
  node: async () => (await import('./commands/node.ts')).nodeCommand,
  cluster: async () => (await import('./commands/cluster.ts')).clusterCommand,
  coordinator: async () =>
    (await import('./coordinator/coordinator-command.ts')).coordinatorCommand,
  status: async () => (await import('./coordinator/status-command.ts')).statusCommand,
  resign: async () => (await import('./coordinator/resign-command.ts')).resignCommand,
  members: async () => (await import('./commands/members.ts')).membersCommand,
  worker: async () => (await import('./worker/worker-command.ts')).workerCommand,
  workers: async () => (await import('./worker/workers-command.ts')).workersCommand,
  completion: async () =>
    (await import('./completion/completion-command.ts')).completionCommand(allCommands),
}

/** All commands, to read their flags and arguments. */
function allCommands(): Promise<Verb[]> {
  const silent: Io = { out: () => {}, err: () => {}, colours: false, progress: false }
  return Promise.all(Object.keys(COMMANDS).map((name) => commandNamed(name, silent, () => {})))
}

/** The commands that accept your own algorithm in place of a name. */
const OWN_FILE_VERBS = 'explain run check prove experiment grade lab node cluster'.split(' ')

function addOwnFileFlags(verb: Verb): void {
  verb
    .group('own code')
    .option('--no-types', 'do not check the types of your own files')
    .option('--unchecked', 'run the handlers of your own files without checks, for large runs')
    .hook('preAction', () => {
      const { types, unchecked } = verb.opts()
      checkTypes(types)
      checkHandlers(unchecked !== true)
    })
}

/** Loads a command, with the flags that several commands share. */
export async function commandNamed(
  name: string,
  io: Io,
  leave: Leave,
  words: readonly string[] = [],
): Promise<Verb> {
  const make = await COMMANDS[name]()
  const command = await make(io, leave, words)
  if (OWN_FILE_VERBS.includes(name)) addOwnFileFlags(command)
  return command
}

/** Runs a command line, given as its words, and returns the exit code. */
export async function main(given: readonly string[], terminal: Io): Promise<number> {
  const own = beforeCommand(given)
  const io = own.includes(NO_COLOUR) ? { ...terminal, colours: false } : terminal
  const words = withoutHelpCommand([
    ...own.filter((word) => word !== NO_COLOUR),
    ...given.slice(own.length),
  ])
  let code: number = EXIT.done
  const program = new Verb('conclave')
    .description('Leader election: simulate it, check it, run it between processes.')
    .version(VERSION, '-v, --version', 'print the version')
    .about(EXAMPLES)
    .helpCommand(false)
  const remarks: string[] = []
  const named = Object.keys(COMMANDS).filter((name) => name === words[0])
  for (const name of named.length > 0 ? named : Object.keys(COMMANDS)) {
    const leave: Leave = (result) => {
      code = result
    }
    const command = await commandNamed(name, io, leave, words)
    command.hook('preAction', () => {
      remarks.push(...useOwnNames(command))
    })
    program.addCommand(command)
  }
  for (const command of [program, ...(program.commands as Verb[])]) {
    command.brief = beforeCommand(words).includes('-h')
    command
      .exitOverride()
      .showSuggestionAfterError(false)
      .configureOutput({
        writeOut: (text) => io.out(filled(text, widthOf(io))),
        writeErr: () => {},
        // The name of the program may be longer by this.
        getOutHelpWidth: () => widthOf(io) - 'npx '.length,
      })
  }
  if (words.length === 0) {
    program.outputHelp()
    return EXIT.done
  }
  try {
    for (const command of program.commands)
      if (command.name() === words[0]) refuseMissingValue(command, beforeCommand(words))
    await program.parseAsync(words, { from: 'user' })
    for (const remark of remarks) io.err(`${remark}\n`)
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    if (error instanceof Interrupted) return EXIT.interrupted
    if (isAlgorithm(words[0])) {
      io.err(`${notACommand(words[0]).message}\n`)
      return EXIT.usage
    }
    const command = program.commands.find((one) => one.name() === words[0]) ?? program
    return reportFailure(error, io, command, words.find(isCode))
  }
}

/** Says in one line what ended the program, and returns the exit code. */
export async function reportFailure(
  error: unknown,
  io: Pick<Io, 'err'>,
  command: Command | null = null,
  file?: string,
): Promise<number> {
  const where = calledName(command)
  const told = (await usageErrorOf(error, command, file)) ?? systemErrorOf(error, where)
  if (told !== null) {
    io.err(`${told.message}\n`)
    return EXIT.usage
  }
  const what = String(error).replace(/\s+/g, ' ').replace(/\.$/, '')
  const report = `with this command line and what it prints with ${DEBUG}=1`
  io.err(
    `${where}: this is a defect of Conclave ${VERSION}, not a verdict: ${what}. ` +
      `Report it to whoever maintains Conclave, ${report}.\n`,
  )
  if (process.env[DEBUG]) io.err(`${error instanceof Error ? error.stack : what}\n`)
  return EXIT.defect
}

/** The variable of the environment with which a defect is reported with its stack trace. */
const DEBUG = 'CONCLAVE_DEBUG'

/** What the system reports only where the program asks for the wrong thing. */
const WRONG_CALLS = ['EBADF', 'EEXIST', 'EFAULT', 'EINVAL', 'ENOTSOCK']

/** What the machine cannot do, such as write to a full disk; null for any other error. */
function systemErrorOf(error: unknown, where: string): UsageError | null {
  if (!(error instanceof Error)) return null
  const { code = '', syscall, path } = error as NodeJS.ErrnoException
  if (syscall === undefined || WRONG_CALLS.includes(code)) return null
  return new UsageError(where, `${path ?? syscall}: ${fileProblem(error)}.`)
}

function isAlgorithm(name: string): boolean {
  return !Object.hasOwn(COMMANDS, name) && findEntry(name) !== undefined
}

function notACommand(name: string): UsageError {
  return new UsageError(
    'conclave',
    `${name} is an algorithm, not a command.`,
    `Write conclave run ${name}, or conclave explain ${name}.`,
  )
}

/** The words before `--`: what follows belongs to another program. */
export function beforeCommand(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--')
  return at < 0 ? words : words.slice(0, at)
}

/** `help run` is `run --help`. */
function withoutHelpCommand(words: readonly string[]): readonly string[] {
  const [first, command] = words
  if (first !== 'help') return words
  if (command === undefined) return ['--help']
  return Object.hasOwn(COMMANDS, command) ? [command, '--help'] : [command]
}

/** Commander would take the next flag for the value of a flag without one. */
function refuseMissingValue(command: Command, words: readonly string[]): void {
  for (const [i, word] of words.entries()) {
    const option = optionNamed(command, word)
    const next = words[i + 1]
    if (!option?.required || (next !== undefined && !optionNamed(command, next))) continue
    const [, choices] = /<(.*\|.*)>/.exec(option.flags) ?? []
    throw new UsageError(
      `conclave ${command.name()}`,
      `${word} needs a value${choices === undefined ? '' : ` (${choices.replaceAll('|', ' or ')})`}.`,
      `See conclave ${command.name()} --help.`,
    )
  }
}

function optionNamed({ options }: Command, flag: string): Option | undefined {
  return options.find(({ short, long }) => [short, long].includes(flag))
}

/** A mistake of the user, also one in their code; null for any other error. */
async function usageErrorOf(
  error: unknown,
  command: Command | null,
  file?: string,
): Promise<UsageError | null> {
  if (error instanceof CommanderError && command !== null) return parseError(error, command)
  const theirs = await thrownByUsers(error, file)
  if (theirs !== null) return theirs
  // The handlers that no user wrote are ours.
  return error instanceof UsageError && !(error instanceof HandlerError) ? error : null
}

/** A command as it is called. */
function calledName(command: Command | null): string {
  return command?.parent ? `conclave ${command.name()}` : 'conclave'
}

/** What commander says, and the same in our words. */
const PARSE_ERRORS: readonly [says: RegExp, problem: string][] = [
  [/^unknown option '(.*?)'/, 'unknown option $1.'],
  [/^unknown command '(.*?)'/, 'unknown command "$1".'],
  [/^missing required argument '(.*?)'/, 'the argument <$1> is missing.'],
  [/^required option '(.*?)' not specified/, 'the option $1 is required.'],
  [/^too many arguments.*Expected 0 /, 'takes no arguments.'],
  [/^too many arguments.*Expected (.*) but got 1$/, 'takes $1; 1 was given.'],
  [/^too many arguments.*Expected (.*) but got (.*)/, 'takes $1; $2 were given.'],
]

function parseError(error: CommanderError, command: Command): UsageError {
  const message = error.message
    .replace(/^error: /, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
  const where = calledName(command)
  const [says, problem] = PARSE_ERRORS.find(([pattern]) => pattern.test(message)) ?? []
  const [whole, unknown] = says?.exec(message) ?? []
  const meant =
    error.code === 'commander.unknownOption'
      ? flagMeant(unknown!, command)
      : error.code === 'commander.unknownCommand'
        ? commandMeant(unknown!)
        : null
  return new UsageError(
    where,
    says === undefined ? `${message}.` : whole!.replace(says, problem!),
    meant === null ? `See ${where} --help.` : `Did you mean ${meant}?`,
  )
}

/** Words that others use for commands of this program. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  simulate: 'run',
  sim: 'run',
  compare: 'experiment',
  sweep: 'experiment',
  plot: 'experiment',
  verify: 'check',
  test: 'check',
  proof: 'prove',
  describe: 'explain',
  info: 'explain',
  algorithms: 'list',
  init: 'new',
  create: 'new',
  serve: 'lab',
  open: 'lab',
}

function commandMeant(typed: string): string | null {
  if (Object.hasOwn(OTHER_COMMANDS, typed)) return OTHER_COMMANDS[typed]
  return suggestionFor(typed, [...Object.keys(COMMANDS), 'help'])
}

/** The flag that was meant: `-n` by `--n`, `--seed` by `-seed` or `--sede`. */
function flagMeant(typed: string, command: Command): string | null {
  const bare = (flag: string) => flag.replace(/^-+|=.*$/gs, '')
  const flags = [...command.options.filter(({ hidden }) => !hidden), new Option('-h, --help')]
  const same = flags
    .flatMap(({ short, long }) => [short, long])
    .find((flag) => flag !== undefined && bare(flag) === bare(typed))
  if (same !== undefined) return same
  const long = flags.flatMap((flag) => (flag.long ? [bare(flag.long)] : []))
  const meant = suggestionFor(bare(typed), [...long, bare(NO_COLOUR)])
  return meant === null ? null : `--${meant}`
}
