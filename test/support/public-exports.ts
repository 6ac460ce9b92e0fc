import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Something that a module of the package exports. */
export interface PublicExport {
  readonly name: string
  readonly kind: 'function' | 'constant' | 'class' | 'type'
  /** The first sentence of its comment; empty where it has none. */
  readonly says: string
  /** Where it is declared. */
  readonly file: string
}

const DECLARATION =
  /^export (?:declare )?(?:async )?(function|const|class|interface|type|abstract class)\*? (\w+)/

/** The modules of the package, by the name under which they are imported. */
export function publicModules(): Map<string, string> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries<{ default: string }>(exports).map(
    ([path, { default: file }]): [string, string] => [
      path.replace(/^\./, 'conclave'),
      file.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts'),
    ],
  )
  return new Map(entries)
}

/** All that a module exports, types included, sorted by kind and name. */
export function exportsOf(file: string): PublicExport[] {
  const order = ['function', 'constant', 'class', 'type']
  return [...collected(file)]
    .map(([name, where]) => describe(name, where))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || compare(a.name, b.name))
}

function compare(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1
}

/** Where an export is declared, under its own name. */
interface Declaration {
  readonly file: string
  readonly declared: string
}

/** The declaration of each export, which may be passed on several times. */
function collected(file: string): Map<string, Declaration> {
  const text = readFileSync(join(root, file), 'utf8')
  const found = new Map<string, Declaration>()
  const beside = (path: string) => join(dirname(file), path)
  for (const [, path] of text.matchAll(/^export \* from '([^']+)'/gm))
    for (const [name, where] of collected(beside(path))) found.set(name, where)
  for (const [, names, path] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)) {
    const further = collected(beside(path))
    for (const part of names.split(',').map((name) => name.trim().replace(/^type /, '')))
      if (part !== '') {
        const [declared, name = declared] = part.split(' as ')
        found.set(name, further.get(declared) ?? { file: beside(path), declared })
      }
  }
  for (const line of text.split('\n')) {
    const [, , name] = DECLARATION.exec(line) ?? []
    if (name !== undefined) found.set(name, { file, declared: name })
  }
  return found
}

function describe(name: string, { file, declared: own }: Declaration): PublicExport {
  const text = readFileSync(join(root, file), 'utf8')
  const declared = text
    .split('\n')
    .flatMap((line) => [DECLARATION.exec(line)])
    .find((parts) => parts?.[2] === own)
  if (!declared) throw new Error(`${file} declares no ${own}`)
  const kind = { const: 'constant', interface: 'type', 'abstract class': 'class' }[declared[1]]
  return {
    name,
    kind: (kind ?? declared[1]) as PublicExport['kind'],
    says: firstSentence(commentBefore(text, declared[0])),
    file,
  }
}

/** The comment that ends right before a declaration, without its frame. */
function commentBefore(text: string, declaration: string): string {
  const at = text.search(new RegExp(`^${declaration.replaceAll('*', '\\*')}\\b`, 'm'))
  const before = text.slice(0, at)
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n$/.exec(before) ?? []
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function firstSentence(comment: string): string {
  const [sentence = ''] = /^.*?[.:](?= [A-Z`]|$)/.exec(comment) ?? []
  return sentence.replace(/:$/, '.')
}
