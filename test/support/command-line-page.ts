import type { Argument, Option } from 'commander'
import { COMMANDS, commandNamed } from '../../src/cli/main.ts'
import type { Verb } from '../../src/cli/verb.ts'
import { shell } from './run-command.ts'

const SILENT = { out: () => {}, err: () => {}, colours: false, progress: false }

const INTRODUCTION = `# The command line

Every command with all its flags, as \`conclave <command> --help\` prints them. This page is
generated from the commands: \`npm run docs\` rewrites it. In a checkout the program is
\`npx conclave\`; it names itself in its output as it can be called where you are.

Every command also has \`--no-color\`. Colours are used on a terminal, unless \`NO_COLOR\` is set
or \`TERM\` is \`dumb\`; \`FORCE_COLOR=1\` asks for them elsewhere. Lines fit the terminal, or
\`COLUMNS\`, or 80 columns. Where the locale (\`LC_ALL\`, \`LC_CTYPE\` or \`LANG\`) is set and not
UTF-8, and on old consoles of Windows, reports are in ASCII. \`--json\` prints the same bytes
everywhere.
`

/** docs/command-line.md, from the commands themselves. */
export async function commandLineDocument(): Promise<string> {
  const commands = await Promise.all(
    Object.keys(COMMANDS).map((name) => commandNamed(name, SILENT, () => {})),
  )
  const { out } = await shell()
  const [, exitCodes] = /^Exit codes: ([\s\S]*)$/m.exec(out)!
  return [
    INTRODUCTION,
    table(
      ['command', 'purpose'],
      commands.map((it) => [
        `[\`${it.name()}\`](#conclave-${it.name()})`,
        sentence(it.description()),
      ]),
    ),
    `Exit codes: ${oneLine(exitCodes)}\n`,
    ...commands.map(section),
  ].join('\n')
}

function section(verb: Verb): string {
  return [
    `## conclave ${verb.name()}\n`,
    `${sentence(verb.description())}\n`,
    `\`\`\`\nconclave ${verb.name()} ${verb.usage()}\n\`\`\`\n`,
    ...blocksOf(verb.examples),
    ...(verb.registeredArguments.length > 0
      ? [table(['argument', 'meaning'], verb.registeredArguments.map(argumentRow))]
      : []),
    ...verb
      .flagsByHeading()
      .filter(([, flags]) => flags.length > 0)
      .map(([heading, flags]) =>
        table([heading.slice(0, -1).toLowerCase(), 'meaning', 'default'], flags.map(optionRow)),
      ),
    ...blocksOf(verb.notes),
  ].join('\n')
}

function argumentRow(argument: Argument): string[] {
  const { required, variadic, description } = argument
  const name = `${argument.name()}${variadic ? '...' : ''}`
  return [code(required ? `<${name}>` : `[${name}]`), escaped(description)]
}

/** The default stands in the description, or commander knows it. */
function optionRow({ flags, description, defaultValue, negate }: Option): string[] {
  const [found, stated] = / \(default: ([^)]*)\)/.exec(description) ?? ['', undefined]
  const known = defaultValue === undefined || negate ? '' : code(String(defaultValue))
  return [
    code(flags),
    escaped(description.replace(found, '')),
    stated === undefined ? known : escaped(stated),
  ]
}

/** Paragraphs of a help text; examples and lists are blocks. */
function blocksOf(text: string): string[] {
  if (text === '') return []
  return text.split(/\n\n+/).map((block) => {
    const [, title, indented] = /^((?:\S.*\n)*?)((?: {2}.*\n?)+)$/.exec(block) ?? []
    if (indented === undefined) return `${escaped(oneLine(block))}\n`
    const language = title === '' || title.startsWith('Example') ? 'sh' : 'text'
    const lines = `\`\`\`${language}\n${indented.replace(/^ {2}/gm, '').trimEnd()}\n\`\`\`\n`
    return title === '' ? lines : `${escaped(oneLine(title))}\n\n${lines}`
  })
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

function escaped(text: string): string {
  return text.replace(/[|<>*]/g, (sign) => `\\${sign}`)
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return escaped(whole.endsWith('.') ? whole : `${whole}.`)
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ')
}
