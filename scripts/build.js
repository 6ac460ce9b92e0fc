/*
 * Builds dist/. One run of Rolldown bundles all entry files, so that they share their chunks: a user's
 * file that imports 'conclave' gets the same modules as the command line that runs it. (esbuild, which
 * bundles users' files, makes variables of all constants: simulations take 5 % longer.) Meanwhile tsc
 * writes the declarations and Vite the page. Bundled packages are development dependencies; the
 * bundlers tell which modules they took, and the licences of those are shipped. With --if-needed,
 * for `npm start`, it builds only what is missing or older than its sources, and says so.
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { build } from 'rolldown'
import { licencesOf } from './licences.js'
import { hasProse, PROSE } from './prose.js'

const require = createRequire(import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const { dependencies, peerDependencies, exports } = require('../package.json')

/** What a build reads. */
const SOURCES = [
  'src',
  'web',
  'docs/lessons',
  'scripts',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** The file that is written last: it has the time at which the build began. */
const LAST = join(DIST, 'THIRD-PARTY-LICENSES.txt')

/** The public modules: those that package.json exports. */
const PUBLIC = Object.values(exports).map(({ default: path }) =>
  path.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'),
)

/** Files that are started by their path: the program and the code of its threads. */
const STARTED = [
  'src/cli/bin.ts',
  'src/cli/coordinator/keeper-process.ts',
  'src/cli/grade/sandbox-process.ts',
  'src/cli/jobs/job-thread.ts',
  'src/cli/own-code/confined-process.ts',
  'src/cli/worker/batch-thread.ts',
  'src/compiler/module-hooks.ts',
  'src/compiler/register.ts',
  'src/experiment/study/worker.ts',
]

/**
 * The engines as one script, for the realm in which `grade` evaluates files: it has no modules.
 */
const REALM = 'src/cli/grade/realm.ts'

/** The code of a thread that helps in a search: it must start quickly, so it is one small file. */
const SEARCH_THREAD = 'src/cli/jobs/search-thread.ts'

/** Modules that only benchmarks and tests import. */
const INSIDE = [
  'src/cli/main.ts',
  'src/cli/lab/server.ts',
  'src/scenario/index.ts',
  'src/sim/index.ts',
]

/** The thread pool looks for the code of its threads beside the chunk that it is in. */
const POOL = { 'chunks/entry/worker': './node_modules/tinypool/dist/entry/worker.js' }

/** Fonts of the figures, so that a PNG has the same glyphs on every machine. */
const FONTS = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]

/** The page's compiler, which is built apart from it. */
const TYPESCRIPT = join(ROOT, 'web/node_modules/typescript/package.json')

/** The client of NATS, which comes with much that is not used: it is made smaller. */
const CLIENT = 'nats-client'

/** The parts of a small run: what `conclave run` loads at its start lies in these files. */
const RUN = ['src/cli/bin.ts', 'src/cli/main.ts', 'src/cli/commands/run.ts']
const SHARED = ['src/algorithms/bounds.ts', 'src/algorithms/reasons.ts']
const PARTS = [
  { name: 'engine', test: /\/src\/(core|options|problems|sim|scenario|algorithms)\/(?!catalogue)/ },
  {
    name: 'command-line',
    test: /(?<!\/src\/cli\/bin\.ts)$/,
    starts: ['src/cli/bin.ts', 'src/cli/main.ts'],
  },
  { name: 'run', starts: ['src/cli/commands/run.ts'] },
]

/**
 * Modules that are loaded together lie in one file, since each file costs half a millisecond at the
 * start. Layers import only what lies below them, so that no two files need each other. Algorithms
 * have files of their own.
 */
const CHUNKS = [
  ...PARTS.map(({ name, test = /./, starts = [...RUN, ...SHARED] }) => ({
    debugName: name,
    name: (id, context) => (test.test(id) && startedWith(starts, context).has(id) ? name : null),
  })),
  { name: 'aggregations', test: /\/src\/algorithms\/gossip\// },
  { name: 'gossip', test: /\/src\/((sim|scenario)\/gossip|sim\/meetings)\// },
  { name: 'ring', test: /\/src\/algorithms\/ring\//, maxSize: 16000 },
  // Its files need each other.
  { name: 'lease', test: /\/src\/algorithms\/complete\/lease\// },
  { name: 'complete', test: /\/src\/algorithms\/complete\//, maxSize: 16000 },
  { name: 'graph', test: /\/src\/algorithms\/graph\//, maxSize: 16000 },
  { name: 'language', test: /\/src\/(core|options|problems)\// },
  { name: 'engine-parts', test: /\/src\/(sim|scenario)\// },
  {
    name: 'catalogue',
    test: /\/src\/algorithms\/(index|definitions|elections|families|traits)\.ts/,
  },
  { name: 'check', test: /\/src\/check\// },
  { name: 'prove', test: /\/src\/prove\// },
  { name: 'cluster', test: /\/src\/cluster\// },
  { name: CLIENT, test: /\/node_modules\/(@nats-io|tweetnacl|js-sha256)\// },
]

/** The modules that are loaded with these files, by the paths of the files. */
const loadedWith = new Map()

function startedWith(files, context) {
  const key = files.join()
  const known = loadedWith.get(key)
  if (known !== undefined) return known
  const reached = new Set(files.map((file) => join(ROOT, file)))
  for (const id of reached)
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  loadedWith.set(key, reached)
  return reached
}

/** What packages require if it is there: figures are drawn on no canvas. */
const OPTIONAL = ['canvas', 'cssstyle']

/**
 * Packages of CommonJS get the modules of Node.js without require(): it would be made with node:module
 * in a chunk that the library shares, which also runs in a browser. Commander starts no other programs
 * here, and need not load what could.
 */
const withoutRequire = {
  name: 'without-require',
  transform: (code, id) =>
    id.includes('/node_modules/') && /\brequire\(/.test(code)
      ? code.replace(/\brequire\((['"])([\w:/]+)\1\)/g, (call, quote, name) => {
          if (name === 'node:child_process' && id.includes('/commander/')) return '{}'
          return isBuiltin(name)
            ? `globalThis.process.getBuiltinModule(${quote}${name}${quote})`
            : call
        })
      : null,
  resolveId: (id) => (OPTIONAL.includes(id) ? `\0missing` : null),
  load: (id) => (id === '\0missing' ? "throw new Error('not bundled')" : null),
}

/**
 * Modules that the library imports when they are needed, and that need Node.js. It imports them by
 * names in package.json, so that web pages go without them.
 */
const NODE_ONLY = ['api/subpaths/cluster', 'cluster/index', 'jobs/input-files', 'jobs/threads']

/** The texts that web pages go without. */
const prose = []

const withoutNode = {
  name: 'without-node',
  resolveId(id, importer) {
    if (!/\/src\/(api|experiment)\//.test(importer)) return null
    const name = NODE_ONLY.find(
      (path) => join(dirname(importer), id) === join(ROOT, `src/${path}.ts`),
    )
    return name === undefined ? null : { id: `#node/${name}`, external: true }
  },
  transform(code, id) {
    if (!hasProse(id) || !PROSE.test(code)) return null
    const apart = code.replace(PROSE, (_, field, text) => `${field} prose(${prose.push(text) - 1})`)
    return `import { prose } from '#prose'\n${apart}`
  },
}

if (process.argv.includes('--if-needed')) {
  if (isUpToDate()) process.exit()
  process.stdout.write('Building the lab, about half a minute ...\n')
}
const begun = new Date()
rmSync(DIST, { recursive: true, force: true })
const [bundled, pageModules] = await Promise.all([
  bundle(),
  page(),
  declarations(),
  realm(),
  searchThread(),
])
writeProse()
copyTemplates()
mkdirSync(join(DIST, 'fonts'), { recursive: true })
for (const font of FONTS)
  writeFileSync(join(DIST, 'fonts', `${basename(font)}.br`), brotliCompressSync(readFileSync(font)))
const licences = licencesOf([...bundled, ...pageModules, ...FONTS, TYPESCRIPT])
writeFileSync(LAST, licences)
utimesSync(LAST, begun, begun)

/** Whether a build was finished, and no source has changed since it began. */
function isUpToDate() {
  const built = changed(LAST)
  return built !== null && SOURCES.every((path) => isOlder(join(ROOT, path), built))
}

/** Folders count too: they change where a file is removed. */
function isOlder(path, time) {
  const at = changed(path)
  if (at === null) return true
  if (at >= time) return false
  if (!statSync(path).isDirectory()) return true
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .every((name) => isOlder(join(path, name), time))
}

function changed(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}

/** Bundles the library and the command line; returns the modules of other packages in them. */
async function bundle() {
  const nodeOnly = NODE_ONLY.map((path) => `src/${path}.ts`)
  const entries = [...PUBLIC, ...STARTED, ...INSIDE, ...nodeOnly].map((path) => [
    path.slice(4, -3),
    path,
  ])
  const { output: written } = await build({
    cwd: ROOT,
    input: { ...Object.fromEntries(entries), ...POOL },
    platform: 'node',
    external: [...Object.keys(dependencies), ...Object.keys(peerDependencies), '#prose'],
    transform: { target: 'node20.19', define: { 'typeof require': '"function"' } },
    plugins: [withoutRequire, withoutNode],
    preserveEntrySignatures: 'allow-extension',
    treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
    // A package evaluates the names of its own error classes.
    checks: { eval: false },
    output: {
      dir: DIST,
      chunkFileNames: 'chunks/[name]-[hash].js',
      comments: { legal: false, jsdoc: false },
      codeSplitting: { groups: CHUNKS, includeDependenciesRecursively: false },
    },
  })
  const output = withoutFacades(written)
  for (const { fileName, code } of output) refuseMisplaced(fileName, code)
  const client = output.find(({ name }) => name === CLIENT)
  const { code: smaller } = await transform(client.code, { minify: true, target: 'node20' })
  writeFileSync(join(DIST, client.fileName), smaller)
  for (const named of ['report-files', 'figure-pdf'])
    await shrink(output.find(({ name }) => name === named))
  return output
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([id, { renderedLength }]) => id.includes('/node_modules/') && renderedLength > 0)
    .map(([id]) => id.replace(/^\0|\?.*$/g, ''))
}

/**
 * A module that is imported at the start and also on use gets a file from Rolldown that only renames
 * what is exported. Importers can do so themselves: a file less to load.
 */
function withoutFacades(output) {
  const facades = new Map()
  for (const { fileName, code, isEntry } of output) {
    const [, names, chunk] = /^export \{ ([^}]*) \} from "\.\/([^"]+)";\s*$/.exec(code) ?? []
    if (names === undefined || isEntry) continue
    const renamed = names.split(', ').map((name) => {
      const [inside, outside = inside] = name.split(' as ')
      return `${outside}: it.${inside}`
    })
    facades.set(basename(fileName), { chunk, renamed: renamed.join(', ') })
    rmSync(join(DIST, fileName))
  }
  const kept = output.filter(({ fileName }) => !facades.has(basename(fileName)))
  return kept.map((file) => {
    const code = file.code.replace(/\bimport\("([^"]*\/)([^"/]+)"\)/g, (call, folder, name) => {
      const facade = facades.get(name)
      if (facade === undefined) return call
      return `import("${folder}${facade.chunk}").then((it) => ({ ${facade.renamed} }))`
    })
    if (code !== file.code) writeFileSync(join(DIST, file.fileName), code)
    return { fileName: file.fileName, name: file.name, modules: file.modules, code }
  })
}

/** Most of this chunk is a library; the names of its modules stay, for the list of licences. */
async function shrink({ fileName, code }) {
  const heads = code.match(/^ *\/\/ node_modules\/.*$/gm) ?? []
  const { code: smaller } = await transform(code, { minifyWhitespace: true, target: 'node20' })
  writeFileSync(join(DIST, fileName), `${heads.join('\n')}\n${smaller}`)
}

/** Writes the texts of the catalogue, and what web pages have in place of them and of NODE_ONLY. */
function writeProse() {
  const texts = `const texts = [\n${prose.join(',\n')}\n];\n`
  writeFileSync(join(DIST, 'prose.js'), `${texts}export const prose = (i) => texts[i];\n`)
  mkdirSync(join(DIST, 'browser'))
  writeFileSync(join(DIST, 'browser/prose.js'), "export const prose = () => '';\n")
  writeFileSync(join(DIST, 'browser/missing.js'), 'export {};\n')
}

/** Writes the script of the realm; its packages are also in the bundles. */
async function realm() {
  await build({
    cwd: ROOT,
    input: REALM,
    platform: 'neutral',
    transform: { target: 'node20.19' },
    output: {
      file: join(DIST, `${REALM.slice(4, -3)}.js`),
      format: 'iife',
      name: 'realm',
      // Nobody reads it, and it is read for each graded file; functions and classes keep their names.
      minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
      comments: { legal: false, jsdoc: false },
    },
  })
}

/** Writes the code of a thread that helps in a search. */
async function searchThread() {
  await build({
    cwd: ROOT,
    input: SEARCH_THREAD,
    platform: 'node',
    transform: { target: 'node20.19' },
    output: {
      file: join(DIST, `${SEARCH_THREAD.slice(4, -3)}.js`),
      comments: { legal: false, jsdoc: false },
    },
  })
}

/** What new folders are made of, and the sources of the catalogue: see src/cli/new. */
function copyTemplates() {
  cpSync(join(ROOT, 'src/algorithms'), join(DIST, 'templates'), {
    recursive: true,
    filter: (path) => !/\.(md|test\.ts)$/.test(path),
  })
  cpSync(join(ROOT, 'src/cli/new/templates'), join(DIST, 'templates/new'), { recursive: true })
}

/** The program finds its files from two folders below the package: see src/core/built.ts. */
function refuseMisplaced(fileName, code) {
  if (fileName.split('/').length === 2 || !code.includes('import.meta.url')) return
  throw new Error(`dist/${fileName} contains import.meta.url, but is not in a folder of dist`)
}

/** Builds the page; returns the modules of other packages in it. */
async function page() {
  await run('npm', ['run', 'build', '--silent', '-w', 'web'])
  const list = join(DIST, 'lab/modules.json')
  const modules = JSON.parse(readFileSync(list, 'utf8'))
  rmSync(list)
  compressPage()
  return modules
}

/** The page is shipped as it is served: compressed. */
function compressPage() {
  const assets = join(DIST, 'lab/assets')
  for (const name of readdirSync(assets)) {
    const path = join(assets, name)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    rmSync(path)
  }
}

/**
 * Writes the declarations that can be reached from the public modules. The compiler takes them for those
 * of CommonJS, since such packages can require() the library; modules get the same names from them.
 */
async function declarations() {
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  const types = join(DIST, 'types')
  const reached = new Set()
  const reach = (path) => {
    if (reached.has(path)) return
    reached.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)
    for (const [, name] of imports) reach(join(dirname(path), `${name}.d.ts`))
  }
  for (const path of PUBLIC) reach(join(types, `${path.slice(4, -3)}.d.ts`))
  for (const path of readdirSync(types, { recursive: true }).map((name) => join(types, name)))
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
  writeFileSync(join(types, 'package.json'), '{ "type": "commonjs" }\n')
  for (const path of PUBLIC.map((source) => source.slice(4))) {
    const below = '../'.repeat(path.split('/').length - 1)
    const file = join(DIST, path.replace(/ts$/, 'd.ts'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `export * from '${below || './'}types/${path}'\n`)
  }
}

function run(command, words) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, words, { cwd: ROOT, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${command} ${words.join(' ')} failed`))
    })
  })
}
