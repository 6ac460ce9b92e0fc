import type ts from 'typescript'
import type { Addition } from './coverage/instrument.ts'
import type { TypeScript } from './typescript.ts'

/*
 * Stops handlers that do not return. A counter is added to every loop of an own file, and to every
 * function that may call itself; every 1,024 turns or calls it looks at the clock. No thread has to
 * watch from outside, so it works in every engine, in child processes and in the lab, and the error
 * knows the line. Lines keep their numbers.
 */

/** Text that was added to a line of a source; line and column are those of the source, from 0. */
export interface Insertion {
  readonly line: number
  readonly column: number
  readonly length: number
}

interface GuardedSource {
  readonly text: string
  readonly insertions: readonly Insertion[]
}

/** How long one call of a function may go round its loops. */
export const LOOP_SECONDS = 3
/** Fewer turns than this are never too many, however slow the machine is. */
const FEWEST_TURNS = 2 ** 20
/** A function must not hide the error by catching it; later errors have nothing to do with it. */
const STICKY_MS = 100
/** The clock as it was before handlers were kept from it. */
export const CLOCK = 'conclave.clock'
/** The name of the error; its `loop` has the line and the column of the loop, from 0. */
export const ENDLESS_LOOP = 'EndlessLoopError'

/**
 * What guarded code needs, to be put before it. `since` is what a call remembers of its first look
 * at the clock.
 */
export const GUARD = `const{loop:__conclaveLoop,caught:__conclaveCaught,
enter:__conclaveEnter,leave:__conclaveLeave}=(()=>{
const clock=globalThis[Symbol.for('${CLOCK}')]??Date.now;
let turns=0,late=null,at=0,depth=0,calls=0,first;
const isLate=(now)=>late!==null&&now-at<${STICKY_MS};
const loop=(since,line,column)=>{const now=clock();turns+=1024;if(isLate(now))throw late;
if(since===undefined)return{now,turns};
if(now-since.now<${LOOP_SECONDS * 1000}||turns-since.turns<${FEWEST_TURNS})return since;
late=new Error('it did not return within ${LOOP_SECONDS} s');late.name='${ENDLESS_LOOP}';
late.loop={line,column};at=now;throw late};
return{loop,caught(){if(isLate(clock()))throw late},
enter(line,column){if(depth++===0){calls=0;first=undefined}
if((++calls&1023)===0)first=loop(first,line,column)},
leave(){depth--}}})();`.replaceAll('\n', '')

const CAUGHT = '__conclaveCaught();'
const LEAVE = 'finally{__conclaveLeave()}'
const DECLARED = 'let __turns=0,__since;'

function counted(line: number, column: number): string {
  return `if((++__turns&1023)===0)__since=__conclaveLoop(__since,${line},${column});`
}

/**
 * Adds a counter to every loop of a file. What else is added must be within statements: around it
 * stands what guards a function or a loop.
 */
export function guardLoops(
  ts: TypeScript,
  file: ts.SourceFile,
  others: readonly Addition[] = [],
): GuardedSource {
  const added: Addition[] = []
  const add = (at: number, text: string) => added.push({ at, text })
  const recursive = recursiveFunctions(ts, file)

  /** The body of a function, or the file: it declares the counter of its loops. */
  function scope(body: ts.Node, begins: number): void {
    let hasLoops = false
    const visit = (node: ts.Node): void => {
      const inner = innerScope(ts, node)
      const body = recursive.get(node)
      if (body !== undefined) enter(node, body)
      if (inner !== null) {
        if (ts.isFunctionLike(node)) for (const one of node.parameters) visit(one)
        scope(inner, inner.getStart(file) + 1)
      } else visitParts(node)
      if (body !== undefined) leave(body)
    }
    const visitParts = (node: ts.Node): void => {
      if (ts.isIterationStatement(node, false) && !pauses(ts, node.statement)) {
        hasLoops = true
        guard(node)
      }
      if (ts.isTryStatement(node))
        for (const block of [node.catchClause?.block, node.finallyBlock])
          if (block !== undefined) add(block.getStart(file) + 1, CAUGHT)
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(body, visit)
    if (hasLoops) add(begins, DECLARED)
  }

  /** Counts the calls of a function, from the outermost one on. */
  function enter(node: ts.Node, body: ts.Node): void {
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file))
    const text = `try{__conclaveEnter(${line},${character});`
    if (ts.isBlock(body)) add(body.getStart(file) + 1, text)
    else add(body.getStart(file), `{${text}return(`)
  }

  function leave(body: ts.Node): void {
    if (ts.isBlock(body)) add(body.getEnd() - 1, `}${LEAVE}`)
    else add(body.getEnd(), `)}${LEAVE}}`)
  }

  function guard(loop: ts.IterationStatement): void {
    const { statement } = loop
    const { line, character } = file.getLineAndCharacterOfPosition(loop.getStart(file))
    const text = counted(line, character)
    if (ts.isBlock(statement)) add(statement.getStart(file) + 1, text)
    else {
      add(statement.getStart(file), `{${text}`)
      add(statement.getEnd(), '}')
    }
  }

  scope(file, file.statements[0]?.getStart(file) ?? 0)
  const closing = others.filter(({ text }) => /^[)}]/.test(text))
  const opening = others.filter(({ text }) => !/^[)}]/.test(text))
  return applied(file, [...closing, ...added, ...opening])
}

/** The body of a function that is entered anew with each call; null for other nodes. */
function innerScope(ts: TypeScript, node: ts.Node): ts.Node | null {
  if (ts.isClassStaticBlockDeclaration(node)) return node.body
  if (!ts.isFunctionLike(node)) return null
  const { body } = node as ts.FunctionLikeDeclaration
  return body !== undefined && ts.isBlock(body) ? body : null
}

/**
 * The functions that may call themselves, directly or through others, with their bodies. Names
 * decide: a function that mentions the name of another may call it.
 */
function recursiveFunctions(ts: TypeScript, file: ts.SourceFile): Map<ts.Node, ts.Node> {
  const named: { node: ts.Node; name: string; body: ts.Node }[] = []
  const mentions = new Map<string, Set<string>>()
  const visit = (node: ts.Node, within: readonly string[]): void => {
    const mention = mentionedBy(ts, node)
    if (mention !== null) for (const name of within) mentions.get(name)!.add(mention)
    const found = namedFunction(ts, node)
    if (found === null) {
      ts.forEachChild(node, (child) => visit(child, within))
      return
    }
    const { name, body } = found
    named.push({ node, name, body })
    if (!mentions.has(name)) mentions.set(name, new Set())
    visit(body, [...within, name])
  }
  visit(file, [])
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(mentions.get(from) ?? [])].some((name) => {
      if (name === to) return true
      if (seen.has(name)) return false
      seen.add(name)
      return reaches(name, to, seen)
    })
  const recursive = named.filter(({ name }) => reaches(name, name))
  return new Map(recursive.map(({ node, body }) => [node, body]))
}

/** Members are called by `.name`: a handler does not call itself where it sends its message. */
function mentionedBy(ts: TypeScript, node: ts.Node): string | null {
  if (ts.isPropertyAccessExpression(node)) return `.${node.name.text}`
  if (!ts.isIdentifier(node)) return null
  return ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? null : node.text
}

/** A function with a name and a body that runs at once when it is called. */
function namedFunction(ts: TypeScript, node: ts.Node): { name: string; body: ts.Node } | null {
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  if (!isFunction || node.body === undefined || node.asteriskToken !== undefined) return null
  const { parent, body } = node
  const isMember = ts.isMethodDeclaration(node) || ts.isPropertyAssignment(parent)
  const bound = ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) ? parent : null
  const name = node.name ?? bound?.name
  if (name === undefined || !ts.isIdentifier(name)) return null
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
  return isAsync ? null : { name: isMember ? `.${name.text}` : name.text, body }
}

/** Whether a loop waits in its own function: it may rest there as long as it likes. */
function pauses(ts: TypeScript, node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true
  return ts.forEachChild(node, (child) => pauses(ts, child) || undefined) ?? false
}

function applied(file: ts.SourceFile, added: readonly Addition[]): GuardedSource {
  const inOrder = added.toSorted((a, b) => a.at - b.at)
  let text = ''
  let done = 0
  for (const one of inOrder) {
    text += file.text.slice(done, one.at) + one.text
    done = one.at
  }
  const insertions = inOrder.map(({ at, text: { length } }) => {
    const { line, character } = file.getLineAndCharacterOfPosition(at)
    return { line, column: character, length }
  })
  return { text: text + file.text.slice(done), insertions }
}

/** The column of the source for a column of the text with its insertions; both from 0. */
export function sourceColumn(
  insertions: readonly Insertion[],
  line: number,
  column: number,
): number {
  let before = 0
  for (const one of insertions) {
    if (one.line !== line || one.column + before >= column) continue
    // A place inside of the added text stands for the place where it was added.
    if (one.column + before + one.length > column) return one.column
    before += one.length
  }
  return column - before
}
