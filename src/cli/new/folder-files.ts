import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Aggregation } from '../../algorithms/aggregation.ts'
import { isAggregation } from '../../algorithms/kinds.ts'
import { BUILT } from '../../core/built.ts'
import type { Algorithm } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { definitionSource, type SourceTexts, template } from './definition-source.ts'

/** The folder of this package. */
const PACKAGE = dirname(fileURLToPath(BUILT))

/** A check that the algorithm passes: one that knows the largest delay needs a clock. */
export function firstCheck(name: string, { needs }: Algorithm): string {
  const mode = needs.time === 'bounded delay' ? ' --mode clocked:2' : ''
  return `npx conclave check ${name}.ts -n 3${mode}`
}

/**
 * All files of a new folder at an absolute path, by their names. `brief`: the definition of the
 * tutorial, rather than that of the catalogue with all its members.
 */
export function folderFiles(
  path: string,
  name: string,
  like: Algorithm | Aggregation,
  brief: boolean,
): SourceTexts {
  const kind = isAggregation(like) ? 'gossip' : 'election'
  const fill = {
    name,
    like: like.name,
    ...(!isAggregation(like) && { ...testedWorlds(like), check: firstCheck(name, like) }),
  }
  return {
    ...(brief ? { [`${name}.ts`]: template('election.ts', fill) } : definitionSource(name, like)),
    'scenario.json': json(scenario(name, like)),
    [`${name}.test.js`]: template(`${kind}.test.js`, fill),
    'tsconfig.json': template('tsconfig.json', fill),
    'package.json': json(manifest(name, path)),
    'README.md': template(`${kind}.md`, fill),
  }
}

/** Links that a new folder has in place of an installation: where they are, and where they lead. */
export function folderLinks(path: string): SourceTexts {
  return {
    'node_modules/conclave': relative(`${path}/node_modules`, PACKAGE),
    'node_modules/.bin/conclave': '../conclave/bin/conclave.js',
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

const IDS = [3, 2, 7, 8, 5, 4, 1, 6]

/** A world in which there is something to see. */
function worldOf(like: Algorithm): Readonly<Record<string, unknown>> {
  const { topology, ids } = like.needs
  if (topology === 'any') return { topology: 'grid:2x4' }
  const numbers = ids === 'numbers' ? [3, 2, 5, 4] : IDS
  return ids === undefined ? { topology: neededNetworks[topology].sized(8) } : { ids: numbers }
}

function scenario(name: string, like: Algorithm | Aggregation): object {
  const common = { title: `${name}: a first run`, algorithm: `./${name}.ts` }
  if (isAggregation(like))
    return {
      ...common,
      notes: 'A hundred nodes, by messages.',
      topology: 'complete:100',
      until: 20,
    }
  return { ...common, notes: 'Fields are the flags of conclave run.', ...worldOf(like), seed: 1 }
}

/** The worlds of the test, as source code: one to run, and a small one to explore. */
function testedWorlds(like: Algorithm): Readonly<Record<'world' | 'small' | 'few', string>> {
  const world = Object.entries(worldOf(like))
    .map(
      ([key, value]) => `${key}: ${Array.isArray(value) ? `[${value.join(', ')}]` : `'${value}'`}`,
    )
    .join(', ')
  const { topology } = like.needs
  if (topology === 'any') return { world, small: "topology: 'ring:3'", few: 'three' }
  return topology === 'hypercube'
    ? { world, small: 'n: 4', few: 'four' }
    : { world, small: 'n: 3', few: 'three' }
}

/**
 * The package of the folder. If Conclave is nearby, it is a dependency by its relative path, so
 * that npm keeps the link to it.
 */
function manifest(name: string, path: string): object {
  const hooks = './node_modules/conclave/dist/compiler/register.js'
  const near = relative(path, PACKAGE).replaceAll('\\', '/')
  const isNear = /^(\.\.\/){0,2}(\.\.|[^/]+|node_modules\/[^/]+)$/.test(near)
  return {
    name,
    private: true,
    type: 'module',
    scripts: { test: `node --import ${hooks} --test` },
    ...(isNear && { dependencies: { conclave: `file:${near}` } }),
  }
}
