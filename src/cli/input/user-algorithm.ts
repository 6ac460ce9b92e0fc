import { algorithmNamed } from '../../algorithms/index.ts'
import type { Algorithm } from '../../core/index.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { userModule } from './user-module.ts'

/** Whether a name is that of a file with somebody's own code. */
export function isCode(name: string): boolean {
  return /\.[mc]?[tj]s$/.test(name)
}

/** The election of that name, or the one that a TypeScript file defines. */
export async function electionOf(name: string): Promise<Algorithm> {
  return isCode(name) ? userAlgorithm(name) : algorithmNamed(name)
}

/** The definition that a file exports: by default, or as the only one. */
export async function userAlgorithm(path: string): Promise<Algorithm> {
  return definitionAmong(await userModule(path), path)
}
