import { enumerated } from '../../../src/core/text-format.ts'
import type { ShownRun } from '../model/run.ts'
import type { RunFrame } from '../recording/frame.ts'

/** Networks with more nodes are not searched for equal ids. */
const NODES_SEARCHED = 1000

/** A node as its label on the stage: its id, or its position where nodes are anonymous. */
export function nodeLabel(frame: RunFrame, node: number): string {
  return String(frame.idOf(node) ?? node)
}

/**
 * A node in a sentence: `7`, `node 3` where nodes are anonymous, `7 at position 3` where another
 * node has the same id.
 */
export function nodeName(frame: RunFrame, node: number): string {
  const id = frame.idOf(node)
  if (id === null) return `node ${node}`
  return isShared(frame, id) ? `${id} at position ${node}` : String(id)
}

/** Several nodes in a sentence: `3, 7 and 8`, `nodes 0 and 4`. */
export function nodeNames(frame: RunFrame, nodes: readonly number[]): string {
  const anonymous = frame.log.world.ids === null && nodes.length > 1
  if (anonymous) return `nodes ${enumerated(nodes.map(String))}`
  const inOrder = nodes.toSorted((a, b) => (frame.idOf(a) ?? a) - (frame.idOf(b) ?? b))
  return enumerated(inOrder.map((node) => nodeName(frame, node)))
}

/** A link by its ends: `3-7`. */
export function linkName(frame: RunFrame, a: number, b: number): string {
  return `${nodeLabel(frame, a)}-${nodeLabel(frame, b)}`
}

/** A branch by the change that made it: `7 crashes at time 3`. */
export function branchName({ origin }: ShownRun): string {
  return origin === null ? 'without changes' : origin.change
}

/** The detail of a verdict: positions are left out where ids tell nodes apart. */
export function detailWords(frame: RunFrame, detail: string): string {
  return detail.replace(/(\d+) \(position (\d+)\)/g, (_, id: string, position: string) =>
    isShared(frame, Number(id)) ? `${id} at position ${position}` : id,
  )
}

/** The same text at the beginning of a sentence. */
export function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function isShared(frame: RunFrame, id: number): boolean {
  const { n } = frame.log.world
  if (n > NODES_SEARCHED) return false
  let owners = 0
  for (let node = 0; node < n; node++) if (frame.idOf(node) === id) owners++
  return owners > 1
}
