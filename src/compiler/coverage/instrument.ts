import type ts from 'typescript'
import type { TypeScript } from '../typescript.ts'

/*
 * Makes a definition say which of its code runs. Before each statement, and around each branch of
 * an expression, a call with the number of that piece is added. Lines keep their numbers.
 */

/** The function that instrumented code calls with the number of each piece that runs. */
export const HIT = '__conclaveHit'

/** A part of a source by its offsets: from the first character up to the one after the last. */
export type SourceSpan = readonly [from: number, to: number]

/** A function that is worth showing: a handler, or one that handlers call. */
export interface SourceFunction {
  /** The names of the properties around it and its own: `on`, `ELECTION`. */
  readonly path: readonly string[]
  /** From the comment before it to its end. */
  readonly span: SourceSpan
}

/** Text that is added to a source, by the offset at which it stands. */
export interface Addition {
  readonly at: number
  readonly text: string
}

/** Pieces that run one after the other, unless the function ends before. */
export interface PieceSequence {
  readonly pieces: readonly number[]
  /** The offset of its end. */
  readonly end: number
  /** The number of the named function that it is in, or that is not in another one. */
  readonly inFunction: number
}

export interface InstrumentedSource {
  readonly text: string
  readonly added: readonly Addition[]
  /** Pieces by number. Of pieces in each other, the inner one says whether its text has run. */
  readonly pieces: readonly SourceSpan[]
  /** An outer sequence comes before those in it. */
  readonly sequences: readonly PieceSequence[]
  readonly functions: readonly SourceFunction[]
  /** Handlers that are functions with another name: `on`, `ACK` is `answered`. */
  readonly aliases: readonly HandlerAlias[]
}

export interface HandlerAlias {
  readonly path: readonly string[]
  readonly name: string
}

/** Parts of a definition that are no handlers. */
const LEFT_OUT: ReadonlySet<string> = new Set(['theory', 'display', 'reasons', 'params'])

/** Adds the calls to all functions of a file, with numbers from `first` on. */
export function instrument(ts: TypeScript, file: ts.SourceFile, first = 0): InstrumentedSource {
  const { added, pieces, sequences, functions, aliases } = new Instrumentation(ts, file, first)
  const text = withAdditions(file.text, added)
  return { text, added, pieces, sequences, functions, aliases }
}

/** A walk through a file; its functions return whether a function in what they visit is shown. */
class Instrumentation {
  readonly added: Addition[] = []
  readonly sequences: PieceSequence[] = []
  readonly pieces: SourceSpan[] = []
  readonly functions: SourceFunction[] = []
  readonly aliases: HandlerAlias[] = []
  private functionCount = 0
  private inFunction = -1

  constructor(
    private readonly ts: TypeScript,
    private readonly file: ts.SourceFile,
    private readonly first: number,
  ) {
    for (const top of file.statements) this.visit(top, [])
  }

  private add(at: number, text: string): void {
    this.added.push({ at, text })
  }

  private piece(from: number, to: number): string {
    return `${HIT}(${this.first + this.pieces.push([from, to]) - 1})`
  }

  /** Anything outside of statements of functions. */
  private visit(node: ts.Node, path: readonly string[]): boolean {
    if (this.ts.isTypeNode(node)) return false
    return isBranch(this.ts, node) ? this.branch(node, path) : this.visitParts(node, path)
  }

  private visitParts(node: ts.Node, path: readonly string[]): boolean {
    const name = nameOf(this.ts, node)
    if (name !== null && LEFT_OUT.has(name)) return false
    const alias = aliasOf(this.ts, node)
    if (alias !== null) this.aliases.push({ path: [...path, alias.key], name: alias.name })
    const inner = name === null ? path : [...path, name]
    if (this.ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
      return this.functionBody(node, node.body as ts.ConciseBody, inner)
    let shown = false
    this.ts.forEachChild(node, (child) => {
      if (this.visit(child, inner)) shown = true
    })
    return shown
  }

  private functionBody(
    node: ts.SignatureDeclaration,
    body: ts.ConciseBody,
    path: readonly string[],
  ): boolean {
    for (const parameter of node.parameters) this.visit(parameter, path)
    const outer = this.inFunction
    if (outer < 0 || isNamed(this.ts, node)) this.inFunction = this.functionCount++
    const shown = this.ts.isBlock(body)
      ? this.statements(body.statements, path)
      : this.branch(body, path)
    this.inFunction = outer
    if (shown || !isNamed(this.ts, node)) return shown
    this.functions.push({
      path,
      span: [beginningOf(this.ts, this.file, node), wholeOf(this.ts, node).getEnd()],
    })
    return true
  }

  private branch(node: ts.Node, path: readonly string[]): boolean {
    const [from, to] = [node.getStart(this.file), node.getEnd()]
    this.sequences.push({ pieces: [this.pieces.length], end: to, inFunction: this.inFunction })
    this.add(from, `(${this.piece(from, to)},`)
    const shown = this.visitParts(node, path)
    this.add(to, ')')
    return shown
  }

  private statements(list: readonly ts.Statement[], path: readonly string[]): boolean {
    let shown = false
    const own: number[] = []
    this.sequences.push({
      pieces: own,
      end: list.at(-1)?.getEnd() ?? 0,
      inFunction: this.inFunction,
    })
    for (const one of list) {
      if (isPiece(this.ts, one)) own.push(this.pieces.length)
      if (this.statement(one, path)) shown = true
    }
    return shown
  }

  private statement(node: ts.Statement, path: readonly string[]): boolean {
    const from = node.getStart(this.file)
    if (isPiece(this.ts, node))
      this.add(from, `${this.piece(from, headEnd(this.ts, this.file, node))};`)
    return this.inside(node, path)
  }

  /** What is in a statement; a single statement in place of a block becomes a block. */
  private inside(node: ts.Node, path: readonly string[]): boolean {
    if (this.ts.isBlock(node)) return this.statements(node.statements, path)
    if (this.ts.isLabeledStatement(node)) return this.inside(node.statement, path)
    let shown = false
    if (this.ts.isFunctionLike(node)) return this.visit(node, path)
    this.ts.forEachChild(node, (child) => {
      if (this.ts.isCaseBlock(child)) shown = this.cases(child, path) || shown
      else if (this.ts.isCatchClause(child)) shown = this.inside(child.block, path) || shown
      else if (isBody(this.ts, node, child)) shown = this.body(child as ts.Statement, path) || shown
      else shown = this.visit(child, path) || shown
    })
    return shown
  }

  private body(node: ts.Statement, path: readonly string[]): boolean {
    if (this.ts.isBlock(node)) return this.statements(node.statements, path)
    this.add(node.getStart(this.file), '{')
    if (isPiece(this.ts, node))
      this.sequences.push({
        pieces: [this.pieces.length],
        end: node.getEnd(),
        inFunction: this.inFunction,
      })
    const shown = this.statement(node, path)
    this.add(node.getEnd(), '}')
    return shown
  }

  private cases({ clauses }: ts.CaseBlock, path: readonly string[]): boolean {
    let shown = false
    for (const clause of clauses) {
      const [first] = clause.statements
      if (first === undefined) continue
      const start = first.getStart(this.file)
      this.add(start, `${this.piece(clause.getStart(this.file), start)};`)
      if (this.statements(clause.statements, path)) shown = true
    }
    return shown
  }
}

/** Whether a statement is a piece of its own: blocks have pieces, and declarations do not run. */
function isPiece(ts: TypeScript, node: ts.Statement): boolean {
  return !(
    ts.isBlock(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isEmptyStatement(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
}

/** The name under which a function or the object around it is known. */
function nameOf(ts: TypeScript, node: ts.Node): string | null {
  const named =
    ts.isPropertyAssignment(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    (ts.isVariableDeclaration(node) && isFunction(ts, node.initializer))
  if (!named || node.name === undefined) return null
  return ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : null
}

/** A property whose value is named elsewhere, perhaps by the same name. */
function aliasOf(ts: TypeScript, node: ts.Node): { key: string; name: string } | null {
  if (ts.isShorthandPropertyAssignment(node)) return { key: node.name.text, name: node.name.text }
  if (!ts.isPropertyAssignment(node) || !ts.isIdentifier(node.name)) return null
  const { name, initializer } = node
  return ts.isIdentifier(initializer) ? { key: name.text, name: initializer.text } : null
}

function isFunction(ts: TypeScript, node: ts.Node | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
}

/** Whether a function is shown by itself, rather than as a part of the one around it. */
function isNamed(ts: TypeScript, node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return true
  if (ts.isVariableDeclaration(node.parent)) return ts.isSourceFile(wholeOf(ts, node).parent)
  return ts.isPropertyAssignment(node.parent)
}

/** An expression that runs or not, depending on the one before it. */
function isBranch(ts: TypeScript, node: ts.Node): boolean {
  const { parent } = node
  if (parent === undefined) return false
  if (ts.isConditionalExpression(parent))
    return node === parent.whenTrue || node === parent.whenFalse
  if (!ts.isBinaryExpression(parent) || node !== parent.right) return false
  const { kind } = parent.operatorToken
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  )
}

/** Whether a part of a statement is itself a statement that may run or not. */
function isBody(ts: TypeScript, node: ts.Node, child: ts.Node): boolean {
  if (ts.isIfStatement(node)) return child !== node.expression
  if (ts.isIterationStatement(node, false)) return child === node.statement
  return ts.isTryStatement(node) && ts.isBlock(child)
}

/** The end of what runs at once: of a statement with a body, that is its head. */
function headEnd(ts: TypeScript, file: ts.SourceFile, node: ts.Statement): number {
  if (ts.isIfStatement(node)) return node.expression.getEnd() + 1
  if (ts.isDoStatement(node)) return node.getStart(file) + 'do'.length
  if (ts.isIterationStatement(node, false)) return node.statement.getFullStart()
  if (ts.isSwitchStatement(node)) return node.caseBlock.getFullStart()
  if (ts.isTryStatement(node)) return node.tryBlock.getFullStart()
  if (ts.isLabeledStatement(node)) return headEnd(ts, file, node.statement)
  return node.getEnd()
}

/** The beginning of a function with its name, and of the comment before it. */
function beginningOf(ts: TypeScript, file: ts.SourceFile, node: ts.Node): number {
  const whole = wholeOf(ts, node)
  const [comment] = ts.getLeadingCommentRanges(file.text, whole.getFullStart()) ?? []
  return comment?.pos ?? whole.getStart(file)
}

/** A function with the property or the variable that holds it. */
function wholeOf(ts: TypeScript, node: ts.Node): ts.Node {
  const { parent } = node
  if (ts.isPropertyAssignment(parent)) return parent
  return ts.isVariableDeclaration(parent) ? parent.parent.parent : node
}

function withAdditions(source: string, added: readonly Addition[]): string {
  let text = ''
  let done = 0
  for (const one of added.toSorted((a, b) => a.at - b.at)) {
    text += source.slice(done, one.at) + one.text
    done = one.at
  }
  return text + source.slice(done)
}
