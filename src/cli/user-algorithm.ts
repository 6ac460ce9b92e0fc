import { type Algorithm, Complaint } from '../core/index.ts'
import { algorithmNamed } from './lookup.ts'
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
  const exported = await userModule(path)
  const found = Object.entries(exported).filter(([, value]) => isAlgorithm(value))
  const chosen = found.find(([name]) => name === 'default') ?? found[0]
  if (found.length === 1 || chosen?.[0] === 'default') return chosen[1] as Algorithm
  const names = found.map(([name]) => name).join(', ')
  throw new Complaint(
    path,
    'one exported algorithm is needed',
    found.length === 0 ? 'there is none' : `there are ${names}`,
    'Write export default algorithm({ ... }).',
  )
}

function isAlgorithm(value: unknown): boolean {
  const { name, kinds, form } = (value ?? {}) as Partial<Algorithm>
  return typeof name === 'string' && Array.isArray(kinds) && form !== undefined
}
