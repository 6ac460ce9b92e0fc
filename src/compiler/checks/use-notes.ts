import type ts from 'typescript'
import type { Misuse, Subject } from '../../core/language/validation/only-compared.ts'
import type { OwnProgram } from '../own-program.ts'
import { AddedMembers } from './added-members.ts'
import { inside, isOne } from './expression-places.ts'
import { HiddenTypes } from './hidden-types.ts'
import { OPAQUE, type Opaque, OpaqueTypes } from './opaque-types.ts'
import { ShownCode } from './shown-code.ts'

/** A place in a file, as people write it: `mine.ts:14:9`. */
export type PlaceText = (path: string, text: string, at: number) => string

export const SUBJECTS: Readonly<Record<Opaque, Subject>> = {
  id: 'ids',
  counter: 'counters',
  term: 'terms',
  value: 'values',
  link: 'links',
  setting: 'parameters',
}
export const WORDS: Readonly<Record<Opaque, string>> = {
  id: 'an id',
  counter: 'a counter',
  term: 'a term',
  value: 'a value',
  link: 'the number of a link',
  setting: 'a parameter',
}
/** What a walk through a definition has found, and what it asks of each expression. */
export abstract class UseNotes {
  readonly misuses = new Map<Subject, Misuse>()
  startsAtZero = false
  protected readonly ts: OwnProgram['ts']
  protected readonly checker: ts.TypeChecker
  protected readonly types: OpaqueTypes
  protected readonly hidden: HiddenTypes
  protected readonly lost: LostTypes
  protected readonly added: AddedMembers
  protected readonly shown: ShownCode

  constructor(
    protected readonly own: OwnProgram,
    private readonly placeText: PlaceText,
  ) {
    this.ts = own.ts
    this.checker = own.program.getTypeChecker()
    this.shown = new ShownCode(own, this.checker)
    this.types = new OpaqueTypes(own, this.checker)
    this.hidden = new HiddenTypes(own, this.checker, this.types)
    this.added = new AddedMembers(own, this.checker, this.types)
    this.lost = new LostTypes(own, this.checker, this.types)
  }

  protected typeOf(node: ts.Node): ts.Type {
    return this.checker.getTypeAtLocation(node)
  }

  protected note(subject: Subject, node: ts.Node, kind: Misuse['kind'], why: string): void {
    const file = node.getSourceFile()
    this.noteAt(subject, file, node.getStart(file), kind, why)
  }

  protected noteAt(
    subject: Subject,
    { fileName, text }: ts.SourceFile,
    at: number,
    kind: Misuse['kind'],
    why: string,
  ): void {
    if (this.misuses.has(subject)) return
    this.misuses.set(subject, { kind, where: this.placeText(fileName, text, at), why })
  }

  protected refuted(node: ts.Node, kinds: Iterable<Opaque>, why: string): void {
    for (const kind of kinds) this.note(SUBJECTS[kind], node, 'refuted', why)
  }

  protected unknown(node: ts.Node, kinds: Iterable<Opaque>, why: string): void {
    for (const kind of kinds) this.note(SUBJECTS[kind], node, 'unknown', why)
  }

  protected refuse(node: ts.Node, reason: string | null): void {
    if (reason !== null) this.unknown(node, OPAQUE, reason)
  }

  /** What an expression is; one more than a term is a term. */
  protected useOf(node: ts.Node): Opaque | 'holds' | 'none' {
    return this.isNextTerm(node) ? 'term' : this.types.of(this.typeOf(node))
  }

  /** `my.term + 1`, `my.term++`, or a constant that is one. */
  protected isNextTerm(given: ts.Node): boolean {
    const { ts } = this
    const node = inside(ts, given)
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
      return node.operator === ts.SyntaxKind.PlusPlusToken && this.isKeptTerm(node.operand)
    if (ts.isConditionalExpression(node))
      return (
        (this.isNextTerm(node.whenTrue) || this.isNextTerm(node.whenFalse)) &&
        this.useOf(node.whenTrue) === 'term' &&
        this.useOf(node.whenFalse) === 'term'
      )
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node
      if (!isOne(ts, right)) return false
      if (operatorToken.kind === ts.SyntaxKind.PlusEqualsToken) return this.isKeptTerm(left)
      // What is counted up already is a number.
      const isTerm = this.types.of(this.typeOf(left)) === 'term'
      return operatorToken.kind === ts.SyntaxKind.PlusToken && isTerm
    }
    if (!ts.isIdentifier(node)) return false
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node)
    const declared = symbol?.valueDeclaration
    return (
      declared !== undefined &&
      ts.isVariableDeclaration(declared) &&
      declared.type === undefined &&
      declared.initializer !== undefined &&
      (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0 &&
      this.isNextTerm(declared.initializer)
    )
  }

  /** A member of the state: a variable could be counted up in a loop before it is compared. */
  private isKeptTerm(given: ts.Node): boolean {
    const node = inside(this.ts, given)
    if (!this.ts.isPropertyAccessExpression(node)) return false
    const declared = this.checker.getSymbolAtLocation(node.expression)?.valueDeclaration
    const isOfParameter = declared !== undefined && this.ts.isParameter(declared)
    return isOfParameter && this.types.of(this.typeOf(node)) === 'term'
  }

  protected isNone({ flags }: ts.Type): boolean {
    return (flags & (this.ts.TypeFlags.Null | this.ts.TypeFlags.Undefined)) !== 0
  }

  /** Whether a field of a state starts as an id. */
  protected state(node: ts.PropertyAssignment | ts.ShorthandPropertyAssignment): void {
    const value = this.ts.isPropertyAssignment(node) ? node.initializer : node.name
    for (const field of this.typeOf(value).getProperties()) {
      const start = this.checker.getTypeOfSymbol(field).getProperty('start')
      const [signature] =
        start === undefined ? [] : this.checker.getTypeOfSymbol(start).getCallSignatures()
      if (signature !== undefined && this.beginsWithId(signature.getReturnType()))
        this.startsAtZero = true
    }
  }

  /** An id itself, or a pair or record with one; lists, sets and maps start empty. */
  protected beginsWithId(type: ts.Type): boolean {
    if (type.isUnion()) return false
    const use = this.types.of(type)
    if (use === 'id') return true
    if (!this.types.held(type).has('id')) return false
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

/** Methods that move the elements of a tuple, whose types then stay behind. */
const MOVING = 'copyWithin fill pop push reverse shift sort splice unshift'.split(' ')
/** Objects of the language whose functions read all members, whatever types say of them. */
const ALL_MEMBERS = ['ObjectConstructor', 'JSON', 'Reflect']
/** Those that read none, or whose types say what they read. */
const HARMLESS = ['freeze', 'fromEntries']

/**
 * Finds where types stop telling the truth, so that a number may be taken for an id or an id for
 * something else: TypeScript is not sound. Each reason is a clause; null: nothing is lost there.
 */
export class LostTypes {
  private readonly ts: OwnProgram['ts']

  constructor(
    { ts }: OwnProgram,
    private readonly checker: ts.TypeChecker,
    private readonly types: OpaqueTypes,
  ) {
    this.ts = ts
  }

  /** In a declaration or statement. */
  at(node: ts.Node): string | null {
    const { ts } = this
    if (ts.isForInStatement(node)) return 'the members of an object are listed'
    if (ts.isCallExpression(node)) return this.listing(node)
    if (ts.isNewExpression(node) && /\bProxy\b/.test(node.expression.getText()))
      return 'what the members of a proxy are is not known'
    if (ts.isObjectBindingPattern(node))
      return this.isValueType(node) ? 'a member of a type of a field is used' : null
    const isDeclared =
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)
    if (isDeclared) return 'the type of something outside of the file is not checked'
    if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node)) return null
    return node.body === undefined ? 'the types of overloads are not checked' : null
  }

  /** In the type of an expression. */
  ofExpression(node: ts.Expression): string | null {
    const { ts } = this
    const type = this.checker.getTypeAtLocation(node)
    const { Any, Unknown, Never } = ts.TypeFlags
    if (type.flags & (Any | Unknown)) return 'this value has no type'
    // A call that never returns is a statement.
    return type.flags & Never && !ts.isExpressionStatement(node.parent)
      ? 'this value has no type'
      : null
  }

  /** In the use of a member of an object with ids. */
  ofMember(node: ts.PropertyAccessExpression | ts.ElementAccessExpression): string | null {
    const { ts, checker } = this
    const type = checker.getTypeAtLocation(node.expression)
    if (!checker.isArrayLikeType(type)) return null
    if (ts.isElementAccessExpression(node)) {
      const { flags } = checker.getTypeAtLocation(node.argumentExpression)
      return flags & ts.TypeFlags.NumberLike
        ? null
        : 'a member of a list of ids is used by its name'
    }
    if (!checker.isTupleType(type)) return null
    if (MOVING.includes(node.name.text)) return 'values change their places in a tuple'
    const elements = type.getNumberIndexType()
    const isMixed = elements !== undefined && this.types.mixed(elements).length > 0
    return isMixed && node.name.text !== 'length'
      ? 'values of a tuple are taken together, ids or the like and others'
      : null
  }

  /** In a cast between types without ids: it may choose another element of a tuple. */
  inCast(from: ts.Type, to: ts.Type): boolean {
    const { Never, Literal } = this.ts.TypeFlags
    if (to.flags & Never) return true
    return (to.flags & Literal) !== 0 && !this.checker.isTypeAssignableTo(from, to)
  }

  /** Whether a type, or a part of a union, has one of these flags. */
  mayBe(node: ts.Expression, flags: ts.TypeFlags): boolean {
    const type = this.checker.getTypeAtLocation(node)
    return (type.isUnion() ? type.types : [type]).some((one) => one.flags & flags)
  }

  private listing(call: ts.CallExpression): string | null {
    const declared = this.checker.getResolvedSignature(call)?.declaration
    const holder = (declared?.parent as ts.InterfaceDeclaration | undefined)?.name?.getText() ?? ''
    const name = (declared as ts.MethodSignature | undefined)?.name?.getText() ?? ''
    if (!ALL_MEMBERS.includes(holder) || HARMLESS.includes(name)) return null
    const { Object: object } = this.ts.TypeFlags
    const gets = call.arguments.some((one) => this.mayBe(one, object))
    return gets ? `the members of an object are given to ${call.expression.getText()}` : null
  }

  private isValueType(node: ts.Node): boolean {
    return this.types.isOfConclave(this.checker.getTypeAtLocation(node), ['ValueType'])
  }
}
