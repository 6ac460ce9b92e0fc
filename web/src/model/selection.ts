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
