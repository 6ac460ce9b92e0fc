import type { Algorithm } from '../core/index.ts'
import * as elections from './elections.ts'

/** Every algorithm there is, in the order of `conclave list`. */
export const catalogue: readonly Algorithm[] = Object.values(elections)
