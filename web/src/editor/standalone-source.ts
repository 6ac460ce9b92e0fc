import type ts from 'typescript'

type TypeScript = typeof import('typescript')

/** A file by what it declares and imports. */
interface SourceModule {
  readonly path: string
  readonly file: ts.SourceFile
  readonly declared: ReadonlyMap<string, ts.Statement>
  readonly imported: ReadonlyMap<string, ImportedName>
}

interface ImportedName {
  readonly name: string
  readonly from: string
  readonly isType: boolean
}

interface TextEdit {
  readonly node: ts.Node
  readonly text: string
}

/** The folders whose exports own files import as `conclave`. */
const LANGUAGE = /^\/src\/(core|problems)\//

/**
 * A definition as a file that works by itself. One that begins as an algorithm of the catalogue
 * imports files beside it: what it uses of them becomes a part of it.
 */
export function standaloneSource(
  ts: TypeScript,
  path: string,
  source: string,
  files: ReadonlyMap<string, string>,
): string {
  const own = moduleOf(ts, path, source)
  if (![...own.imported.values()].some(isRelative)) return source
  const { pieces, language } = new UsedDeclarations(ts, own, files)
  const offered = [...language].map(([called, { name, isType }]) => {
    const alias = called === name ? name : `${name} as ${called}`
    return isType ? `type ${alias}` : alias
  })
  const imports = own.file.statements.filter(ts.isImportDeclaration)
  const { end } = imports.at(-1)!
  const besides = imports.filter(({ moduleSpecifier }) => isRelative(fromOf(moduleSpecifier)))
  const parts = [
    edited(
      own.file,
      besides.map((node) => ({ node, text: '' })),
      0,
      end,
    ).trim(),
    ...(offered.length > 0 ? [`import { ${offered.join(', ')} } from 'conclave'`] : []),
    ...(pieces.length > 0 ? ['\n/* What this definition uses of the catalogue. */'] : []),
    ...pieces.map((piece) => `\n${piece}`),
  ]
  return `${parts.join('\n').trim()}\n${source.slice(end).replace(/^\n/, '')}`
}

/** The declarations of other files that an own file uses, each after those that it uses itself. */
class UsedDeclarations {
  readonly pieces: string[] = []
  /** What of the language they use, by the names in the result. */
  readonly language = new Map<string, ImportedName>()
  private readonly modules = new Map<string, SourceModule>()
  /** The names in the result, by file and by their names there. */
  private readonly names = new Map<string, string>()
  /** Those that the file itself uses, which keep the names that it gives them. */
  private readonly kept: ReadonlyMap<string, string>
  private readonly used: Set<string>

  constructor(
    private readonly ts: TypeScript,
    own: SourceModule,
    private readonly files: ReadonlyMap<string, string>,
  ) {
    const { imported, path, file } = own
    this.kept = new Map([...imported].map(([name, entry]) => [keyOf(entry, path), name]))
    this.used = new Set(identifiersIn(ts, file).map(({ text }) => text))
    for (const entry of imported.values()) if (isRelative(entry)) this.takeImport(entry, path)
    for (const [name, entry] of imported) if (!isRelative(entry)) this.language.delete(name)
  }

  private freshName(name: string): string {
    let fresh = name
    for (let i = 2; this.used.has(fresh); i++) fresh = `${name}${i}`
    this.used.add(fresh)
    return fresh
  }

  /** Takes what a file declares, and before it all that it uses; returns its name in the result. */
  private take(at: string, name: string): string | null {
    const key = `${at}#${name}`
    const known = this.names.get(key)
    if (known !== undefined) return known
    const module = this.modules.get(at) ?? moduleOf(this.ts, at, this.files.get(at) ?? '')
    this.modules.set(at, module)
    const statement = module.declared.get(name)
    if (statement === undefined) return null
    const called = this.kept.get(key) ?? this.freshName(name)
    this.names.set(key, called)
    this.pieces.push(this.pieceOf(statement, module))
    return called
  }

  private takeImport(entry: ImportedName, from: string): string | null {
    const key = keyOf(entry, from)
    if (!key.startsWith('conclave#')) return this.take(key.slice(0, key.indexOf('#')), entry.name)
    const called = this.names.get(key) ?? this.kept.get(key) ?? this.freshName(entry.name)
    this.names.set(key, called)
    const isType = entry.isType && (this.language.get(called)?.isType ?? true)
    this.language.set(called, { ...entry, isType })
    return called
  }

  /** The text of a statement, with the names of the result. */
  private pieceOf(statement: ts.Statement, module: SourceModule): string {
    const { ts } = this
    const { path, file, declared, imported } = module
    const edits: TextEdit[] = []
    for (const id of identifiersIn(ts, statement)) {
      const entry = imported.get(id.text)
      if (entry === undefined && !declared.has(id.text)) continue
      const name = entry === undefined ? this.take(path, id.text) : this.takeImport(entry, path)
      if (name !== null && name !== id.text)
        edits.push({ node: id, text: isShort(ts, id) ? `${id.text}: ${name}` : name })
    }
    const [first] = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
    if (first?.kind === ts.SyntaxKind.ExportKeyword) edits.unshift({ node: first, text: '' })
    return edited(file, edits, statement.getStart(file, true), statement.end)
  }
}

function isRelative({ from }: Pick<ImportedName, 'from'>): boolean {
  return from.startsWith('.')
}

/** The file and the name there of what is imported; all of the language is `conclave`. */
function keyOf({ name, from }: ImportedName, importer: string): string {
  const at = new URL(from, `file://${importer}`).pathname
  return `${from.startsWith('.') && !LANGUAGE.test(at) ? at : 'conclave'}#${name}`
}

function fromOf(specifier: ts.Expression): Pick<ImportedName, 'from'> {
  return { from: (specifier as ts.StringLiteral).text }
}

function moduleOf(ts: TypeScript, path: string, source: string): SourceModule {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.ES2022, true)
  const declared = new Map<string, ts.Statement>()
  const imported = new Map<string, ImportedName>()
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const { importClause: clause, moduleSpecifier } = statement
      const bindings = clause?.namedBindings
      if (bindings === undefined || !ts.isNamedImports(bindings)) continue
      for (const { name, propertyName, isTypeOnly } of bindings.elements)
        imported.set(name.text, {
          name: (propertyName ?? name).text,
          ...fromOf(moduleSpecifier),
          isType: isTypeOnly || clause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
        })
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations)
        for (const { text } of identifiersIn(ts, name)) declared.set(text, statement)
    } else if (ts.isDeclarationStatement(statement) && statement.name !== undefined) {
      declared.set(statement.name.getText(file), statement)
    }
  }
  return { path, file, declared, imported }
}

/** The names that stand for a value or a type, and not for a member of one. */
function identifiersIn(ts: TypeScript, node: ts.Node): ts.Identifier[] {
  const found: ts.Identifier[] = []
  const visit = (one: ts.Node, parent: ts.Node | null) => {
    if (!ts.isIdentifier(one)) ts.forEachChild(one, (child) => visit(child, one))
    else if (parent === null || !isMember(ts, one, parent)) found.push(one)
  }
  visit(node, null)
  return found
}

function isMember(ts: TypeScript, id: ts.Identifier, parent: ts.Node): boolean {
  if (ts.isBindingElement(parent)) return parent.propertyName === id
  if (ts.isPropertyAccessExpression(parent)) return parent.name === id
  if (ts.isShorthandPropertyAssignment(parent)) return false
  return (ts.isObjectLiteralElement(parent) || ts.isTypeElement(parent)) && parent.name === id
}

/** Whether a name stands for a member and a value at once: `{ id }`. */
function isShort(ts: TypeScript, { parent }: ts.Identifier): boolean {
  return (
    ts.isShorthandPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) &&
      ts.isObjectBindingPattern(parent.parent) &&
      parent.propertyName === undefined)
  )
}

/** A part of a file with other texts for some of its nodes, which are in their order. */
function edited(file: ts.SourceFile, edits: readonly TextEdit[], from: number, to: number): string {
  let [text, at] = ['', from]
  for (const { node, text: other } of edits) {
    text += file.text.slice(at, node.getStart(file)) + other
    at = node.end
    // What is left out takes the blank or the end of the line after it along.
    if (other === '' && /\s/.test(file.text[at] ?? '')) at++
  }
  return text + file.text.slice(at, to)
}
