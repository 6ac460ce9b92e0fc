import { signal } from '@preact/signals'

/** What the pointer is on: a node by its position, or a message in flight by its number. */
export const hoveredNode = signal<number | null>(null)
export const hoveredFlight = signal<number | null>(null)
/** The chosen nodes in order; the inspector shows the last one. */
export const chosenNodes = signal<ReadonlySet<number>>(new Set())
export const chosenFlight = signal<number | null>(null)

/** Chooses a node alone or in addition; the only chosen node, or one of several, is deselected. */
export function chooseNode(node: number, withOthers: boolean): void {
  const former = chosenNodes.value
  const next = new Set(withOthers ? former : [])
  if (former.has(node) && (withOthers || former.size === 1)) next.delete(node)
  else next.add(node)
  chosenNodes.value = next
  chosenFlight.value = null
}

/** Chooses both ends of a link. */
export function chooseLink(ends: readonly [number, number]): void {
  chosenNodes.value = new Set(ends)
  chosenFlight.value = null
}

export function chooseFlight(flight: number | null): void {
  chosenFlight.value = flight
  chosenNodes.value = new Set()
}

export function chooseNothing(): void {
  chooseFlight(null)
}

/** Whether dragging across the stage draws a partition. */
export const drawing = signal(false)

/** Chooses the node after the last chosen one, or before it, cyclically. */
export function chooseNextNode(n: number, by: 1 | -1, withOthers: boolean): void {
  if (n === 0) return
  const last = [...chosenNodes.value].at(-1) ?? (by > 0 ? -1 : 0)
  const next = (last + by + n) % n
  chosenFlight.value = null
  chosenNodes.value = new Set(withOthers ? [...chosenNodes.value, next] : [next])
}

/** Chooses the next message in flight. */
export function chooseNextFlight(flights: readonly number[]): void {
  if (flights.length === 0) return
  const place = chosenFlight.value === null ? -1 : flights.indexOf(chosenFlight.value)
  chooseFlight(flights[(place + 1) % flights.length])
}
