import type { Code } from '../model/run.ts'

/** Turns a definition in TypeScript into what the worker runs. */
export async function compile(source: string): Promise<Code> {
  return { source, compiled: source }
}
