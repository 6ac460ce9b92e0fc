import type { Algorithm } from '../core/index.ts'
import { lcr } from './ring/lcr.ts'

/** Every algorithm there is, in the order of `conclave list`. */
export const catalogue: readonly Algorithm[] = [lcr]
