import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { isOfLanguage } from './opaque-types.ts'

/** The members of a definition that only pictures and reports use. */
const SHOWN = ['display', 'reasons', 'theory']
/** The functions of conclave that take a definition. */
const MAKERS = ['algorithm', 'compose']

/**
 * The code of own files that only pictures and reports run, never an engine: functions in
 * `display`, `reasons` and `theory` of a definition, and those of modules that nothing else
 * mentions. What runs while a file is loaded is not among it. Functions in the exported
 * `properties` judge runs: no handler depends on them either.
 */
export class ShownCode {
  private readonly nodes = new Set<ts.Node>()
  private readonly judging = new Set<ts.Node>()
  /** Functions that are being looked at: one may call itself. */
  private readonly making = new Set<ts.Node>()
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

  /** Whether a node is the list of properties that a file exports, or a property in it. */
  judges(node: ts.Node): boolean {
    return this.judging.has(node)
  }

  /** Whether a place in a file lies in such code. */
  covers(file: ts.SourceFile, at: number): boolean {
    return [...this.nodes].some(
      (node) => node.getSourceFile() === file && node.pos <= at && at < node.end,
    )
  }

  private findMembers(node: ts.Node): void {
    const { ts } = this
    if (ts.isObjectLiteralElement(node) && this.isShownMember(node)) this.add(node)
    else ts.forEachChild(node, (child) => this.findMembers(child))
  }

  /** Adds a node, or those parts of it that do not run while the file is loaded. */
  private add(node: ts.Node): void {
    const { ts } = this
    if (this.isInert(node)) this.nodes.add(node)
    else if (ts.isPropertyAssignment(node)) this.add(node.initializer)
    else if (ts.isObjectLiteralExpression(node)) for (const one of node.properties) this.add(one)
  }

  /** Whether nothing runs when this is evaluated: functions, names, literals, and what has such. */
  private isInert(node: ts.Node): boolean {
    const { ts } = this
    const isInert = (one: ts.Node) => this.isInert(one)
    if (ts.isObjectLiteralElement(node)) {
      if (node.name !== undefined && ts.isComputedPropertyName(node.name)) return false
      if (ts.isPropertyAssignment(node)) return isInert(node.initializer)
      return ts.isSpreadAssignment(node) ? isInert(node.expression) : true
    }
    if (ts.isObjectLiteralExpression(node)) return node.properties.every(isInert)
    if (ts.isArrayLiteralExpression(node)) return node.elements.every(isInert)
    if (ts.isCallExpression(node))
      return (this.isConclaves(node) || this.onlyMakes(node)) && node.arguments.every(isInert)
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isPropertyAccessExpression(node)
    )
      return isInert(node.expression)
    return (
      ts.isFunctionLike(node) ||
      ts.isIdentifier(node) ||
      ts.isLiteralExpression(node) ||
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(
        node.kind,
      )
    )
  }

  /** A call of an own function that does no more than put functions and literals together. */
  private onlyMakes({ expression }: ts.CallExpression): boolean {
    const { ts } = this
    const symbol = ts.isIdentifier(expression) ? this.symbolOf(expression) : undefined
    const declared = symbol?.valueDeclaration
    if (declared === undefined || this.making.has(declared)) return false
    if (!ts.isFunctionDeclaration(declared) || declared.body === undefined) return false
    this.making.add(declared)
    const makes = declared.body.statements.every((one) => {
      if (ts.isReturnStatement(one))
        return one.expression !== undefined && this.isInert(one.expression)
      if (!ts.isVariableStatement(one)) return false
      return one.declarationList.declarations.every(
        ({ initializer }) => initializer !== undefined && this.isInert(initializer),
      )
    })
    this.making.delete(declared)
    return makes
  }

  /** A call of a function that is imported from conclave. */
  private isConclaves({ expression }: ts.CallExpression): boolean {
    const symbol = this.ts.isIdentifier(expression) ? this.symbolOf(expression) : undefined
    const [declared] = symbol?.declarations ?? []
    return declared !== undefined && !this.isOwn(symbol) && !isOfLanguage(this.own, declared)
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
      for (const { symbol, node, isOpen } of declarations) {
        const all = (mentions.get(symbol) ?? []).filter((one) => !isWithin(one, node))
        const isProperties = isOpen && node.name?.getText() === 'properties'
        const isJudging = all.length > 0 && all.every((one) => isIn(this.judging, one))
        if (!this.judging.has(node) && this.isInertDeclaration(node)) {
          if ((isProperties && all.length === 0) || (!isOpen && isJudging)) {
            this.judging.add(node)
            found = true
          }
        }
        if (isOpen || this.nodes.has(node) || !all.every((one) => isIn(this.nodes, one))) continue
        if (!this.isInertDeclaration(node)) continue
        this.nodes.add(node)
        found = true
      }
    }
  }

  private isInertDeclaration(node: ts.NamedDeclaration): boolean {
    const { ts } = this
    if (!ts.isVariableDeclaration(node)) return true
    return node.initializer === undefined || this.isInert(node.initializer)
  }

  /** Functions and constants of a module. What the first file exports may be the definition. */
  private declarationsOf(file: ts.SourceFile) {
    const { ts } = this
    return file.statements.flatMap((statement) => {
      const exported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      const isOpen = exported === true && file === this.own.own[0]
      const nodes: readonly ts.NamedDeclaration[] = ts.isVariableStatement(statement)
        ? statement.declarationList.declarations
        : ts.isFunctionDeclaration(statement)
          ? [statement]
          : []
      return nodes.flatMap((node) => {
        const symbol = node.name && this.symbolOf(node.name)
        return symbol === undefined ? [] : [{ symbol, node, isOpen }]
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

function isIn(nodes: ReadonlySet<ts.Node>, node: ts.Node): boolean {
  for (let one: ts.Node | undefined = node; one !== undefined; one = one.parent)
    if (nodes.has(one)) return true
  return false
}

function isWithin(node: ts.Node, outer: ts.Node): boolean {
  for (let one: ts.Node | undefined = node; one !== undefined; one = one.parent)
    if (one === outer) return true
  return false
}
