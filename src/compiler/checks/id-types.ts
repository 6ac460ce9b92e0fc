import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/**
 * What a value of a type may be: an id; something that holds ids or gives them; or neither. A type
 * parameter without a constraint may stand for an id.
 */
export type IdKind = 'id' | 'holds ids' | 'none'

/** Types of conclave that describe ids and hold none. */
const DESCRIPTIONS = ['Algorithm', 'Message', 'Timer', 'ValueType', 'Definition', 'Aggregation']
/** Deeper members than this are taken for harmless: types may be endless. */
const DEEPEST = 6

/** Decides which types have to do with ids. */
export class IdTypes {
  private readonly known = new Map<ts.Type, IdKind>()

  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
  ) {}

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
      return limit === undefined || limit.flags & ts.TypeFlags.Unknown
        ? 'id'
        : this.of(limit, depth)
    }
    if (type.isUnionOrIntersection()) return largest(type.types.map((one) => this.of(one, depth)))
    if (!(type.flags & ts.TypeFlags.Object)) return 'none'
    if (DESCRIPTIONS.includes((type.aliasSymbol ?? type.symbol)?.name ?? '')) return 'none'
    return this.parts(type).some((part) => this.of(part, depth + 1) !== 'none')
      ? 'holds ids'
      : 'none'
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
