import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { isOfLanguage, type OpaqueTypes } from './opaque-types.ts'

/** Deeper members than this are taken for equal: types may be endless. */
const DEPTH_MAX = 5

/**
 * Finds where a value may have more than its type says, and the type that is expected names it: an
 * optional member, an optional parameter of a function, or any member of a table. Whatever the type
 * says of it, the value has another: `const one: { k: number; v?: Uid } = { k: 1, v: 7 } with k`.
 */
export class AddedMembers {
  private readonly ts: OwnProgram['ts']
  private readonly compared = new Map<ts.Type, Map<ts.Type, boolean>>()

  /** Functions that are being looked at: one may call itself. */
  private readonly followed = new Set<ts.Node>()

  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
    private readonly types: OpaqueTypes,
  ) {
    this.ts = own.ts
  }

  /** Whether an expression, where a value of a type is expected, gets members in this way. */
  addedTo(node: ts.Expression, expected: ts.Type): boolean {
    const { ts } = this
    const type = this.checker.getTypeAtLocation(node)
    // What it returns is looked at where it returns it.
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
      return this.addsParameter(type, this.checker.getNonNullableType(expected), 0)
    return !this.isExact(node) && this.adds(type, expected, 0)
  }

  /** Whether a spread may replace members that stand before it, though its type does not say so. */
  replacedIn(literal: ts.ObjectLiteralExpression): boolean {
    const { ts, checker } = this
    return literal.properties.some((one, i) => {
      if (!ts.isSpreadAssignment(one) || this.isExact(one.expression)) return false
      const spread = checker.getTypeAtLocation(one.expression)
      return literal.properties
        .slice(0, i)
        .flatMap((before) =>
          ts.isSpreadAssignment(before)
            ? checker
                .getTypeAtLocation(before.expression)
                .getProperties()
                .map(({ name }) => name)
            : [before.name?.getText() ?? ''],
        )
        .some((name) => checker.getPropertyOfType(spread, name) === undefined)
    })
  }

  /** A literal, or a constant that is one: it has the members that its type says. */
  private isExact(given: ts.Expression): boolean {
    const { ts } = this
    if (
      ts.isParenthesizedExpression(given) ||
      ts.isAsExpression(given) ||
      ts.isSatisfiesExpression(given)
    )
      return this.isExact(given.expression)
    if (ts.isObjectLiteralExpression(given))
      return given.properties.every(
        (one) => !ts.isSpreadAssignment(one) || this.isExact(one.expression),
      )
    // Their parts are looked at one by one.
    if (ts.isArrayLiteralExpression(given)) return true
    if (ts.isCallExpression(given)) return this.returnsExact(given)
    if (!ts.isIdentifier(given)) return false
    const declared = this.checker.getSymbolAtLocation(given)?.valueDeclaration
    return (
      declared !== undefined &&
      ts.isVariableDeclaration(declared) &&
      declared.type === undefined &&
      declared.initializer !== undefined &&
      (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0 &&
      this.isExact(declared.initializer)
    )
  }

  /** A call of an own function that returns literals. */
  private returnsExact(call: ts.CallExpression): boolean {
    const { ts } = this
    const declared = this.checker.getResolvedSignature(call)?.declaration
    if (declared === undefined || !ts.isFunctionDeclaration(declared)) return false
    if (declared.body === undefined || this.followed.has(declared)) return false
    this.followed.add(declared)
    const visit = (node: ts.Node): boolean => {
      if (ts.isReturnStatement(node))
        return node.expression !== undefined && this.isExact(node.expression)
      return ts.isFunctionLike(node) || ts.forEachChild(node, (one) => !visit(one)) !== true
    }
    const isExact = visit(declared.body)
    this.followed.delete(declared)
    return isExact
  }

  private adds(from: ts.Type, to: ts.Type, depth: number): boolean {
    if (from === to || depth > DEPTH_MAX) return false
    const known = this.compared.get(from) ?? new Map<ts.Type, boolean>()
    this.compared.set(from, known)
    const before = known.get(to)
    if (before !== undefined) return before
    known.set(to, false)
    const found = this.addsNow(from, to, depth)
    known.set(to, found)
    return found
  }

  private addsNow(from: ts.Type, to: ts.Type, depth: number): boolean {
    const { checker } = this
    const { Object: object, TypeParameter } = this.ts.TypeFlags
    if (from.flags & TypeParameter && !to.isIntersection()) {
      const limit = checker.getBaseConstraintOfType(from)
      return limit !== undefined && limit !== from && this.adds(limit, to, depth + 1)
    }
    if (from.isUnion()) return from.types.some((one) => this.adds(one, to, depth))
    if (to.isUnion()) {
      const fitting = to.types.filter((one) => checker.isTypeAssignableTo(from, one))
      return fitting.length > 0 && fitting.every((one) => this.adds(from, one, depth))
    }
    if (to.isIntersection()) return to.types.some((one) => this.adds(from, one, depth))
    if (!(from.flags & object) && !from.isIntersection()) return false
    if (!(to.flags & object)) return false
    const [ours, theirs] = [from, to].map((one) =>
      checker.getTypeArguments(one as ts.TypeReference),
    )
    if (theirs.length > 0 && this.isGiven(to.symbol))
      return ours.some((one, i) => {
        const their = theirs[i] ?? theirs.at(-1)
        return their !== undefined && this.adds(one, their, depth + 1)
      })
    // The members of a definition are those that conclave reads.
    const [declared] = to.symbol?.declarations ?? []
    if (declared !== undefined && this.types.isConclaves(declared)) return false
    return (
      this.addsMember(from, to, depth) ||
      this.addsParameter(from, to, depth) ||
      this.addsResult(from, to, depth)
    )
  }

  private addsMember(from: ts.Type, to: ts.Type, depth: number): boolean {
    const { checker } = this
    const isTable = (one: ts.Type) =>
      checker
        .getIndexInfosOfType(one)
        .some(({ type }) => !this.types.isOfConclave(type, ['ValueType', 'Message']))
    // A table of conclave has the members that its type says.
    const [given] = from.aliasSymbol?.declarations ?? []
    const isExact = given !== undefined && this.types.isConclaves(given)
    if (isTable(to) && !isTable(from) && !isExact) return true
    return to.getProperties().some((member) => {
      if (this.isGiven(member)) return false
      const own = checker.getPropertyOfType(from, member.name)
      if (own === undefined) return (member.flags & this.ts.SymbolFlags.Optional) !== 0
      return this.adds(checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(member), depth + 1)
    })
  }

  /** A function may be called with more than the expected one says that it takes. */
  private addsParameter(from: ts.Type, to: ts.Type, depth: number): boolean {
    const { checker } = this
    const [called, expected] = [from, to].map((one) => one.getCallSignatures()[0])
    if (called === undefined || expected === undefined) return false
    const theirs = expected.getParameters()
    const isOpen = theirs.some((one) => this.isRest(one))
    return called.getParameters().some((one, i) => {
      const their = theirs[i]
      if (their === undefined) return !isOpen && !this.isGiven(one)
      return this.adds(checker.getTypeOfSymbol(their), checker.getTypeOfSymbol(one), depth + 1)
    })
  }

  private addsResult(from: ts.Type, to: ts.Type, depth: number): boolean {
    const [called, expected] = [from, to].map((one) => one.getCallSignatures()[0]?.getReturnType())
    return called !== undefined && expected !== undefined && this.adds(called, expected, depth + 1)
  }

  private isRest({ valueDeclaration }: ts.Symbol): boolean {
    return (valueDeclaration as ts.ParameterDeclaration | undefined)?.dotDotDotToken !== undefined
  }

  /** Declared by conclave or the language: what these name are the options of a definition. */
  private isGiven(symbol: ts.Symbol | undefined): boolean {
    const [declared] = symbol?.declarations ?? []
    return (
      declared !== undefined &&
      (isOfLanguage(this.own, declared) || this.types.isConclaves(declared))
    )
  }
}
