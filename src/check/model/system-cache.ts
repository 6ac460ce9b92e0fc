import type { World } from '../../core/language/world.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import { BYTES_PER_ENTRY, MEGABYTE, type SearchBudget } from '../search/budget.ts'
import { TransitionSystem } from './transition-system.ts'

/** The fraction of the memory budget for transitions cached in earlier worlds. */
const MEMORY_FRACTION = 1 / 8

/**
 * Reuses the transition system for the next permutation of ids. A handler depends on the id of its
 * own node, not on other ids unless it reads them, so most of its transitions are cached already.
 *
 * Not reusable: without FIFO order messages are enumerated by their numbers, which would depend on
 * earlier permutations, and fault states contain the ids of all nodes.
 */
export class SystemCache {
  private last: { world: World; options: ModelOptions; system: TransitionSystem } | null = null

  of(
    world: World,
    options: ModelOptions,
    { memoryMB = Number.POSITIVE_INFINITY }: SearchBudget,
  ): TransitionSystem {
    const { last } = this
    const most = (MEMORY_FRACTION * memoryMB * MEGABYTE) / BYTES_PER_ENTRY
    if (last !== null && isReusable(last.system, options) && last.system.cache.size < most)
      if (equalExceptIds(last.world, world) && sameOptions(last.options, options)) {
        last.system.assignIds(world)
        return last.system
      }
    const system = new TransitionSystem(world, options)
    this.last = { world, options, system }
    return system
  }
}

function isReusable({ cache }: TransitionSystem, { order, faults = {} }: ModelOptions): boolean {
  return order === 'fifo' && !anyFault(faults) && cache.idIndependent && !cache.cutsRuns
}

function equalExceptIds({ ids: _, ...a }: World, { ids: __, ...b }: World): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof typeof a)[]
  return fields.every((field) => a[field] === b[field])
}

function sameOptions(a: ModelOptions, b: ModelOptions): boolean {
  const same = a.mode === b.mode && a.order === b.order && a.wake === b.wake
  const limited = a.draws === b.draws && a.bounds === b.bounds && a.timeouts === b.timeouts
  return same && limited && a.faults === b.faults
}
