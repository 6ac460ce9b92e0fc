import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { COMMANDS } from '../main.ts'

/*
 * The one place that decides what the terminal can show: colours, width, characters, and the name
 * by which the user starts this program.
 */

/** The surroundings of this process that decide. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: { readonly isTTY?: boolean }
}

/** What is shown, and how wide. */
export interface Terminal {
  readonly colours: boolean
  /** Whether standard error can show a line that is rewritten in place. */
  readonly progress: boolean
  readonly width: number
  /** Whether characters outside of ASCII are shown. */
  readonly unicode: boolean
}

/** The width where it is not known, and the narrowest that reports are made for. */
const USUAL_WIDTH = 80
const COLUMNS_MIN = 40

export function terminalOf({ env, platform, stdout, stderr }: Surroundings): Terminal {
  const dumb = env.TERM === 'dumb'
  return {
    colours: colouring(env) ?? (stdout.isTTY === true && !dumb),
    progress: stderr.isTTY === true && !dumb,
    width: Math.max(COLUMNS_MIN, numberOf(env.COLUMNS) ?? stdout.columns ?? USUAL_WIDTH),
    unicode: platform === 'win32' ? modernConsole(env) : isUtf8(env),
  }
}

/** NO_COLOR and FORCE_COLOR as everywhere; null where neither is set. */
function colouring({ NO_COLOR, FORCE_COLOR }: Surroundings['env']): boolean | null {
  if (NO_COLOR) return false
  if (!FORCE_COLOR) return null
  return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : null
}

/** The first variable that is set decides, as in the C library. Without any, UTF-8 is assumed. */
function isUtf8({ LC_ALL, LC_CTYPE, LANG }: Surroundings['env']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

/** The console of old Windows versions shows only the characters of its code page. */
function modernConsole(env: Surroundings['env']): boolean {
  return (
    ['WT_SESSION', 'ConEmuTask', 'TERM_PROGRAM', 'CI'].some((name) => env[name]) ||
    /^(xterm|alacritty|rxvt)/.test(env.TERM ?? '')
  )
}

/** The name by which users start this program, where they are now. */
export function programName(
  env: Surroundings['env'],
  script: string,
  folder: string,
  platform: string,
): string {
  if (env.npm_command === 'exec' || env.npm_lifecycle_event === 'npx') return 'npx conclave'
  if (isOnPath(env, script, platform)) return 'conclave'
  if (isLocal(script, folder)) return 'npx conclave'
  const near = relative(folder, script)
  const path = near.startsWith('..') ? script : near
  return `node ${/\s/.test(path) ? `"${path}"` : path}`
}

/** Within npm scripts the path has the local programs too, which users cannot call by name. */
function isOnPath({ PATH = '' }: Surroundings['env'], script: string, platform: string): boolean {
  const folders = PATH.split(delimiter).filter((it) => !/node_modules[/\\]\.bin$/.test(it))
  const name = platform === 'win32' ? 'conclave.cmd' : 'conclave'
  return folders.some((folder) => {
    const path = join(folder, name)
    if (!existsSync(path)) return false
    return platform === 'win32' || packageOf(path) === packageOf(script)
  })
}

/** Whether npx finds this program: in its checkout, or in a project that has installed it. */
function isLocal(script: string, folder: string): boolean {
  const ours = packageOf(script)
  for (let at = folder; ; at = dirname(at)) {
    const installed = join(at, 'node_modules', 'conclave')
    if (at === ours || (existsSync(installed) && realpathSync(installed) === ours)) return true
    if (at === dirname(at)) return false
  }
}

/** The folder of the package that a program belongs to. */
function packageOf(script: string): string {
  let at = dirname(realpathSync(script))
  while (!existsSync(join(at, 'package.json')) && at !== dirname(at)) at = dirname(at)
  return at
}

/** Commands of this program within a text, and its name at the beginning of an error. */
const VERBS = [...Object.keys(COMMANDS), 'help', '--help'].join('|')
const COMMAND = new RegExp(
  `(?<![\\w/.-])(?<!npx )conclave(?= (?:${VERBS})(?!\\w))|^conclave(?=: )`,
  'g',
)

/** Neither cmd.exe nor PowerShell takes the quotes of POSIX shells as they are meant. */
function quotedForWindows(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.search(COMMAND) < 0 ? line : line.replace(/'([^'"]*)'/g, '"$1"')))
    .join('\n')
}

/** A text as this terminal shows it: commands that work here, and characters that it has. */
export function presented(
  text: string,
  { unicode }: Pick<Terminal, 'unicode'>,
  program: () => string,
  platform: string,
): string {
  const quoted = platform === 'win32' ? quotedForWindows(text) : text
  const working = quoted.replace(COMMAND, () => program())
  return unicode ? working : asciiText(working)
}

/** Characters of reports, and below each the one that every terminal has and that is as wide. */
const SIGNS = [
  ['✓✗♛·×†•☾╭╮╰╯│─▶◀▲▼', '+x*-x+*z++++|-><^v'],
  ['█▉▊▋▌▍▎▏░▁▂▃▄▅▆▇', '#####---._.:-=+*'],
  ['‘’“”–—\u00a0', `''""-- `],
]
const SAME_WIDTH = new Map(
  SIGNS.flatMap(([signs, ascii]) => [...signs].map((sign, i) => [sign, ascii[i]] as const)),
)

/** Characters that take more than one in ASCII. */
const LONGER: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '↔': '<->',
  '⇒': '=>',
  '…': '...',
  '±': '+-',
  '²': '^2',
  '³': '^3',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  '≈': '~',
  '∞': 'inf',
  ß: 'ss',
}

/** The same text in ASCII: letters without accents, and signs that look alike. */
export function asciiText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text
  return text.replace(
    /[^\0-\x7f]/gu,
    (sign) => SAME_WIDTH.get(sign) ?? LONGER[sign] ?? withoutAccent(sign),
  )
}

function withoutAccent(letter: string): string {
  const [first] = letter.normalize('NFKD')
  return /[\0-\x7f]/.test(first) ? first : '?'
}
