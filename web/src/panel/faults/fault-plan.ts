import { UsageError } from '../../../../src/core/index.ts'
import { LIST_FAULTS, type ListedFaultName } from '../../../../src/options/list-faults.ts'
import type { ScenarioInput } from '../../../../src/scenario/index.ts'

/** A fault of any kind, by its members. */
export type ListedFault = Readonly<Record<string, unknown>>

/** The kinds of faults that have rows: single messages are changed in the picture. */
export const FAULT_LISTS = (Object.keys(LIST_FAULTS) as ListedFaultName[]).filter(
  (name) => LIST_FAULTS[name].happens !== undefined,
)

type Lists = Readonly<Record<ListedFaultName, readonly ListedFault[]>>

/** The faults of a draft; null if one of its fields cannot be read. */
export function faultsOf(draft: ScenarioInput): Lists | null {
  try {
    const lists = FAULT_LISTS.map((name) => {
      return [name, LIST_FAULTS[name].parse(name, String(draft[name] ?? 'none'))]
    })
    return Object.fromEntries(lists)
  } catch (error) {
    if (error instanceof UsageError) return null
    throw error
  }
}

/** The fields of a draft with one of the lists replaced; an empty list leaves its field out. */
export function withFaults(name: ListedFaultName, entries: readonly ListedFault[]): ScenarioInput {
  const option = LIST_FAULTS[name]
  return { [name]: entries.length === 0 ? undefined : option.print(entries as never) }
}

/** A new fault of a kind, at a node and a time; groups of a partition are halves. */
export function newFault(name: ListedFaultName, node: number, at: number, n: number): ListedFault {
  const nodes = Array.from({ length: n }, (_, position) => position)
  const half = Math.ceil(n / 2)
  const usual: ListedFault = {
    node,
    link: [node, (node + 1) % n],
    groups: [nodes.slice(0, half), nodes.slice(half)],
    at,
    from: at,
    to: at + 10,
  }
  const members = Object.keys(LIST_FAULTS[name].membersOf())
  return Object.fromEntries(Object.entries(usual).filter(([member]) => members.includes(member)))
}
