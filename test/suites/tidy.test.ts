import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const ENGINES =
  'core problems algorithms sim check prove cluster coordinator diagram options scenario'.split(' ')
const BELOW_API = [...ENGINES, 'nats', 'jobs', 'experiment', 'trace']

/** The folders that each folder of src may import; a folder may always import itself. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  core: [],
  problems: ['core'],
  algorithms: ['core', 'problems'],
  sim: ['core'],
  check: ['core'],
  prove: ['core'],
  cluster: ['core', 'algorithms'],
  coordinator: ['core', 'problems', 'algorithms', 'cluster'],
  diagram: ['core'],
  compiler: ['core'],
  options: ['core', 'sim'],
  scenario: ['core', 'problems', 'algorithms', 'sim', 'options'],
  trace: ['core', 'options', 'scenario', 'check', 'prove'],
  nats: ['core', 'cluster'],
  jobs: ['core', 'nats'],
  experiment: 'core problems algorithms sim check prove diagram options scenario jobs'.split(' '),
  api: BELOW_API,
  cli: [...BELOW_API, 'api', 'compiler'],
}

/** Where the outside world begins: files, sockets, clocks. */
const OUTSIDE = ['cluster', 'coordinator', 'compiler', 'nats', 'jobs', 'cli']
/** The other files that touch it. */
const OUTSIDE_FILES = ['src/api/check.ts']
/** Who may use libraries. */
const EQUIPPED = ['cli', 'compiler', 'experiment', 'nats', 'jobs']
const DRIVERS = ['sim', 'check', 'cluster']
const BANNED_NAMES = /^(utils?|helpers?|common|types?|misc|shared|lib|stuff|tools?)(\.|$)/i
/** Put together, so that this file does not hold them. */
const MARKS = ['TO_DO', 'FIX_ME', 'X_XX', 'HA_CK'].map((mark) => mark.replace('_', ''))
const BANNED_MARKS = new RegExp(`\\b(${MARKS.join('|')})\\b`)
const BANNED_TESTS = /\b(it|test|describe)\.(only|skip|todo)\b/
const GLOBALS = ['Date', 'console', 'process', 'setTimeout', 'setInterval', 'setImmediate', 'fetch']
const BANNED_BELOW = new RegExp(
  `(?<![.\\w])(${GLOBALS.join('|')})\\b|Math\\.random|performance\\.now|crypto\\.`,
)
/** A line that is nothing but one text cannot be broken. */
const ONE_TEXT = /^\s*([\w'-]+: )?(['"`]).*\2,?$/

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

const sources: Source[] = ['src', 'test', 'bench', 'web/src']
  .flatMap((folder) => filesUnder(join(ROOT, folder)))
  .filter((path) => /\.(tsx?|js)$/.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path: relative(ROOT, path), text, lines: text.replace(/\n$/, '').split('\n') }
  })

const product = sources.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(path) : [path]
  })
}

/** The folder of src in which a file lies; src itself for what lies beside the folders. */
function layerOf(path: string): string {
  const [, layer, ...rest] = path.split('/')
  return rest.length === 0 ? 'src' : layer
}

function importsOf({ text }: Source): string[] {
  return [
    ...text.matchAll(
      /^(?:import|export)\b[^'"]*?from '([^']+)'|\b(?:import|require\.resolve)\('([^']+)'\)/gm,
    ),
  ].map(([, from, dynamic]) => from ?? dynamic)
}

/** Imports inside src, as the layers that they reach. */
function layersReached(source: Source): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith('.'))
    .map((name) => layerOf(join(dirname(source.path), name)))
    .filter((layer) => layer !== layerOf(source.path))
}

/** Code alone: comments say what they like, texts name what they like. */
function codeOf(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, "''")
    .replace(/\/\/.*/g, '')
}

/** Everything that a rule finds, as `path: what`, so that a failure says where to look. */
function findings(files: readonly Source[], rule: (source: Source) => readonly string[]): string[] {
  return files.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`))
}

describe('layers', () => {
  it('are those that this test knows', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    expect(folders.toSorted()).toEqual(Object.keys(BELOW).toSorted())
  })

  it('import only what lies below them', () => {
    const inside = product.filter(({ path }) => layerOf(path) !== 'src')
    const astray = findings(inside, (source) =>
      layersReached(source).filter((layer) => !BELOW[layerOf(source.path)].includes(layer)),
    )
    expect(astray).toEqual([])
    expect(inside.flatMap(layersReached).length).toBeGreaterThan(100)
  })

  it('that drive algorithms never import each other, not even in their tests', () => {
    const drivers = sources.filter(
      ({ path }) => path.startsWith('src/') && DRIVERS.includes(layerOf(path)),
    )
    const astray = findings(drivers, (source) =>
      layersReached(source).filter((layer) => [...DRIVERS, 'cli', 'scenario'].includes(layer)),
    )
    expect(astray).toEqual([])
  })

  const isOutside = ({ path }: Source) =>
    OUTSIDE.includes(layerOf(path)) || OUTSIDE_FILES.includes(path)

  it('below the outside world import nothing from it', () => {
    const foreign = (source: Source) => importsOf(source).filter((name) => !name.startsWith('.'))
    const reached = findings(
      product.filter((source) => !isOutside(source)),
      (source) => foreign(source).filter((name) => name.startsWith('node:')),
    )
    expect(reached).toEqual([])
    const libraries = (files: readonly Source[]) =>
      findings(files, (source) => foreign(source).filter((name) => !name.startsWith('node:')))
    const equipped = product.filter(({ path }) => EQUIPPED.includes(layerOf(path)))
    expect(libraries(product)).toEqual(libraries(equipped))
    expect(libraries(equipped)).not.toEqual([])
  })

  it('below the outside world have no clock, no chance and no output of their own', () => {
    const inner = product.filter((source) => !isOutside(source))
    const used = findings(inner, ({ text }) => codeOf(text).match(BANNED_BELOW)?.slice(0, 1) ?? [])
    expect(used).toEqual([])
  })
})

describe('files', () => {
  it('are named after things of the domain', () => {
    const bad = sources.flatMap(({ path }) =>
      path.split('/').filter((part) => BANNED_NAMES.test(part)),
    )
    expect(bad).toEqual([])
  })

  it('have lines of at most 100 columns', () => {
    const wide = findings(sources, ({ lines }) =>
      lines.flatMap((line, i) =>
        line.length > 100 && !ONE_TEXT.test(line) ? [`line ${i + 1} has ${line.length}`] : [],
      ),
    )
    expect(wide).toEqual([])
  })

  it('have no marks of unfinished work and no test that is left out', () => {
    const marks = findings(sources, ({ lines }) => lines.filter((line) => BANNED_MARKS.test(line)))
    expect(marks).toEqual([])
    expect(
      findings(sources, ({ lines }) => lines.filter((line) => BANNED_TESTS.test(line))),
    ).toEqual([])
  })

  it('export by name and import with the extension', () => {
    const anonymous = ({ text }: Source) => text.match(/^export default/m) ?? []
    expect(findings(product, anonymous)).toEqual([])
    const bare = (source: Source) =>
      importsOf(source).filter(
        (name) => name.startsWith('.') && !/\.(tsx?|js|css)(\?\w+(&\w+)*)?$/.test(name),
      )
    expect(findings(sources, bare)).toEqual([])
  })
})

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Source files of the product by folder: no tests, no style sheets. */
const shipped = sources.filter(
  ({ path }) => /^(src|web\/src)\//.test(path) && !/\.test\.ts$/.test(path),
)

/** The folder of src, or the lab. */
function roomOf(path: string): string {
  return path.startsWith('web/') ? 'web' : layerOf(path)
}

/**
 * What each room may weigh: lines of its sources, and names that they export. Who adds a feature
 * raises the budget of its room by what the feature needs.
 */
const BUDGETS: Readonly<Record<string, readonly [lines: number, names: number]>> = {
  algorithms: [10_800, 310],
  api: [2_500, 70],
  check: [12_200, 280],
  cli: [18_100, 460],
  cluster: [6_800, 170],
  compiler: [5_100, 110],
  coordinator: [7_800, 190],
  core: [11_800, 400],
  diagram: [4_000, 120],
  experiment: [6_200, 210],
  jobs: [3_000, 100],
  nats: [1_500, 50],
  options: [2000, 100],
  problems: [1_200, 40],
  prove: [4_300, 110],
  scenario: [4_700, 140],
  sim: [8_400, 180],
  src: [100, 0],
  trace: [800, 30],
  web: [26_100, 810],
}
const FUNCTION_LINES_MAX = 70
/** Each says in its comment why it is longer. */
const LONG_FUNCTIONS = [
  'src/algorithms/gossip/gossip.ts',
  'src/algorithms/graph/wave.ts',
  'src/scenario/election/prepare-election.ts',
  'src/sim/specialised.ts',
]
const RUN_MODULES_MAX = 160
/** `record` is a type of values in the language, and a shape of options. */
const NAMES_TWICE = ['record']

describe('budgets', () => {
  const rooms = groupedBy(shipped, ({ path }) => roomOf(path))
  const WORDS = '(?:declare |abstract |async )*(?:class|interface|type|enum|function\\*?|const|let)'
  const EXPORTED = new RegExp(`^export ${WORDS} (\\w+)`, 'gm')

  it('of lines and exported names hold in every room', () => {
    expect([...rooms.keys()].toSorted()).toEqual(Object.keys(BUDGETS).toSorted())
    const weights = [...rooms].map(([room, files]) => {
      const lines = files.reduce((sum, file) => sum + file.lines.length, 0)
      const names = files.reduce((sum, { text }) => sum + [...text.matchAll(EXPORTED)].length, 0)
      return { room, lines, names }
    })
    const above = weights.filter(({ room, lines, names }) => {
      const [linesMax, namesMax] = BUDGETS[room]
      return lines > linesMax || names > namesMax
    })
    expect(above).toEqual([])
  })

  it(`of functions: ${FUNCTION_LINES_MAX} lines, with ${LONG_FUNCTIONS.length} exceptions`, () => {
    const long = shipped.filter(({ path, text }) =>
      functionLines(path, text).some((lines) => lines > FUNCTION_LINES_MAX),
    )
    expect(long.map(({ path }) => path).toSorted()).toEqual(LONG_FUNCTIONS)
  })

  it(`of modules that a run loads at its start: ${RUN_MODULES_MAX}`, () => {
    const loaded = new Set(['src/cli/bin.ts', 'src/cli/main.ts', 'src/cli/commands/run.ts'])
    const byPath = new Map(shipped.map((source) => [source.path, source.text]))
    const STATIC = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?from\s+)?'(\.[^']+)'/gm
    for (const path of loaded)
      for (const [, from] of (byPath.get(path) ?? '').matchAll(STATIC))
        loaded.add(join(dirname(path), from))
    expect(loaded.size).toBeGreaterThan(50)
    expect(loaded.size).toBeLessThanOrEqual(RUN_MODULES_MAX)
  })

  it('of names: a function is exported from one file', () => {
    const arrow = '(?:: [^=]+)? = (?:async )?(?:\\([^)]*\\)|\\w+)(?:: [^=]+)? =>'
    const FUNCTION = new RegExp(
      `^export (?:(?:async )?function\\*? (\\w+)|const (\\w+)${arrow})`,
      'gm',
    )
    const functions = shipped.flatMap(({ path, text }) =>
      [...text.matchAll(FUNCTION)].map(([, plain, constant]) => ({
        path,
        name: plain ?? constant,
      })),
    )
    const twice = [...groupedBy(functions, ({ name }) => name)].filter(
      ([, all]) => new Set(all.map(({ path }) => path)).size > 1,
    )
    expect(twice.map(([name]) => name).toSorted()).toEqual(NAMES_TWICE)
  })

  it('of tricks: no literal is spread to put its members on a line', () => {
    const spread = findings(shipped, ({ lines }) =>
      lines.filter((line) => /^\s*\{?\.\.\.\(?[[{](?!.*[\]})]\.\w+\()/.test(line)),
    )
    expect(spread).toEqual([])
  })
})

/** The lines of each function of a file. */
function functionLines(path: string, text: string): number[] {
  const found: number[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end } = node as { type?: string; start: number; end: number }
    if (/^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(type ?? ''))
      found.push(text.slice(start, end).split('\n').length)
    Object.values(node).forEach(visit)
  }
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

describe('folders', () => {
  const folders = groupedBy(shipped, ({ path }) => dirname(path))

  it('hold at most 15 source files, 20 where each file is an algorithm', () => {
    const crowded = [...folders].filter(
      ([folder, files]) => files.length > (folder.startsWith('src/algorithms/') ? 20 : 15),
    )
    expect(crowded.map(([folder, files]) => `${folder}: ${files.length}`)).toEqual([])
    expect(folders.size).toBeGreaterThan(40)
  })

  it('say what they are for: in a README.md or in the leading comment of index.ts', () => {
    const silent = [...folders].filter(([folder, files]) => {
      const index = files.find(({ path }) => path === `${folder}/index.ts`)
      return !existsSync(join(ROOT, folder, 'README.md')) && !/^\/\*\*/.test(index?.text ?? '')
    })
    expect(silent.map(([folder]) => folder)).toEqual([])
  })

  it('name files that exist', () => {
    const paths = sources.map(({ path }) => `/${path}`)
    const stale = ['src', 'web/src']
      .flatMap((folder) => filesUnder(join(ROOT, folder)))
      .filter((path) => path.endsWith('/README.md'))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/`(?:\.\.\/)*([\w/-]+(?:\.[\w-]+)*\.tsx?)`/g)]
          .filter(([, name]) => !paths.some((known) => known.endsWith(`/${name}`)))
          .map(([, name]) => `${relative(ROOT, path)}: ${name}`),
      )
    expect(stale).toEqual([])
  })

  it('hold no file under 40 lines with a single importer; it belongs to that importer', () => {
    const importers = new Map<string, Set<string>>()
    for (const source of shipped)
      for (const name of importsOf(source).filter((from) => from.startsWith('.'))) {
        const path = join(dirname(source.path), name.replace(/\?.*$/, ''))
        importers.set(path, (importers.get(path) ?? new Set()).add(source.path))
      }
    const entry = /(worker|thread|index|main|bin|typescript)\.tsx?$/
    const slight = shipped.filter(
      ({ path, lines }) =>
        lines.length < 40 &&
        importers.get(path)?.size === 1 &&
        !entry.test(path) &&
        !/^src\/(algorithms|api\/subpaths)\//.test(path),
    )
    expect(slight.map(({ path, lines }) => `${path}: ${lines.length} lines`)).toEqual([])
  })
})

describe('names', () => {
  const WORDS = 'class|interface|type|enum|function\\*?|const|let'
  const DECLARED = new RegExp(
    `^(export )?(?:declare |abstract |async |default )*(${WORDS}) (\\w+)`,
    'gm',
  )
  const METHOD =
    /^ {2}(?:(?:private|protected|static|override|get|set|async|\*) ?)*(\w+)(?:<[^>]*>)?\(/gm
  const declarations = sources.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARED)].map(([, exported, what, name]) => ({
      path,
      exported,
      what,
      name,
    })),
  )
  /** Local by custom: the options of a command, the properties of a component. */
  const COMMON = ['Options', 'Props']

  it('of exported types are declared once', () => {
    const types = declarations.filter(
      ({ path, exported, what, name }) =>
        /^(src|web)\//.test(path) &&
        exported &&
        ['class', 'interface', 'type', 'enum'].includes(what) &&
        !COMMON.includes(name),
    )
    const twice = [...groupedBy(types, ({ name }) => name)].filter(([, all]) => all.length > 1)
    expect(twice.map(([name, all]) => `${name}: ${all.map(({ path }) => path)}`)).toEqual([])
    expect(types.length).toBeGreaterThan(200)
  })

  /** Private metaphors for ideas that the literature has names for: see docs/glossary.md. */
  const METAPHORS = new Set(
    `diamonds damage inlets clerk luggage packing ride roads retracing trail scenes misfit occasion
     performer numbering plain agenda alarms asides lookout referee standpoint tallies troubles
     upheave walls tampering council crew errand dialler station worth workshop scribe deeds telling
     stamp`.split(/\s+/),
  )
  const wordsOf = (name: string) =>
    name
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[^a-z]+/)

  it('of files, types and functions are words of the field', () => {
    const declared = declarations.map(({ path, name }) => ({ path, name }))
    const methods = shipped.flatMap(({ path, text }) =>
      [...text.matchAll(METHOD)].map(([, name]) => ({ path, name })),
    )
    const files = sources.map(({ path }) => ({ path, name: path }))
    const private_ = [...declared, ...methods, ...files].filter(({ name }) =>
      wordsOf(name).some((word) => METAPHORS.has(word)),
    )
    expect(private_.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })
})

describe('classes', () => {
  it('lie at most two levels below Driver', () => {
    const parents = new Map(
      product.flatMap(({ text }) =>
        [...text.matchAll(/class (\w+)(?:<[^>]*>)? extends (\w+)/g)].map(([, name, parent]) => [
          name,
          parent,
        ]),
      ),
    )
    const depthOf = (name: string): number =>
      name === 'Driver' ? 0 : 1 + depthOf(parents.get(name) ?? 'Driver')
    const drivers = [...parents.keys()].filter((name) => {
      for (let at: string | undefined = name; at; at = parents.get(at))
        if (at === 'Driver') return true
      return false
    })
    expect(drivers.filter((name) => depthOf(name) > 2)).toEqual([])
    expect(drivers.length).toBeGreaterThan(2)
  })
})

describe('flags', () => {
  it('are named by the command line alone: a library speaks of options', () => {
    const inner = product.filter(({ path }) => layerOf(path) !== 'cli')
    const named = findings(inner, ({ lines }) => lines.filter((line) => /['"`]--[a-z]/.test(line)))
    expect(named).toEqual([])
  })
})

describe('an algorithm', () => {
  const definitions = product.filter(({ text }) => /= algorithm\(\{$/m.test(text))

  it('has a file of its own, in the catalogue', () => {
    const catalogued = product.find(({ path }) => path === 'src/algorithms/elections.ts')!
    const files = definitions.map(({ path }) => `./${relative('src/algorithms', path)}`)
    expect(files.toSorted()).toEqual(importsOf(catalogued).toSorted())
    expect(findings(definitions, ({ text }) => text.match(/= algorithm\(\{$/gm)!.slice(1))).toEqual(
      [],
    )
  })

  it('has at most 80 lines of code, its theory and texts apart, and a file of 140', () => {
    const lengthOf = (text: string) =>
      codeOf(text)
        .split('\n')
        .filter((line) => line.trim() !== '').length
    const long = findings(definitions, ({ text }) => {
      const file = text
        .replace(/^ {2}(theory|display|reasons): \{\n[\s\S]*?\n {2}\},\n/gm, '')
        .replace(/^import [\s\S]*?from '.*'\n/gm, '')
      const [definition] = /= algorithm\(\{\n[\s\S]*?\n\}\)\n/.exec(file)!
      const [whole, part] = [lengthOf(file), lengthOf(definition)]
      return whole > 140 || part > 80 ? [`${part} of ${whole} lines`] : []
    })
    expect(long).toEqual([])
  })

  it('opens with who, when, the idea and the cost, in at most six lines', () => {
    const poor = findings(definitions, ({ text }) => {
      const [, opening = ''] =
        /\/\*\*\n((?: \*.*\n)+?) \*\/\nexport const \w+ = algorithm/.exec(text) ?? []
      const lines = opening.split('\n').length - 1
      const sourced = /\b(19|20)\d\d\b|MPS lecture/.test(opening)
      return lines >= 1 && lines <= 6 && sourced ? [] : [`${lines} lines: ${opening}`]
    })
    expect(poor).toEqual([])
  })
})

describe('the package', () => {
  const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')

  it('can be downloaded from anywhere: the lock file has no addresses', () => {
    const { packages } = JSON.parse(read('package-lock.json'))
    const addressed = Object.entries<Record<string, unknown>>(packages).filter(
      ([, { resolved, link }]) => resolved !== undefined && link !== true,
    )
    expect(addressed.map(([name]) => name)).toEqual([])
    expect(read('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/)
  })

  it('is tested by the command that the README gives', () => {
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => /^npm /.test(line))
    expect(commands).toEqual(['npm install && npm test'])
    expect(read('README.md')).toContain(commands[0])
  })
})
