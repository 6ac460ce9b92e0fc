import {
  type Aggregation,
  isAggregation,
  ownGossip,
  sealedDefinition,
} from '../../../src/algorithms/index.ts'
import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { definitionAmong } from '../../../src/scenario/fields/definition.ts'

/** Every module that a definition may import, by its path from the root of the repository. */
const MODULES = Object.fromEntries(
  Object.entries({
    ...import.meta.glob<object>(['../../../src/algorithms/**/*.ts', '!../../../src/**/*.test.ts'], {
      eager: true,
    }),
    ...import.meta.glob<object>(
      ['../../../src/core/{index,language/{index,aggregate}}.ts', '../../../src/problems/index.ts'],
      { eager: true },
    ),
  }).map(([path, module]) => [path.slice(path.indexOf('/src/')), module]),
)

/** Own aggregations are made by gossip, which is no part of the language. */
const AGGREGATION = '/src/algorithms/gossip/own-aggregation.ts'

const NAME = 'own-definition.js'
/** Lines that the JavaScript engine puts before the body of a function. */
const HEADING = 2

/** An own definition as it is sent to the worker. */
export interface OwnCode {
  readonly path: string
  readonly compiled: string
}

/** The definition that own code exports: the default export, or the only one. */
export function ownDefinition({ path, compiled }: OwnCode): Algorithm | Aggregation {
  const exported: Record<string, unknown> = {}
  const require = (name: string) => moduleNamed(name, path)
  new Function('require', 'exports', `${compiled}\n//# sourceURL=${NAME}`)(require, exported)
  const [, wanted] = path.split('#')
  return ownGossip(sealedDefinition(definitionAmong(exported, 'code', wanted)))
}

/** The same where only an election will do: aggregations are not explored on the page. */
export function ownElection(code: OwnCode): Algorithm {
  const definition = ownDefinition(code)
  if (!isAggregation(definition)) return definition
  throw new UsageError(
    'code',
    `${definition.name} is an aggregation, and the page explores elections only.`,
    'Use conclave check.',
  )
}

/** The line of the compiled code that threw an error, from 0; null for other errors. */
export function lineOf(error: unknown): number | null {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, line] = new RegExp(`${NAME}:(\\d+):`).exec(stack) ?? []
  return line === undefined ? null : Number(line) - 1 - HEADING
}

function moduleNamed(name: string, path: string): object {
  if (name === 'conclave') return { ...MODULES['/src/problems/index.ts'], ...MODULES[AGGREGATION] }
  const module = MODULES[new URL(name, `file://${path}`).pathname]
  if (module) return module
  throw new UsageError(
    'code',
    `${JSON.stringify(name)} cannot be imported here.`,
    "Import from 'conclave'.",
  )
}
