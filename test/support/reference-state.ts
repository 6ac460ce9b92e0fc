import type { Link, State } from '../../src/core/index.ts'

export type Body = Record<string, unknown>
export type Flight = { readonly kind: number; readonly body: Body }
/** A node with the links that it takes to be down, and those of which it will be told that. */
export type Node = { my: State; alarms: number[]; dead: boolean; down: Link[]; news: Link[] }

/** Flights by channel, the oldest first; how many given starters have started; faults so far. */
export type Plain = {
  nodes: Node[]
  flights: Flight[][]
  started: number
  lost: number
  doubled: number
}

/** Maps and sets as lists in order, and numbers that JSON does not know. */
export function textOf(thing: unknown): string {
  return JSON.stringify(thing, (_, value) => {
    if (value instanceof Map || value instanceof Set) return [...value].map(textOf).sort()
    return typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value
  })
}

/** By part. Nodes and channels are made anew when they change, so that a text is good for ever. */
const texts = new WeakMap<object, string>()

export function keyOf({ nodes, flights, started, lost, doubled }: Plain): string {
  const parts = [...nodes, ...flights].map((part) => {
    if (!texts.has(part)) texts.set(part, textOf(part))
    return texts.get(part)
  })
  return [started, lost, doubled, ...parts].join()
}
