import type { Command, Option } from 'commander'
import { aggregations, catalogue } from '../../algorithms/index.ts'
import { NAMING_FLAGS } from '../input/other-names.ts'

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

/** The words of flags whose values are few; others have a file, a number or a text. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '--timing': ['sync', 'async', 'cycles'],
  '--order': ['fifo', 'any'],
  '--ids': ['increasing', 'decreasing', 'bit-reversal', 'random', 'same', 'all'],
  '--delay': ['unit', 'constant:', 'uniform:', 'exponential:'],
  '--wake': ['all', 'rate:'],
  '--elect-by': ['id', 'value', 'value:min', 'degree', 'near:'],
  '--values': ['uniform:0:1', 'index', 'peak'],
  '--weights': ['random'],
  '--detect': ['off'],
  '--mode': ['untimed', 'patient', 'clocked:1'],
  '--reduction': ['auto', 'off'],
  '--worst': ['messages', 'time'],
  '--log': ['x', 'y', 'x,y'],
  '--fit': ['auto'],
  '--repeat': ['all'],
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

export function completedCommand(command: Command): CompletedCommand {
  const taken = command.registeredArguments.map((it) => `${it.name()} ${it.description}`).join()
  return {
    name: command.name(),
    says: command.description(),
    flags: [...command.options.map(flagOf), HELP, NO_COLOUR],
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

function flagOf({ short, long, description, required, optional, flags }: Option): CompletedFlag {
  const names = [short, long].filter((name) => name !== undefined)
  return { names, says: description, value: required || optional ? takenBy(names, flags) : NONE }
}

const NONE: FlagValue = { kind: 'none' }

function takenBy(names: readonly string[], flags: string): FlagValue {
  const name = names.at(-1)!
  if (NAMING_FLAGS.includes(name)) return { kind: 'words', words: algorithmNames }
  const [, choices] = /<([\w-]+(?:\|[\w-]+)+)>/.exec(flags) ?? []
  if (choices !== undefined) return { kind: 'words', words: choices.split('|') }
  if (name in WORDS) return { kind: 'words', words: WORDS[name] }
  return { kind: /<(file|folder|path)/.test(flags) ? 'file' : 'free' }
}
