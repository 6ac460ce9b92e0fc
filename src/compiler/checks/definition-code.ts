import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/**
 * A piece of code that belongs to a definition. Handlers and what they call run at events; what a
 * definition only mentions ran once, when the file was loaded.
 */
export interface DefinitionCode {
  readonly node: ts.Node
  readonly runs: 'at events' | 'when loaded'
}

/** The functions of conclave that make a definition. */
const MAKERS = ['algorithm', 'gossip']

/** Finds declarations by names, across the own files. */
export class Names {
  private readonly checker: ts.TypeChecker

  constructor(private readonly own: OwnProgram) {
    this.checker = own.program.getTypeChecker()
  }

  /** The declarations of an identifier in own files; empty for what the host or conclave has. */
  declarationsOf(name: ts.Identifier): readonly ts.Declaration[] {
    const declared = this.symbolOf(name)?.declarations ?? []
    return declared.filter((one) => this.own.own.includes(one.getSourceFile()))
  }

  /** Whether an identifier is an import from conclave, and of which name. */
  importOf(name: ts.Identifier): string | null {
    const { ts } = this.own
    const [declared] = this.localSymbolOf(name)?.declarations ?? []
    if (declared === undefined || !ts.isImportSpecifier(declared)) return null
    const from = declared.parent.parent.parent.moduleSpecifier as ts.StringLiteral
    return /^conclave(\/|$)/.test(from.text) ? (declared.propertyName ?? declared.name).text : null
  }

  private symbolOf(name: ts.Identifier): ts.Symbol | undefined {
    const symbol = this.localSymbolOf(name)
    const isAlias = symbol && symbol.flags & this.own.ts.SymbolFlags.Alias
    return isAlias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  private localSymbolOf(name: ts.Identifier): ts.Symbol | undefined {
    const { ts } = this.own
    return ts.isShorthandPropertyAssignment(name.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
      : this.checker.getSymbolAtLocation(name)
  }
}

/** All code that definitions and properties of own files may run, each node once. */
export function definitionCode(own: OwnProgram, names: Names): DefinitionCode[] {
  const { ts } = own
  const found: DefinitionCode[] = []
  const seen = { 'at events': new Set<ts.Node>(), 'when loaded': new Set<ts.Node>() }

  function add(node: ts.Node, runs: DefinitionCode['runs']): void {
    if (seen[runs].has(node) || seen['at events'].has(node)) return
    seen[runs].add(node)
    found.push({ node, runs })
    follow(node, runs)
  }

  /** Adds what the names in a piece of code stand for. */
  function follow(node: ts.Node, runs: DefinitionCode['runs']): void {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) && !isMemberName(ts, node))
      for (const declared of names.declarationsOf(node)) addDeclared(declared, runs)
    ts.forEachChild(node, (child) => follow(child, runs))
  }

  function addDeclared(declared: ts.Declaration, runs: DefinitionCode['runs']): void {
    if (ts.isFunctionDeclaration(declared) || ts.isClassDeclaration(declared)) add(declared, runs)
    else if (ts.isVariableDeclaration(declared) && declared.initializer !== undefined)
      addValue(declared.initializer, runs)
    else if (ts.isExportAssignment(declared)) addValue(declared.expression, runs)
  }

  /** The functions in a value run at events; the rest of it was computed when it was loaded. */
  function addValue(value: ts.Expression, runs: DefinitionCode['runs']): void {
    const bare = ts.skipPartiallyEmittedExpressions(unwrapped(ts, value))
    if (ts.isObjectLiteralExpression(bare)) for (const one of bare.properties) addMember(one, runs)
    else if (ts.isFunctionExpression(bare) || ts.isArrowFunction(bare)) add(bare, runs)
    else add(bare, 'when loaded')
  }

  function addMember(member: ts.ObjectLiteralElementLike, runs: DefinitionCode['runs']): void {
    if (ts.isPropertyAssignment(member)) addValue(member.initializer, runs)
    else if (ts.isSpreadAssignment(member)) addValue(member.expression, runs)
    else if (ts.isShorthandPropertyAssignment(member)) follow(member.name, runs)
    else add(member, runs)
  }

  for (const file of own.own) {
    const visit = (node: ts.Node) => {
      if (isMaker(own, names, node)) for (const one of node.arguments) addValue(one, 'at events')
      else if (isHandler(ts, node)) add(node, 'at events')
      ts.forEachChild(node, visit)
    }
    visit(file)
    for (const list of propertyLists(ts, file)) add(list, 'at events')
  }
  return found
}

/** A call of a function of conclave that makes a definition. */
export function isMaker(own: OwnProgram, names: Names, node: ts.Node): node is ts.CallExpression {
  const { ts } = own
  if (!ts.isCallExpression(node)) return false
  const { expression } = node
  if (ts.isIdentifier(expression)) return MAKERS.includes(names.importOf(expression) ?? '')
  return ts.isPropertyAccessExpression(expression) && MAKERS.includes(expression.name.text)
}

/** By custom, what has the net is a handler or a function that handlers share. */
function isHandler(ts: OwnProgram['ts'], node: ts.Node): boolean {
  if (!ts.isFunctionLike(node)) return false
  return node.parameters.some(({ name }) => ts.isIdentifier(name) && name.text === 'net')
}

/** The values of `export const properties = [...]`. */
function propertyLists(ts: OwnProgram['ts'], file: ts.SourceFile): ts.Expression[] {
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .filter(({ name }) => ts.isIdentifier(name) && name.text === 'properties')
    .flatMap(({ initializer }) => initializer ?? [])
}

/** An expression without parentheses, casts and `as const`. */
export function unwrapped(ts: OwnProgram['ts'], value: ts.Expression): ts.Expression {
  if (
    ts.isParenthesizedExpression(value) ||
    ts.isAsExpression(value) ||
    ts.isSatisfiesExpression(value) ||
    ts.isNonNullExpression(value)
  )
    return unwrapped(ts, value.expression)
  return value
}

/** The name behind a dot, in front of a colon or of a method: it stands for no variable. */
export function isMemberName(ts: OwnProgram['ts'], name: ts.Identifier): boolean {
  const { parent } = name
  if (ts.isBindingElement(parent)) return parent.propertyName === name
  return (
    (ts.isPropertyAccessExpression(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent)) &&
    parent.name === name
  )
}

/** Whether a node is the member of an object with this name and a value. */
export function isMember(
  ts: OwnProgram['ts'],
  node: ts.Node,
  name: string,
): node is ts.PropertyAssignment | ts.ShorthandPropertyAssignment {
  const isOne = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
  return isOne && node.name.getText() === name
}

const OPERATORS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
}
/** Constants that are defined by constants, and so on, are followed so far. */
const DEEPEST_CONSTANT = 20

/**
 * Every number that own files contain, ascending, and every one that an expression of constants has
 * as its value (`2 * HALF`): an id, a size or a counter may be compared with it.
 */
export function numbersIn({ ts, own, program }: OwnProgram): number[] {
  const checker = program.getTypeChecker()
  const found = new Set<number>()

  /** The value of an expression of numbers and constants; NaN if it is none. */
  const constantIn = (node: ts.Node | undefined, depth = 0): number => {
    if (node === undefined || depth > DEEPEST_CONSTANT) return Number.NaN
    const of = (part: ts.Node | undefined) => constantIn(part, depth + 1)
    if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node))
      return Number(node.text.replace(/n$/, ''))
    // A number may hide in a text: Number('77').
    if (ts.isStringLiteralLike(node))
      return node.text.trim() === '' ? Number.NaN : Number(node.text)
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return of(node.expression)
    if (ts.isPrefixUnaryExpression(node)) {
      const value = of(node.operand)
      return node.operator === ts.SyntaxKind.MinusToken ? -value : value
    }
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS[ts.tokenToString(node.operatorToken.kind) ?? '']
      return operator === undefined ? Number.NaN : operator(of(node.left), of(node.right))
    }
    if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return Number.NaN
    const symbol = checker.getSymbolAtLocation(node)
    const alias = symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    const declared = (alias ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration
    return of((declared as Partial<ts.VariableDeclaration> | undefined)?.initializer)
  }

  const visit = (node: ts.Node) => {
    const literal =
      ts.isNumericLiteral(node) || ts.isBigIntLiteral(node) || ts.isStringLiteralLike(node)
    const value = literal || ts.isBinaryExpression(node) ? constantIn(node) : Number.NaN
    if (Number.isFinite(value)) found.add(value)
    ts.forEachChild(node, visit)
  }
  own.forEach(visit)
  return [...found].sort((a, b) => a - b)
}
