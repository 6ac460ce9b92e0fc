import type { Algorithm } from '../../core/index.ts'
import { definitionAmong } from '../../scenario/fields/definition.ts'
import { userModule } from './user-module.ts'

/** Whether a name is that of a file with a user's code. */
export function isCode(name: string): boolean {
  return /\.[mc]?[tj]s$/.test(name)
}

/** The algorithm that a file exports: its default export, or its only one. */
export async function userAlgorithm(path: string): Promise<Algorithm> {
  return definitionAmong(await userModule(path), path)
}
