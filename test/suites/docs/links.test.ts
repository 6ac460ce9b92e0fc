import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { aggregations, catalogue } from '../../../src/algorithms/index.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const lessons = readdirSync(join(root, 'docs/lessons')).filter((name) => /^\d.*\.md$/.test(name))

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const proseOf = (page: string) => read(page).replace(/```[\s\S]*?```/g, '')

const scriptsOf = (file: string): object => JSON.parse(read(file)).scripts

/** The scripts of the package and of the page, and the commands of npm itself. */
const SCRIPTS = Object.keys(scriptsOf('package.json'))
const SCRIPTS_OF_THE_LAB = Object.keys(scriptsOf('web/package.json'))
const OF_NPM = ['install', 'pack']

/** Paths of this repository, as opposed to those of users. */
const OURS = /^(?:src|web|test|bench|scripts|examples|experiments|docs|bin|dist)\/[\w./-]*$/

/** Numbers as texts write them: up to twenty as words. */
const WORDS = `no one two three four five six seven eight nine ten eleven twelve thirteen fourteen
  fifteen sixteen seventeen eighteen nineteen twenty`.split(/\s+/)
const numberOf = (text: string) =>
  WORDS.includes(text.toLowerCase()) ? WORDS.indexOf(text.toLowerCase()) : Number(text)

/** What a page has in backquotes and in blocks of commands. */
function codeOf(page: string): string[] {
  const blocks = [...read(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  const spans = [...proseOf(page).matchAll(/`([^`]+)`/g)]
  return [...blocks, ...spans].map(([, text]) => text.replace(/\s+/g, ' '))
}

const codeWordsOf = (page: string) => codeOf(page).flatMap((text) => text.split(' '))

/** The anchors of a page: its headings, as GitHub writes them. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Every TypeScript file below a folder. */
function sourcesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesUnder(path)
    return /\.tsx?$/.test(path) ? [path] : []
  })
}

describe.each(pages)('%s', (page) => {
  it('has links that lead somewhere', () => {
    const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)
    const broken = links
      .filter((target) => !/^(https?|mailto):/.test(target))
      .filter((target) => {
        const [path, anchor] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        if (!existsSync(join(root, file))) return true
        return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
      })
    expect(broken).toEqual([])
  })

  it('names files that exist', () => {
    const paths = codeWordsOf(page).filter((word) => OURS.test(word))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('names scripts that exist', () => {
    const script = /\bnpm (run )?([a-z]+(?::[a-z]+)*)( -w web)?/g
    const named = codeOf(page).flatMap((text) => [...text.matchAll(script)])
    const unknown = named.filter(([, run, name, lab]) => {
      const scripts = lab === undefined ? SCRIPTS : SCRIPTS_OF_THE_LAB
      return !scripts.includes(name) && (run !== undefined || !OF_NPM.includes(name))
    })
    expect(unknown.map(([words]) => words)).toEqual([])
  })

  it('counts lessons and algorithms right', () => {
    const text = read(page).replace(/\s+/g, ' ')
    const counts: [RegExp, number][] = [
      [/(\w+)(?: short)? lessons\b/g, lessons.length],
      [/(\w+) elections and \w+ aggregations/g, catalogue.length],
      [/\w+ elections and (\w+) aggregations/g, aggregations.length],
    ]
    for (const [claim, count] of counts)
      for (const [words, said] of text.matchAll(claim))
        if (!Number.isNaN(numberOf(said))) expect(numberOf(said), words).toBe(count)
  })
})

describe('README.md', () => {
  it('is short, and leads to every page', () => {
    const readme = read('README.md')
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(250)
    const named = pages.filter((page) => page.startsWith('docs/'))
    expect(named.filter((page) => !readme.includes(`(${page})`))).toEqual([])
  })
})

describe.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('%s', (page) => {
  it('names files by the end of a path that exists', () => {
    const folders = ['src', 'test', 'web/src', 'docs'].map((folder) => join(root, folder))
    const known = folders.flatMap((path) =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }),
    )
    const exists = (name: string) =>
      existsSync(join(root, name)) ||
      known.some((path) => `/${path}`.endsWith(`/${name.replace(/\/$/, '')}`))
    const named = codeWordsOf(page).filter((word) => /^[a-z][\w./-]*(\.[jt]sx?|\/)$/.test(word))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !exists(name))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  it('lists every folder of the source', () => {
    const [, tree] = /```\n(src\/[\s\S]*?)```/.exec(read('ARCHITECTURE.md'))!
    const folders = sourcesUnder('src').map((path) => path.split('/').slice(1, -1).slice(0, 2))
    const missing = folders.flat().filter((name) => !tree.includes(`${name}/`))
    expect(missing).toEqual([])
  })

  it('names classes that exist', () => {
    const sources = ['src', 'web/src'].flatMap(sourcesUnder).map(read)
    const declared = sources.flatMap((text) => [
      ...text.matchAll(/\b(?:class|interface|type) (\w+)/g),
    ])
    const known = new Set(declared.map(([, name]) => name))
    const names = [...proseOf('ARCHITECTURE.md').matchAll(/`([A-Z]\w*[a-z]\w*)(?:\.\w+)?`s?/g)]
    expect(names.length).toBeGreaterThan(15)
    const unknown = names.map(([, name]) => name).filter((name) => !known.has(name))
    expect(unknown.filter((name) => name !== 'Date' && !name.startsWith('Math'))).toEqual([])
  })
})
