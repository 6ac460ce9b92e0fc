import { Command, Option as Flag } from 'commander'
import { UsageError } from '../core/index.ts'
import { OPTION_GROUPS, type Option, type OptionGroup } from '../options/option.ts'
import { fieldNamed } from '../options/scenario.ts'
import { flagged } from '../scenario/command-line.ts'
import { rowsWithin } from './terminal/format.ts'

/** Declared options by name; the flag of `electBy` is `--elect-by`. */
type Options = Readonly<Record<string, Option>>

/** A switch of every command, and of none in particular. */
export const NO_COLOUR = '--no-color'

/** What every command has beside its own flags. */
const SHARED = [
  ['-h, --help', 'help: -h for the usual flags, --help for everything'],
  [NO_COLOUR, 'no colours, also where the output is a terminal'],
]

/** The rows of a section of the help: a term, and what it means. */
type Rows = readonly (readonly string[])[]

/** A command of the program. Its help begins with examples and has its flags in groups. */
export class Verb extends Command {
  /** What the help has first, and what it has last. */
  examples = ''
  notes = ''
  /** Whether the help is the short one. */
  brief = false
  /** Words with which the value of a flag may begin, by its name. */
  readonly words = new Map<string, readonly string[]>()
  private readonly common = new Set<string>()

  /** Under which heading of the help the flags that follow stand. */
  group(name: OptionGroup): this {
    return this.optionsGroup(headingOf(name))
  }

  /** The short help has these flags. */
  short(...names: readonly string[]): this {
    for (const name of names) this.common.add(name)
    return this
  }

  /** Adds a flag for each declared option. */
  declare(options: Options): this {
    for (const [name, option] of Object.entries(options)) {
      const flag = flagOf(name, option)
      this.addOption(option.initial === undefined ? flag : flag.default(option.initial))
      if (option.common) this.short(flag.name())
      if (option.words) this.words.set(flag.name(), option.words)
      // A command may have a flag of its own by this name.
      const taken = this.options.map((one) => one.name())
      const aliases = option.aliases?.filter((alias) => !taken.includes(alias)) ?? []
      for (const alias of aliases) this.addAlias(alias, name, option)
    }
    return this
  }

  /** The text of its help, in which the paragraph of examples begins with their title. */
  about(text: string): this {
    const paragraphs = text.trim().split(/\n\n+/)
    const isExample = (paragraph: string) => /^Examples?\b.*:\n/.test(paragraph)
    this.examples = paragraphs.filter(isExample).join('\n\n')
    this.notes = paragraphs.filter((paragraph) => !isExample(paragraph)).join('\n\n')
    return this
  }

  get visible(): Flag[] {
    return this.options.filter(({ hidden }) => !hidden)
  }

  /** The flags that help shows, under the headings of their groups. */
  flagsByHeading(): [heading: string, flags: Flag[]][] {
    const shown = this.visible
    const chosen = shown.filter((flag) => this.common.has(flag.name()))
    const flags = this.brief && chosen.length > 0 ? chosen : shown
    return OPTION_GROUPS.map(headingOf).map((heading) => [
      heading,
      flags.filter(({ helpGroupHeading = headingOf('other') }) => helpGroupHeading === heading),
    ])
  }

  override helpInformation(): string {
    const flags = this.flagsByHeading().map(([heading, list]): [string, Rows] => [
      heading,
      list.map((flag) => [flag.flags, meaningOf(flag)]),
    ])
    const sections: [heading: string, rows: Rows][] = [
      ['Arguments:', this.registeredArguments.map((one) => [one.name(), one.description])],
      ['Commands:', this.commands.map((one) => [one.name(), one.description()])],
      ...flags.slice(0, -1),
      [headingOf('other'), [...flags.at(-1)![1], ...(this.brief ? [] : SHARED)]],
    ]
    const rows = sections.flatMap(([, list]) => list.map(([term, says]) => [`  ${term}`, says]))
    const lines = rowsWithin(rows, this.configureOutput().getOutHelpWidth!())
    const name = this.parent === null ? this.name() : `${this.parent.name()} ${this.name()}`
    return `${[
      `Usage: ${name} ${this.usage()}`,
      this.description(),
      this.brief ? firstOf(this.examples) : this.examples,
      ...sections
        .filter(([, list]) => list.length > 0)
        .map(([heading, list]) => [heading, ...lines.splice(0, list.length).flat()].join('\n')),
      this.brief ? `All flags, and more about them: ${name} --help` : this.notes,
    ]
      .filter((block) => block !== '')
      .join('\n\n')}\n`
  }

  /** Adds a flag that help does not show, whose value is that of another flag. */
  private addAlias(alias: string, name: string, option: Option): void {
    this.addOption(flagOf(alias, option).hideHelp())
    this.hook('preAction', () => {
      const given = this.getOptionValue(alias)
      if (given === undefined) return
      if (this.getOptionValueSource(name) === 'cli') throw givenTwice(alias, name)
      this.setOptionValueWithSource(name, given, 'cli')
    })
  }
}

/** Enough examples for the short help. */
function firstOf(examples: string): string {
  return examples
    .split(/\n(?= {2}conclave )/)
    .slice(0, 6)
    .join('\n')
}

function headingOf(group: OptionGroup): string {
  return `${group[0].toUpperCase()}${group.slice(1)}:`
}

/** What a flag does, and its default. */
function meaningOf({ description, defaultValue }: Flag): string {
  return defaultValue === undefined ? description : `${description} (default: ${defaultValue})`
}

/** The flag of an option, by one of its names. */
function flagOf(name: string, option: Option): Flag {
  const { group, short, value, arity, says, usual, repeatable } = option
  const named = `${short === undefined ? '' : `-${short}, `}${flagged(fieldNamed(name))}`
  const several = arity === 'several' ? '...' : ''
  const taken = arity === 'at most one' ? ` [${value}]` : ` <${value}${several}>`
  const text = usual ? `${says} (default: ${usual})` : says
  const flag = new Flag(value === undefined ? named : `${named}${taken}`, text)
  if (repeatable) flag.argParser((one: string, before: string[] = []) => [...before, one])
  return flag.helpGroup(headingOf(group))
}

function givenTwice(alias: string, name: string): UsageError {
  const own = flagged(fieldNamed(name))
  return new UsageError(`--${alias}`, `it is another name of ${own}.`, 'Leave one of them out.')
}
