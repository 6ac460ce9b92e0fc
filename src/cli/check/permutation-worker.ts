import { UsageError } from '../../core/index.ts'
import { walksWithin } from './budget-flags.ts'
import { Exploration, type Options, SILENT } from './explore.ts'
import { type CostlyShare, costsOf } from './worst-over-permutations.ts'

/** What arrangements of ids are explored of. */
export interface PermutationTask {
  readonly name: string
  readonly options: Options
}

/** Some arrangements to be explored, as plain data. */
export interface PermutationBatch {
  readonly ids: readonly (readonly number[])[]
  /** What all of them together may take. */
  readonly states: number
  readonly memory: number
  readonly deadline: number
}

/** What comes back from a thread. Errors lose their class on the way: a complaint goes in parts. */
export interface BatchResult {
  readonly shares: readonly CostlyShare[]
  readonly complaint: ConstructorParameters<typeof UsageError> | null
}

/** Goes on one errand after the other, and reads what they have in common once. */
export class PermutationBatches {
  private exploration: Exploration | null = null

  constructor(private readonly task: PermutationTask) {}

  /** What came of each, up to the first that is broken or not explored whole; with pauses. */
  async sharesOf(errand: PermutationBatch, pause?: () => Promise<void>): Promise<CostlyShare[]> {
    const { options } = this.task
    const { reduction, exact, walk: walks } = { ...options, ...walksWithin(options) }
    const memory = String(errand.memory)
    const same = { reduction, memory, ...(exact && { exact }), ...(walks && { walk: walks }) }
    const exploration = await this.explorationOf(errand)
    const shares: CostlyShare[] = []
    let { states } = errand
    for (const ids of errand.ids) {
      const seconds = String(Math.max(1, errand.deadline - Date.now()) / 1000)
      const flags = { ...same, states: String(Math.max(1, states)), seconds }
      const { result, worst } = exploration.arranged(ids).look(flags, SILENT)
      const { violated, transitions, depth, exhausted, properties, hash } = result
      const { reason, draws, walk } = result
      shares.push({
        ...{ states: result.states, transitions, depth, exhausted, properties, hash },
        ...(reason !== undefined && { reason }),
        ...(draws && { draws }),
        ...(walk && { walk }),
        violated: violated !== null,
        ...(violated && { example: violated }),
        ...(worst && { costs: costsOf(worst) }),
      })
      if (violated !== null || !exhausted) break
      states -= result.states
      if (pause) await pause()
    }
    return shares
  }

  private async explorationOf({ ids: [first] }: PermutationBatch): Promise<Exploration> {
    const { name, options } = this.task
    this.exploration ??= await Exploration.of(name, { ...options, ids: first.join() })
    return this.exploration
  }
}

/** All errands of a thread are about the same. */
let errands: PermutationBatches | null = null

/** Explores arrangements in a thread of its own. */
export async function work({
  task,
  errand,
}: {
  task: PermutationTask
  errand: PermutationBatch
}): Promise<BatchResult> {
  try {
    errands ??= new PermutationBatches(task)
    return { shares: await errands.sharesOf(errand), complaint: null }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { shares: [], complaint: error.parts }
  }
}
