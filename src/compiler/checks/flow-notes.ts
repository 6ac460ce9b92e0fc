import type ts from 'typescript'
import { inside, outside } from './expression-places.ts'
import type { Opaque } from './opaque-types.ts'
import { SUBJECTS, UseNotes, WORDS } from './use-notes.ts'

/** What may be compared by its order, and in sets and maps. */
const LIKE_IDS: readonly Opaque[] = ['id', 'term', 'value']

/** Where values go: their types must say there, too, what they are. */
export abstract class FlowNotes extends UseNotes {
  /** Where a value goes, its type must stay visible. */
  protected flow(node: ts.Expression, expected: ts.Type): void {
    this.more(node, expected)
    if (this.isNextTerm(node)) {
      if (this.types.of(expected) !== 'term' || !this.isWhereNextTermMayBe(node))
        this.unknown(node, ['term'], 'a term goes where its type is not known')
      return
    }
    const hidden = this.hidden.hides(this.typeOf(node), expected)
    for (const kind of hidden) {
      const isOne = this.types.held(this.typeOf(node)).has(kind)
      const what = isOne ? `${this.words(node, kind)} goes where its type is not known` : null
      this.unknown(node, [kind], what ?? `a number is taken for ${WORDS[kind]}`)
    }
  }

  /** A value with more members than its type says goes where a type names them. */
  protected more(node: ts.Expression, expected: ts.Type | undefined): void {
    if (expected !== undefined && this.added.addedTo(node, expected))
      this.refuse(node, 'this may have more members or parameters than its type says')
  }

  /** Where values of several types become one, marks must not get lost: `[my.value, 0]`. */
  protected joined(node: ts.Expression): void {
    const { ts } = this
    if (!ts.isArrayLiteralExpression(node) && !ts.isConditionalExpression(node)) return
    const type = this.typeOf(node)
    if (this.checker.isTupleType(type)) return
    const parts = ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse] : node.elements
    const joint = ts.isConditionalExpression(node) ? type : type.getNumberIndexType()
    for (const part of parts) {
      if (joint === undefined || this.isNextTerm(part) || ts.isOmittedExpression(part)) continue
      const isSpread = ts.isSpreadElement(part)
      const given = this.typeOf(isSpread ? part.expression : part)
      const one = isSpread ? given.getNumberIndexType() : given
      if (one !== undefined)
        this.unknown(part, this.hidden.hides(one, joint), 'its type does not show what it is here')
    }
  }

  /** A member of an object that may have one of several types: only one of them gets the value. */
  protected target({ left, operatorToken }: ts.BinaryExpression): void {
    const { ts, checker } = this
    const { FirstAssignment, LastAssignment } = ts.SyntaxKind
    if (operatorToken.kind < FirstAssignment || operatorToken.kind > LastAssignment) return
    const place = inside(ts, left)
    if (!ts.isPropertyAccessExpression(place) && !ts.isElementAccessExpression(place)) return
    const object = checker.getNonNullableType(this.typeOf(place.expression))
    const members = (object.isUnion() ? object.types : []).map((one) => {
      if (ts.isElementAccessExpression(place)) return one.getNumberIndexType()
      const member = checker.getPropertyOfType(one, place.name.text)
      return member && checker.getTypeOfSymbol(member)
    })
    if (members.some((one) => one !== members[0]))
      this.refuse(left, 'the object that is changed may be one of several')
  }

  protected words(node: ts.Expression, kind: Opaque): string {
    return this.useOf(node) === 'holds' ? `a value with ${SUBJECTS[kind]}` : WORDS[kind]
  }

  /** A term is counted up once, for a state, a message or a comparison; never again and again. */
  private isWhereNextTermMayBe(node: ts.Expression): boolean {
    const { ts } = this
    const parent = outside(ts, node)
    if (ts.isBinaryExpression(parent)) {
      const isAssigned = parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
      return !isAssigned || ts.isPropertyAccessExpression(inside(ts, parent.left))
    }
    if (ts.isPropertyAssignment(parent)) {
      const call = outside(ts, parent.parent)
      if (!ts.isCallExpression(call)) return false
      const declared = this.checker.getResolvedSignature(call)?.declaration
      return declared !== undefined && this.types.isConclaves(declared)
    }
    return ts.isConditionalExpression(parent) && this.isWhereNextTermMayBe(parent)
  }

  /** A type parameter stands for what is compared like ids, or for the kind that limits it. */
  protected hidesInTypeParameter(declared: ts.Node, kinds: readonly Opaque[]): boolean {
    const { typeParameters = [] } = declared as ts.FunctionDeclaration
    return typeParameters.some(({ constraint }) => {
      if (constraint === undefined) return !kinds.every((one) => LIKE_IDS.includes(one))
      const limit = this.types.held(this.checker.getTypeFromTypeNode(constraint))
      return kinds.some((one) => !limit.has(one))
    })
  }

  /** `a <= b` of a type parameter compares null like 0. */
  protected mayBeNullInTypeParameter(declared: ts.Node, node: ts.Expression): boolean {
    const isGeneric = (declared as ts.FunctionDeclaration).typeParameters !== undefined
    return isGeneric && this.lost.mayBe(node, this.ts.TypeFlags.Null)
  }
}
