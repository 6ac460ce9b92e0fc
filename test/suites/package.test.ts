import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DIST = join(ROOT, 'dist')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
}

const json = <T>(...path: string[]): T => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'))
const manifest = json<Manifest>('package.json')

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}

/** The package that a module is from: the first part of its path, two with a scope. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

const publicModules = Object.keys(manifest.exports).map((path) => path.replace(/^\./, 'conclave'))

/** Built files but for the page. */
const programs = filesUnder(DIST, '.js').filter((path) => !path.startsWith(join(DIST, 'lab')))

describe('the package as it is installed', () => {
  let folder: string
  let installed: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'conclave-package-'))
    installed = join(folder, 'node_modules/conclave')
    mkdirSync(installed, { recursive: true })
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
    const tarball = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }).trim()
    execFileSync('tar', ['xzf', join(folder, tarball), '--strip-components', '1', '-C', installed])
    for (const name of ['esbuild', '@esbuild'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const conclave = (...words: string[]) =>
    spawnSync(process.execPath, [join(installed, 'bin/conclave.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
    })

  it('comes with at most 10 packages and 25 MB, and with what the README says', () => {
    const folders = [installed, ...dependencies('esbuild').map((name) => join(ROOT, name))]
    expect(Object.keys(manifest.dependencies!)).toEqual(['esbuild'])
    expect(folders.length).toBeLessThanOrEqual(10)
    // Files of two names, as esbuild makes one, count once.
    const files = folders.flatMap((path) => filesUnder(path, '').map((file) => statSync(file)))
    const sizes = new Map(files.map(({ ino, size }) => [ino, size]))
    // A disk has whole blocks: several hundred small files take more than their bytes.
    const blocks = [...sizes.values()].reduce((sum, size) => sum + Math.ceil(size / 4096), 0)
    const megabytes = (blocks * 4096) / 1e6
    expect(megabytes).toBeLessThan(25)
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
    const [, packages, said] = /That brings (\w+) packages and (\d+) MB\./.exec(readme)!
    expect(['no', 'one', 'two', 'three', 'four', 'five'].indexOf(packages)).toBe(folders.length)
    expect(Math.abs(Number(said) - megabytes), `${megabytes} MB`).toBeLessThan(1)
  })

  it('has all that public modules, own files and threads need', () => {
    const code = `for (const name of ${JSON.stringify(publicModules)}) await import(name)`
    execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: folder })
    const mine = join(ROOT, 'examples/smallest-first.ts')
    expect(conclave('run', mine, '-n', '4')).toMatchObject({ status: 0, stderr: '' })
    expect(conclave('list').stdout).toContain('hirschberg-sinclair')
  })

  it('writes a folder whose commands and test work', () => {
    expect(conclave('new', 'mine')).toMatchObject({ status: 0, stderr: '' })
    const cwd = join(folder, 'mine')
    for (const line of ['npx conclave run scenario.json', 'npm test'])
      expect(spawnSync(line, { cwd, shell: true, encoding: 'utf8' })).toMatchObject({ status: 0 })
    const written = readFileSync(join(cwd, 'package.json'), 'utf8')
    expect(JSON.parse(written).dependencies.conclave).toBe('file:../node_modules/conclave')
  })

  it.each(['node_modules/typescript', 'web/node_modules/typescript'])(
    'has types for a strict project that has no others, with %s',
    (compiler) => {
      const imports = publicModules.map((name, i) => `import * as m${i} from '${name}'\n`)
      const uses = publicModules.map((_, i) => `m${i}`).join(', ')
      // A module, and a file of CommonJS.
      const files = ['mine.mts', 'mine.cts']
      for (const file of files)
        writeFileSync(join(folder, file), `${imports.join('')}export const all = [${uses}]\n`)
      const compilerOptions = {
        ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
        ...{ module: 'node16', target: 'es2022', lib: ['es2023'], types: [] },
      }
      const config = { compilerOptions, files }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
      const words = [join(ROOT, compiler, 'bin/tsc'), '-p', folder]
      expect(spawnSync(process.execPath, words, { encoding: 'utf8' }).stdout).toBe('')
    },
  )

  it('writes figures as SVG alone where the renderer of PNG is missing, and says so once', () => {
    const sweep = ['experiment', 'lcr', '--sweep', 'n=4,8,16', '--measure', 'messages']
    const { status, stderr } = conclave(...sweep, '--threads', '2', '--out', join(folder, 'out'))
    expect(stderr).toBe(
      'Figures are written as SVG only: PNG files need @resvg/resvg-js (npm install @resvg/resvg-js).\n',
    )
    expect(status).toBe(0)
    const figures = readdirSync(join(folder, 'out/figures'))
    expect(figures.toSorted()).toEqual(['messages-dark.svg', 'messages.svg'])
  })

  /** Every file costs half a millisecond; `npm run bench:start` measures the whole. */
  it('loads few files for a small election, and none of the checker or of libraries', () => {
    const hook = `
      export async function load(url, context, next) {
        if (url.startsWith('file:')) process.stderr.write(url + '\\n')
        return next(url, context)
      }`
    const code = `import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))`
    const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
    const words = [...preloaded, join(installed, 'bin/conclave.js'), 'run', 'lcr', '-n', '8']
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'))
    expect(status).toBe(0)
    expect(loaded.length).toBeGreaterThan(1)
    expect(loaded.length).toBeLessThanOrEqual(12)
    expect(loaded.filter((url) => /esbuild|resvg|chunks\/check/.test(url))).toEqual([])
  })
})

/** The folders of a package and of what it brings to a machine like this one. */
function dependencies(name: string): string[] {
  const path = `node_modules/${name}`
  const { dependencies: needed, optionalDependencies: optional } = json<Manifest>(
    path,
    'package.json',
  )
  const { packages } = json<{ packages: Record<string, Manifest> }>('package-lock.json')
  const fits = (other: string) => {
    const { os, cpu } = packages[`node_modules/${other}`]
    return (
      (os ?? [process.platform]).includes(process.platform) &&
      (cpu ?? [process.arch]).includes(process.arch)
    )
  }
  const others = [...Object.keys(needed ?? {}), ...Object.keys(optional ?? {}).filter(fits)]
  return [path, ...others.flatMap(dependencies)]
}

/** What a built file imports, of the build and of others: when it is loaded, and later. */
function importsOf(path: string): { loaded: string[]; later: string[] } {
  const text = readFileSync(path, 'utf8')
  const names = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name]) =>
      name.startsWith('.')
        ? join(dirname(path), name)
        : name.replace(/^#(?:node\/)?(.*)$/, join(DIST, '$1.js')),
    )
  return {
    loaded: names(/^(?:import|export|\}).*?(?:from )?"([^"]+)";$/gm),
    later: names(/\bimport\("([^"]+)"\)/g),
  }
}

/** All modules that are loaded with a built file. */
function loadedWith(path: string, reached = new Set<string>()): ReadonlySet<string> {
  reached.add(path)
  for (const name of importsOf(path).loaded)
    if (!name.startsWith(DIST)) reached.add(name)
    else if (!reached.has(name)) loadedWith(name, reached)
  return reached
}

describe('built files', () => {
  it('load no modules of Node.js and no other packages for the library', () => {
    const loaded = [...loadedWith(join(DIST, 'index.js'))]
    expect(loaded.length).toBeGreaterThan(5)
    expect(loaded.filter((name) => !name.startsWith(DIST))).toEqual([])
  })

  it('load the client of NATS when a member joins, and not with the coordinator', () => {
    const loaded = [...loadedWith(join(DIST, 'api/subpaths/coordinator.js'))]
    expect(loaded.length).toBeGreaterThan(5)
    expect(loaded.filter((name) => /nats-client/.test(name))).toEqual([])
    expect(programs.filter((name) => /nats-client/.test(name))).toHaveLength(1)
  })

  it('load the engines without Node.js, but for the members of clusters', () => {
    const loaded = [...loadedWith(join(DIST, 'api/subpaths/engines.js'))]
    const members = [...loadedWith(join(DIST, 'api/subpaths/cluster.js'))]
    expect(members).toContain('node:net')
    expect(loaded.filter((name) => isBuiltin(name) && !members.includes(name))).toEqual([])
    const rest = importsOf(join(DIST, 'api/subpaths/engines.js')).loaded
    const inner = rest.filter((name) => !name.endsWith('subpaths/cluster.js'))
    expect(inner.flatMap((name) => [...loadedWith(name)]).filter(isBuiltin)).toEqual([])
  })

  it('import nothing but each other, Node.js and what package.json names', () => {
    const { dependencies: needed, peerDependencies: optional } = manifest
    const imports = programs.map(importsOf)
    const foreign = (name: string) => !name.startsWith(DIST) && !isBuiltin(name)
    const loaded = imports.flatMap((each) => each.loaded)
    expect(loaded.length).toBeGreaterThan(100)
    const later = imports.flatMap((each) => each.later)
    const reached = new Set([...loaded, ...later].filter(foreign).map(packageOf))
    expect([...reached].toSorted()).toEqual(Object.keys({ ...optional, ...needed }).toSorted())
  })

  it('have declarations that import nothing but each other', () => {
    const declarations = filesUnder(DIST, '.d.ts')
    expect(declarations.length).toBeGreaterThan(50)
    for (const path of declarations) {
      const text = readFileSync(path, 'utf8')
      for (const [, name] of text.matchAll(/(?:from |import\()['"]([^'"]+)['"]/g)) {
        expect(name, path).toMatch(/^\..*\.ts$/)
        expect(declarations, path).toContain(join(dirname(path), name.replace(/ts$/, 'd.ts')))
      }
    }
  })

  it('come with the licence of every package that is in them', () => {
    const licences = readFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
    // The bundler heads the code of each module with its path.
    const heads = /^ *\/\/ node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//gm
    const bundled = programs.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(heads)].map(([, name]) => join('node_modules', name)),
    )
    const page = filesUnder(join(ROOT, 'web/src'), '')
      .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
      .flatMap((path) => [
        ...readFileSync(path, 'utf8').matchAll(
          /^(?:import|export) (?!type).*? from '([^.'][^']*)'/gm,
        ),
      ])
      .filter(([, name]) => !name.startsWith('virtual:'))
      .map(([, name]) => packageOf(name))
      .map((name) => join(name === 'typescript' ? 'web/node_modules' : 'node_modules', name))
    const packages = new Set([...bundled, ...page, 'node_modules/dejavu-fonts-ttf'])
    expect(packages.size).toBeGreaterThan(40)
    const missing = [...packages].filter((path) => {
      const { name, version } = json<Manifest>(path, 'package.json')
      return !licences.includes(`\n${name} ${version} (`)
    })
    expect(missing).toEqual([])
  })
})

describe('npm start', () => {
  const outside = mkdtempSync(join(tmpdir(), 'conclave-start-'))
  const folder = join(outside, 'conclave')
  afterAll(() => rmSync(outside, { recursive: true, force: true }))
  const [earlier, built] = [new Date('2020-01-01'), new Date('2021-01-01')]

  function write(path: string, text = ''): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }

  /** Makes all files older than the build. */
  function age(): void {
    for (const path of filesUnder(folder, '')) utimesSync(path, earlier, earlier)
    utimesSync(join(folder, 'dist/THIRD-PARTY-LICENSES.txt'), built, built)
  }

  /** What the first step of npm start says, at once. */
  async function says(): Promise<string> {
    const [node, script, ...flags] = json<{ scripts: Record<string, string> }>(
      'package.json',
    ).scripts.prestart.split(' ')
    expect([node, script]).toEqual(['node', 'scripts/build.js'])
    const child = spawn(process.execPath, [script, ...flags], { cwd: folder, detached: true })
    const [said = ''] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (child.exitCode === null) process.kill(-child.pid!)
    return child.exitCode === 0 ? '' : String(said)
  }

  it('builds what has changed, and says so first; else it builds nothing', async () => {
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(outside, 'node_modules'))
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'))
    for (const path of [
      'src/core/a.ts',
      'src/core/b.ts',
      'web/src/view/c.tsx',
      'docs/lessons/1.md',
    ])
      write(path)
    const building = /^Building the lab, about half a minute/
    expect(await says()).toMatch(building)
    write('dist/THIRD-PARTY-LICENSES.txt')
    age()
    expect(await says()).toBe('')
    const changes: (() => void)[] = [
      ...['src/core/a.ts', 'web/src/view/c.tsx', 'docs/lessons/1.md', 'web/src/new/d.ts'].map(
        (path) => () => write(path),
      ),
      () => rmSync(join(folder, 'src/core/b.ts')),
      () => rmSync(join(folder, 'dist/THIRD-PARTY-LICENSES.txt')),
    ]
    for (const change of changes) {
      change()
      expect(await says(), String(change)).toMatch(building)
      write('dist/THIRD-PARTY-LICENSES.txt')
      age()
    }
    expect(await says()).toBe('')
  })
})
