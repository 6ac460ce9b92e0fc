import { readdirSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Aggregation } from '../../algorithms/aggregation.ts'
import { BUILT } from '../../core/built.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { readText } from '../input/read-file.ts'

/** Files of a definition: its own one by the name of the folder, and what it imports. */
export type SourceTexts = Readonly<Record<string, string>>

/** How the definition of a file begins. */
const EXPORT = 'export default'
const TEMPLATES = fileURLToPath(new URL('templates/', BUILT))

/** A template of this folder, with values in place of `{{name}}` and the like. */
export function template(name: string, values: Readonly<Record<string, string>>): string {
  return readText(join(TEMPLATES, 'new', `${name}.txt`)).replace(
    /\{\{(\w+)\}\}/g,
    (_, key) => values[key],
  )
}

/** The source of an election that begins as one of the catalogue. */
export function electionSource(name: string, algorithm: Algorithm): SourceTexts {
  const { name: like } = algorithm
  const path = readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' }).find((file) =>
    readTemplate(file).includes(`  name: '${like}',`),
  )!
  if (readTemplate(path).includes("/problems/index.ts'"))
    throw new UsageError(
      '--like',
      `${like} has several files and a problem of its own: it is no beginning.`,
      'Begin with another algorithm; leased(...) of conclave/algorithms uses it as it is.',
    )
  const texts: Record<string, string> = {}
  const add = (file: string, into: string, change: (text: string) => string) => {
    const text = ownImports(change(readTemplate(file)), file)
    texts[into] = text
    for (const [, imported] of text.matchAll(/from '\.\/([\w-]+\.ts)'/g))
      if (texts[imported] === undefined) add(nearby(file, imported), imported, (other) => other)
  }
  add(path, `${name}.ts`, (text) => withComments(renamed(text, name, like), name, algorithm))
  return texts
}

function readTemplate(file: string): string {
  return file.endsWith('.ts') ? readText(join(TEMPLATES, file)) : ''
}

/** Where a file that is imported lies among the templates. */
function nearby(from: string, imported: string): string {
  const [, path] =
    new RegExp(`from '(\\.[^']*/${imported.replace('.', '\\.')})'`).exec(readTemplate(from)) ?? []
  return posix.join(dirname(from).replaceAll('\\', '/'), path ?? imported)
}

/** Another name, no theory, and nothing that only the catalogue can have. */
function renamed(text: string, name: string, like: string): string {
  const bare = text
    .replace(/^ {2}theory: \{\n[\s\S]*?\n {2}\},\n/m, '')
    .replace(/^ {2}(theory|byAttribute|candidate)(:.*)?,\n/gm, '')
    .replace(`  name: '${like}',`, `  name: '${name}',`)
    .replace(/,\n\n\}\)/, ',\n})')
  const [, variable] = /^export const (\w+) = algorithm\(/m.exec(bare)!
  const declared = `export const ${variable} =`
  const isUsed = bare.split(new RegExp(`\\b${variable}\\b`)).length > 2
  return isUsed
    ? `${bare.replace(declared, `const ${variable} =`)}\n${EXPORT} ${variable}\n`
    : bare.replace(declared, EXPORT)
}

/** Imports from conclave in place of the program's folders, and none that is not used. */
function ownImports(text: string, file: string): string {
  const body = text.replace(/^import [\s\S]*?from '.*'\n/gm, '')
  const uses = (one: string) => new RegExp(`\\b${one.replace(/^type |^.* as /g, '')}\\b`).test(body)
  const fromConclave: string[] = []
  const others: string[] = []
  for (const [whole, only, names, from] of text.matchAll(
    /^import (type )?(?:\{([\s\S]*?)\}|\* as \w+) from '(.*)'\n/gm,
  )) {
    const used = (names ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && uses(one))
    const isCore = /(^|\/)core\//.test(posix.join(dirname(file).replaceAll('\\', '/'), '..', from))
    if (names === undefined) others.push(whole.replace(/'.*\//, "'./"))
    else if (used.length === 0) continue
    else if (isCore) fromConclave.push(...used.map((one) => (only ? `type ${one}` : one)))
    else others.push(importOf(used, `./${basename(from)}`, only))
  }
  const bare = (one: string) => one.replace(/^type /, '')
  const sorted = fromConclave.sort((a, b) => bare(a).localeCompare(bare(b), 'en'))
  const first = sorted.length === 0 ? '' : importOf(sorted, 'conclave')
  return `${first}${others.join('')}${body.startsWith('\n') ? '' : '\n'}${body}`
}

function importOf(names: readonly string[], from: string, only = ''): string {
  const line = `import ${only}{ ${names.join(', ')} } from '${from}'\n`
  if (line.length <= 100) return line
  return `import ${only}{\n  ${names.join(',\n  ')},\n} from '${from}'\n`
}

/** What the members of a definition are for. */
const MEMBERS: Readonly<Record<string, string>> = {
  needs: 'What it asks of the world. A handler sees nothing else: net.n, for example, needs knows.',
  messages: 'The message types. Their names in lower case appear in results.',
  announcement: 'The message type that makes the leader known. Proven bounds leave it out.',
  elects: 'Which node must win: the one with the largest id, or any.',
  state: 'The fields of a node with their types. Every node has its own.',
  wakes: 'Whether a node that a message wakes first runs start.',
  lasting: 'It goes on after the election, and answers crashes and recoveries.',
  start: 'What a node does when it wakes by itself.',
  on: 'One handler for each message type. A handler runs to completion.',
  timeout: 'One handler for each timer.',
}

function withComments(text: string, name: string, like: Algorithm): string {
  const at = text.search(/^(export default|const \w+ =) algorithm\(\{$/m)
  const explained = Object.entries(MEMBERS).reduce(
    (all, [member, says]) =>
      all.replace(new RegExp(`^ {2}${member}(?=[(:,])`, 'm'), `  // ${says}\n  ${member}`),
    text.slice(at),
  )
  return (
    text.slice(0, at).replace(/(?:\/\*\*\n(?: \*.*\n)+? \*\/\n)?$/, `${opening(name, like)}\n$&`) +
    explained
  )
}

function opening(name: string, like: Algorithm): string {
  return `/*
 * ${name} begins as a copy of ${like.name}. README.md has the commands that run and check it.
 * docs/language.md of conclave describes every member of a definition, of my and of net.
 */
`
}

/** The same of an aggregation. */
export function aggregationSource(name: string, { name: like }: Aggregation): SourceTexts {
  if (Object.hasOwn(AVERAGES, like)) return { [`${name}.ts`]: averageSource(name, like) }
  const catalogue = readTemplate('gossip/aggregations.ts')
  const start = catalogue.indexOf(`ofCatalogue('${like}', `)
  const entry = catalogue.slice(start, catalogue.indexOf('\n  }),\n', start) + 4)
  const [, aggregate] = /^ofCatalogue\('[\w-]+', (.*), \{\n/.exec(entry) ?? []
  if (aggregate === undefined || entry.includes('literal: true'))
    throw new UsageError(
      '--like',
      `${like} cannot be the beginning of an own file.`,
      'Begin with gossip-average.',
    )
  const [settings = ''] =
    /^ {4}settings: (\{.*\}|\{\n[\s\S]*?\n {4}\}),\n/m.exec(entry)?.slice(0, 1) ?? []
  const constants = ['instances', 'anyNumber']
    .filter((one) => new RegExp(`\\b${one}\\b`).test(settings))
    .map((one) => new RegExp(`^const ${one}\\b[\\s\\S]*?^(?=\\n)`, 'm').exec(catalogue)?.[0] ?? '')
    .map((text) =>
      text
        .replace(': AggregationSetting', '')
        .replace(/accepts: \((\w+)\)/, 'accepts: ($1: number)'),
    )
  const code = `import { gossip } from 'conclave'
import * as aggregates from './aggregates.ts'

${constants.map((text) => `${text}\n`).join('')}/*
 * ${name} begins as a copy of ${like}. Change it, and see what happens:
 *
 *   npx conclave run ${name}.ts -n 1000 --until 20      simulates it, in cycles
 *   npx conclave run ${name}.ts -n 100 --timing async   the same by messages
 */
${EXPORT} gossip({
  name: '${name}',
${settings.replace(/^ {2}/gm, '')}  // The numbers that nodes exchange: see aggregates.ts.
  aggregate: ${aggregate},
})
`
  return {
    [`${name}.ts`]: code,
    'aggregates.ts': ownImports(readTemplate('gossip/aggregates.ts'), 'gossip/aggregates.ts'),
  }
}

/** How an average is computed: the rule, its numbers, and how the estimate is read off. */
interface AverageForm {
  readonly rule: string
  readonly why: string
  readonly parts: string
  readonly estimate: string
}

const VALUE = 'start: ({ value }) => value'

const AVERAGES: Readonly<Record<string, AverageForm>> = {
  'gossip-average': {
    rule: 'average',
    why: `    // The numbers that two nodes exchange. With average, both take the mean of the two:
    // the sum of all nodes stays the same. Others are largest and smallest.`,
    parts: `[{ rule: average, ${VALUE} }]`,
    estimate: '([mean]) => mean',
  },
  'push-sum': {
    rule: 'half',
    why: `    // In each round a node gives half of its sum and of its weight to a random neighbour.`,
    parts: `[
      { name: 's', rule: half, ${VALUE} },
      { name: 'w', rule: half, start: () => 1 },
    ]`,
    estimate: '([s, w]) => s / w',
  },
  metropolis: {
    rule: 'metropolisWeights',
    why: `    // In each round a node takes a part of the difference to each of its neighbours.`,
    parts: `[{ rule: metropolisWeights, ${VALUE} }]`,
    estimate: '([x]) => x',
  },
}

function averageSource(name: string, like: string): string {
  const { rule, why, parts, estimate } = AVERAGES[like]
  const imports = ['gossip', rule].sort().join(', ')
  return `import { ${imports} } from 'conclave'

/*
 * ${name} begins as ${like}: every node has a value, and all want to know the average.
 *
 *   npx conclave run ${name}.ts -n 1000 --until 20      simulates it, in cycles
 *   npx conclave run ${name}.ts -n 100 --timing async   the same by messages
 */
${EXPORT} gossip({
  name: '${name}',
  aggregate: {
${why}
    parts: ${parts},
    // What a node takes for the result, given its numbers in the order of the parts.
    estimate: ${estimate},
    // The exact result, from the values of all nodes: reports compare with it.
    truth: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  },
})
`
}
