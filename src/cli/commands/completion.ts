import { Command } from 'commander'
import { word } from '../../options/reading.ts'
import { bashScript, fishScript, zshScript } from '../completion/shell-scripts.ts'
import { completedCommand } from '../completion/vocabulary.ts'
import { EXIT, type Io, type Leave } from '../io.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

const SHELLS = ['bash', 'zsh', 'fish'] as const

const EXAMPLES = `
The script completes commands, flags, their values, algorithms and files. It is for the command
conclave, as it is called when it is installed.

Examples:
  source <(conclave completion bash)   in ~/.bashrc
  source <(conclave completion zsh)    in ~/.zshrc, after compinit
  conclave completion fish | source    in ~/.config/fish/config.fish

A file starts faster than a program. These are the usual places:
  conclave completion bash > ~/.local/share/bash-completion/completions/conclave
  conclave completion zsh > ~/.zfunc/_conclave
  conclave completion fish > ~/.config/fish/completions/conclave.fish

It has to be written again after an update of conclave.`

/** `commands` are all commands of the program, which this one completes. */
export function completionCommand(commands: () => Promise<Command[]>) {
  return (io: Io, leave: Leave): Command =>
    new Command('completion')
      .description('print a script that completes command lines in your shell')
      .argument('<shell>', 'bash, zsh or fish')
      .addHelpText('after', EXAMPLES)
      .action(async (given: string) => {
        const shell = word('shell', given, SHELLS)
        const known = (await commands()).map(completedCommand)
        io.out(SCRIPTS[shell](known))
        leave(EXIT.done)
      })
}
