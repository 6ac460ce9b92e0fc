import { basename } from 'node:path'
import { UsageError } from '../../core/index.ts'
import { enumerated } from '../../core/text-format.ts'
import { readText } from '../input/read-file.ts'
import { readScenarioFile } from '../input/scenario-file.ts'
import { isCode, moduleOf, ownFile } from '../input/user-algorithm.ts'
import type { OpenedFile } from './server.ts'

/** An import of another file, which the page does not have. */
const RELATIVE_IMPORT = /^\s*(?:import|export)\b[^;]*?from\s*['"]\.{1,2}\//m

/**
 * The files that the page opens: a trace or a scenario, and an own algorithm. A scenario may name
 * its own algorithm by itself.
 */
export async function openedFiles(names: readonly string[]): Promise<OpenedFile[]> {
  refuseSeveral(names)
  const own = names.find(isCode)
  const shown = names.find((name) => !isCode(name))
  const files: OpenedFile[] = []
  let code = own
  if (shown?.endsWith('.json')) {
    const { algorithm, fields } = readScenarioFile(shown)
    if (isCode(algorithm)) code ??= algorithm
    const text = JSON.stringify({ algorithm: basename(algorithm), ...fields })
    files.push({ name: basename(shown), text })
  } else if (shown !== undefined) {
    files.push({ name: basename(shown), text: readText(shown) })
  }
  return code === undefined ? files : [...files, await sourceOf(code)]
}

/** The page shows one run, of one definition. */
function refuseSeveral(names: readonly string[]): void {
  const [codes, others] = [names.filter(isCode), names.filter((name) => !isCode(name))]
  const several = [codes, others].find(({ length }) => length > 1)
  if (several === undefined) return
  throw new UsageError(
    'lab',
    `${enumerated(several)} cannot be opened together.`,
    'Name one trace or scenario, and one definition.',
  )
}

/** The source of an own file for the editor; files that it imports become part of it. */
async function sourceOf(reference: string): Promise<OpenedFile> {
  // Mistakes are told before a page opens.
  await moduleOf(reference)
  const { path } = ownFile(reference)
  const text = readText(path)
  const name = basename(reference)
  return { name, text: RELATIVE_IMPORT.test(text) ? await bundled(path) : text }
}

async function bundled(path: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    external: ['conclave'],
    tsconfigRaw: {},
    logLevel: 'silent',
  })
  const note = '// @ts-nocheck: this file and those that it imports, without their types'
  return `${note}\n${outputFiles[0].text}`
}
