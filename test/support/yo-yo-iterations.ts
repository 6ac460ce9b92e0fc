import type { TraceEvent } from '../../src/core/index.ts'

type Send = Extract<TraceEvent, { event: 'send' }>

/**
 * The sources and the links left in each iteration of yo-yo, from the messages sent. Only a source
 * sends its own id as a value, and over some link in each iteration; a link that is left carries
 * one value, in either direction. No two links join the same nodes.
 */
export function iterations(
  sends: readonly Send[],
  ids: readonly number[],
): { readonly sources: number[]; readonly links: number[] } {
  const values = sends.filter(({ type }) => type === 'value')
  const own = values.filter(({ node, body }) => body.id === ids[node])
  const batches = new Map<number, number>()
  for (const [place, count] of counts(own, ({ node, link }) => `${node} ${link}`)) {
    const node = Number(place.split(' ')[0])
    batches.set(node, Math.max(batches.get(node) ?? 0, count))
  }
  const carried = counts(values, ({ node, to }) => String([node, to].sort()))
  return { sources: atLeast([...batches.values()]), links: atLeast([...carried.values()]) }
}

function counts(sends: readonly Send[], key: (send: Send) => string): Map<string, number> {
  const found = new Map<string, number>()
  for (const send of sends) found.set(key(send), (found.get(key(send)) ?? 0) + 1)
  return found
}

/** How many of the numbers are at least 1, 2, 3 and so on. */
function atLeast(numbers: readonly number[]): number[] {
  const most = Math.max(0, ...numbers)
  return Array.from({ length: most }, (_, i) => numbers.filter((number) => number > i).length)
}
