import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { CheckOptions } from '../../src/check/index.ts'
import type { Algorithm } from '../../src/core/index.ts'
import type { ScenarioInput } from '../../src/scenario/index.ts'

/** A plausible bug in a definition of the catalogue. */
export interface Mutant {
  readonly bug: string
  /** The file of the algorithm, and the one with the bug where that is another. */
  readonly file: string
  readonly in?: string
  /** Stands exactly once in it. */
  readonly from: string
  readonly to: string
  /** The smallest world that shows it, and what is broken there. */
  readonly world: ScenarioInput
  readonly rules?: Partial<Pick<CheckOptions, 'mode' | 'wake' | 'faults' | 'fairRuns'>>
  readonly breaks: string
}

const folder = fileURLToPath(new URL('../../src/algorithms/', import.meta.url))

/** The definition of a file, with the bug or as it is. */
export async function compiled<D = Algorithm>(
  mutant: Pick<Mutant, 'file' | 'in' | 'from' | 'to'>,
  withBug: boolean,
): Promise<D> {
  const { file, from, to } = mutant
  const changed = resolve(folder, mutant.in ?? file)
  const source = readFileSync(changed, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${changed} must have exactly once: ${from}`)
  const { outputFiles } = await build({
    entryPoints: [resolve(folder, file)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node20',
    plugins: [
      {
        name: 'bug',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) =>
            withBug && path === changed
              ? { contents: source.replace(from, () => to), loader: 'ts' }
              : undefined,
          ),
      },
    ],
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  const exported: Record<string, D> = await import(`data:text/javascript;base64,${code}`)
  return Object.values(exported).find((one) => typeof one === 'object')!
}
