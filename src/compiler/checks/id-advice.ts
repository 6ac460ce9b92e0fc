import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'
import { OpaqueTypes } from './opaque-types.ts'

/* What to write where a definition computes with ids: each piece of advice leads to a sound one. */

/** What is wrong, and how to fix it. */
export interface Advice {
  readonly problem: string
  readonly hint: string
}

/** The left or right side of an arithmetic operation, or an operand, has the wrong type. */
const ARITHMETIC = [2362, 2363, 2365, 2356, 2447]
/** This comparison appears to be unintentional: the types have no overlap. */
const UNLIKE = 2367

const AS_NUMBERS = "add ids: 'numbers' to needs, and write numericUid in place of uid"
const NUMERIC: Advice = {
  problem: "fields of type uid hold no numbers, and ids are numbers here (ids: 'numbers').",
  hint: 'Write numericUid in place of uid.',
}

/** How ids are ordered, by what students write. */
const LARGEST: Readonly<Record<string, string>> = { max: 'larger', min: 'smaller' }

/** The explanation of a diagnostic that has to do with ids; null if it has not. */
export function idAdvice(diagnostic: ts.Diagnostic, own: OwnProgram): Advice | null {
  const { code, file, start = 0 } = diagnostic
  if (file === undefined) return null
  const text = own.ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  const advice = new IdAdvice(own, file, start)
  const isOperation = ARITHMETIC.includes(code) || code === UNLIKE
  if (!(isOperation ? advice.isBesideId() : /\bUid\b/.test(text))) return null
  if (/\bids:\s*['"]numbers['"]/.test(file.text)) return advice.ofNumbers()
  const ordered = advice.ofExtremes() ?? (isOperation ? advice.ofSorting() : null)
  if (ordered !== null) return ordered
  if (isOperation) return code === UNLIKE || advice.isComparison() ? COMPARED : COMPUTED
  if (/type 'Uid(?: \| null)+' is not assignable to .*type 'Uid'/.test(text)) return advice.ofNull()
  if (
    /'[^']*\bUid\b[^']*' is not assignable to (?:parameter of )?type '(?:number|string)'/.test(text)
  )
    return NO_NUMBER
  if (/Type '[^']*' is not assignable to type 'Uid(?: \| null)?'/.test(text)) return NO_ID
  return null
}

const COMPUTED: Advice = {
  problem: 'ids are compared, never computed with.',
  hint: `${capital(AS_NUMBERS)}, to compute with them.`,
}
const COMPARED: Advice = {
  problem: 'an id is compared with something that is not an id.',
  hint: `Compare it with other ids, or with null if its type is maybe(uid); or ${AS_NUMBERS}.`,
}
const NO_NUMBER: Advice = {
  problem: 'an id is not a number.',
  hint: `Keep it in a field of type uid; or ${AS_NUMBERS}.`,
}
const NO_ID: Advice = {
  problem: 'this is not an id.',
  hint: `Use ids of nodes only, and null with maybe(uid) for none; or ${AS_NUMBERS}.`,
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The code around one place. */
class IdAdvice {
  private readonly ts: OwnProgram['ts']
  private readonly checker: ts.TypeChecker
  private readonly types: OpaqueTypes
  /** The nodes that contain the place, the whole file first. */
  private readonly path: readonly ts.Node[]

  constructor(
    own: OwnProgram,
    private readonly file: ts.SourceFile,
    start: number,
  ) {
    this.ts = own.ts
    this.checker = own.program.getTypeChecker()
    this.types = new OpaqueTypes(own, this.checker)
    const path: ts.Node[] = []
    const visit = (node: ts.Node): void => {
      if (start < node.getStart(file) || start >= node.getEnd()) return
      path.push(node)
      this.ts.forEachChild(node, visit)
    }
    visit(file)
    this.path = path
  }

  /** Whether an operand of an operation here is an id. */
  isBesideId(): boolean {
    const { ts } = this
    return this.path.some((node) => {
      if (ts.isBinaryExpression(node)) return this.isId(node.left) || this.isId(node.right)
      const isUnary = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)
      return isUnary && this.isId(node.operand)
    })
  }

  isComparison(): boolean {
    const { SyntaxKind, isBinaryExpression } = this.ts
    const operators = [
      SyntaxKind.LessThanToken,
      SyntaxKind.LessThanEqualsToken,
      SyntaxKind.GreaterThanToken,
      SyntaxKind.GreaterThanEqualsToken,
    ]
    const operation = this.path.findLast(isBinaryExpression)
    return operation !== undefined && operators.includes(operation.operatorToken.kind)
  }

  /** In a definition whose ids are numbers. */
  ofNumbers(): Advice | null {
    const call = this.path.findLast((node) => this.orderOf(node) !== null) as ts.CallExpression
    if (call === undefined) return /(?<!import\b.*)\buid\b/.test(this.file.text) ? NUMERIC : null
    const order = this.orderOf(call)!
    const words = call.arguments.map((one) => one.getText(this.file)).join(', ')
    return {
      problem: `${order} is for ids that are only compared; here they are numbers.`,
      hint: `Write Math.${order === 'larger' ? 'max' : 'min'}(${words}).`,
    }
  }

  private orderOf(node: ts.Node): string | null {
    if (!this.ts.isCallExpression(node)) return null
    const name = node.expression.getText(this.file)
    return Object.values(LARGEST).includes(name) ? name : null
  }

  /** Math.max and Math.min of ids, in the expression here. */
  ofExtremes(): Advice | null {
    const { ts, file } = this
    let found: Advice | null = null
    const visit = (node: ts.Node): void => {
      const [, name] = ts.isCallExpression(node)
        ? (/^Math\.(max|min)$/.exec(node.expression.getText(file)) ?? [])
        : []
      const remedy = name === undefined ? null : this.ordered(node as ts.CallExpression, name)
      if (remedy !== null)
        found ??= {
          problem: `Math.${name} computes, and ids are only compared.`,
          hint: `Write ${remedy}.`,
        }
      ts.forEachChild(node, visit)
    }
    const whole = this.wholeExpression()
    if (whole !== null) visit(whole)
    return found
  }

  /** The largest expression here, or the value that is declared here. */
  private wholeExpression(): ts.Node | null {
    const { ts, path } = this
    const declared = path.findLast(ts.isVariableDeclaration)?.initializer
    const inner = path.findLastIndex((node) => ts.isStatement(node) || ts.isFunctionLike(node))
    return path.slice(inner + 1).find((node) => ts.isExpression(node)) ?? declared ?? null
  }

  /** The same by `larger` or `smaller`; null if not all arguments are ids. */
  private ordered({ arguments: given }: ts.CallExpression, name: string): string | null {
    const { ts, file } = this
    const order = LARGEST[name]
    const texts = given.map((one) => one.getText(file))
    const [first] = given
    if (given.length === 1 && ts.isSpreadElement(first))
      return this.types.of(this.checker.getTypeAtLocation(first.expression)) === 'holds'
        ? `${first.expression.getText(file)}.reduce(${order})`
        : null
    if (given.length < 2 || !given.every((one) => this.isId(one))) return null
    const nullable = given.filter((one) => this.mayBeNull(one))
    if (nullable.length === 1 && given.length === 2) {
      const [one] = nullable
      const other = texts[given[0] === one ? 1 : 0]
      return `(${one.getText(file)} === null ? ${other} : ${order}(${texts.join(', ')}))`
    }
    return texts.reduce((all, text) => `${order}(${all}, ${text})`)
  }

  /** A comparison by a difference. */
  ofSorting(): Advice | null {
    const { ts, path, file } = this
    const call = path.findLast(ts.isCallExpression)
    const [, method] = /\.(sort|toSorted)$/.exec(call?.expression.getText(file) ?? '') ?? []
    const isOrder = call?.arguments[0] !== undefined && path.includes(call.arguments[0])
    if (method === undefined || !isOrder) return null
    return { problem: COMPUTED.problem, hint: `Write ${method}(compareIds).` }
  }

  /** An id that may be missing. */
  ofNull(): Advice {
    const call = this.path.findLast(this.ts.isCallExpression)
    const given = call?.arguments.find((one) => this.path.includes(one))
    const text = (given ?? this.path.at(-1)!).getText(this.file)
    const other = call?.arguments.find((one) => one !== given)
    const isPair = call !== undefined && this.orderOf(call) !== null && other !== undefined
    const isOther = isPair && !this.mayBeNull(other)
    return {
      problem: `${text} may be null here.`,
      hint: isOther
        ? `Write (${text} === null ? ${other.getText(this.file)} : ${call.getText(this.file)}).`
        : `Compare it with null first.`,
    }
  }

  private isId(node: ts.Node): boolean {
    return this.types.of(this.checker.getTypeAtLocation(node)) === 'id'
  }

  private mayBeNull(node: ts.Node): boolean {
    const { Null, Undefined } = this.ts.TypeFlags
    const type = this.checker.getTypeAtLocation(node)
    const parts = type.isUnion() ? type.types : [type]
    return parts.some(({ flags }) => (flags & (Null | Undefined)) !== 0)
  }
}
