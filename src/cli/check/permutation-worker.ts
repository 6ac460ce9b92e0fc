import { UsageError } from '../../core/index.ts'
import { checkHandlers } from '../input/user-algorithm.ts'
import { thrownByUsers } from '../input/user-module.ts'
import { walksWithin } from './budget-flags.ts'
import { Exploration, type Options, SILENT } from './explore.ts'
import { costsOf, type PermutationResult } from './worst-over-permutations.ts'

/** The exploration that all batches have in common. */
export interface PermutationTask {
  readonly name: string
  readonly options: Options
}

/** Some permutations to explore, as plain data. */
export interface PermutationBatch {
  readonly ids: readonly (readonly number[])[]
  /** The budget of all of them together. */
  readonly states: number
  readonly memory: number
  readonly deadline: number
}

/** The answer of a thread. Errors lose their class on the way, so usage errors go in parts. */
export interface BatchResult {
  readonly results: readonly PermutationResult[]
  readonly usageError: ConstructorParameters<typeof UsageError> | null
}

/** Runs one batch after another, and reads the definition once. */
export class PermutationBatches {
  private exploration: Exploration | null = null

  constructor(private readonly task: PermutationTask) {}

  /** The results up to the first violation or incomplete exploration; pauses between them. */
  async run(batch: PermutationBatch, pause?: () => Promise<void>): Promise<PermutationResult[]> {
    const { options } = this.task
    const { reduction, exact, walk: walks } = { ...options, ...walksWithin(options) }
    const memory = String(batch.memory)
    const shared = { reduction, memory, ...(exact && { exact }), ...(walks && { walk: walks }) }
    const exploration = await this.explorationOf(batch)
    const results: PermutationResult[] = []
    let { states } = batch
    for (const ids of batch.ids) {
      const seconds = String(Math.max(1, batch.deadline - Date.now()) / 1000)
      const flags = { ...shared, states: String(Math.max(1, states)), seconds }
      const { result, worst } = exploration.withIds(ids).search(flags, SILENT)
      const { violated, transitions, depth, exhausted, properties, hash } = result
      const { reason, draws, bounds, timeouts, walk } = result
      results.push({
        ...{ states: result.states, transitions, depth, exhausted, properties, hash },
        ...(reason !== undefined && { reason }),
        ...(draws && { draws }),
        ...(bounds && { bounds }),
        ...(timeouts && { timeouts }),
        ...(walk && { walk }),
        violated: violated !== null,
        ...(violated && { example: violated }),
        ...(worst && { costs: costsOf(worst) }),
      })
      if (violated !== null || !exhausted) break
      states -= result.states
      if (pause) await pause()
    }
    return results
  }

  private async explorationOf({ ids: [first] }: PermutationBatch): Promise<Exploration> {
    const { name, options } = this.task
    this.exploration ??= await Exploration.of(name, { ...options, ids: first.join() })
    return this.exploration
  }
}

/** All batches of a thread belong to the same task. */
let batches: PermutationBatches | null = null

/** The entry of a thread. */
export async function work({
  task,
  batch,
}: {
  task: PermutationTask
  batch: PermutationBatch
}): Promise<BatchResult> {
  try {
    checkHandlers(task.options.unchecked !== true)
    batches ??= new PermutationBatches(task)
    return { results: await batches.run(batch), usageError: null }
  } catch (error) {
    const told = (await thrownByUsers(error)) ?? error
    if (!(told instanceof UsageError)) throw error
    return { results: [], usageError: told.parts }
  }
}
