import type ts from 'typescript'
import type { OwnProgram } from '../own-program.ts'

/* Where an expression stands, as the walk through a definition asks for it. */

/** An expression without its parentheses and exclamation marks. */
export function inside(ts: OwnProgram['ts'], node: ts.Node): ts.Node {
  return isWrapper(ts, node) ? inside(ts, node.expression) : node
}

/** The node around an expression, parentheses and exclamation marks left out. */
export function outside(ts: OwnProgram['ts'], { parent }: ts.Node): ts.Node {
  return isWrapper(ts, parent) ? outside(ts, parent) : parent
}

export function isWrapper(
  ts: OwnProgram['ts'],
  node: ts.Node,
): node is ts.ParenthesizedExpression | ts.NonNullExpression | ts.SatisfiesExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
}

/** Whether an identifier only names something: a member, a variable where it is declared. */
export function isOnlyName(ts: OwnProgram['ts'], node: ts.Node): boolean {
  const { parent } = node
  if (!ts.isIdentifier(node) || ts.isShorthandPropertyAssignment(parent)) return false
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return true
  if (ts.isBindingElement(parent)) return parent.initializer !== node
  return (parent as ts.NamedDeclaration).name === node
}

export function declaredName({ name }: ts.NamedDeclaration): string | undefined {
  return name?.getText()
}

export function isCondition(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  const condition =
    ts.isConditionalExpression(parent) || ts.isForStatement(parent)
      ? parent.condition
      : ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)
        ? parent.expression
        : undefined
  return condition !== undefined && inside(ts, condition) === node
}

export function isArgument(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  if (ts.isSpreadElement(parent)) return isArgument(ts, parent.parent, parent)
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return false
  return parent.arguments?.some((one) => inside(ts, one) === node) ?? false
}

/** Operators that hand an object on, or compare whether it is the same. */
export function keeps({ SyntaxKind }: OwnProgram['ts'], kind: ts.SyntaxKind): boolean {
  return [
    SyntaxKind.EqualsToken,
    SyntaxKind.CommaToken,
    SyntaxKind.QuestionQuestionToken,
    SyntaxKind.QuestionQuestionEqualsToken,
    SyntaxKind.AmpersandAmpersandToken,
    SyntaxKind.BarBarToken,
    SyntaxKind.EqualsEqualsEqualsToken,
    SyntaxKind.ExclamationEqualsEqualsToken,
    SyntaxKind.EqualsEqualsToken,
    SyntaxKind.ExclamationEqualsToken,
    SyntaxKind.InstanceOfKeyword,
  ].includes(kind)
}

/** The name at the beginning of `net.peer`. */
export function rootName(ts: OwnProgram['ts'], node: ts.Expression): string {
  return ts.isPropertyAccessExpression(node) ? rootName(ts, node.expression) : node.getText()
}

/** The literal 1. */
export function isOne(ts: OwnProgram['ts'], node: ts.Node): boolean {
  return ts.isNumericLiteral(node) && node.text === '1'
}

export function isConst(ts: OwnProgram['ts'], node: ts.VariableDeclaration): boolean {
  const isOfList = ts.isIdentifier(node.name) && node.type === undefined
  return isOfList && (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0
}

/** Whether an expression is a part of a computation: `2 * x`, `Math.max(0, x)`, `{ to: x }`. */
export function isArithmetic(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  const { AsteriskToken, SlashToken, PercentToken, PlusToken, MinusToken } = ts.SyntaxKind
  if (ts.isBinaryExpression(parent))
    return [AsteriskToken, SlashToken, PercentToken, PlusToken, MinusToken].includes(
      parent.operatorToken.kind,
    )
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === MinusToken
  if (ts.isPropertyAssignment(parent)) return /^(from|to)$/.test(parent.name.getText())
  if (!ts.isCallExpression(parent)) return false
  const called = parent.expression.getText()
  if (called.startsWith('Math.')) return true
  return /\.after$/.test(called) && parent.arguments.some((one) => inside(ts, one) === node)
}

/** Whether a value is stored, handed on or thrown away by what is around it, and no more. */
export function isOnlyPassedOn(ts: OwnProgram['ts'], parent: ts.Node, node: ts.Node): boolean {
  if (ts.isConditionalExpression(parent)) return inside(ts, parent.condition) !== node
  if (ts.isArrowFunction(parent)) return inside(ts, parent.body) === node
  return (
    ts.isVariableDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isShorthandPropertyAssignment(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isExpressionStatement(parent) ||
    // Casts are looked at by themselves.
    ts.isAsExpression(parent) ||
    ts.isTypeAssertionExpression(parent)
  )
}
