import type { Code } from '../model/run.ts'
import type {
  Compiled,
  CompilerQuestion,
  Completions,
  Covered,
  Explanation,
  Reply,
  Standalone,
} from './compiler-protocol.ts'
import CompilerWorker from './compiler-worker.ts?worker'

type Asked = CompilerQuestion extends infer One
  ? One extends unknown
    ? Omit<One, 'number'>
    : never
  : never

/** The compiler is a separate file; where the page is a single file, an import map has its name. */
const TYPESCRIPT = import.meta.resolve(
  import.meta.env.DEV ? './typescript/index.ts' : './typescript.js',
)

let worker: Worker | null = null
let asked = 0
const waiting = new Map<number, (reply: Reply) => void>()

function ask<T>({ path, ...question }: Asked): Promise<T> {
  worker ??= started()
  const number = ++asked
  // The path of a definition may say which export is meant: mine.ts#second.
  const [file] = path.split('#')
  return new Promise((resolve) => {
    waiting.set(number, (reply) => resolve(reply as T))
    worker?.postMessage({ ...question, path: file, number })
  })
}

function started(): Worker {
  const compiler = new CompilerWorker()
  compiler.onmessage = ({ data }: MessageEvent<Reply>) => {
    waiting.get(data.number)?.(data)
    waiting.delete(data.number)
  }
  compiler.postMessage(TYPESCRIPT)
  return compiler
}

export function compiledSource(path: string, source: string): Promise<Compiled> {
  return ask({ what: 'compile', path, source })
}

export function completionsAt(
  path: string,
  source: string,
  position: number,
): Promise<Completions> {
  return ask({ what: 'complete', path, source, position })
}

export function explain(path: string, source: string, position: number): Promise<Explanation> {
  return ask({ what: 'explain', path, source, position })
}

/** Compiles a definition so that it tells which of its code runs. */
export function cover(path: string, source: string): Promise<Covered> {
  return ask({ what: 'cover', path, source })
}

/** The definition as a file that imports `conclave` alone. */
export async function standalone(path: string, source: string): Promise<string> {
  return (await ask<Standalone>({ what: 'standalone', path, source })).standalone
}

/** Compiles a definition for the worker without checking its types. */
export async function compile(path: string, source: string): Promise<Code> {
  const { compiled, lines, use } = await compiledSource(path, source)
  return { path, source, compiled, lines, use }
}
