import type { Option } from 'commander'
import { aggregations, catalogue } from '../../algorithms/index.ts'
import { word } from '../../options/reading.ts'
import { namesAlgorithm } from '../input/other-names.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { Verb } from '../verb.ts'

/** The words before any command. */
const GLOBAL = ['help', '--help', '--version', '--no-color']

/** A text within single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The flags of all commands that take a value, by that value; a flag means the same everywhere. */
function valuesOf(commands: readonly CompletedCommand[]): Map<string, FlagValue> {
  const values = new Map<string, FlagValue>()
  for (const { flags } of commands)
    for (const { names, value } of flags)
      if (value.kind !== 'none') for (const name of names) values.set(name, value)
  return values
}

function casesOf(
  commands: readonly CompletedCommand[],
  words: (list: readonly string[]) => string,
  files: string,
): string[] {
  return [...valuesOf(commands)].map(([name, value]) => {
    const action = value.kind === 'words' ? words(value.words) : value.kind === 'file' ? files : ':'
    return `    ${name}) ${action}; return ;;`
  })
}

function argumentsOf(
  { algorithms, files }: CompletedCommand,
  words: (list: readonly string[]) => string,
  paths: string,
): string {
  const actions = [...(algorithms ? [words(algorithmNames)] : []), ...(files ? [paths] : [])]
  return actions.join('; ') || ':'
}

function namesOf(commands: readonly CompletedCommand[]): string[] {
  return [...commands.map(({ name }) => name), ...GLOBAL]
}

export function bashScript(commands: readonly CompletedCommand[]): string {
  const words = (list: readonly string[]) => `_conclave_words ${quoted(list.join(' '))}`
  const flagsOf = ({ flags }: CompletedCommand) => words(flags.flatMap(({ names }) => names))
  const taken = (it: CompletedCommand) => argumentsOf(it, words, '_conclave_files')
  return `# bash completion for conclave: source <(conclave completion bash)
_conclave_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$cur"))
}
_conclave_files() {
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$cur"))
}
_conclave() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" verb='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ "\${COMP_WORDS[i]}" != -* ]]; then verb="\${COMP_WORDS[i]}"; break; fi
  done
  if [[ -z $verb ]]; then ${words(namesOf(commands))}; return; fi
  if [[ $verb == help ]]; then ${words(commands.map(({ name }) => name))}; return; fi
  case "$prev" in
${casesOf(commands, words, '_conclave_files').join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$verb" in
${commands.map((it) => `      ${it.name}) ${flagsOf(it)} ;;`).join('\n')}
    esac
    return
  fi
  case "$verb" in
${commands.map((it) => `    ${it.name}) ${taken(it)} ;;`).join('\n')}
  esac
}
complete -o filenames -F _conclave conclave
`
}

export function zshScript(commands: readonly CompletedCommand[]): string {
  const words = (list: readonly string[]) => `compadd -- ${list.map(quoted).join(' ')}`
  const flagsOf = ({ flags }: CompletedCommand) => words(flags.flatMap(({ names }) => names))
  return `#compdef conclave
# zsh completion for conclave: source <(conclave completion zsh)
_conclave() {
  local verb='' i cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}"
  for ((i = 2; i < CURRENT; i++)); do
    if [[ "\${words[i]}" != -* ]]; then verb="\${words[i]}"; break; fi
  done
  if [[ -z $verb ]]; then ${words(namesOf(commands))}; return; fi
  if [[ $verb == help ]]; then ${words(commands.map(({ name }) => name))}; return; fi
  case "$prev" in
${casesOf(commands, words, '_files').join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    case "$verb" in
${commands.map((it) => `      ${it.name}) ${flagsOf(it)} ;;`).join('\n')}
    esac
    return
  fi
  case "$verb" in
${commands.map((it) => `    ${it.name}) ${argumentsOf(it, words, '_files')} ;;`).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _conclave ]]; then _conclave "$@"; else compdef _conclave conclave; fi
`
}

export function fishScript(commands: readonly CompletedCommand[]): string {
  const within = (name: string) => `-n '__fish_seen_subcommand_from ${name}'`
  const lines = commands.flatMap(({ name, says, flags, algorithms, files }) => [
    `complete -c conclave -f -n __fish_use_subcommand -a ${name} -d ${quoted(says)}`,
    ...(algorithms
      ? [`complete -c conclave ${within(name)} -a ${quoted(algorithmNames.join(' '))}`]
      : []),
    ...(files ? [] : [`complete -c conclave ${within(name)} -f`]),
    ...flags.map(({ names, says: meaning, value }) => {
      const flag = names.map((one) =>
        one.startsWith('--') ? `-l ${one.slice(2)}` : shortFlag(one),
      )
      return [
        'complete -c conclave',
        within(name),
        ...flag,
        ...fishValue(value),
        '-d',
        quoted(meaning),
      ].join(' ')
    }),
  ])
  return `# fish completion for conclave: conclave completion fish | source
complete -c conclave -f -n __fish_use_subcommand -a help -d 'show the help of a command'
complete -c conclave -l no-color -d 'no colours'
${lines.join('\n')}
`
}

function shortFlag(flag: string): string {
  return `-s ${flag.slice(1)}`
}

function fishValue(value: FlagValue): string[] {
  if (value.kind === 'words') return ['-x', '-a', quoted(value.words.join(' '))]
  if (value.kind === 'file') return ['-r', '-F']
  return value.kind === 'free' ? ['-x'] : []
}

/** What follows a flag: nothing, one of a few words, a file, or something that only users know. */
export type FlagValue =
  | { readonly kind: 'none' | 'file' | 'free' }
  | { readonly kind: 'words'; readonly words: readonly string[] }

export interface CompletedFlag {
  readonly names: readonly string[]
  readonly says: string
  readonly value: FlagValue
}

export interface CompletedCommand {
  readonly name: string
  readonly says: string
  readonly flags: readonly CompletedFlag[]
  /** What its arguments are: algorithms, files, or both. */
  readonly algorithms: boolean
  readonly files: boolean
}

const definitions = [...catalogue, ...aggregations]

/** Their own names first, then those of the literature, as one word each. */
export const algorithmNames = [
  ...definitions.map(({ name }) => name),
  ...new Set(
    definitions.flatMap(({ theory }) =>
      (theory.also ?? []).map((other) => other.toLowerCase().replace(/[^a-z0-9]+/g, '-')),
    ),
  ),
]

export function completedCommand(command: Verb): CompletedCommand {
  const taken = command.registeredArguments.map((it) => `${it.name()} ${it.description}`).join()
  return {
    name: command.name(),
    says: command.description(),
    flags: [...command.visible.map((flag) => flagOf(flag, command)), HELP, NO_COLOUR],
    algorithms: /algorithm/.test(taken),
    files: /file|folder|\.ts|\.json/.test(taken),
  }
}

const HELP: CompletedFlag = { names: ['--help'], says: 'show the help', value: { kind: 'none' } }
const NO_COLOUR: CompletedFlag = {
  names: ['--no-color'],
  says: 'no colours',
  value: { kind: 'none' },
}

function flagOf(flag: Option, { words }: Verb): CompletedFlag {
  const { short, long, description, required, optional } = flag
  const names = [short, long].filter((name) => name !== undefined)
  const value = required || optional ? takenBy(flag, words.get(flag.name())) : NONE
  return { names, says: description, value }
}

const NONE: FlagValue = { kind: 'none' }

function takenBy(flag: Option, words: readonly string[] | undefined): FlagValue {
  if (namesAlgorithm(flag)) return { kind: 'words', words: algorithmNames }
  const { flags } = flag
  const [, choices] = /<([\w-]+(?:\|[\w-]+)+)>/.exec(flags) ?? []
  if (choices !== undefined) return { kind: 'words', words: choices.split('|') }
  if (words !== undefined) return { kind: 'words', words }
  return { kind: /<(file|folder|path)/.test(flags) ? 'file' : 'free' }
}

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
export function completionCommand(commands: () => Promise<Verb[]>) {
  return (io: Io, leave: Leave): Verb =>
    new Verb('completion')
      .description('print a script that completes command lines in your shell')
      .argument('<shell>', 'bash, zsh or fish')
      .about(EXAMPLES)
      .action(async (given: string) => {
        const shell = word('shell', given, SHELLS)
        const known = (await commands()).map(completedCommand)
        io.out(SCRIPTS[shell](known))
        leave(EXIT.done)
      })
}
