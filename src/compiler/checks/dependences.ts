import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { isOfLanguage, type OpaqueTypes } from './opaque-types.ts'
import type { ShownCode } from './shown-code.ts'

/** Why code may depend on more than its event, or keep something outside of the state. */
export interface Dependence {
  readonly node: ts.Node
  /** A clause: `an error may be caught here`. */
  readonly why: string
}

/** Methods of lists, sets and maps that change nothing. */
const READING = [
  'at',
  'concat',
  'entries',
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'forEach',
  'get',
  'has',
  'includes',
  'indexOf',
  'keys',
  'lastIndexOf',
  'map',
  'reduce',
  'slice',
  'some',
  'toReversed',
  'toSorted',
  'values',
]
/** Methods that change them. */
const CHANGING = [
  'add',
  'clear',
  'delete',
  'pop',
  'push',
  'reverse',
  'set',
  'shift',
  'sort',
  'splice',
  'unshift',
]
/** Names of the machine whose answers differ from one load of a file to the next. */
const CHANGING_HOSTS = /^(Date|performance|process|crypto|globalThis|Intl|eval|Function)$/
const LISTS = /^(Readonly)?(Array|Set|Map)$/
/** What a state of a node has, whatever else it has. */
const OF_STATE = ['status', 'leader', 'stopped']

/**
 * The places in the functions of a file that the rule does not allow. It is a list of what is
 * allowed: functions may write to the state, to their own variables and to lists, sets and maps
 * that they have made; and call functions that are written here, those of conclave, the net, and
 * `Math`. So what they do depends on the state, the message and constants alone.
 */
export function dependencesIn(
  own: OwnProgram,
  file: ts.SourceFile,
  types: OpaqueTypes,
  shown: ShownCode,
): Dependence[] {
  const walk = new DependenceWalk(own, types, shown)
  walk.visit(file, false)
  return walk.found
}

class DependenceWalk {
  readonly found: Dependence[] = []
  private readonly ts: OwnProgram['ts']
  private readonly checker: ts.TypeChecker

  constructor(
    private readonly own: OwnProgram,
    private readonly types: OpaqueTypes,
    private readonly shown: ShownCode,
  ) {
    this.ts = own.ts
    this.checker = own.program.getTypeChecker()
  }

  visit(node: ts.Node, inFunction: boolean): void {
    const { ts } = this
    if (this.shown.has(node) || ts.isTypeNode(node)) return
    this.anywhere(node)
    if (inFunction) this.inFunction(node)
    const inside = inFunction || ts.isFunctionLike(node)
    ts.forEachChild(node, (child) => this.visit(child, inside))
  }

  private refuse(node: ts.Node, why: string): void {
    this.found.push({ node, why })
  }

  private anywhere(node: ts.Node): void {
    const { ts } = this
    this.changing(node)
    if (ts.isClassLike(node)) this.refuse(node, 'objects of a class may keep something')
    if (ts.isGetAccessor(node) || ts.isSetAccessor(node))
      this.refuse(node, 'an accessor runs where nothing is called')
    if (ts.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).asteriskToken)
      this.refuse(node, 'a generator keeps where it is')
    if (ts.isTaggedTemplateExpression(node)) this.refuse(node, 'a template is given to a function')
    if (ts.isComputedPropertyName(node)) this.refuse(node, 'the name of a member is computed')
    if (ts.isImportDeclaration(node)) this.imported(node)
    // A module that is made into constants when it is loaded may do so in another way elsewhere.
    if (node.kind === ts.SyntaxKind.AwaitKeyword || ts.isAwaitExpression(node))
      this.refuse(node, 'the file waits for something')
  }

  /** A constant may be another one each time the file is loaded. */
  private changing(node: ts.Node): void {
    const { ts } = this
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'random') {
      const [declared] = this.checker.getSymbolAtLocation(node)?.declarations ?? []
      if (declared !== undefined && isOfLanguage(this.own, declared))
        this.refuse(node, `${node.getText()} is another number each time`)
    }
    if (!ts.isIdentifier(node) || !CHANGING_HOSTS.test(node.text)) return
    const [declared] = this.checker.getSymbolAtLocation(node)?.declarations ?? []
    if (declared === undefined || isOfLanguage(this.own, declared))
      this.refuse(node, `${node.text} is used, which is not of conclave`)
  }

  /** What is imported must be code that was read, or conclave. */
  private imported({ moduleSpecifier, importClause }: ts.ImportDeclaration): void {
    if (importClause?.phaseModifier === this.ts.SyntaxKind.TypeKeyword) return
    const name = (moduleSpecifier as ts.StringLiteral).text
    const symbol = this.checker.getSymbolAtLocation(moduleSpecifier)
    const [file] = symbol?.declarations ?? []
    const isRead = file !== undefined && this.own.own.includes(file.getSourceFile())
    if (isRead || (file !== undefined && this.isOfConclave(file))) return
    this.refuse(moduleSpecifier, `the code of ${JSON.stringify(name)} was not read`)
  }

  private isOfConclave(declared: ts.Node): boolean {
    const { fileName } = declared.getSourceFile()
    return this.types.isConclaves(declared) && !fileName.split(/[\\/]/).includes('node_modules')
  }

  private inFunction(node: ts.Node): void {
    const { ts } = this
    if (ts.isTryStatement(node)) this.refuse(node, 'an error may be caught here')
    if (node.kind === ts.SyntaxKind.ThisKeyword) this.refuse(node, '"this" is used')
    if (ts.isDeleteExpression(node)) this.refuse(node, 'a member is deleted')
    if (ts.isTypeOfExpression(node)) this.refuse(node, 'the type of a value is asked for')
    if (ts.isForInStatement(node)) this.refuse(node, 'the members of an object are listed')
    if (ts.isYieldExpression(node)) this.refuse(node, 'a generator keeps where it is')
    if (ts.isMetaProperty(node) || node.kind === ts.SyntaxKind.ImportKeyword)
      this.refuse(node, 'the file asks where it is')
    if (ts.isIdentifier(node)) this.name(node)
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const { PlusPlusToken, MinusMinusToken } = ts.SyntaxKind
      if (node.operator === PlusPlusToken || node.operator === MinusMinusToken)
        this.write(node, node.operand)
    }
    if (ts.isBinaryExpression(node)) this.operator(node)
    if (ts.isForOfStatement(node) && !ts.isVariableDeclarationList(node.initializer))
      this.write(node, node.initializer)
    if (ts.isCallExpression(node)) this.call(node)
    if (ts.isNewExpression(node)) this.made(node)
  }

  /** Names of the machine, but for the constants of the language. */
  private name(node: ts.Identifier): void {
    const { ts } = this
    if (node.text === 'arguments') this.refuse(node, '"arguments" are used')
    const { parent } = node
    const isMember =
      (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
      (ts.isObjectLiteralElement(parent) && parent.name === node) ||
      ts.isBindingElement(parent) ||
      ts.isTypeNode(parent)
    if (isMember && !ts.isShorthandPropertyAssignment(parent)) return
    const symbol = ts.isShorthandPropertyAssignment(parent)
      ? this.checker.getShorthandAssignmentValueSymbol(parent)
      : this.checker.getSymbolAtLocation(node)
    const [declared] = symbol?.declarations ?? []
    const isKnown =
      /^(undefined|NaN|Infinity|Math|Set|Map|Array|Error|RangeError|TypeError|console)$/
    if (declared === undefined ? node.text === 'undefined' : !isOfLanguage(this.own, declared))
      return
    if (!isKnown.test(node.text))
      this.refuse(node, `${node.text} is used, which is not of conclave`)
  }

  private operator(node: ts.BinaryExpression): void {
    const { FirstAssignment, LastAssignment, InKeyword, InstanceOfKeyword } = this.ts.SyntaxKind
    const { kind } = node.operatorToken
    if (kind === InKeyword || kind === InstanceOfKeyword)
      this.refuse(node, 'it is asked what an object is')
    if (kind >= FirstAssignment && kind <= LastAssignment) this.write(node, node.left)
  }

  /** What functions may write to: the state, and what they have made themselves. */
  private write(node: ts.Node, given: ts.Expression): void {
    const { ts } = this
    const target = this.bare(given)
    if (ts.isIdentifier(target)) {
      if (!this.isOwnVariable(target))
        this.refuse(node, `${target.text} is changed, which is not its own variable`)
    } else if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target)) {
      if (!this.isOwn(target.expression))
        this.refuse(node, 'something is changed that may not be a part of the state')
    } else this.refuse(node, 'values are assigned to a pattern')
  }

  private bare(node: ts.Expression): ts.Expression {
    const { ts } = this
    return ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)
      ? this.bare(node.expression)
      : node
  }

  /** A variable that is declared in the very function that changes it. */
  private isOwnVariable(name: ts.Identifier): boolean {
    const declared = this.checker.getSymbolAtLocation(name)?.valueDeclaration
    if (declared === undefined) return false
    const around = this.functionAround(declared)
    return around !== null && around === this.functionAround(name)
  }

  private functionAround(node: ts.Node): ts.Node | null {
    for (let at = node.parent; at !== undefined; at = at.parent)
      if (this.ts.isFunctionLike(at)) return at
    return null
  }

  /** Whether an object is the state of a node, a part of it, or made by the function itself. */
  private isOwn(given: ts.Expression): boolean {
    const { ts } = this
    const node = this.bare(given)
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.isOfState(node.expression)
    return this.isOfState(node) || this.isMadeHere(node)
  }

  /** What the function has made may hold what others have: `[LIST][0].push(1)`. */
  private isMadeHere(node: ts.Expression): boolean {
    const { ts } = this
    if (!ts.isIdentifier(node)) return false
    const declared = this.checker.getSymbolAtLocation(node)?.valueDeclaration
    if (declared === undefined || !ts.isVariableDeclaration(declared)) return false
    const { initializer } = declared
    return (
      initializer !== undefined &&
      (ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const) !== 0 &&
      this.isOwnVariable(node) &&
      this.isNew(initializer)
    )
  }

  private isOfState(given: ts.Expression): boolean {
    const { ts, checker } = this
    const node = this.bare(given)
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
      return this.isOfState(node.expression)
    if (!ts.isIdentifier(node)) return false
    const declared = checker.getSymbolAtLocation(node)?.valueDeclaration
    if (declared === undefined || !ts.isParameter(declared)) return false
    const type = checker.getTypeAtLocation(node)
    return OF_STATE.every((name) => {
      const [member] = checker.getPropertyOfType(type, name)?.declarations ?? []
      return member !== undefined && this.types.isConclaves(member)
    })
  }

  private isNew(given: ts.Expression): boolean {
    const { ts } = this
    const node = this.bare(given)
    return (
      ts.isArrayLiteralExpression(node) ||
      ts.isObjectLiteralExpression(node) ||
      (ts.isNewExpression(node) && /^(Set|Map|Array)$/.test(node.expression.getText()))
    )
  }

  private call(node: ts.CallExpression): void {
    const { ts } = this
    const { expression } = node
    const declared = this.checker.getResolvedSignature(node)?.declaration
    const name = expression.getText()
    if (declared === undefined) {
      this.refuse(node, `what ${name} does is not known`)
      return
    }
    if (this.own.own.includes(declared.getSourceFile())) {
      const hasBody = (declared as ts.FunctionDeclaration).body !== undefined
      if (!hasBody) this.refuse(node, `what ${name} does is not known`)
      else if (!this.isCalledByName(expression)) this.refuse(node, `${name} may keep something`)
      return
    }
    if (!isOfLanguage(this.own, declared)) {
      if (!this.isOfConclave(declared)) this.refuse(node, `what ${name} does is not known`)
      return
    }
    const bare = this.bare(expression)
    if (/^(Math|console)\.\w+$/.test(name)) return
    const holder = (declared.parent as ts.InterfaceDeclaration).name?.getText() ?? ''
    const isOfList = ts.isPropertyAccessExpression(bare) && LISTS.test(holder)
    if (!isOfList) {
      this.refuse(node, `${name} is called, which is not of conclave`)
      return
    }
    const method = bare.name.text
    if (READING.includes(method)) return
    if (!CHANGING.includes(method)) this.refuse(node, `${name} is called, which is not of conclave`)
    else if (!this.isOwn(bare.expression))
      this.refuse(node, 'something is changed that may not be a part of the state')
  }

  /** A function by its own name, or a member of a constant: what is returned may keep things. */
  private isCalledByName(given: ts.Expression): boolean {
    const { ts } = this
    const node = this.bare(given)
    if (ts.isPropertyAccessExpression(node)) return this.isCalledByName(node.expression)
    if (!ts.isIdentifier(node)) return false
    const symbol = this.checker.getSymbolAtLocation(node)
    const { Alias } = ts.SymbolFlags
    const original = symbol && symbol.flags & Alias ? this.checker.getAliasedSymbol(symbol) : symbol
    const declared = original?.valueDeclaration
    if (declared === undefined) return false
    if (ts.isFunctionDeclaration(declared)) return true
    const value = ts.isVariableDeclaration(declared) && declared.initializer
    return (
      value !== undefined &&
      value !== false &&
      (ts.isArrowFunction(value) ||
        ts.isFunctionExpression(value) ||
        ts.isObjectLiteralExpression(value))
    )
  }

  private made(node: ts.NewExpression): void {
    const symbol = this.checker.getSymbolAtLocation(node.expression)
    const name = node.expression.getText()
    const isError = this.ts.isThrowStatement(node.parent)
    if (isError || (symbol !== undefined && /^(Set|Map|Array)$/.test(name))) return
    this.refuse(node, `new ${name} is made, which is not of conclave`)
  }
}
