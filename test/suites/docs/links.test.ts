import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const proseOf = (page: string) => read(page).replace(/```[\s\S]*?```/g, '')

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
    const paths = [...proseOf(page).matchAll(/`((?:src|web|test|bench|scripts)\/[\w./-]+)`/g)]
    const missing = paths.map(([, path]) => path).filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
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

describe('ARCHITECTURE.md', () => {
  it('lists every folder of the source', () => {
    const [, tree] = /```\n(src\/[\s\S]*?)```/.exec(read('ARCHITECTURE.md'))!
    const folders = sourcesUnder('src').map((path) => path.split('/').slice(1, -1).slice(0, 2))
    const missing = folders.flat().filter((name) => !tree.includes(`${name}/`))
    expect(missing).toEqual([])
  })

  it('names classes that exist', () => {
    const code = ['src', 'web/src'].flatMap(sourcesUnder).map(read).join('\n')
    const names = [...proseOf('ARCHITECTURE.md').matchAll(/`([A-Z]\w*[a-z]\w*)(?:\.\w+)?`s?/g)]
    expect(names.length).toBeGreaterThan(15)
    const unknown = names
      .map(([, name]) => name)
      .filter((name) => !new RegExp(`(class|interface|type) ${name}\\b`).test(code))
    expect(unknown.filter((name) => name !== 'Date' && !name.startsWith('Math'))).toEqual([])
  })
})
