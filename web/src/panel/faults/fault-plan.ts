import { UsageError } from '../../../../src/core/index.ts'
import { NO_FAULT_FIELDS } from '../../../../src/scenario/faults/fault-fields.ts'
import {
  type PlannedFaults,
  parseFaults,
  printFaults,
} from '../../../../src/scenario/faults/fault-text.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'

/** The lists of a fault plan that have rows, with the field that each is written in. */
export const LISTS = {
  crashes: 'crash',
  recoveries: 'recover',
  retirements: 'retire',
  suspicions: 'suspect',
  pauses: 'pause',
  cuts: 'cut',
  partitions: 'partition',
} as const

export type FaultList = keyof typeof LISTS
export type ListedFaults = Pick<PlannedFaults, FaultList>
export type ListedFault<L extends FaultList = FaultList> = ListedFaults[L][number]

/** The faults of a draft; null where one of its fields cannot be read. */
export function faultsOf(draft: ScenarioInput): ListedFaults | null {
  const given = Object.values(LISTS).filter((field) => draft[field] !== undefined)
  const texts = Object.fromEntries(given.map((field) => [field, String(draft[field])]))
  try {
    const { crashes, recoveries, retirements, suspicions, pauses, cuts, partitions } = parseFaults(
      { ...NO_FAULT_FIELDS, ...texts },
      String,
    )
    return { crashes, recoveries, retirements, suspicions, pauses, cuts, partitions }
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

/** The fields of a draft with one of the lists replaced; an empty list leaves its field out. */
export function withFaults<L extends FaultList>(
  list: L,
  entries: readonly ListedFault<L>[],
): ScenarioInput {
  const field = LISTS[list]
  if (entries.length === 0) return { [field]: undefined }
  return { [field]: printFaults({ [list]: entries })[field] }
}

/** A new fault of a kind, at a node and a time; groups of a partition are halves. */
export function newFault(list: FaultList, node: number, at: number, n: number): ListedFault {
  const nodes = Array.from({ length: n }, (_, position) => position)
  const half = Math.ceil(n / 2)
  switch (list) {
    case 'crashes':
    case 'retirements':
      return { node, at }
    case 'recoveries':
      return { node, at, id: null }
    case 'suspicions':
    case 'pauses':
      return { node, from: at, to: at + 10 }
    case 'cuts':
      return { link: [node, (node + 1) % n], from: at, to: at + 10 }
    case 'partitions':
      return { groups: [nodes.slice(0, half), nodes.slice(half)], from: at, to: at + 10 }
  }
}
