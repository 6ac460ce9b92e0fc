import { basename } from 'node:path'
import { network, Random, UsageError } from '../../core/index.ts'
import { linksOf } from '../../core/language/topology.ts'
import { enumerated } from '../../core/text-format.ts'
import type { ScenarioInput } from '../../scenario/index.ts'
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
    const whole = { algorithm: basename(algorithm), ...fields, ...linksIn(fields, shown) }
    const text = JSON.stringify(whole)
    files.push({ name: basename(shown), text })
  } else if (shown !== undefined) {
    files.push({ name: basename(shown), text: readText(shown) })
  }
  return code === undefined ? files : [...files, await sourceOf(code)]
}

/** The page reads no files: a network from a file becomes a list of its links. */
function linksIn({ topology: named }: ScenarioInput, path: string): ScenarioInput {
  if (typeof named !== 'string' || !named.startsWith('file:')) return {}
  const readFile = (file: string) => readText(file, `${path}: topology`)
  const options = { random: Random.from(1), readFile, allowComponents: true }
  const topology = network(named, options)
  const edges = Array.from({ length: topology.n }, (_, node) =>
    linksOf(topology, node)
      .map((link) => topology.neighbor(node, link))
      .filter((end) => end > node)
      .map((end) => `${node}-${end}`),
  )
  return { topology: `edges:${edges.flat().join()}` }
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
