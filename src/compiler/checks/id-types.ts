import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/**
 * What a value of a type may be: an id; something that holds ids or gives them; or neither. A type
 * parameter without a constraint may stand for an id.
 */
export type IdKind = 'id' | 'holds ids' | 'none'

/** Types of conclave that describe ids and hold none. */
const DESCRIPTIONS = ['Algorithm', 'Message', 'Timer', 'ValueType', 'Definition', 'Aggregation']
/** Where conclave declares the type of ids. */
const UID_FILE = /core[\\/]language[\\/]value-types(\.d)?\.ts$/
/** Deeper members than this are taken for harmless: types may be endless. */
const DEEPEST = 6

/** Decides which types have to do with ids. */
export class IdTypes {
  private readonly known = new Map<ts.Type, IdKind>()
  /** The type of ids; null where the program has none. */
  private readonly uid: ts.Type | null

  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
  ) {
    const file = own.program.getSourceFiles().find(({ fileName }) => UID_FILE.test(fileName))
    const symbol = file && checker.getSymbolAtLocation(file)
    const uid = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === 'Uid')
    this.uid = uid ? checker.getDeclaredTypeOfSymbol(uid) : null
  }

  ofNode(node: ts.Node): IdKind {
    return this.of(this.checker.getTypeAtLocation(node))
  }

  of(type: ts.Type, depth = 0): IdKind {
    const before = this.known.get(type)
    if (before !== undefined) return before
    // Types that contain themselves hold ids only if another part of them does.
    this.known.set(type, 'none')
    const kind = this.decided(type, depth)
    if (depth === 0 || kind !== 'none') this.known.set(type, kind)
    else this.known.delete(type)
    return kind
  }

  private decided(type: ts.Type, depth: number): IdKind {
    const { ts } = this.own
    if (depth > DEEPEST || type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'none'
    if (this.isUid(type)) return 'id'
    if (type.flags & ts.TypeFlags.TypeParameter) {
      const limit = this.checker.getBaseConstraintOfType(type)
      return limit === undefined || this.mayBeId(limit) ? 'id' : this.of(limit, depth)
    }
    if (type.isUnionOrIntersection()) return largest(type.types.map((one) => this.of(one, depth)))
    if (!(type.flags & ts.TypeFlags.Object)) return 'none'
    if (DESCRIPTIONS.includes((type.aliasSymbol ?? type.symbol)?.name ?? '')) return 'none'
    return this.parts(type).some((part) => this.of(part, depth + 1) !== 'none')
      ? 'holds ids'
      : 'none'
  }

  /** Whether an id can be used as a value of this type. */
  mayBeId(type: ts.Type): boolean {
    const { Any, Unknown } = this.own.ts.TypeFlags
    if (type.flags & (Any | Unknown)) return true
    return this.uid !== null && this.checker.isTypeAssignableTo(this.uid, type)
  }

  private isUid(type: ts.Type): boolean {
    const [declared] = type.symbol?.declarations ?? []
    return type.symbol?.name === 'Uid' && !this.own.own.includes(declared?.getSourceFile())
  }

  /** What can be got out of an object: members, elements, and what its functions return. */
  private parts(type: ts.Type): ts.Type[] {
    const { checker } = this
    const elements = checker.getTypeArguments(type as ts.TypeReference)
    const isCollection = (type as ts.TypeReference).target !== undefined
    if (isCollection && elements.length > 0) return [...elements]
    return [
      ...type.getProperties().map((one) => checker.getTypeOfSymbol(one)),
      ...checker.getIndexInfosOfType(type).map((one) => one.type),
      ...type.getCallSignatures().map((one) => one.getReturnType()),
    ]
  }
}

function largest(kinds: readonly IdKind[]): IdKind {
  if (kinds.includes('id')) return 'id'
  return kinds.includes('holds ids') ? 'holds ids' : 'none'
}

/** Finds types that hide ids: values of them may be ids, though the types do not say so. */
export class IdHiding {
  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
    private readonly types: IdTypes,
  ) {}

  /** Whether a value with ids is hidden where a value of this type is expected. */
  hides(expected: ts.Type, kind: 'id' | 'holds ids'): boolean {
    const { TypeFlags } = this.own.ts
    if (expected.flags & TypeFlags.Void) return false
    if (expected.isUnion())
      return this.isMixed(expected) || expected.types.every((one) => this.hides(one, kind))
    if (expected.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive)) return true
    if (kind === 'id') return this.types.of(expected) !== 'id'
    return this.types.of(expected) === 'none' && this.isBare(expected)
  }

  /** An id or a number: at run time both are numbers. */
  isMixed(type: ts.UnionOrIntersectionType): boolean {
    const { NumberLike, StringLike, BigIntLike, ESSymbolLike } = this.own.ts.TypeFlags
    const scalars = NumberLike | StringLike | BigIntLike | ESSymbolLike
    return this.types.of(type) === 'id' && type.types.some(({ flags }) => flags & scalars)
  }

  /** `{}`, `object` and tables of anything. */
  private isBare(type: ts.Type): boolean {
    const { Any, Unknown } = this.own.ts.TypeFlags
    const members = type.getProperties().map((one) => this.checker.getTypeOfSymbol(one))
    const tables = this.checker.getIndexInfosOfType(type).map((one) => one.type)
    const all = [...members, ...tables]
    return all.length === 0
      ? type.getCallSignatures().length === 0
      : all.some(({ flags }) => flags & (Any | Unknown))
  }

  /** A type that is written in an own file, or a part of it. */
  isHidingType(node: ts.Node): boolean {
    const { ts } = this.own
    if (ts.isTypeNode(node) && !ts.isTypePredicateNode(node)) {
      const type = this.checker.getTypeFromTypeNode(node)
      if (type.isUnionOrIntersection() && this.isMixed(type)) return true
      if (this.types.mayBeId(type) && this.types.of(type) !== 'id') return true
    }
    return ts.forEachChild(node, (child) => this.isHidingType(child) || undefined) ?? false
  }

  /** A function, not written here, that gets ids as values of other types: `ids.map(String)`. */
  isHidingFunction(node: ts.Expression): boolean {
    const { ts } = this.own
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return false
    if (ts.isIdentifier(node) && node.text === 'arguments') return true
    const [expected] = this.checker.getContextualType(node)?.getCallSignatures() ?? []
    if (expected === undefined) return false
    const given = expected.getParameters().map((one) => this.checker.getTypeOfSymbol(one))
    if (given.every((type) => this.types.of(type) === 'none')) return false
    return this.checker
      .getTypeAtLocation(node)
      .getCallSignatures()
      .some(({ declaration, parameters }) => {
        if (declaration?.getSourceFile().fileName.startsWith('/conclave-library/')) return true
        return parameters.some((one, i) => {
          const kind = given[i] === undefined ? 'none' : this.types.of(given[i])
          return kind !== 'none' && this.hides(this.checker.getTypeOfSymbol(one), kind)
        })
      })
  }
}
