/*
 * Builds dist/. One run of esbuild bundles all entry files, so that they share their chunks: a user's
 * file that imports 'conclave' gets the same modules as the command line that runs it. Meanwhile tsc
 * writes the declarations and Vite the page. Bundled packages are development dependencies; the
 * bundlers tell which modules they took, and the licences of those are shipped.
 */
import { spawn } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licencesOf } from './licences.js'

const require = createRequire(import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = join(ROOT, 'dist')
const { dependencies, peerDependencies, exports } = require('../package.json')

/** The public modules: those that package.json exports. */
const PUBLIC = Object.values(exports).map(({ default: path }) =>
  path.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'),
)

/** Files that are started by their path: the program and the code of its threads. */
const STARTED = [
  'src/cli/bin.ts',
  'src/cli/check/permutation-worker.ts',
  'src/cli/experiment/grade-worker.ts',
  'src/experiment/study/worker.ts',
]

/** Modules that only benchmarks, tests and the reproduction of the experiments import. */
const INSIDE = [
  'src/cli/main.ts',
  'src/cli/lab/server.ts',
  'src/experiment/report/reproduction.ts',
  'src/scenario/index.ts',
]

/** The thread pool looks for the code of its threads beside the chunk that it is in. */
const POOL = { in: './node_modules/tinypool/dist/entry/worker.js', out: 'chunks/entry/worker' }

/** Fonts of the figures, so that a PNG has the same glyphs on every machine. */
const FONTS = [
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
]

/** The page's compiler, which is built apart from it. */
const TYPESCRIPT = join(ROOT, 'web/node_modules/typescript/package.json')

/** CommonJS packages require modules of Node.js; an ES module gets them without `require`. */
const requiredBuiltins = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace: 'builtin' } : null,
    )
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

rmSync(DIST, { recursive: true, force: true })
const [bundled, pageModules] = await Promise.all([bundle(), page(), declarations()])
for (const font of FONTS) cpSync(font, join(DIST, 'fonts', basename(font)))
const licences = licencesOf([...bundled, ...pageModules, ...FONTS, TYPESCRIPT])
writeFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), licences)

/** Bundles the library and the command line; returns the modules of other packages in them. */
async function bundle() {
  const entries = [...new Set([...PUBLIC, ...STARTED, ...INSIDE])]
  const { metafile } = await build({
    entryPoints: [...entries.map((path) => ({ in: path, out: path.slice(4, -3) })), POOL],
    outdir: DIST,
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[hash]',
    external: [...Object.keys(dependencies), ...Object.keys(peerDependencies)],
    legalComments: 'none',
    plugins: [requiredBuiltins],
  })
  for (const path of Object.keys(metafile.outputs)) refuseMisplaced(path)
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => path.includes('node_modules/') && bytesInOutput > 0)
    .map(([path]) => join(ROOT, path))
}

/** The program finds its files from two folders below the package: see src/experiment/built.ts. */
function refuseMisplaced(path) {
  const depth = path.split('/').length
  if (depth === 3 || !readFileSync(join(ROOT, path), 'utf8').includes('import.meta.url')) return
  throw new Error(`${path} contains import.meta.url, but is not in a folder of dist`)
}

/** Builds the page; returns the modules of other packages in it. */
async function page() {
  await run('npm', ['run', 'build', '--silent', '-w', 'web'])
  const list = join(DIST, 'lab/modules.json')
  const modules = JSON.parse(readFileSync(list, 'utf8'))
  rmSync(list)
  return modules
}

/** Writes the declarations that can be reached from the public modules. */
async function declarations() {
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'])
  const reached = new Set()
  const reach = (path) => {
    if (reached.has(path)) return
    reached.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)
    for (const [, name] of imports) reach(join(dirname(path), `${name}.d.ts`))
  }
  for (const path of PUBLIC) reach(join(DIST, `${path.slice(4, -3)}.d.ts`))
  for (const path of readdirSync(DIST, { recursive: true }).map((name) => join(DIST, name)))
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path)
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
