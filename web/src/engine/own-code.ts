import {
  type Aggregation,
  electionFor,
  ownGossip,
  sealedDefinition,
} from '../../../src/algorithms/index.ts'
import { HIT } from '../../../src/compiler/coverage/instrument.ts'
import { type Algorithm, UsageError } from '../../../src/core/index.ts'
import { definitionAmong } from '../../../src/scenario/fields/definition.ts'
import type { CoverageRequest, OwnCode } from './protocol.ts'
import { OWN_NAME } from './reply.ts'

/** Every module that a definition may import, by its path from the root of the repository. */
const MODULES = Object.fromEntries(
  Object.entries({
    ...import.meta.glob<object>(
      ['../../../src/algorithms/**/*.ts', '!../../../src/algorithms/**/*.test.ts'],
      {
        eager: true,
      },
    ),
    ...import.meta.glob<object>(
      [
        '../../../src/core/{index,numbers,text-format}.ts',
        '../../../src/core/language/{index,aggregate}.ts',
        '../../../src/core/language/validation/needed-networks.ts',
        '../../../src/core/runtime/{composition,restart,sealed/sealed}.ts',
        '../../../src/problems/*.ts',
        '!../../../src/problems/*.test.ts',
      ],
      { eager: true },
    ),
  }).map(([path, module]) => [path.slice(path.indexOf('/src/')), module]),
)

/** Own aggregations are made by gossip, which is no part of the language. */
const AGGREGATION = '/src/algorithms/gossip/own-aggregation.ts'
const CATALOGUE = '/src/algorithms/index.ts'

/** The definition that own code exports: the default export, or the only one. */
export function ownDefinition(code: OwnCode): Algorithm | Aggregation {
  return ownGossip(sealedDefinition(bareDefinition(code)))
}

/** The same with its very handlers, unchecked, as a proof needs them. */
export function bareDefinition({ path, compiled }: OwnCode): Algorithm | Aggregation {
  const require = (name: string) => moduleNamed(name, path)
  return exportedBy(path, evaluated(compiled, { require }))
}

/** The definition of a request with instrumented modules, which call `hit` as they run. */
export function coveredDefinition(
  { scenario, code, modules }: CoverageRequest,
  hit: (piece: number) => void,
): Algorithm | Aggregation {
  const loaded = new Map<string, Record<string, unknown>>()
  const load = (path: string): Record<string, unknown> | null => {
    const module = modules.find((one) => one.path === path)
    if (module === undefined) return null
    const known = loaded.get(path)
    if (known !== undefined) return known
    const exported = {}
    loaded.set(path, exported)
    const require = (name: string) =>
      (name === 'conclave' ? null : load(pathOf(name, path))) ?? moduleNamed(name, path)
    const { compiled, base } = module
    return evaluated(compiled, { require, [HIT]: (piece: number) => hit(base + piece) }, exported)
  }
  if (code !== null)
    return ownGossip(sealedDefinition(exportedBy(code.path, load(code.path) ?? {})))
  const { definitionNamed } = load(
    CATALOGUE,
  ) as unknown as typeof import('../../../src/algorithms/index.ts')
  return definitionNamed(scenario.algorithm)
}

/** The exports of compiled code that sees these names. */
function evaluated(
  compiled: string,
  names: Readonly<Record<string, unknown>>,
  exports: Record<string, unknown> = {},
): Record<string, unknown> {
  const text = `${compiled}\n//# sourceURL=${OWN_NAME}`
  new Function('exports', ...Object.keys(names), text)(exports, ...Object.values(names))
  return exports
}

function exportedBy(
  path: string,
  exported: Readonly<Record<string, unknown>>,
): Algorithm | Aggregation {
  const [, wanted] = path.split('#')
  return definitionAmong(exported, 'code', wanted)
}

/** The same where only an election will do: aggregations are not explored on the page. */
export function ownElection(code: OwnCode): Algorithm {
  return electionFor('measures', ownDefinition(code), 'code')
}

function pathOf(name: string, importer: string): string {
  return new URL(name, `file://${importer}`).pathname
}

function moduleNamed(name: string, path: string): object {
  if (name === 'conclave') return { ...MODULES['/src/problems/index.ts'], ...MODULES[AGGREGATION] }
  const module = MODULES[pathOf(name, path)]
  if (module) return module
  throw new UsageError(
    'code',
    `${JSON.stringify(name)} cannot be imported here.`,
    "Import from 'conclave'.",
  )
}
