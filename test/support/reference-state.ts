import type { Link, State } from '../../src/core/index.ts'

export type Body = Record<string, unknown>
export type Flight = { readonly kind: number; readonly body: Body }
/** A node with the links reported as down, and the links with a pending notice. */
export type Node = { my: State; timers: number[]; dead: boolean; down: Link[]; news: Link[] }

/** Messages in flight by channel, oldest first; the number of starters so far; faults so far. */
export type ReferenceState = {
  nodes: Node[]
  flights: Flight[][]
  started: number
  lost: number
  doubled: number
}

/** Serialises maps, sets and special numbers. */
export function textOf(thing: unknown): string {
  return JSON.stringify(thing, (_, value) => {
    if (value instanceof Map || value instanceof Set) return [...value].map(textOf).sort()
    return typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value
  })
}

/** By object. Nodes and channels are immutable, so that their text stays valid. */
const texts = new WeakMap<object, string>()

export function keyOf({ nodes, flights, started, lost, doubled }: ReferenceState): string {
  const parts = [...nodes, ...flights].map((part) => {
    if (!texts.has(part)) texts.set(part, textOf(part))
    return texts.get(part)
  })
  return [started, lost, doubled, ...parts].join()
}
