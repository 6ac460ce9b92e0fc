import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import type { OpaqueTypes } from './opaque-types.ts'

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
