import type { Complaint } from '../core/index.ts'
import { type Explore, SILENT } from './check-all.ts'
import { type CostlyShare, costsOf } from './check-all-worst.ts'
import type { Options } from './commands/check.ts'

/** To ask for the processor time of each arrangement would take a tenth of it. */
const UNMEASURED = () => 0

/** Some arrangements to be explored, as plain data. */
export interface Errand {
  readonly name: string
  readonly options: Options
  readonly ids: readonly (readonly number[])[]
  /** What all of them together may take. */
  readonly states: number
  readonly deadline: number
}

/** What comes back from a thread. Errors lose their class on the way: a complaint goes in parts. */
export interface Parcel {
  readonly shares: readonly CostlyShare[]
  readonly complaint: ConstructorParameters<typeof Complaint> | null
}

/** What came of each, up to the first that is broken or not explored whole. */
export async function sharesOf(errand: Errand, explore: Explore): Promise<CostlyShare[]> {
  const { name, options, ids, deadline } = errand
  const shares: CostlyShare[] = []
  let states = errand.states
  for (const arrangement of ids) {
    const seconds = String(Math.max(1, deadline - Date.now()) / 1000)
    const limits = { states: String(Math.max(1, states)), seconds }
    const { result } = await explore(
      name,
      { ...options, ids: arrangement.join(), ...limits },
      SILENT,
      UNMEASURED,
    )
    const { violated, transitions, depth, exhausted, reason, properties, hash, worst } = result
    shares.push({
      ...{ states: result.states, transitions, depth, exhausted, properties, hash },
      ...(reason !== undefined && { reason }),
      violated: violated !== null,
      ...(worst && { costs: costsOf(worst) }),
    })
    if (violated !== null || !exhausted) break
    states -= result.states
  }
  return shares
}
