import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { definitionAmong } from '../../../src/scenario/fields/definition.ts'

/** All that a definition may import, by its path from the root of the program. */
const MODULES = Object.fromEntries(
  Object.entries({
    ...import.meta.glob<object>(['../../../src/algorithms/**/*.ts', '!../../../src/**/*.test.ts'], {
      eager: true,
    }),
    ...import.meta.glob<object>(
      ['../../../src/api/language.ts', '../../../src/core/{index,language/aggregate}.ts'],
      {
        eager: true,
      },
    ),
  }).map(([path, module]) => [path.slice(path.indexOf('/src/')), module]),
)

const NAME = 'own-definition.js'
/** Lines that the engine puts before those of a function's body. */
const HEADING = 2

/** Own definition on its way to the worker. */
export interface OwnCode {
  readonly path: string
  readonly compiled: string
}

/** The algorithm that own code exports: by default, or as the only one. */
export function ownAlgorithm({ path, compiled }: OwnCode): Algorithm {
  const exported: Record<string, unknown> = {}
  const demand = (name: string) => moduleNamed(name, path)
  new Function('require', 'exports', `${compiled}\n//# sourceURL=${NAME}`)(demand, exported)
  return definitionAmong(exported, 'code')
}

/** In which line of the compiled code an error arose, from 0; null where it did not. */
export function lineOf(error: unknown): number | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, line] = new RegExp(`${NAME}:(\\d+):`).exec(stack) ?? []
  return line === undefined ? null : Number(line) - 1 - HEADING
}

function moduleNamed(name: string, path: string): object {
  const place =
    name === 'conclave' ? '/src/api/language.ts' : new URL(name, `file://${path}`).pathname
  const module = MODULES[place]
  if (module) return module
  throw new UsageError(
    'code',
    `imports are from conclave, but ${JSON.stringify(name)} was given.`,
    "Write import { algorithm, message } from 'conclave'.",
  )
}
