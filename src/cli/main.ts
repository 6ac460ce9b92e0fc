import { Command, CommanderError } from 'commander'
import { UsageError } from '../core/index.ts'
import { nearestOf } from './input/catalogue-lookup.ts'
import { thrownByUsers } from './input/user-module.ts'
import { EXIT, type Io, type Leave } from './io.ts'
import { usageError } from './usage.ts'
import { VERSION } from './version.ts'

const EXAMPLES = `
Examples:
  conclave list                                          what there is
  conclave explain lcr                                   how it works and what it costs
  conclave run lcr --ids 3,2,7,8,5,4,1,6 --timing sync   simulate one election
  conclave check lcr -n 5                                explore every interleaving
  conclave cluster lcr -n 5                              the same between real processes

Exit codes: 0 every property holds, 1 one is violated, or undecided in run, 2 wrong usage,
130 interrupted.`

/** In the order of the help. To load them all takes longer than many a command. */
const COMMANDS: Readonly<Record<string, () => Promise<(io: Io, leave: Leave) => Command>>> = {
  list: async () => (await import('./commands/list.ts')).listCommand,
  explain: async () => (await import('./commands/explain.ts')).explainCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  experiment: async () => (await import('./commands/experiment.ts')).experimentCommand,
  grade: async () => (await import('./commands/grade.ts')).gradeCommand,
  lab: async () => (await import('./commands/lab.ts')).labCommand,
  node: async () => (await import('./commands/node.ts')).nodeCommand,
  cluster: async () => (await import('./commands/cluster.ts')).clusterCommand,
  tour: async () => (await import('./commands/tour.ts')).tourCommand,
}

/** The command line: what a shell would do with these words, as an exit code. */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done
  const program = new Command('conclave')
    .description('Leader election: simulate it, check it, run it between processes.')
    .version(VERSION, '-v, --version', 'print the version')
    .addHelpText('after', EXAMPLES)
    .helpCommand(false)
  const named = Object.keys(COMMANDS).filter((name) => name === words[0])
  for (const name of named.length > 0 ? named : Object.keys(COMMANDS)) {
    const command = await COMMANDS[name]()
    program.addCommand(
      command(io, (result) => {
        code = result
      }),
    )
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: () => {} })
  }
  if (words.length === 0) {
    io.out(program.helpInformation() + EXAMPLES.concat('\n'))
    return EXIT.done
  }
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    const command = program.commands.find((one) => one.name() === words[0])?.name() ?? null
    io.err(`${complaintOf(error, command).message}\n`)
    return EXIT.usage
  }
}

/** A mistake of the user gets one line, also in code of theirs; else it keeps its trace. */
function complaintOf(error: unknown, command: string | null): UsageError {
  if (error instanceof CommanderError) return usageError(error, command)
  if (error instanceof UsageError) return error.suggesting(nearestOf)
  const theirs = thrownByUsers(error)
  if (theirs !== null) return theirs
  throw error
}
