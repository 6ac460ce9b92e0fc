import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { placeAt } from '../source-place.ts'
import { isMember } from './definition-code.ts'
import { IdHiding, IdTypes } from './id-types.ts'
import { LostTypes } from './lost-types.ts'
import { ShownCode } from './shown-code.ts'

/**
 * Whether definitions use ids by comparison alone. Proved: in any order of ids they do the same,
 * whatever numbers these are, but for 0 where a field of a state starts as an id. Refuted: an id
 * is computed with. Unknown: an id goes where its type does not show what happens to it.
 */
export type IdEvidence =
  | {
      readonly kind: 'proved'
      /** Whether ids are compared with 0, the starting value of a field that is an id. */
      readonly startsAtZero: boolean
    }
  | {
      readonly kind: 'refuted' | 'unknown'
      /** `mine.ts:14:9` */
      readonly where: string
      /** A clause: `an id is converted to text`. */
      readonly why: string
    }

/** Thrown where an id is used for more than comparison. */
class Misuse extends Error {
  constructor(
    readonly node: ts.Node,
    readonly kind: 'refuted' | 'unknown',
    readonly why: string,
  ) {
    super(why)
  }
}

/** Walks through all own files, whose types must have been checked. */
export function idEvidenceOf(own: OwnProgram): IdEvidence {
  const walk = new IdWalk(own)
  try {
    for (const file of own.own) walk.file(file)
    return { kind: 'proved', startsAtZero: walk.startsAtZero }
  } catch (error) {
    if (!(error instanceof Misuse)) throw error
    const { node, kind, why } = error
    const source = node.getSourceFile()
    const { file, line, column } = placeAt(source.fileName, source.text, node.getStart(source))
    return { kind, where: `${file}:${line}:${column}`, why }
  }
}

/** Every number that own files contain, ascending: an id may be compared with it. */
export function numbersIn({ ts, own }: OwnProgram): number[] {
  const found = new Set<number>()
  const visit = (node: ts.Node) => {
    if (ts.isNumericLiteral(node) || ts.isBigIntLiteral(node))
      found.add(Number(node.text.replace(/n$/, '')))
    // A number may hide in a text: Number('77').
    else if (ts.isStringLiteralLike(node) && node.text.trim() !== '') {
      const value = Number(node.text)
      if (Number.isFinite(value)) found.add(value)
    }
    ts.forEachChild(node, visit)
  }
  own.forEach(visit)
  return [...found].sort((a, b) => a - b)
}

/** Members of objects with ids that turn them into text, or sort them as text. */
const AS_TEXT = ['toString', 'toLocaleString', 'join']
const SORTS = ['sort', 'toSorted']
/** Functions of conclave that take ids and only compare them. */
const COMPARING = ['larger', 'smaller', 'compareIds']
/** Interfaces of the language whose methods keep, find or hand out what they are given. */
const COLLECTIONS = /^(Readonly)?(Array|Set|Map|WeakSet|WeakMap)(Constructor|Iterator)?$|Iterator/

class IdWalk {
  startsAtZero = false
  private readonly ts: OwnProgram['ts']
  private readonly checker: ts.TypeChecker
  private readonly types: IdTypes
  private readonly hiding: IdHiding
  private readonly lost: LostTypes
  private readonly shown: ShownCode

  constructor(private readonly own: OwnProgram) {
    this.ts = own.ts
    this.checker = own.program.getTypeChecker()
    this.shown = new ShownCode(own, this.checker)
    this.types = new IdTypes(own, this.checker)
    this.hiding = new IdHiding(own, this.checker, this.types)
    this.lost = new LostTypes(own, this.checker, this.types, this.hiding)
  }

  file(file: ts.SourceFile): void {
    if (!/\.[mc]?tsx?$/.test(file.fileName))
      throw new Misuse(file, 'unknown', 'it is JavaScript, which has no types')
    const ignored = /@ts-(ignore|expect-error|nocheck)/.exec(file.text)
    if (ignored !== null)
      throw new Misuse(file, 'unknown', `${ignored[0]} keeps types from being checked`)
    this.visit(file)
  }

  private visit(node: ts.Node): void {
    const { ts } = this
    if (ts.isImportDeclaration(node) || this.shown.has(node)) return
    if (ts.isTypeNode(node)) {
      if (this.hiding.isHidingType(node))
        throw new Misuse(node, 'unknown', 'this type does not show whether a value is an id')
      return
    }
    const isList =
      ts.isVariableDeclaration(node) && isOfModule(node) && nameOf(node) === 'properties'
    const isProperty = ts.isObjectLiteralElement(node) && nameOf(node) === 'broken'
    if (isList || isProperty)
      throw new Misuse(node, 'unknown', 'properties of your own see ids as numbers')
    if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) this.cast(node)
    if (ts.isPropertyAccessExpression(node)) this.valueType(node)
    if (isMember(ts, node, 'state')) this.state(node)
    if (ts.isNonNullExpression(node) && this.lost.takesNullForId(node)) this.startsAtZero = true
    if (ts.isExpression(node) && !isWrapper(ts, node) && !isName(ts, node)) this.expression(node)
    ts.forEachChild(node, (child) => this.visit(child))
    this.refuse(node, this.lost.at(node))
  }

  private refuse(node: ts.Node, reason: string | null): void {
    if (reason !== null) throw new Misuse(node, 'unknown', reason)
  }

  private expression(node: ts.Expression): void {
    if (this.hiding.isHidingFunction(node)) this.refuse(node, 'ids are given to this function')
    const kind = this.types.ofNode(node)
    if (kind === 'id') this.id(node)
    if (kind !== 'none') this.flow(node, kind)
    this.refuse(node, this.lost.ofExpression(node))
  }

  /** What happens to an id, by the expression or statement around it. */
  private id(node: ts.Expression): void {
    const { ts } = this
    const parent = outside(ts, node)
    if (ts.isBinaryExpression(parent)) this.operand(node, parent)
    else if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent))
      throw new Misuse(parent, 'refuted', 'an id is computed with')
    else if (ts.isTemplateSpan(parent))
      throw new Misuse(node, 'refuted', 'an id is converted to text')
    else if (isCondition(ts, parent, node))
      throw new Misuse(node, 'refuted', 'an id is taken for true or false; compare it with null')
    else if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
      throw new Misuse(parent, 'refuted', 'a member of an id is used')
    else if (ts.isSpreadAssignment(parent) || ts.isTypeOfExpression(parent))
      throw new Misuse(node, 'unknown', 'an id is not only compared')
  }

  private operand(node: ts.Expression, parent: ts.BinaryExpression): void {
    const { SyntaxKind } = this.ts
    const { kind } = parent.operatorToken
    const other = inside(this.ts, parent.left) === node ? parent.right : parent.left
    switch (kind) {
      case SyntaxKind.EqualsToken:
      case SyntaxKind.QuestionQuestionToken:
      case SyntaxKind.QuestionQuestionEqualsToken:
      case SyntaxKind.CommaToken:
        return
      case SyntaxKind.AmpersandAmpersandToken:
      case SyntaxKind.BarBarToken:
        if (inside(this.ts, parent.left) !== node) return
        throw new Misuse(node, 'refuted', 'an id is taken for true or false; compare it with null')
      case SyntaxKind.LessThanToken:
      case SyntaxKind.LessThanEqualsToken:
      case SyntaxKind.GreaterThanToken:
      case SyntaxKind.GreaterThanEqualsToken:
        if (this.types.ofNode(other) === 'id') return
        throw new Misuse(parent, 'refuted', 'an id is compared with something that is not an id')
      case SyntaxKind.EqualsEqualsEqualsToken:
      case SyntaxKind.ExclamationEqualsEqualsToken:
      case SyntaxKind.EqualsEqualsToken:
      case SyntaxKind.ExclamationEqualsToken:
        if (this.types.ofNode(other) === 'id' || this.isNothing(other)) return
        throw new Misuse(parent, 'refuted', 'an id is compared with something that is not an id')
      default:
        throw new Misuse(parent, 'refuted', 'an id is computed with')
    }
  }

  private isNothing(node: ts.Expression): boolean {
    const { TypeFlags } = this.ts
    const { flags } = this.checker.getTypeAtLocation(node)
    return (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0
  }

  /** Where an id, or an object with ids, goes: its type must stay visible. */
  private flow(node: ts.Expression, kind: 'id' | 'holds ids'): void {
    const { ts } = this
    const parent = outside(ts, node)
    if (kind === 'holds ids') this.object(node, parent)
    if (ts.isThrowStatement(parent)) throw new Misuse(node, 'unknown', `${words(kind)} is thrown`)
    if (isArgument(ts, parent, node)) {
      this.argument(node, ts.isSpreadElement(parent) ? parent.parent : parent, kind)
      return
    }
    // The names of a pattern get their types from the value.
    if (ts.isVariableDeclaration(parent) && !ts.isIdentifier(parent.name) && !parent.type) return
    const expected = this.checker.getContextualType(node)
    if (expected !== undefined && this.hiding.hides(expected, kind)) {
      const why = `${words(kind)} goes where its type is not known`
      throw new Misuse(node, 'unknown', why)
    }
  }

  private object(node: ts.Expression, parent: ts.Node): void {
    const { ts } = this
    const refuse = (why: string) => {
      throw new Misuse(parent, 'refuted', why)
    }
    if (ts.isTemplateSpan(parent)) refuse('ids are converted to text')
    if (ts.isBinaryExpression(parent) && !keeps(ts, parent.operatorToken.kind))
      refuse('ids are converted to text or numbers')
    const isAccess = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)
    if (!isAccess || inside(ts, parent.expression) !== node) return
    this.refuse(parent, this.lost.ofMember(parent))
    if (ts.isElementAccessExpression(parent)) return
    const member = parent.name.text
    const isList = this.checker.isArrayLikeType(this.checker.getTypeAtLocation(node))
    if (AS_TEXT.includes(member)) refuse('ids are converted to text')
    const call = parent.parent
    if (!isList || !SORTS.includes(member)) return
    const order = ts.isCallExpression(call) ? call.arguments[0] : undefined
    if (order === undefined || this.lost.mayBe(order, ts.TypeFlags.Undefined))
      refuse('ids are sorted as text')
  }

  private argument(node: ts.Expression, call: ts.Node, kind: 'id' | 'holds ids'): void {
    const { ts, checker } = this
    const { expression } = call as ts.CallExpression | ts.NewExpression
    if (expression.getText().startsWith('console.')) return
    const expected = checker.getContextualType(node)
    const signature = checker.getResolvedSignature(call as ts.CallExpression)
    const declared = signature?.declaration
    const name = expression.getText()
    const refuse = (why: 'refuted' | 'unknown') => {
      throw new Misuse(node, why, `${words(kind)} is given to ${name}`)
    }
    if (/^(String|Number|Boolean|BigInt|parseInt|parseFloat|Object\.is)$/.test(name))
      refuse('refuted')
    if (/^JSON\./.test(name)) refuse('refuted')
    if (expected === undefined || this.hiding.hides(expected, kind)) refuse('unknown')
    if (declared === undefined || this.own.own.includes(declared.getSourceFile())) return
    const holder = (declared.parent as ts.InterfaceDeclaration).name?.getText() ?? ''
    const makesLength = holder === 'ArrayConstructor' && !ts.isMethodSignature(declared)
    if (COLLECTIONS.test(holder) && !makesLength) return
    const isOfLanguage = declared.getSourceFile().fileName.startsWith('/conclave-library/')
    if (kind === 'holds ids') {
      if (isOfLanguage && !ts.isConstructSignatureDeclaration(declared)) refuse('unknown')
      return
    }
    if (isOfLanguage) refuse('unknown')
    // Of conclave: the net, and the comparisons.
    if (['Anywhere', 'Knowledge'].includes(holder) || rootName(ts, expression) === 'net') return
    if (!COMPARING.includes(name)) refuse('unknown')
  }

  /** A cast may make an id of a number, or a number of an id. */
  private cast(node: ts.AsExpression | ts.TypeAssertion): void {
    if (this.ts.isConstTypeReference(node.type)) return
    const from = this.checker.getTypeAtLocation(node.expression)
    const to = this.checker.getTypeAtLocation(node.type)
    const kinds = [this.types.of(from), this.types.of(to)]
    if (!this.lost.inCast(from, to)) {
      if (kinds.every((kind) => kind === 'none')) return
      if (kinds[0] === kinds[1] && this.checker.isTypeAssignableTo(from, to)) return
    }
    throw new Misuse(node, 'unknown', 'a cast hides or makes an id')
  }

  /** The functions of a value type make ids of bytes, and texts of ids. */
  private valueType({ expression, name }: ts.PropertyAccessExpression): void {
    const { aliasSymbol, symbol } = this.checker.getTypeAtLocation(expression)
    if ((aliasSymbol ?? symbol)?.name !== 'ValueType') return
    if (name.text === 'start') this.startsAtZero = true
    else throw new Misuse(expression, 'unknown', 'a member of a type of a field is used')
  }

  /** Whether a field of a state starts as an id. */
  private state(node: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): void {
    const value = this.ts.isPropertyAssignment(node) ? node.initializer : node.name
    const type = this.checker.getTypeAtLocation(value)
    for (const field of type.getProperties()) {
      const start = this.checker.getTypeOfSymbol(field).getProperty('start')
      const [signature] =
        start === undefined ? [] : this.checker.getTypeOfSymbol(start).getCallSignatures()
      if (signature !== undefined && this.beginsWithId(signature.getReturnType()))
        this.startsAtZero = true
    }
  }

  /** An id itself, or a pair or record with one; lists, sets and maps start empty. */
  private beginsWithId(type: ts.Type): boolean {
    if (type.isUnion()) return false
    const kind = this.types.of(type)
    if (kind !== 'holds ids') return kind === 'id'
    const name = type.symbol?.name ?? ''
    if (/^(Readonly)?(Array|Set|Map)$/.test(name)) {
      return this.checker.isTupleType(type)
        ? this.checker
            .getTypeArguments(type as ts.TypeReference)
            .some((one) => this.beginsWithId(one))
        : false
    }
    return type.getProperties().some((one) => this.beginsWithId(this.checker.getTypeOfSymbol(one)))
  }
}

function words(kind: 'id' | 'holds ids'): string {
  return kind === 'id' ? 'an id' : 'a value with ids'
}

/** An expression without its parentheses and exclamation marks. */
function inside(ts: OwnProgram['ts'], node: ts.Node): ts.Node {
  return isWrapper(ts, node) ? inside(ts, node.expression) : node
}

/** The node around an expression, parentheses and exclamation marks left out. */
function outside(ts: OwnProgram['ts'], { parent }: ts.Node): ts.Node {
  return isWrapper(ts, parent) ? outside(ts, parent) : parent
}

function isWrapper(
  ts: OwnProgram['ts'],
  node: ts.Node,
): node is ts.ParenthesizedExpression | ts.NonNullExpression | ts.SatisfiesExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
}

/** Whether an identifier only names something: a member, a variable where it is declared. */
function isName(ts: OwnProgram['ts'], node: ts.Node): boolean {
  const { parent } = node
  if (!ts.isIdentifier(node) || ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return true
  if (ts.isBindingElement(parent)) return parent.initializer !== node
  return (parent as ts.NamedDeclaration).name === node
}

function nameOf({ name }: ts.NamedDeclaration): string | undefined {
  return name?.getText()
}

function isOfModule({ parent }: ts.VariableDeclaration): boolean {
  return parent.parent.parent?.parent === undefined
}

function isCondition(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  const condition =
    ts.isConditionalExpression(parent) || ts.isForStatement(parent)
      ? parent.condition
      : ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)
        ? parent.expression
        : undefined
  return condition !== undefined && inside(ts, condition) === node
}

function isArgument(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  if (ts.isSpreadElement(parent)) return isArgument(ts, parent.parent, parent)
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false
  return parent.arguments?.some((one) => inside(ts, one) === node) ?? false
}

/** Operators that hand an object on, or compare whether it is the same. */
function keeps({ SyntaxKind }: OwnProgram['ts'], kind: ts.SyntaxKind): boolean {
  return [
    SyntaxKind.EqualsToken,
    SyntaxKind.CommaToken,
    SyntaxKind.QuestionQuestionToken,
    SyntaxKind.QuestionQuestionEqualsToken,
    SyntaxKind.AmpersandAmpersandToken,
    SyntaxKind.BarBarToken,
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
    SyntaxKind.InstanceOfKeyword,
  ].includes(kind)
}

/** The name at the beginning of `net.peer`. */
function rootName(ts: OwnProgram['ts'], node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) ? rootName(ts, node.expression) : node.getText()
}
