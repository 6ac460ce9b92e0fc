import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/** The members of a definition that only pictures and reports use. */
const SHOWN = ['display', 'reasons', 'theory']
/** The functions of conclave that take a definition. */
const MAKERS = ['algorithm', 'compose']

/**
 * The code of own files that only pictures and reports run, never an engine: `display`, `reasons`
 * and `theory` of a definition, and functions and constants of modules that nothing else mentions.
 */
export class ShownCode {
  private readonly nodes = new Set<ts.Node>()
  private readonly ts: OwnProgram['ts']

  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
  ) {
    this.ts = own.ts
    for (const file of own.own) this.findMembers(file)
    // What a file exports or imports as a whole may be used by anybody.
    const open = own.own.some(({ text }) => /\bexport\s*\*|\bimport\s*[*(]/.test(text))
    if (!open) this.findHelpers()
  }

  has(node: ts.Node): boolean {
    return this.nodes.has(node)
  }

  /** Whether a place in a file lies in such code. */
  covers(file: ts.SourceFile, at: number): boolean {
    return [...this.nodes].some(
      (node) => node.getSourceFile() === file && node.pos <= at && at < node.end,
    )
  }

  private findMembers(node: ts.Node): void {
    const { ts } = this
    if (ts.isObjectLiteralElement(node) && this.isShownMember(node)) this.nodes.add(node)
    else ts.forEachChild(node, (child) => this.findMembers(child))
  }

  private isShownMember(member: ts.ObjectLiteralElement): boolean {
    const { ts } = this
    const call = member.parent.parent
    return (
      SHOWN.includes(member.name?.getText() ?? '') &&
      ts.isCallExpression(call) &&
      call.arguments[0] === member.parent &&
      MAKERS.includes(call.expression.getText()) &&
      !this.isOwn(this.symbolOf(call.expression))
    )
  }

  /** Declarations that are mentioned in shown code, or nowhere. */
  private findHelpers(): void {
    const declarations = this.own.own.flatMap((file) => this.declarationsOf(file))
    const mentions = this.mentionsOf(new Set(declarations.map(({ symbol }) => symbol)))
    for (let found = true; found; ) {
      found = false
      for (const { symbol, node } of declarations) {
        const all = (mentions.get(symbol) ?? []).filter((one) => !isWithin(one, node))
        if (this.nodes.has(node) || !all.every((one) => this.isShown(one))) continue
        this.nodes.add(node)
        found = true
      }
    }
  }

  /** Functions and constants of a module. What the first file exports may be the definition. */
  private declarationsOf(file: ts.SourceFile) {
    const { ts } = this
    return file.statements.flatMap((statement) => {
      const exported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      if (exported && file === this.own.own[0]) return []
      const nodes: readonly ts.NamedDeclaration[] = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations
        : ts.isFunctionDeclaration(statement)
          ? [statement]
          : []
      return nodes.flatMap((node) => {
        const symbol = node.name && this.symbolOf(node.name)
        return symbol === undefined ? [] : [{ symbol, node }]
      })
    })
  }

  /** All places where symbols are mentioned, but for imports and exports. */
  private mentionsOf(symbols: ReadonlySet<ts.Symbol>): Map<ts.Symbol, ts.Node[]> {
    const { ts } = this
    const mentions = new Map<ts.Symbol, ts.Node[]>()
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) return
      if (ts.isIdentifier(node)) {
        const symbol = ts.isShorthandPropertyAssignment(node.parent)
          ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
          : this.symbolOf(node)
        const original = symbol && this.original(symbol)
        if (original !== undefined && symbols.has(original))
          mentions.set(original, [...(mentions.get(original) ?? []), node])
      }
      ts.forEachChild(node, visit)
    }
    for (const file of this.own.own) visit(file)
    return mentions
  }

  private isShown(node: ts.Node): boolean {
    for (let one: ts.Node | undefined = node; one !== undefined; one = one.parent)
      if (this.nodes.has(one)) return true
    return false
  }

  private symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node)
    return symbol && this.original(symbol)
  }

  /** The symbol that an import stands for. */
  private original(symbol: ts.Symbol): ts.Symbol {
    const { Alias } = this.ts.SymbolFlags
    return (symbol.flags & Alias) === 0 ? symbol : this.checker.getAliasedSymbol(symbol)
  }

  private isOwn(symbol: ts.Symbol | undefined): boolean {
    const files = symbol?.declarations?.map((one) => one.getSourceFile()) ?? []
    return files.some((file) => this.own.own.includes(file))
  }
}

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  for (let one: ts.Node | undefined = node; one !== undefined; one = one.parent)
    if (one === outer) return true
  return false
}
