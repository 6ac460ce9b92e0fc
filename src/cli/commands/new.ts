import { existsSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { definitionNamed } from '../../algorithms/index.ts'
import { makeFolder } from '../../cluster/node/folder.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { creationProblem } from '../input/read-file.ts'
import type { Io, Leave } from '../io.ts'
import { folderLinks, newFolder } from '../new/folder-files.ts'
import { Verb } from '../verb.ts'

const EXAMPLES = `
The folder has a definition, a scenario, a test, and what an editor needs to show types. Nothing
has to be installed in it: it has a link to this program. The definition is that of
docs/tutorial.md; with --full it also has an invariant, reasons and a display, as algorithms of the
catalogue do.

Examples:
  conclave new my-election
  conclave new my-election --full
  conclave new my-bully --like bully
  conclave new my-average --like gossip-average`

interface Options {
  readonly like?: string
  readonly full?: boolean
}

export function newCommand(io: Io, _leave: Leave): Verb {
  return new Verb('new')
    .description('write a folder for your own algorithm')
    .argument('<name>', 'the name of the algorithm and of the folder')
    .group('output')
    .option('--like <algorithm>', 'the algorithm of the catalogue to begin with (default: lcr)')
    .option('--full', 'with invariant, reasons and display, as the catalogue has it')
    .about(EXAMPLES)
    .action((path: string, { like, full }: Options) => {
      const name = basename(path)
      refuseName(name)
      refuseExisting(path)
      const definition = definitionNamed(like ?? 'lcr', '--like')
      const brief = like === undefined && full !== true
      const { files, commands } = newFolder(resolve(path), name, definition, brief)
      write(path, files)
      const names = Object.keys(files).map((file) => `  ${join(path, file)}\n`)
      const folder = /\s/.test(path) ? `"${path}"` : path
      const lines = [`cd ${folder}`, ...commands, 'npm test'].map((line) => `  ${line}\n`)
      io.out(`${names.join('')}\nNext:\n${lines.join('')}`)
    })
}

/** The name becomes that of files and of an npm package. */
function refuseName(name: string): void {
  if (/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name)) return
  throw new UsageError(
    'conclave new',
    `the name ${quoted(name)} is not made of lower-case letters, digits and hyphens.`,
    'Write for example conclave new my-election.',
  )
}

function refuseExisting(path: string): void {
  if (!existsSync(path)) return
  const problem = `${path} exists already`
  try {
    if (readdirSync(path).length === 0) return
  } catch {
    throw new UsageError('conclave new', `${problem}.`, 'Choose another name.')
  }
  throw new UsageError('conclave new', `${problem}, and it is not empty.`, 'Choose another name.')
}

/** Writes all files or none: a folder with some of them would be in the way of the next try. */
function write(path: string, files: Readonly<Record<string, string>>): void {
  let made = false
  const begun: string[] = []
  try {
    made = makeFolder(path)
    for (const [name, text] of Object.entries(files)) {
      begun.push(join(path, name))
      writeFileSync(join(path, name), text, { flag: 'wx' })
    }
    for (const [name, target] of Object.entries(folderLinks(realpathSync(path)))) {
      makeFolder(dirname(join(path, name)))
      begun.push(join(path, name))
      symlinkSync(target, join(path, name), 'junction')
    }
  } catch (error) {
    for (const file of begun) rmSync(file, { force: true })
    if (made) rmSync(path, { recursive: true, force: true })
    const why = creationProblem(path, error)
    throw new UsageError('conclave new', `${path} cannot be written: ${why}.`, 'Check the path.')
  }
}
