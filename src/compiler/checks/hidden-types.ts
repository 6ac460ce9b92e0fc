import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { isOfLanguage, OPAQUE, type Opaque, type OpaqueTypes } from './opaque-types.ts'

/** Deeper members than this are taken for equal: types may be endless. */
const DEPTH_MAX = 5

/** Finds types that hide ids and the like: values may be some, though the types do not say so. */
export class HiddenTypes {
  private readonly compared = new Map<ts.Type, Map<ts.Type, Opaque | null>>()

  constructor(
    private readonly own: OwnProgram,
    private readonly checker: ts.TypeChecker,
    private readonly types: OpaqueTypes,
  ) {}

  /** What of a value with ids and the like is hidden where a value of this type is expected. */
  hides(from: ts.Type, expected: ts.Type): readonly Opaque[] {
    const held = [...this.types.held(from)]
    if (held.length > 0 && this.hidesAll(expected, this.types.of(from))) return held
    const lost = this.lost(from, expected, 0)
    return lost === null ? [] : [lost]
  }

  private hidesAll(expected: ts.Type, use: Opaque | 'holds' | 'none'): boolean {
    const { Void, Any, Unknown, NonPrimitive, Null, Undefined } = this.own.ts.TypeFlags
    if (expected.flags & Void) return false
    if (this.types.mixed(expected).length > 0) return true
    if (expected.isUnion()) {
      const parts = expected.types.filter(({ flags }) => !(flags & (Null | Undefined)))
      return parts.every((one) => this.hidesAll(one, use))
    }
    if (expected.flags & (Any | Unknown | NonPrimitive)) return true
    if (use !== 'holds') return this.types.of(expected) !== use && !this.isParameter(expected)
    return this.types.of(expected) === 'none' && this.isBare(expected)
  }

  private isParameter({ flags }: ts.Type): boolean {
    return (flags & this.own.ts.TypeFlags.TypeParameter) !== 0
  }

  /** The first kind of marked numbers that is unmarked on the way, or marked without reason. */
  private lost(from: ts.Type, to: ts.Type, depth: number): Opaque | null {
    if (from === to || depth > DEPTH_MAX) return null
    const known = this.compared.get(from) ?? new Map<ts.Type, Opaque | null>()
    this.compared.set(from, known)
    const before = known.get(to)
    if (before !== undefined) return before
    known.set(to, null)
    const lost = this.lostNow(this.bare(from), this.bare(to), depth)
    known.set(to, lost)
    return lost
  }

  /** A type without null and undefined. */
  private bare(type: ts.Type): ts.Type {
    return this.checker.getNonNullableType(type)
  }

  private lostNow(from: ts.Type, to: ts.Type, depth: number): Opaque | null {
    const { Any, Unknown, TypeParameter, Void, Never } = this.own.ts.TypeFlags
    if ((from.flags | to.flags) & (Any | Unknown | Void | Never)) return null
    if (to.flags & TypeParameter) return null
    if (from.flags & TypeParameter) {
      const limit = this.checker.getBaseConstraintOfType(from)
      return limit === undefined || limit === from ? null : this.lost(limit, to, depth + 1)
    }
    const uses = [this.types.of(from), this.types.of(to)]
    if (uses.every((use) => use === 'none')) return this.lostInDescriptions(from, to, depth)
    const scalar = uses.find((use) => use !== 'none' && use !== 'holds') as Opaque | undefined
    if (scalar !== undefined) return uses[0] === uses[1] ? null : scalar
    if (from.isUnion()) return first(from.types, (one) => this.lost(one, to, depth))
    if (to.isUnion()) {
      const all = to.types.map((one) => this.lost(from, one, depth))
      return all.includes(null) ? null : all[0]
    }
    return this.lostInParts(from, to, depth)
  }

  private lostInParts(from: ts.Type, to: ts.Type, depth: number): Opaque | null {
    const { checker } = this
    const [ours, theirs] = [from, to].map((one) =>
      checker.getTypeArguments(one as ts.TypeReference),
    )
    if (ours.length > 0 && ours.length === theirs.length)
      return first(ours, (one, i) => this.lost(one, theirs[i], depth + 1))
    const members = first(to.getProperties(), (member) => {
      const own = checker.getPropertyOfType(from, member.name)
      if (own === undefined || (isMethodOf(member) && ours.length > 0)) return null
      const pair = [own, member].map((one) => checker.getTypeOfSymbol(one))
      return this.lost(pair[0], pair[1], depth + 1)
    })
    if (members !== null) return members
    const [called, expected] = [from, to].map((one) => one.getCallSignatures()[0])
    if (called === undefined || expected === undefined) return null
    const given = first(called.getParameters(), (one, i) => {
      const theirs = expected.getParameters()[i]
      if (theirs === undefined) return null
      return this.lost(checker.getTypeOfSymbol(theirs), checker.getTypeOfSymbol(one), depth + 1)
    })
    return given ?? this.lost(called.getReturnType(), expected.getReturnType(), depth + 1)
  }

  /** Types of fields, and what is made of them, as values: a type of terms is none of numbers. */
  private lostInDescriptions(from: ts.Type, to: ts.Type, depth: number): Opaque | null {
    const names = ['ValueType', 'Message']
    if (!this.types.isOfConclave(from, names) || !this.types.isOfConclave(to, names)) return null
    const [ours, theirs] = [from, to].map((one) => this.argumentsOf(one))
    if (ours.length === 0 || theirs.length === 0) return null
    const [value, expected] = [ours[0], theirs[0]]
    return this.lost(value, expected, depth + 1) ?? this.lostInFields(value, expected, depth + 1)
  }

  private lostInFields(from: ts.Type, to: ts.Type, depth: number): Opaque | null {
    return first(to.getProperties(), (field) => {
      const own = this.checker.getPropertyOfType(from, field.name)
      if (own === undefined) return null
      const pair = [own, field].map((one) => this.checker.getTypeOfSymbol(one))
      return this.lost(pair[0], pair[1], depth + 1)
    })
  }

  private argumentsOf(type: ts.Type): readonly ts.Type[] {
    return type.aliasTypeArguments ?? this.checker.getTypeArguments(type as ts.TypeReference)
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

  /** What a type that is written in an own file, or a part of it, hides. */
  hiddenIn(node: ts.Node): readonly Opaque[] {
    const { ts } = this.own
    if (ts.isTypePredicateNode(node) && node.type !== undefined) {
      const said = this.types.of(this.checker.getTypeFromTypeNode(node.type))
      if (said !== 'none') return OPAQUE
    } else if (ts.isTypeNode(node)) {
      const type = this.checker.getTypeFromTypeNode(node)
      const mixed = this.types.mixed(type)
      if (mixed.length > 0) return mixed
      if (this.types.mayBeId(type) && this.types.of(type) !== 'id') return OPAQUE
    }
    return ts.forEachChild(node, (child) => some(this.hiddenIn(child))) ?? []
  }

  /** What a function, not written here, gets as values of other types: `ids.map(String)`. */
  givenTo(node: ts.Expression): readonly Opaque[] {
    const { ts } = this.own
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return []
    if (ts.isIdentifier(node) && node.text === 'arguments') return OPAQUE
    const [expected] = this.checker.getContextualType(node)?.getCallSignatures() ?? []
    if (expected === undefined) return []
    const given = expected.getParameters().map((one) => this.checker.getTypeOfSymbol(one))
    const held = [...new Set(given.flatMap((type) => [...this.types.held(type)]))]
    if (held.length === 0) return []
    const hides = this.checker
      .getTypeAtLocation(node)
      .getCallSignatures()
      .some(({ declaration, parameters }) => {
        if (declaration !== undefined && isOfLanguage(this.own, declaration)) return true
        return parameters.some((one, i) => {
          const type = given[i]
          return type && this.hides(type, this.checker.getTypeOfSymbol(one)).length > 0
        })
      })
    return hides ? held : []
  }
}

function isMethodOf({ declarations }: ts.Symbol): boolean {
  return declarations?.some((one) => (one as ts.MethodSignature).parameters !== undefined) ?? false
}

function some<T>(all: readonly T[]): readonly T[] | undefined {
  return all.length === 0 ? undefined : all
}

function first<T, R>(all: readonly T[], find: (one: T, i: number) => R | null): R | null {
  for (const [i, one] of all.entries()) {
    const found = find(one, i)
    if (found !== null) return found
  }
  return null
}
