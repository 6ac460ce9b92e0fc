import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeBlocks } from './console-blocks.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What starts a process that takes part in something. */
const STARTS = /(?<![.\w])(?:coordinator|join)\(|\bconclave (?:coordinator|node|cluster|worker)\b/
const STARTING_COMMAND = /^conclave (coordinator|node|cluster|worker)\b/

/** A block of code of a document that starts processes. */
export interface ProcessBlock {
  /** Page and line. */
  readonly place: string
  readonly page: string
  readonly language: string
  readonly name: string | undefined
  readonly code: string
}

/** One process, as it is printed but for its name. */
export interface PrintedProcess {
  readonly me: string
  readonly command: string
  /** Variables of its environment, as a container or a unit sets them. */
  readonly variables?: Readonly<Record<string, string>>
}

/** Processes that belong together, with the commands that come before and after their start. */
export interface PrintedGroup {
  readonly place: string
  readonly kind: string
  readonly before: readonly string[]
  readonly processes: readonly PrintedProcess[]
  readonly after: readonly string[]
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** All blocks of the documents that start processes, whatever their language. */
export function processBlocks(): ProcessBlock[] {
  const pages = ['README.md', ...filesUnder('docs'), ...filesUnder('examples')]
  return pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => {
      // Blocks within lists are indented.
      const text = textOf(page).replace(/^ +(?=```)/gm, '')
      return codeBlocks(text)
        .filter(({ code }) => STARTS.test(code))
        .map((block) => {
          const line = text.slice(0, text.indexOf(block.code)).split('\n').length
          return { ...block, page, place: `${page}:${line}` }
        })
    })
}

/** The commands of a block for a shell, one for each line that is not continued. */
function commandsOf(code: string): string[] {
  return code
    .replace(/ *\\\n */g, ' ')
    .split('\n')
    .map((line) => line.replace(/ +# .*$/, '').replace(/^npx /, ''))
    .filter((line) => line !== '')
}

/**
 * The groups of processes that a block for a shell starts. A command that is printed for one member
 * alone is completed for the others: its name is another one, and that of its storage folder.
 */
export function groupsOf({ place, code }: ProcessBlock): PrintedGroup[] {
  const commands = commandsOf(code)
  const starts = (command: string) => STARTING_COMMAND.test(command)
  const first = commands.findIndex(starts)
  const last = commands.findLastIndex(starts)
  const groups = new Map<string, PrintedProcess[]>()
  for (const command of commands.filter(starts)) {
    const all = membersOf(command).map((me) => ({ me, command: asMember(command, me) }))
    groups.set(JSON.stringify(all), all)
  }
  return [...groups.values()].map((processes) => ({
    place: `${place} ${processes[0].command}`,
    kind: STARTING_COMMAND.exec(processes[0].command)![1],
    before: commands.slice(0, first),
    processes,
    after: commands.slice(last + 1),
  }))
}

/** Names or positions of all members that a command speaks of; three if it does not say. */
function membersOf(command: string): string[] {
  if (command.startsWith('conclave cluster')) return ['all']
  const [, list = 'a,b,c'] = /--members (\S+)/.exec(command) ?? []
  if (!command.startsWith('conclave node')) return list.split(',').map((one) => one.split('=')[0])
  const [, addresses] = /--(?:ring|complete) (\S+)/.exec(command) ?? []
  const [, n] = / -n (\d+)/.exec(command) ?? []
  const count = addresses?.split(',').length ?? Number(n)
  return Array.from({ length: count }, (_, position) => String(position))
}

function asMember(command: string, me: string): string {
  const [, printed] = /--me (\w+)/.exec(command) ?? []
  if (printed === undefined) return command
  return command
    .replace(/--me \w+/, `--me ${me}`)
    .replace(new RegExp(`(--storage \\S*\\b)${printed}\\b`), `$1${me}`)
}

/** A member of each file of examples/ that starts some: a unit of systemd, or containers. */
export function groupOfFile(path: string): PrintedGroup {
  const text = textOf(path)
  const unit = /^ExecStart=\/usr\/bin\/(.*)$/m.exec(text)?.[1].replaceAll('%i', 'billing')
  const [, list] = /image: conclave.*\n(?:.*\n)*? *(?:command|args): \[(.*)\]$/m.exec(text) ?? []
  const words = list?.replaceAll(/[",]/g, '')
  const command = unit ?? `${entryPointFor(path)} ${words}`
  const shared = { ...variablesOf(path.replace(/[^/]*$/, 'Dockerfile')), ...variablesOf(path) }
  // The servers of tests have no TLS.
  const { CONCLAVE_MEMBERS = 'a,b,c', NATS_CA: _, ...rest } = shared
  const names = CONCLAVE_MEMBERS.split(',').map((one) => one.split('=')[0])
  const members = CONCLAVE_MEMBERS.includes('=') ? { CONCLAVE_MEMBERS } : {}
  return {
    place: path,
    kind: STARTING_COMMAND.exec(command)![1],
    before: [],
    processes: names.map((me) => ({
      me,
      command: command.replace('$(POD_NAME)', me).replace('$WORKER_FLAGS', rest.WORKER_FLAGS ?? ''),
      variables: { ...rest, ...members, CONCLAVE_ME: me },
    })),
    after: [],
  }
}

/** What the image of a file for containers runs. */
function entryPointFor(path: string): string {
  const folder = path.replace(/(kubernetes\/)?[^/]*$/, '')
  const [, words] = /^ENTRYPOINT \[(.*)\]$/m.exec(textOf(`${folder}Dockerfile`))!
  return words.replaceAll(/[",]/g, '')
}

/** Variables as a Dockerfile, compose, Kubernetes, or the comment of a unit set them. */
function variablesOf(path: string): Record<string, string> {
  let text = ''
  try {
    text = textOf(path)
  } catch {
    return {}
  }
  const forms = [
    /^(?:ENV|# {2}) ?((?:CONCLAVE|NATS|WORKER)_\w+)=(.*)$/gm,
    /^ +((?:CONCLAVE|NATS)_\w+): "?([^"\n]+?)"?$/gm,
    /name: ((?:CONCLAVE|NATS)_\w+)(?:,|\n) *value: "?([^"\s}]+)/g,
  ]
  const found = forms.flatMap((form) => [...text.matchAll(form)])
  return Object.fromEntries(found.map(([, name, value]) => [name, value]))
}
