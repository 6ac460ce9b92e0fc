import type { World } from '../../core/language/world.ts'
import { anyFault, type ModelOptions } from '../options.ts'
import { BYTES_PER_PART, MEGABYTE, type SearchBudget } from '../search/budget.ts'
import { TransitionSystem } from './transition-system.ts'

/** The share of the memory that what is kept from earlier worlds may take. */
const SHARE = 1 / 8

/**
 * Makes the systems of worlds that come one after the other. One that differs from the last in
 * nothing but who has which id gets the same system, with other sleepers in it: what a node does
 * depends on its own id, not on those of others, unless it asks for them. So most of what happens
 * in one arrangement of ids is known from those before, and what is found in it is the same.
 *
 * Where messages overtake each other they are looked at in the order of their numbers, which would
 * depend on what came before; and faults know the ids of all.
 */
export class SystemCache {
  private last: { world: World; rules: ModelOptions; system: TransitionSystem } | null = null

  of(
    world: World,
    rules: ModelOptions,
    { memoryMB = Number.POSITIVE_INFINITY }: SearchBudget,
  ): TransitionSystem {
    const { last } = this
    const most = (SHARE * memoryMB * MEGABYTE) / BYTES_PER_PART
    if (last !== null && isReusable(last.system, rules) && last.system.effects.seen < most)
      if (alikeButForIds(last.world, world) && sameRules(last.rules, rules)) {
        last.system.seat(world)
        return last.system
      }
    const system = new TransitionSystem(world, rules)
    this.last = { world, rules, system }
    return system
  }
}

function isReusable({ effects }: TransitionSystem, { order, faults = {} }: ModelOptions): boolean {
  return order === 'fifo' && !anyFault(faults) && effects.impersonal && !effects.cut
}

function alikeButForIds({ ids: _, ...a }: World, { ids: __, ...b }: World): boolean {
  const fields = Object.keys({ ...a, ...b }) as (keyof typeof a)[]
  return fields.every((field) => a[field] === b[field])
}

function sameRules(a: ModelOptions, b: ModelOptions): boolean {
  const same = a.mode === b.mode && a.order === b.order && a.wake === b.wake
  return same && a.faults === b.faults && a.draws === b.draws
}
