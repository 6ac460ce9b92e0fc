import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Aggregation } from '../../algorithms/aggregation.ts'
import { offers } from '../../algorithms/kinds.ts'
import { BUILT } from '../../core/built.ts'
import type { Algorithm } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import {
  aggregationSource,
  electionSource,
  type SourceTexts,
  template,
} from './definition-source.ts'

/** The folder of this package. */
const PACKAGE = dirname(fileURLToPath(BUILT))

/** A check that the algorithm passes: one that knows the largest delay needs a clock. */
function firstCheck(name: string, { needs }: Algorithm): string {
  const mode = needs.time === 'bounded delay' ? ' --mode clocked:2' : ''
  return `npx conclave check ${name}.ts -n 3${mode}`
}

/** A new folder: its files by their names, and the commands to try in it. */
interface NewFolder {
  readonly files: SourceTexts
  readonly commands: readonly string[]
}

/** How a definition begins as one of the catalogue. */
interface Beginning {
  /** Of the templates: `election` or `gossip`. */
  readonly kind: string
  readonly source: SourceTexts
  readonly fill: Readonly<Record<string, string>>
  /** The fields of the first scenario. */
  readonly scenario: Readonly<Record<string, unknown>>
  readonly commands: readonly string[]
}

/**
 * A new folder at an absolute path. `brief`: the definition of the tutorial, rather than that of
 * the catalogue with all its members.
 */
export function newFolder(
  path: string,
  name: string,
  like: Algorithm | Aggregation,
  brief: boolean,
): NewFolder {
  const { kind, source, fill, scenario, commands } = offers(like, 'lead')
    ? electionBeginning(name, like, brief)
    : gossipBeginning(name, like)
  const files = {
    ...source,
    'scenario.json': json({
      title: `${name}: a first run`,
      algorithm: `./${name}.ts`,
      ...scenario,
    }),
    [`${name}.test.js`]: template(`${kind}.test.js`, fill),
    'tsconfig.json': template('tsconfig.json', fill),
    'package.json': json(manifest(name, path)),
    'README.md': template(`${kind}.md`, fill),
  }
  return { files, commands }
}

function electionBeginning(name: string, like: Algorithm, brief: boolean): Beginning {
  const check = firstCheck(name, like)
  const fill = { name, like: like.name, ...testedWorlds(like), check }
  return {
    kind: 'election',
    source: brief ? { [`${name}.ts`]: template('election.ts', fill) } : electionSource(name, like),
    fill,
    scenario: { notes: 'Fields are the flags of conclave run.', ...worldOf(like), seed: 1 },
    commands: [`npx conclave run ${name}.ts`, check],
  }
}

function gossipBeginning(name: string, like: Aggregation): Beginning {
  return {
    kind: 'gossip',
    source: aggregationSource(name, like),
    fill: { name, like: like.name },
    scenario: { notes: 'A hundred nodes, by messages.', topology: 'complete:100', until: 20 },
    commands: [`npx conclave run ${name}.ts -n 1000 --until 20`],
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
