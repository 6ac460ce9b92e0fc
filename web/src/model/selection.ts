import { signal } from '@preact/signals'

/** What the pointer is on: a node by its position, or a message under way by its flight. */
export const hoveredNode = signal<number | null>(null)
export const hoveredFlight = signal<number | null>(null)
/** Nodes that were clicked, the last one last: the inspector shows that one. */
export const chosenNodes = signal<ReadonlySet<number>>(new Set())
export const chosenFlight = signal<number | null>(null)

/** Chooses a node alone, or with others; one that is chosen already is let go. */
export function chooseNode(node: number, withOthers: boolean): void {
  const former = chosenNodes.value
  const next = new Set(withOthers ? former : [])
  if (former.has(node)) next.delete(node)
  else next.add(node)
  chosenNodes.value = next
  chosenFlight.value = null
}

export function chooseFlight(flight: number | null): void {
  chosenFlight.value = flight
  chosenNodes.value = new Set()
}

export function chooseNothing(): void {
  chooseFlight(null)
}

/** Whether dragging across the stage parts the network. */
export const drawing = signal(false)

/** The node after the last one that was chosen, or before it, round and round. */
export function chooseNextNode(n: number, by: 1 | -1, withOthers: boolean): void {
  if (n === 0) return
  const last = [...chosenNodes.value].at(-1) ?? (by > 0 ? -1 : 0)
  const next = (last + by + n) % n
  chosenFlight.value = null
  chosenNodes.value = new Set(withOthers ? [...chosenNodes.value, next] : [next])
}

/** The next of the messages under way. */
export function chooseNextFlight(flights: readonly number[]): void {
  if (flights.length === 0) return
  const place = chosenFlight.value === null ? -1 : flights.indexOf(chosenFlight.value)
  chooseFlight(flights[(place + 1) % flights.length])
}
