import { Command, CommanderError } from 'commander'
import { Complaint } from '../core/index.ts'
import { checkCommand } from './commands/check.ts'
import { clusterCommand } from './commands/cluster.ts'
import { experimentCommand } from './commands/experiment.ts'
import { explainCommand } from './commands/explain.ts'
import { gradeCommand } from './commands/grade.ts'
import { labCommand } from './commands/lab.ts'
import { listCommand } from './commands/list.ts'
import { nodeCommand } from './commands/node.ts'
import { runCommand } from './commands/run.ts'
import { tourCommand } from './commands/tour.ts'
import { EXIT, type Io } from './io.ts'
import { nearestOf } from './lookup.ts'
import { usageComplaint } from './usage.ts'
import { thrownByUsers } from './user-module.ts'
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

/** The command line: what a shell would do with these words, as an exit code. */
export async function main(words: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.done
  const program = new Command('conclave')
    .description('Leader election: simulate it, check it, run it between processes.')
    .version(VERSION, '-v, --version', 'print the version')
    .addHelpText('after', EXAMPLES)
    .helpCommand(false)
  for (const command of [
    listCommand,
    explainCommand,
    runCommand,
    checkCommand,
    experimentCommand,
    gradeCommand,
    labCommand,
    nodeCommand,
    clusterCommand,
    tourCommand,
  ]) {
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
function complaintOf(error: unknown, command: string | null): Complaint {
  if (error instanceof CommanderError) return usageComplaint(error, command)
  if (error instanceof Complaint) return error.suggesting(nearestOf)
  const theirs = thrownByUsers(error)
  if (theirs !== null) return theirs
  throw error
}
