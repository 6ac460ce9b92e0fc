import type ts from 'typescript'
import type { Misuse, Subject } from '../../core/language/validation/only-compared.ts'
import type { OwnProgram } from '../own-program.ts'
import { inside, isOne } from './expression-places.ts'
import { HiddenTypes } from './hidden-types.ts'
import { LostTypes } from './lost-types.ts'
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
      return node.operator === ts.SyntaxKind.PlusPlusToken && this.useOf(node.operand) === 'term'
    if (ts.isConditionalExpression(node))
      return (
        (this.isNextTerm(node.whenTrue) || this.isNextTerm(node.whenFalse)) &&
        this.useOf(node.whenTrue) === 'term' &&
        this.useOf(node.whenFalse) === 'term'
      )
    if (ts.isBinaryExpression(node)) {
      const { left, operatorToken, right } = node
      const adds = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.PlusEqualsToken]
      return adds.includes(operatorToken.kind) && this.useOf(left) === 'term' && isOne(ts, right)
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
