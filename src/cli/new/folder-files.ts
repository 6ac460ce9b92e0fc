import { fileURLToPath } from 'node:url'
import { type Aggregation, isAggregation } from '../../algorithms/index.ts'
import { BUILT } from '../../core/built.ts'
import type { Algorithm } from '../../core/index.ts'
import { neededNetworks } from '../../core/language/validation/needed-networks.ts'
import { definitionSource, firstCheck, type SourceTexts } from './definition-source.ts'

/** All files of a new folder, by their names. */
export function folderFiles(name: string, like: Algorithm | Aggregation): SourceTexts {
  return {
    ...definitionSource(name, like),
    'scenario.json': json(scenario(name, like)),
    [`${name}.test.js`]: isAggregation(like) ? gossipTest(name) : electionTest(name, like),
    'tsconfig.json': json(tsconfig()),
    'package.json': json(manifest(name)),
    'README.md': readme(name, like),
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

function electionTest(name: string, like: Algorithm): string {
  const world = Object.entries(worldOf(like))
    .map(
      ([key, value]) => `${key}: ${Array.isArray(value) ? `[${value.join(', ')}]` : `'${value}'`}`,
    )
    .join(', ')
  const { topology } = like.needs
  const few = topology === 'hypercube' ? 4 : 3
  const small = topology === 'any' ? "{ topology: 'ring:3' }" : `{ n: ${few} }`
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, simulate } from 'conclave'
import definition from './${name}.ts'

test('one run elects one leader', () => {
  const { leader, verdict } = simulate(definition, { ${world} })
  assert.notEqual(leader, null)
  assert.deepEqual(verdict.properties.filter(({ holds }) => holds !== true), [])
})

test('every order of events elects one leader among ${few === 4 ? 'four' : 'three'} nodes', () => {
  const { properties } = check(definition, ${small})
  assert.deepEqual(properties.filter(({ holds }) => holds === false), [])
})
`
}

function gossipTest(name: string): string {
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulate } from 'conclave'
import definition from './${name}.ts'

test('the estimates of all nodes approach the truth', () => {
  const world = { topology: 'complete:100', timing: 'cycles', until: 40 }
  const { cycles, truth } = simulate(definition, world)
  const { min, max } = cycles.at(-1)
  for (const estimate of [min, max])
    assert.ok(Math.abs(estimate - truth) <= Math.abs(truth) / 100, 'within one percent')
})
`
}

const DIST = fileURLToPath(BUILT)

/** Editors find the types of conclave in the program itself: nothing has to be installed. */
function tsconfig(): object {
  return {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023'],
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      paths: {
        conclave: [`${DIST}index.d.ts`],
        'conclave/*': [`${DIST}api/subpaths/*.d.ts`],
      },
    },
    include: ['*.ts'],
  }
}

function manifest(name: string): object {
  const hooks = new URL('compiler/register.js', BUILT).href
  return {
    name,
    private: true,
    type: 'module',
    scripts: { test: `node --import "${hooks}" --test` },
  }
}

function readme(name: string, like: Algorithm | Aggregation): string {
  const explores = isAggregation(like)
    ? ''
    : `- \`${firstCheck(`${name}.ts`, like)}\` explores every order of events.
- \`conclave grade ${name}.ts\` looks for mistakes and measures it.
`
  return `# ${name}

It begins as a copy of ${like.name}: \`conclave explain ${like.name}\` tells how that works.

- \`${name}.ts\` is the definition. Editors show its types; \`tsconfig.json\` says where they are.
- \`conclave run scenario.json\` runs it in the world that the file describes.
${explores}- \`npm test\` runs \`${name}.test.js\`. Nothing has to be installed.

Conclave was at ${DIST} when this was written. If it has moved, correct \`tsconfig.json\` and
\`package.json\`.
`
}
