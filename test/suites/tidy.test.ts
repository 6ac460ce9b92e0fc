import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Who may import whom, by folder of src; a folder always knows itself. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  core: [],
  problems: ['core'],
  algorithms: ['core', 'problems'],
  sim: ['core'],
  check: ['core'],
  cluster: ['core', 'algorithms'],
  diagram: ['core'],
  scenario: ['core', 'problems', 'algorithms', 'sim'],
  trace: ['core', 'scenario', 'check'],
  experiment: ['core', 'problems', 'algorithms', 'sim', 'check', 'diagram', 'scenario'],
  cli: [
    ...['core', 'problems', 'algorithms', 'sim', 'check', 'cluster', 'diagram', 'scenario'],
    ...['experiment', 'trace'],
  ],
}

/** Where the outside world begins: files, sockets, clocks. */
const OUTSIDE = ['cluster', 'cli']
/** The files of experiments that touch it. */
const OUTSIDE_FILES = ['src/experiment/figures/png.ts', 'src/experiment/study/threads.ts']
/** Who may use libraries. */
const EQUIPPED = ['cli', 'experiment']
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

  it('stay short: 400 lines', () => {
    const long = findings(sources, ({ lines }) =>
      lines.length > 400 ? [`${lines.length} lines`] : [],
    )
    expect(long).toEqual([])
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

  it('has a definition of at most 80 lines of code, its theory apart, and a file of 140', () => {
    const lengthOf = (text: string) =>
      codeOf(text)
        .split('\n')
        .filter((line) => line.trim() !== '').length
    const long = findings(definitions, ({ text }) => {
      const file = text
        .replace(/^ {2}theory: \{\n[\s\S]*?\n {2}\},\n/m, '')
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
      const sourced = /\b(19|20)\d\d\b|text 00\d/.test(opening)
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
