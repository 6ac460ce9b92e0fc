import type ts from 'typescript'
import type { TypeScript } from './typescript.ts'

/*
 * Stops handlers that do not return. A counter is added to every loop of an own file; every 1,024
 * turns it looks at the clock. No thread has to watch from outside, so it works in every engine, in
 * child processes and in the lab, and the error knows the line. Lines keep their numbers.
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
export const GUARD = `const{loop:__conclaveLoop,caught:__conclaveCaught}=(()=>{
const clock=globalThis[Symbol.for('${CLOCK}')]??Date.now;let turns=0,late=null,at=0;
const isLate=(now)=>late!==null&&now-at<${STICKY_MS};
return{loop(since,line,column){const now=clock();turns+=1024;if(isLate(now))throw late;
if(since===undefined)return{now,turns};
if(now-since.now<${LOOP_SECONDS * 1000}||turns-since.turns<${FEWEST_TURNS})return since;
late=new Error('it did not return within ${LOOP_SECONDS} s');late.name='${ENDLESS_LOOP}';
late.loop={line,column};at=now;throw late},
caught(){if(isLate(clock()))throw late}}})();`.replaceAll('\n', '')

const CAUGHT = '__conclaveCaught();'
const DECLARED = 'let __turns=0,__since;'

function counted(line: number, column: number): string {
  return `if((++__turns&1023)===0)__since=__conclaveLoop(__since,${line},${column});`
}

/** Adds a counter to every loop of a file. */
export function guardLoops(ts: TypeScript, file: ts.SourceFile): GuardedSource {
  const added: { readonly at: number; readonly text: string }[] = []
  const add = (at: number, text: string) => added.push({ at, text })

  /** The body of a function, or the file: it declares the counter of its loops. */
  function scope(body: ts.Node, begins: number): void {
    let hasLoops = false
    const visit = (node: ts.Node): void => {
      const inner = innerScope(ts, node)
      if (inner !== null) {
        if (ts.isFunctionLike(node)) for (const one of node.parameters) visit(one)
        scope(inner, inner.getStart(file) + 1)
        return
      }
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
  return applied(file, added)
}

/** The body of a function that is entered anew with each call; null for other nodes. */
function innerScope(ts: TypeScript, node: ts.Node): ts.Node | null {
  if (ts.isClassStaticBlockDeclaration(node)) return node.body
  if (!ts.isFunctionLike(node)) return null
  const { body } = node as ts.FunctionLikeDeclaration
  return body !== undefined && ts.isBlock(body) ? body : null
}

/** Whether a loop waits in its own function: it may rest there as long as it likes. */
function pauses(ts: TypeScript, node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true
  return ts.forEachChild(node, (child) => pauses(ts, child) || undefined) ?? false
}

function applied(
  file: ts.SourceFile,
  added: readonly { readonly at: number; readonly text: string }[],
): GuardedSource {
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
