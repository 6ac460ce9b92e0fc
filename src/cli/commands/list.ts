import { byFamily, familyOf } from '../../algorithms/families.ts'
import { type Aggregation, otherNames } from '../../algorithms/index.ts'
import { type Traits, traitsOf } from '../../algorithms/traits.ts'
import { type Algorithm, UsageError } from '../../core/index.ts'
import { networkForms } from '../../core/networks/network.ts'
import { counted, quoted } from '../../core/text-format.ts'
import { EXIT, type Io, type Leave } from '../io.ts'
import { coloursFor, paragraph, rowsWithin } from '../terminal/format.ts'
import { Verb } from '../verb.ts'

interface Options {
  readonly topology?: string
  readonly model?: string
  readonly anonymous?: true
  readonly random?: true
  readonly crashes?: true
  readonly terms?: true
  readonly elections?: true
  readonly aggregations?: true
  readonly also?: true
  readonly json?: true
}

interface Entry {
  readonly definition: Algorithm | Aggregation
  readonly traits: Traits
}

const EXAMPLES = `
Filters can be combined. Words are looked for in names, other names of the literature and authors.

Examples:
  conclave list
  conclave list --topology ring --model asynchronous
  conclave list --crashes --topology complete
  conclave list --also santoro
  conclave list --aggregations --json`

export function listCommand(io: Io, leave: Leave): Verb {
  return new Verb('list')
    .description('list all algorithms with their networks, needs and costs')
    .argument('[words...]', 'only those with these words in their names or authors')
    .group('filters')
    .option('-t, --topology <network>', 'only those made for a network: ring, complete, any, ...')
    .option('--model <timing>', 'only those for a timing: asynchronous, synchronous, ...')
    .option('--anonymous', 'only those that need no ids')
    .option('--random', 'only those with random choices')
    .option('--crashes', 'only those that go on or elect again where nodes crash')
    .option('--terms', 'only those whose leaders have terms')
    .option('--elections', 'only elections')
    .option('--aggregations', 'only those that compute from the values of all nodes')
    .group('output')
    .option('--also', 'show other names of the literature, too')
    .option('--json', 'print it as JSON')
    .about(EXAMPLES)
    .action((words: string[], options: Options) => {
      const all = byFamily().map((definition) => ({ definition, traits: traitsOf(definition) }))
      const fitting = (filters: readonly Filter[]) =>
        all.filter((entry) => filters.every((fits) => fits(entry)))
      const { topology, ...others } = options
      const found = fitting(filtersOf(words, options, all))
      const elsewhere = topology === undefined ? [] : fitting(filtersOf(words, others, all))
      io.out(
        options.json
          ? `${JSON.stringify(found.map(documentOf))}\n`
          : `${[...table(found, options, io), ...remarks(found, elsewhere, io)].join('\n')}\n`,
      )
      leave(EXIT.done)
    })
}

type Filter = (entry: Entry) => boolean

function filtersOf(words: readonly string[], options: Options, all: readonly Entry[]): Filter[] {
  const { topology, model, elections, aggregations } = options
  const switches = (['anonymous', 'random', 'crashes', 'terms'] as const).filter(
    (trait) => options[trait],
  )
  const networks = topology === undefined ? null : networksOf(topology, all)
  const timing = model === undefined ? null : timingNamed(model, all)
  return [
    ...words.map(
      (word): Filter =>
        ({ definition }) =>
          mentions(definition, word),
    ),
    ...switches.map(
      (trait): Filter =>
        ({ traits }) =>
          traits[trait],
    ),
    ...(networks ? [({ traits }: Entry) => traits.network === networks] : []),
    ...(timing ? [({ traits }: Entry) => traits.timing === timing] : []),
    ...(elections ? [({ traits }: Entry) => !traits.aggregates] : []),
    ...(aggregations ? [({ traits }: Entry) => traits.aggregates] : []),
  ]
}

function mentions(definition: Algorithm | Aggregation, word: string): boolean {
  const { name, theory } = definition
  const text = [name, ...otherNames(definition), theory.authors].join(' ').toLowerCase()
  const wanted = word.toLowerCase()
  return text.includes(wanted) || text.replace(/[\s-]/g, '').includes(wanted.replace(/[\s-]/g, ''))
}

/** Words for the network that algorithms need, where it has others. */
const NETWORK_WORDS: Readonly<Record<string, string>> = {
  rings: 'ring',
  graph: 'any',
  graphs: 'any',
  general: 'any',
  path: 'tree',
  star: 'tree',
}

/**
 * The need that a network meets: `ring:8` and `ring` are rings. A network for which no algorithm is
 * made, such as a grid, is one for those that run on any.
 */
function networksOf(text: string, all: readonly Entry[]): string {
  const [given] = text.trim().toLowerCase().split(':')
  const name = Object.hasOwn(NETWORK_WORDS, given) ? NETWORK_WORDS[given] : given
  const needed = new Set(all.map(({ traits }) => traits.network))
  if (needed.has(name)) return name
  const known = networkForms.map(({ form }) => form.split(':')[0])
  if (known.includes(given)) return 'any'
  const words = [...new Set([...needed, ...known])]
  throw new UsageError(
    '--topology',
    `there is no network ${quoted(given)}.`,
    `The networks are ${words.join(', ')}.`,
  ).withCandidates(given, words)
}

const TIMING_WORDS: Readonly<Record<string, string>> = {
  async: 'asynchronous',
  sync: 'synchronous',
  rounds: 'synchronous',
}

function timingNamed(text: string, all: readonly Entry[]): string {
  const given = text.trim().toLowerCase().replace(/[-_]/g, ' ')
  const name = Object.hasOwn(TIMING_WORDS, given) ? TIMING_WORDS[given] : given
  const known = [...new Set(all.map(({ traits }) => traits.timing))]
  if (known.includes(name)) return name
  throw new UsageError(
    '--model',
    `there is no timing ${quoted(text)}.`,
    `Choose one of ${known.map((one) => one.replaceAll(' ', '-')).join(', ')}.`,
  ).withCandidates(given, known)
}

function documentOf({ definition, traits }: Entry) {
  const { name, theory } = definition
  const { network, model, timing, aggregates, anonymous, random, crashes, terms } = traits
  return {
    name,
    network,
    model,
    cost: theory.cost,
    family: familyOf(definition).name,
    title: theory.title ?? name,
    authors: theory.authors,
    also: theory.also ?? [],
    timing,
    aggregates,
    anonymous,
    random,
    crashes,
    terms,
  }
}

function table(found: readonly Entry[], { also }: Options, io: Io): string[] {
  const paint = coloursFor(io)
  if (found.length === 0) return ['No algorithm of the catalogue has all of this.']
  const rows = found.flatMap((entry) => {
    const { name, theory } = entry.definition
    const others = also && theory.also ? [`also: ${theory.also.join(', ')}`] : []
    return [
      [name, entry.traits.network, theory.cost],
      ...[entry.traits.model, ...others].map((line) => ['', '', line]),
    ]
  })
  const head = ['algorithm', 'network', 'cost, and what it needs']
  const [title, ...listed] = rowsWithin([head, ...rows], paint.width)
  const lines = listed.flatMap((row, i) => {
    const [name] = rows[i]
    if (name === '') return row.map((line) => paint.dim(line))
    return startsFamily(found, name) ? ['', ...row] : row
  })
  return [...title.map((line) => paint.bold(line)), ...lines]
}

/** Whether an algorithm is the first of its family; the first of all needs no gap. */
function startsFamily(found: readonly Entry[], name: string): boolean {
  const at = found.findIndex(({ definition }) => definition.name === name)
  return at > 0 && familyOf(found[at - 1].definition).name !== familyOf(found[at].definition).name
}

/** Algorithms for any network run on the given one, too. */
function remarks(found: readonly Entry[], elsewhere: readonly Entry[], io: Io): string[] {
  const others = elsewhere.filter(({ traits }) => traits.network === 'any' && !traits.aggregates)
  if (others.length === 0 || found.some(({ traits }) => traits.network === 'any')) return []
  const paint = coloursFor(io)
  const runs = others.length === 1 ? 'runs' : 'run'
  const elections = counted(others.length, 'election')
  const text = `${elections} for any network ${runs} there, too: --topology any.`
  const lines = paragraph(text, paint.width, '')
  return ['', ...lines.map((line) => paint.dim(line))]
}
