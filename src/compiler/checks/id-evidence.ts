import type ts from 'typescript'
import type { Misuse, UseEvidence } from '../../core/language/validation/only-compared.ts'
import type { OwnProgram } from '../own-program.ts'
import { isMember } from './definition-code.ts'
import { dependencesIn } from './dependences.ts'
import {
  declaredName,
  inside,
  isArgument,
  isArithmetic,
  isCondition,
  isConst,
  isOfModule,
  isOnlyName,
  isOnlyPassedOn,
  isWrapper,
  keeps,
  outside,
  rootName,
} from './expression-places.ts'
import { isOfLanguage, OPAQUE, type Opaque } from './opaque-types.ts'
import { type PlaceText, SUBJECTS, UseNotes, WORDS } from './use-notes.ts'

/** The same about ids alone. */
export type IdEvidence = { readonly kind: 'proved'; readonly startsAtZero: boolean } | Misuse

export function idEvidenceIn({ misuses, startsAtZero }: UseEvidence): IdEvidence {
  return misuses.ids ?? misuses.properties ?? { kind: 'proved', startsAtZero }
}

/** Walks through all own files. */
export function useEvidenceOf(own: OwnProgram, placeText: PlaceText): UseEvidence {
  const walk = new UseWalk(own, placeText)
  for (const file of own.own) walk.file(file)
  return { misuses: Object.fromEntries(walk.misuses), startsAtZero: walk.startsAtZero }
}

/** All but ids and counters: for the compiler these are numbers with a mark, which may get lost. */
const MARKED: readonly Opaque[] = ['term', 'value', 'link', 'setting']

/** Members of objects with ids that turn them into text, or sort them as text. */
const AS_TEXT = ['toString', 'toLocaleString', 'join']
const SORTS = ['sort', 'toSorted']
/** What every type of a field has. */
const MEMBERS_OF_TYPE = ['schema', 'start', 'write', 'bits']
/** Functions of conclave that take ids or counters and only compare them, or count up. */
const COMPARING = ['larger', 'smaller', 'compareIds', 'next', 'twoTo', 'isLess']
/** What the net has; it stores and sends. */
const NETS = ['Anywhere', 'Knowledge', 'MeetingNet']
/** Interfaces of the language whose methods keep, find or hand out what they are given. */
const COLLECTIONS = /^(Readonly)?(Array|Set|Map|WeakSet|WeakMap)(Constructor|Iterator)?$|Iterator/
/** Comments that keep types of JavaScript from being checked, or give some that are not. */
const UNCHECKED = /@ts-(?:ignore|expect-error|nocheck)/
const STATED = /\/\*\*(?:(?!\*\/)[\s\S])*?(@(?:type|satisfies|overload|template|this|enum)\b)/
/** Errors about what an import or the machine may offer: see `typeProblems`. */
const IGNORED_ERRORS = [7016, 2580, 2591]

class UseWalk extends UseNotes {
  file(file: ts.SourceFile): void {
    const isTyped = /\.[mc]?tsx?$/.test(file.fileName)
    const ignored = UNCHECKED.exec(file.text) ?? (isTyped ? null : STATED.exec(file.text))
    if (ignored !== null) {
      const comment = ignored[1] ?? ignored[0]
      this.unknown(file, OPAQUE, `${comment} keeps types from being checked`)
    }
    for (const { node, why } of dependencesIn(this.own, file, this.types, this.shown))
      this.note('code', node, 'unknown', why)
    this.visit(file)
    this.mistakes(file)
  }

  /** JavaScript is read by the type checker, too; a mistake may hide anything. */
  private mistakes(file: ts.SourceFile): void {
    const { ts, own } = this
    const found = own.program
      .getSemanticDiagnostics(file)
      .filter(({ code }) => !IGNORED_ERRORS.includes(code))
      .find(({ start = 0 }) => !this.shown.covers(file, start))
    if (found === undefined) return
    const text = ts.flattenDiagnosticMessageText(found.messageText, ' ')
    const why = `its types do not show it (${text.replace(/\.$/, '')})`
    for (const subject of [...Object.values(SUBJECTS), 'code' as const])
      this.noteAt(subject, file, found.start ?? 0, 'unknown', why)
  }

  private visit(node: ts.Node): void {
    const { ts } = this
    if (ts.isImportDeclaration(node) || this.shown.has(node)) return
    if (ts.isTypeNode(node)) {
      this.unknown(node, this.hidden.hiddenIn(node), 'this type does not show what a value is')
      return
    }
    if (this.isProperties(node)) {
      this.note('properties', node, 'unknown', 'properties of your own see ids as numbers')
      return
    }
    this.declaration(node)
    if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) this.cast(node)
    if (ts.isNonNullExpression(node) && this.takesNullForId(node)) this.startsAtZero = true
    if (ts.isExpression(node) && !isWrapper(ts, node) && !isOnlyName(ts, node))
      this.expression(node)
    ts.forEachChild(node, (child) => this.visit(child))
    this.refuse(node, this.lost.at(node))
  }

  /** Properties are judged beside a run, and no handler depends on them. */
  private isProperties(node: ts.Node): boolean {
    const { ts } = this
    const isList =
      ts.isVariableDeclaration(node) && isOfModule(node) && declaredName(node) === 'properties'
    return isList || (ts.isObjectLiteralElement(node) && declaredName(node) === 'broken')
  }

  private declaration(node: ts.Node): void {
    const { ts } = this
    if (isMember(ts, node, 'state')) this.state(node)
    if (ts.isMethodDeclaration(node)) this.method(node)
    const isStart = ts.isParameter(node) || ts.isBindingElement(node)
    if (isStart && node.initializer !== undefined)
      this.flow(node.initializer, this.typeOf(node.name))
    const isPattern =
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      (ts.isArrayLiteralExpression(node.left) || ts.isObjectLiteralExpression(node.left))
    if (isPattern) this.unknown(node, MARKED, 'values are assigned to a pattern')
    const isLoop = (ts.isForOfStatement(node) || ts.isForInStatement(node)) && node.initializer
    if (isLoop && !ts.isVariableDeclarationList(isLoop))
      this.unknown(node, MARKED, 'a loop assigns to something that is not its own')
  }

  /** A handler whose parameters have types of their own. */
  private method(node: ts.MethodDeclaration): void {
    if (!this.ts.isObjectLiteralExpression(node.parent)) return
    const member = this.checker.getContextualType(node.parent)?.getProperty(node.name.getText())
    if (member === undefined) return
    const expected = this.checker.getTypeOfSymbolAtLocation(member, node)
    const lost = this.hidden.hides(this.typeOf(node), expected)
    this.unknown(node, lost, 'the types of its parameters hide what they are')
  }

  private expression(node: ts.Expression): void {
    const { ts } = this
    this.unknown(node, this.hidden.givenTo(node), 'ids or the like are given to this function')
    const use = this.useOf(node)
    if (use !== 'none' && use !== 'holds') this.scalar(node, use)
    if (use === 'holds') this.object(node)
    // The parts of a literal are looked at one by one.
    if (!ts.isObjectLiteralExpression(node) && !ts.isArrayLiteralExpression(node)) {
      const expected = this.expectedBy(node)
      if (expected !== undefined) this.flow(node, expected)
    } else if (MEMBERS_OF_TYPE.every((name) => this.typeOf(node).getProperty(name)))
      this.refuse(node, 'this may be a type of a field that is not one of conclave')
    this.typeOfField(node)
    const mixed = this.types.mixed(this.typeOf(node))
    this.unknown(node, mixed, 'this may be an id or the like, or a number')
    this.refuse(node, this.lost.ofExpression(node))
  }

  /** The type that a place demands; undefined where the value gives the place its type. */
  private expectedBy(node: ts.Expression): ts.Type | undefined {
    const { ts } = this
    const parent = outside(ts, node)
    if (isArgument(ts, parent, node)) return undefined
    // The names of a pattern get their types from the value.
    if (ts.isVariableDeclaration(parent) && !ts.isIdentifier(parent.name) && !parent.type)
      return undefined
    // What a delay is made of is looked at by itself.
    if (this.useOf(node) === 'setting' && isArithmetic(ts, parent, node)) return undefined
    // A variant that is always null makes no difference.
    const isVariant = ts.isPropertyAssignment(parent) && declaredName(parent) === 'variant'
    const [signature] = isVariant ? this.typeOf(node).getCallSignatures() : []
    if (signature !== undefined && this.isNone(signature.getReturnType())) return undefined
    return this.checker.getContextualType(node)
  }

  /** Where a value goes, its type must stay visible. */
  private flow(node: ts.Expression, expected: ts.Type): void {
    if (this.isNextTerm(node)) {
      if (this.types.of(expected) !== 'term')
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

  private words(node: ts.Expression, kind: Opaque): string {
    return this.useOf(node) === 'holds' ? `a value with ${SUBJECTS[kind]}` : WORDS[kind]
  }

  /** What happens to an id and the like, by the expression or statement around it. */
  private scalar(node: ts.Expression, kind: Opaque): void {
    const { ts } = this
    const parent = outside(ts, node)
    const word = WORDS[kind]
    const refuted = (at: ts.Node, why: string) => this.refuted(at, [kind], why)
    if (kind === 'setting' && isArithmetic(ts, parent, node)) this.delay(node)
    else if (isArgument(ts, parent, node))
      this.argument(node, ts.isSpreadElement(parent) ? parent.parent : parent, [kind])
    else if (ts.isBinaryExpression(parent)) this.operand(node, parent, kind)
    else if (ts.isPrefixUnaryExpression(parent) || ts.isPostfixUnaryExpression(parent)) {
      if (kind !== 'term' || !this.isNextTerm(parent)) refuted(parent, `${word} is computed with`)
    } else if (ts.isTemplateSpan(parent)) refuted(node, `${word} is converted to text`)
    else if (isCondition(ts, parent, node))
      refuted(node, `${word} is taken for true or false; compare it with null`)
    else if (ts.isPropertyAccessExpression(parent)) refuted(parent, `a member of ${word} is used`)
    else if (ts.isElementAccessExpression(parent))
      refuted(
        parent,
        inside(ts, parent.expression) === node
          ? `a member of ${word} is used`
          : `${word} is the place of an element`,
      )
    else if (ts.isThrowStatement(parent)) this.unknown(node, [kind], `${word} is thrown`)
    else if (ts.isCaseClause(parent) || ts.isSwitchStatement(parent)) this.cases(node, parent, kind)
    else if (!isOnlyPassedOn(ts, parent, node))
      this.unknown(node, [kind], `${word} is not only compared`)
    else if (ts.isVariableDeclaration(parent) && this.isNextTerm(node) && !isConst(ts, parent))
      this.unknown(node, [kind], `${word} goes where its type is not known`)
  }

  private operand(node: ts.Expression, parent: ts.BinaryExpression, kind: Opaque): void {
    const { SyntaxKind } = this.ts
    const { operatorToken, left, right } = parent
    const isLeft = inside(this.ts, left) === node
    const other = isLeft ? right : left
    const word = WORDS[kind]
    const unlike = () =>
      this.refuted(parent, [kind], `${word} is compared with something that is not ${word}`)
    switch (operatorToken.kind) {
      case SyntaxKind.EqualsToken:
      case SyntaxKind.QuestionQuestionToken:
      case SyntaxKind.QuestionQuestionEqualsToken:
      case SyntaxKind.CommaToken:
        return
      case SyntaxKind.AmpersandAmpersandToken:
      case SyntaxKind.BarBarToken:
        if (!isLeft) return
        this.refuted(node, [kind], `${word} is taken for true or false; compare it with null`)
        return
      case SyntaxKind.LessThanToken:
      case SyntaxKind.LessThanEqualsToken:
      case SyntaxKind.GreaterThanToken:
      case SyntaxKind.GreaterThanEqualsToken:
        if (kind === 'link') this.refuted(parent, [kind], 'links are compared by their size')
        else if (kind === 'counter' || this.useOf(other) !== kind) unlike()
        return
      case SyntaxKind.EqualsEqualsEqualsToken:
      case SyntaxKind.ExclamationEqualsEqualsToken:
      case SyntaxKind.EqualsEqualsToken:
      case SyntaxKind.ExclamationEqualsToken:
        if (kind === 'counter')
          this.refuted(parent, [kind], 'counters are compared otherwise than by isLess')
        else if (this.useOf(other) !== kind && !this.isNothing(other)) unlike()
        return
      default:
        if (!this.isNextTerm(parent)) this.refuted(parent, [kind], `${word} is computed with`)
    }
  }

  private isNothing(node: ts.Expression): boolean {
    return this.isNone(this.typeOf(node))
  }

  /** A switch compares by `===`. */
  private cases(
    node: ts.Expression,
    parent: ts.CaseClause | ts.SwitchStatement,
    kind: Opaque,
  ): void {
    const { ts } = this
    const block = ts.isSwitchStatement(parent) ? parent.caseBlock : parent.parent
    const values = block.clauses.flatMap((one) => (ts.isCaseClause(one) ? [one.expression] : []))
    const all = [block.parent.expression, ...values]
    if (kind === 'counter' || all.some((one) => this.useOf(one) !== kind && !this.isNothing(one)))
      this.refuted(
        node,
        [kind],
        `${WORDS[kind]} is compared with something that is not ${WORDS[kind]}`,
      )
  }

  /** A parameter that is a number may be the delay of a timer, or a part of one. */
  private delay(node: ts.Expression): void {
    const { ts } = this
    let at: ts.Node = node
    let parent = outside(ts, at)
    while (isArithmetic(ts, parent, at) && !this.isNets(parent, 'after')) {
      // { from: ..., to: ... } is a delay as a whole.
      at = ts.isPropertyAssignment(parent) ? parent.parent : parent
      parent = outside(ts, at)
    }
    if (!this.isNets(parent, 'after'))
      this.refuted(node, ['setting'], 'a parameter is used for more than a delay')
  }

  /** Whether a node is a call of a function of the net with this name. */
  private isNets(node: ts.Node, name: string): boolean {
    if (!this.ts.isCallExpression(node)) return false
    const declared = this.checker.getResolvedSignature(node)?.declaration
    const called = (declared as ts.MethodSignature | undefined)?.name?.getText()
    return declared !== undefined && called === name && this.types.isConclaves(declared)
  }

  private object(node: ts.Expression): void {
    const { ts } = this
    const parent = outside(ts, node)
    const held = this.types.held(this.typeOf(node))
    const refuted = (why: string) => this.refuted(parent, held, why)
    const them = SUBJECTS[[...held][0]]
    if (isArgument(ts, parent, node))
      this.argument(node, ts.isSpreadElement(parent) ? parent.parent : parent, held)
    if (ts.isThrowStatement(parent)) this.unknown(node, held, `a value with ${them} is thrown`)
    if (ts.isTemplateSpan(parent)) refuted(`${them} are converted to text`)
    if (ts.isBinaryExpression(parent) && !keeps(ts, parent.operatorToken.kind))
      refuted(`${them} are converted to text or numbers`)
    const isAccess = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)
    if (!isAccess || inside(ts, parent.expression) !== node) return
    this.refuse(parent, this.lost.ofMember(parent))
    if (ts.isElementAccessExpression(parent)) return
    const member = parent.name.text
    const isList = this.checker.isArrayLikeType(this.typeOf(node))
    if (AS_TEXT.includes(member)) refuted(`${them} are converted to text`)
    const call = parent.parent
    if (!isList || !SORTS.includes(member)) return
    const order = ts.isCallExpression(call) ? call.arguments[0] : undefined
    if (order === undefined || this.lost.mayBe(order, ts.TypeFlags.Undefined))
      refuted(`${them} are sorted as text`)
  }

  private argument(node: ts.Expression, given: ts.Node, held: Iterable<Opaque>): void {
    const { ts, checker } = this
    const call = given as ts.CallExpression
    const kinds = [...held]
    const { expression } = call
    const signature = checker.getResolvedSignature(call)
    const declared = signature?.declaration
    const name = expression.getText()
    const isScalar = this.useOf(node) !== 'holds'
    const what = isScalar ? WORDS[kinds[0]] : `a value with ${SUBJECTS[kinds[0]]}`
    const why = `${what} is given to ${name}`
    const isHosts = declared !== undefined && isOfLanguage(this.own, declared)
    if (
      isHosts &&
      /^(String|Number|Boolean|BigInt|parseInt|parseFloat|Object\.is|JSON\..*)$/.test(name)
    ) {
      this.refuted(node, kinds, why)
      return
    }
    if (isHosts && rootName(ts, expression) === 'console') return
    const expected = checker.getContextualType(node)
    if (declared === undefined || expected === undefined) {
      this.unknown(node, kinds, why)
      return
    }
    if (kinds[0] === 'setting' && isScalar && this.isNets(call, 'after')) return
    const isLiteral = ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)
    if (!isLiteral && !(this.isNextTerm(node) && this.types.of(expected) === 'term'))
      this.unknown(node, this.hidden.hides(this.typeOf(node), expected), why)
    if (!this.isHarmless(call, declared, isScalar, kinds)) this.unknown(node, kinds, why)
  }

  /** Whether a function that gets ids and the like does no more than compare, keep or send them. */
  private isHarmless(
    call: ts.CallExpression,
    declared: ts.Node,
    isScalar: boolean,
    kinds: readonly Opaque[],
  ): boolean {
    const { ts } = this
    if (this.own.own.includes(declared.getSourceFile())) return true
    const holder = (declared.parent as ts.InterfaceDeclaration).name?.getText() ?? ''
    const makesLength = holder === 'ArrayConstructor' && !ts.isMethodSignature(declared)
    if (isOfLanguage(this.own, declared)) {
      // Collections compare counters by ===.
      if (kinds.includes('counter')) return false
      if (COLLECTIONS.test(holder) && !makesLength) return true
      return !isScalar && ts.isConstructSignatureDeclaration(declared)
    }
    if (!this.types.isConclaves(declared)) return false
    const isOfNet = NETS.includes(holder) || rootName(ts, call.expression) === 'net'
    if (isOfNet && (NETS.includes(holder) || this.isMemberOfNet(declared))) return true
    const name = (declared as ts.FunctionDeclaration).name?.getText() ?? ''
    return COMPARING.includes(name) ? ts.isFunctionDeclaration(declared) : !isScalar
  }

  /** The members of the net by what a definition knows: `Knowledge['peers']`. */
  private isMemberOfNet(declared: ts.Node): boolean {
    for (let at: ts.Node | undefined = declared; at !== undefined; at = at.parent)
      if (this.ts.isInterfaceDeclaration(at) && NETS.includes(at.name.text)) return true
    return false
  }

  /** A cast may make an id of a number, or a number of an id. */
  private cast(node: ts.AsExpression | ts.TypeAssertion): void {
    if (this.ts.isConstTypeReference(node.type)) return
    const from = this.typeOf(node.expression)
    const to = this.typeOf(node.type)
    if (!this.lost.inCast(from, to)) {
      const uses = [this.types.of(from), this.types.of(to)]
      const isKept = this.hidden.hides(from, to).length === 0
      if (isKept && uses.every((use) => use === 'none')) return
      if (isKept && uses[0] === uses[1] && this.checker.isTypeAssignableTo(from, to)) return
    }
    this.refuse(node, 'a cast hides what a value is')
  }

  /**
   * The functions of a type of a field make ids of bytes, and texts of ids; and where the type goes
   * must be visible.
   */
  private typeOfField(node: ts.Expression): void {
    const { ts } = this
    const isType = (one: ts.Node) => this.types.isOfConclave(this.typeOf(one), ['ValueType'])
    if (ts.isElementAccessExpression(node) && isType(node.expression))
      this.refuse(node, 'a member of a type of a field is used')
    if (ts.isPropertyAccessExpression(node) && isType(node.expression)) {
      if (node.name.text === 'start') this.startsAtZero = true
      else this.refuse(node.expression, 'a member of a type of a field is used')
      this.unknown(node, MARKED, 'a member of a type of a field is used')
    }
    if (!isType(node)) return
    const parent = outside(ts, node)
    const stays =
      ts.isPropertyAssignment(parent) ||
      ts.isShorthandPropertyAssignment(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isPropertyAccessExpression(parent) ||
      isArgument(ts, parent, node)
    if (!stays)
      this.unknown(node, MARKED, 'this type of a field is chosen while the file is loaded')
    else if (isArgument(ts, parent, node)) {
      const { declaration } = this.checker.getResolvedSignature(parent as ts.CallExpression) ?? {}
      const ours = declaration !== undefined && this.types.isConclaves(declaration)
      if (!ours) this.unknown(node, MARKED, 'a type of a field is given to a function')
    }
  }

  /** Whether null, which is compared like 0, is taken for an id. */
  private takesNullForId({ expression }: ts.NonNullExpression): boolean {
    return this.useOf(expression) === 'id' && this.lost.mayBe(expression, this.ts.TypeFlags.Null)
  }
}
