import type ts from 'typescript'
import { suggestionFor } from '../../core/usage-error.ts'
import type { OwnProgram } from '../own-program.ts'
import { placeAt, type SourceProblem } from '../source-place.ts'
import {
  type DefinitionCode,
  definitionCode,
  isMaker,
  isMemberName,
  Names,
  unwrapped,
} from './definition-code.ts'

const CLOCK = 'Time passes between events only: set a timer with net.after(delay, TIMER).'
const COINS = 'Add coins: true to needs, and use net.choose(k).'
const EVENTS = 'A handler runs to completion; to wait, set a timer with net.after(delay, TIMER).'

const SIGHT = 'A definition sees nothing but its own state, the message and the net.'

/** What the machine offers and a definition must not use, and what to use in its place. */
const MACHINE: Readonly<Record<string, string>> = {
  'Math.random': COINS,
  crypto: COINS,
  Date: CLOCK,
  performance: CLOCK,
  setTimeout: CLOCK,
  setInterval: CLOCK,
  setImmediate: CLOCK,
  queueMicrotask: EVENTS,
  Promise: EVENTS,
  fetch: SIGHT,
  process: 'Use params for what users may set.',
  'Math as a value': 'Write Math.max and the like where they are used.',
  'globalThis as a value': SIGHT,
  eval: SIGHT,
  Function: SIGHT,
  require: SIGHT,
}

const NEEDS = ['topology', 'ids', 'knows', 'time', 'order', 'start', 'coins']

/** What definitions in own files do that would make them depend on more than their events. */
export function rulesBroken(own: OwnProgram): SourceProblem[] {
  const names = new Names(own)
  const rules = new HandlerRules(own, names)
  for (const code of definitionCode(own, names)) rules.look(code)
  for (const file of own.own) rules.lookAtNeeds(file)
  return rules.problems()
}

interface FoundProblem extends SourceProblem {
  /** The index of the file among the own ones, and the offset in it. */
  readonly file: number
  readonly at: number
}

class HandlerRules {
  private readonly ts: OwnProgram['ts']
  /** One problem for each place. */
  private readonly found = new Map<string, FoundProblem>()

  constructor(
    private readonly own: OwnProgram,
    private readonly names: Names,
  ) {
    this.ts = own.ts
  }

  problems(): SourceProblem[] {
    return [...this.found.values()].sort((a, b) => a.file - b.file || a.at - b.at)
  }

  look({ node, runs }: DefinitionCode): void {
    const visit = (one: ts.Node): void => {
      if (this.ts.isTypeNode(one)) return
      this.machine(one)
      if (runs === 'at events') {
        this.asynchronous(one)
        this.sharedVariable(one)
      }
      this.ts.forEachChild(one, visit)
    }
    visit(node)
  }

  private report(node: ts.Node, problem: string, hint: string): void {
    const file = node.getSourceFile()
    const at = node.getStart(file)
    const key = `${file.fileName}:${at}`
    if (this.found.has(key)) return
    const place = placeAt(file.fileName, file.text, at)
    this.found.set(key, { file: this.own.own.indexOf(file), at, place, problem, hint })
  }

  /** The machine's clock, chance and timers. */
  private machine(node: ts.Node): void {
    const name = this.hostName(node)
    if (name === null || !Object.hasOwn(MACHINE, name)) return
    this.report(node, `${this.subject(node)} uses ${name}.`, MACHINE[name])
  }

  /** The name of something of the host that an expression stands for: `Math.random`, `Date`. */
  private hostName(node: ts.Node): string | null {
    const { ts } = this
    if (ts.isIdentifier(node)) return this.isHost(node) ? this.usedName(node) : null
    const member = memberOf(ts, node)
    if (member === null) return null
    const { expression } = node as ts.PropertyAccessExpression
    const isHost = ts.isIdentifier(expression) && this.isHost(expression)
    if (isHost && expression.text === 'globalThis') return member
    const isMath = isHost ? expression.text === 'Math' : this.hostName(expression) === 'Math'
    return isMath ? `Math.${member}` : null
  }

  /** What is used of something of the host; null where the member behind it decides. */
  private usedName(node: ts.Identifier): string | null {
    const { ts } = this
    const { text, parent } = node
    if (text !== 'Math' && text !== 'globalThis') return text
    if (memberOf(ts, parent) !== null) return null
    const isTaken =
      ts.isVariableDeclaration(parent) &&
      ts.isObjectBindingPattern(parent.name) &&
      parent.name.elements.every((one) => one.dotDotDotToken === undefined)
    if (text === 'globalThis' || !isTaken) return `${text} as a value`
    const names = parent.name.elements.map((one) => (one.propertyName ?? one.name).getText())
    return names.includes('random') ? 'Math.random' : null
  }

  private isHost(name: ts.Identifier): boolean {
    if (isMemberName(this.ts, name) || this.ts.isBindingElement(name.parent)) return false
    return this.names.importOf(name) === null && this.names.declarationsOf(name).length === 0
  }

  /** A handler that goes on after its event. */
  private asynchronous(node: ts.Node): void {
    const { ts } = this
    if (!ts.isFunctionLike(node)) return
    const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword))
      this.report(node, `${this.subjectItself(node)} is async: it goes on after its event.`, EVENTS)
    const generates = (node as ts.FunctionLikeDeclaration).asteriskToken !== undefined
    if (generates && node.parameters.some(({ name }) => name.getText() === 'net'))
      this.report(node, `${this.subjectItself(node)} is a generator: nobody runs it.`, EVENTS)
  }

  /** A variable of the module that a function changes. */
  private sharedVariable(node: ts.Node): void {
    const target = changed(this.ts, node)
    if (target !== null) for (const one of targetsIn(this.ts, target)) this.change(node, one)
  }

  private change(node: ts.Node, target: ts.Expression): void {
    const root = rootOf(this.ts, target)
    if (root === null) return
    const declared = this.names.declarationsOf(root).find((one) => this.isOfModule(one))
    if (declared === undefined) return
    const { ts } = this
    const isWhole = target === root
    const call = ts.isCallExpression(node) ? node : null
    if (!isWhole || call !== null) {
      const { initializer } = declared as ts.VariableDeclaration
      if (!isChangeable(ts, initializer, call === null ? null : memberOf(ts, call.expression)))
        return
    }
    const { line } = declared
      .getSourceFile()
      .getLineAndCharacterOfPosition(declared.getStart(declared.getSourceFile()))
    const verb = isWhole && call === null ? 'assigns' : 'changes'
    this.report(
      node,
      `${this.subject(node)} ${verb} "${root.text}", a variable of the module (line ${line + 1}): all nodes share it.`,
      'Move it into state.',
    )
  }

  private isOfModule(declared: ts.Declaration): boolean {
    const { ts } = this
    if (!ts.isVariableDeclaration(declared)) return false
    for (let at: ts.Node = declared; at; at = at.parent)
      if (ts.isFunctionLike(at) || ts.isClassStaticBlockDeclaration(at)) return false
    return true
  }

  /** The function in which a node lies, as reports name it. */
  private subject(node: ts.Node): string {
    for (let at: ts.Node | undefined = node.parent; at; at = at.parent) {
      const name = this.ts.isFunctionLike(at) ? functionName(this.ts, at) : null
      if (name !== null) return inWords(name)
    }
    return 'the definition'
  }

  private subjectItself(node: ts.SignatureDeclaration): string {
    const name = functionName(this.ts, node)
    return name === null ? 'a function' : inWords(name)
  }

  /** `needs` with a member that it does not have; the types let it pass. */
  lookAtNeeds(file: ts.SourceFile): void {
    const { ts } = this
    const visit = (node: ts.Node): void => {
      if (isMaker(this.own, this.names, node)) {
        const [definition] = node.arguments
        if (definition !== undefined && ts.isObjectLiteralExpression(definition))
          for (const member of definition.properties)
            if (ts.isPropertyAssignment(member) && member.name.getText(file) === 'needs')
              this.needsIn(member.initializer)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }

  private needsIn(value: ts.Expression): void {
    const { ts } = this
    const bare = unwrapped(ts, value)
    if (!ts.isObjectLiteralExpression(bare)) return
    for (const member of bare.properties) {
      const name = member.name?.getText()
      if (name === undefined || NEEDS.includes(name)) continue
      const meant = suggestionFor(name, NEEDS)
      const hint = meant === null ? `It may have ${NEEDS.join(', ')}.` : `Did you mean ${meant}?`
      this.report(member, `needs has no member "${name}".`, hint)
    }
  }
}

function inWords(name: string): string {
  return /^[A-Z]/.test(name) ? `the handler ${name}` : `the function ${name}`
}

function functionName(ts: OwnProgram['ts'], node: ts.SignatureDeclaration): string | null {
  if (node.name !== undefined) return node.name.getText()
  const { parent } = node
  const named = ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)
  return named ? parent.name.getText() : null
}

/** What a node changes: the target of an assignment, or the receiver of a changing method. */
function changed(ts: OwnProgram['ts'], node: ts.Node): ts.Expression | null {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
    return assigns ? node.left : null
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const { operator } = node
    const steps = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken]
    return steps.includes(operator) ? node.operand : null
  }
  if (ts.isDeleteExpression(node)) return node.expression
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null
  const { expression, name } = node.expression
  if (expression.getText() === 'Object' && name.text === 'assign') return node.arguments[0] ?? null
  return ts.isIdentifier(expression) && [...OF_ARRAYS, ...OF_COLLECTIONS].includes(name.text)
    ? expression
    : null
}

/** The targets of `[a, b.c] = ...` and `({ d } = ...)`, or the one that there is. */
function targetsIn(ts: OwnProgram['ts'], target: ts.Expression): ts.Expression[] {
  if (ts.isArrayLiteralExpression(target))
    return target.elements.flatMap((one) =>
      targetsIn(ts, ts.isSpreadElement(one) ? one.expression : one),
    )
  if (!ts.isObjectLiteralExpression(target)) return [target]
  return target.properties.flatMap((one) => {
    if (ts.isPropertyAssignment(one)) return targetsIn(ts, one.initializer)
    return ts.isShorthandPropertyAssignment(one) ? [one.name] : []
  })
}

/** The variable at the beginning of `table.rows[3].last`. */
function rootOf(ts: OwnProgram['ts'], target: ts.Expression): ts.Identifier | null {
  if (ts.isIdentifier(target)) return target
  if (ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target))
    return rootOf(ts, target.expression)
  return ts.isNonNullExpression(target) || ts.isParenthesizedExpression(target)
    ? rootOf(ts, target.expression)
    : null
}

const OF_ARRAYS = [
  'push',
  'pop',
  'shift',
  'unshift',
  'splice',
  'sort',
  'reverse',
  'fill',
  'copyWithin',
]
const OF_COLLECTIONS = ['set', 'add', 'delete', 'clear']

/** The member that is taken of an object, if its name is known: `a.b` and `a['b']`. */
function memberOf(ts: OwnProgram['ts'], node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  const isKnown =
    ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)
  return isKnown ? node.argumentExpression.text : null
}

/** Whether a value is one that can be changed, and by this method if one is given. */
function isChangeable(
  ts: OwnProgram['ts'],
  value: ts.Expression | undefined,
  method: string | null,
): boolean {
  if (value === undefined) return false
  const bare = unwrapped(ts, value)
  const isOwnMethod = method === null || method === 'assign'
  if (ts.isArrayLiteralExpression(bare)) return isOwnMethod || OF_ARRAYS.includes(method)
  if (ts.isObjectLiteralExpression(bare)) return isOwnMethod
  if (ts.isNewExpression(bare)) {
    const made = bare.expression.getText()
    if (/^(Weak)?(Map|Set)$/.test(made)) return isOwnMethod || OF_COLLECTIONS.includes(method)
    return /Array$/.test(made) && (isOwnMethod || [...OF_ARRAYS, 'set'].includes(method))
  }
  if (!ts.isCallExpression(bare)) return false
  return /^Array(\.|\()/.test(bare.getText()) && (isOwnMethod || OF_ARRAYS.includes(method))
}
