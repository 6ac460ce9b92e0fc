import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import { definitionNamed, isAggregation } from '../../algorithms/index.ts'
import { UsageError } from '../../core/index.ts'
import { quoted } from '../../core/text-format.ts'
import { fileProblem } from '../input/read-file.ts'
import type { Io, Leave } from '../io.ts'
import { firstCheck } from '../new/definition-source.ts'
import { folderFiles } from '../new/folder-files.ts'

const EXAMPLES = `
The folder has a definition with comments, a scenario, a test, and what an editor needs to show
types. Nothing has to be installed in it.

Examples:
  conclave new my-election
  conclave new my-bully --like bully
  conclave new my-average --like gossip-average`

interface Options {
  readonly like: string
}

export function newCommand(io: Io, _leave: Leave): Command {
  return new Command('new')
    .description('write a folder for your own algorithm')
    .argument('<name>', 'the name of the algorithm and of the folder')
    .option('--like <algorithm>', 'the algorithm of the catalogue to begin with', 'lcr')
    .addHelpText('after', EXAMPLES)
    .action((path: string, { like }: Options) => {
      const name = basename(path)
      refuseName(name)
      refuseExisting(path)
      const definition = definitionNamed(like, '--like')
      const files = folderFiles(name, definition)
      write(path, files)
      const names = Object.keys(files).map((file) => `  ${join(path, file)}\n`)
      const definitionFile = join(path, `${name}.ts`)
      const next = isAggregation(definition)
        ? [`conclave run ${definitionFile} -n 1000 --until 20`]
        : [`conclave run ${definitionFile}`, firstCheck(definitionFile, definition)]
      const lines = [...next, `cd ${path} && npm test`].map((line) => `  ${line}\n`)
      io.out(`${names.join('')}\nGo on with:\n${lines.join('')}`)
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
  const begun: string[] = []
  try {
    mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(files)) {
      begun.push(join(path, name))
      writeFileSync(join(path, name), text, { flag: 'wx' })
    }
  } catch (error) {
    for (const file of begun) rmSync(file, { force: true })
    throw new UsageError('conclave new', `${path} cannot be written: ${fileProblem(error)}.`)
  }
}
