import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/**
 * What handlers only compare. id: the id of a node. counter: a `counter`. term: a `term`. value: a
 * `real`, or the input of a node. link: the number of a link. setting: a parameter, as a number.
 */
export type Opaque = 'id' | 'counter' | 'term' | 'value' | 'link' | 'setting'

export const OPAQUE: readonly Opaque[] = ['id', 'counter', 'term', 'value', 'link', 'setting']

/**
 * What a value of a type may be: one of the opaque; something that holds some or gives them; or
 * neither. A type parameter without a constraint may stand for an id.
 */
export type TypeUse = Opaque | 'holds' | 'none'

/** How the types of conclave are called that say so. The last four mark a number. */
const NAMES: Readonly<Record<string, Opaque>> = {
  Uid: 'id',
  Counter: 'counter',
  TermMark: 'term',
  RealMark: 'value',
  LinkMark: 'link',
  SettingMark: 'setting',
}
/** Types of conclave that describe values and hold none. */
const DESCRIPTIONS = ['Algorithm', 'Message', 'Timer', 'ValueType', 'Definition', 'Aggregation']
/** Where conclave declares the type of ids. */
const UID_FILE = /core[\\/]language[\\/]value-types(\.d)?\.ts$/
/** Deeper members than this are taken for harmless: types may be endless. */
const DEPTH_MAX = 6

/** Whether something is declared by the language or its host. */
export function isOfLanguage({ program }: OwnProgram, declared: ts.Node): boolean {
  const file = declared.getSourceFile()
  return file.fileName.startsWith('/conclave-library/') || program.isSourceFileDefaultLibrary(file)
}

/** Decides which types have to do with ids and the like. */
export class OpaqueTypes {
  private readonly known = new Map<ts.Type, ReadonlySet<Opaque>>()
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

  of(type: ts.Type): TypeUse {
    const scalar = this.scalars(type)[0]
    if (scalar !== undefined) return scalar
    return this.held(type).size > 0 ? 'holds' : 'none'
  }

  /** All that a value of a type is, holds or gives. */
  held(type: ts.Type, depth = 0): ReadonlySet<Opaque> {
    const before = this.known.get(type)
    if (before !== undefined) return before
    // Types that contain themselves hold only what other parts of them do.
    this.known.set(type, new Set())
    const found = this.found(type, depth)
    if (depth === 0) this.known.set(type, found)
    else this.known.delete(type)
    return found
  }

  private found(type: ts.Type, depth: number): ReadonlySet<Opaque> {
    const { ts } = this.own
    const { Any, Unknown, Object: object } = ts.TypeFlags
    if (depth > DEPTH_MAX || type.flags & (Any | Unknown)) return new Set()
    const scalars = this.scalars(type)
    if (scalars.length > 0 && !type.isUnion()) return new Set(scalars)
    const limit = type.flags & ts.TypeFlags.TypeParameter && this.limitOf(type)
    const parts = limit
      ? [limit]
      : type.isUnionOrIntersection()
        ? type.types
        : !(type.flags & object) || this.isOfConclave(type, DESCRIPTIONS)
          ? []
          : this.parts(type)
    return new Set(parts.flatMap((part) => [...this.held(part, depth + 1)]))
  }

  /** What of the opaque a value may be. */
  private scalars(type: ts.Type): Opaque[] {
    const { TypeParameter } = this.own.ts.TypeFlags
    if (type.isUnion()) return type.types.flatMap((one) => this.scalars(one))
    if (type.isIntersection()) {
      const marked = type.types.flatMap((one) => this.scalars(one))
      return marked.slice(0, 1)
    }
    const name = type.symbol?.name
    if (name !== undefined && Object.hasOwn(NAMES, name) && this.isOfConclave(type, [name]))
      return [NAMES[name]]
    if (!(type.flags & TypeParameter)) return []
    const limit = this.limitOf(type)
    return limit === undefined || this.mayBeId(limit) ? ['id'] : this.scalars(limit)
  }

  private limitOf(type: ts.Type): ts.Type | undefined {
    const limit = this.checker.getBaseConstraintOfType(type)
    return limit === type ? undefined : limit
  }

  /** Whether an id can be used as a value of this type. */
  mayBeId(type: ts.Type): boolean {
    const { Any, Unknown } = this.own.ts.TypeFlags
    if (type.flags & (Any | Unknown)) return true
    return this.uid !== null && this.checker.isTypeAssignableTo(this.uid, type)
  }

  /** Whether conclave declares the type, with one of these names. */
  isOfConclave(type: ts.Type, names: readonly string[]): boolean {
    const symbol = type.aliasSymbol ?? type.symbol
    const inner = names.includes(type.symbol?.name ?? '') ? type.symbol : symbol
    const [declared] = inner?.declarations ?? []
    return (
      inner !== undefined &&
      names.includes(inner.name) &&
      declared !== undefined &&
      this.isConclaves(declared)
    )
  }

  /** Whether something is declared by conclave: neither in an own file nor by the language. */
  isConclaves(declared: ts.Node): boolean {
    return !this.own.own.includes(declared.getSourceFile()) && !isOfLanguage(this.own, declared)
  }

  /** The types of the elements of a list, set or map of the language, and of the like. */
  private elementsOf(type: ts.Type): readonly ts.Type[] {
    const target = (type as ts.TypeReference).target as ts.Type | undefined
    const [declared] = target?.symbol?.declarations ?? []
    const isTuple = this.checker.isTupleType(type)
    const isOne = isTuple || (declared !== undefined && isOfLanguage(this.own, declared))
    return isOne ? this.checker.getTypeArguments(type as ts.TypeReference) : []
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

  /**
   * What may also be something else, such as an id or a number: at run time all are numbers. It may
   * be an element of a list, set or map.
   */
  mixed(type: ts.Type): readonly Opaque[] {
    if (!type.isUnion()) return this.elementsOf(type).flatMap((one) => this.mixed(one))
    const { Null, Undefined, BooleanLike } = this.own.ts.TypeFlags
    // `condition && id` is false, or an id.
    const parts = type.types.filter(({ flags }) => !(flags & (Null | Undefined | BooleanLike)))
    const found = new Set(parts.map((part) => this.scalars(part)[0]))
    const opaque = [...found].filter((one) => one !== undefined)
    if (opaque.length === 0 || found.size === 1) return []
    return opaque.includes('id') || opaque.includes('counter') ? OPAQUE : opaque
  }
}
