import {
  type Aggregate,
  type AggregateRow,
  averagesOf,
  type GlobalState,
  type Problem,
  type Property,
  ROW,
  type Row,
} from '../core/index.ts'
import { partName } from '../core/language/aggregate.ts'
import { ROUNDING } from '../core/numbers.ts'
import { liveNodes } from './nodes.ts'

/** A row may name its owner, by position. */
function startOf(
  { parts, row }: Aggregate,
  global: GlobalState,
  node: number,
  part: number,
): number {
  const { value, chosen } = global.state(node)
  const input = { value: value as number, chosen: chosen as number, id: node }
  if (row === undefined) return parts[part].start(input)
  const own = new Float64Array(row.length)
  row.start(own, 0, input, () => Number.NaN)
  return own[part]
}

/** The number that a node holds for a part; its start value while it sleeps. */
function heldBy(aggregate: Aggregate, global: GlobalState, node: number, part: number): number {
  const state = global.state(node)
  if (state.status === 'asleep') return startOf(aggregate, global, node, part)
  if (aggregate.row) return (state[ROW] as Row)[part]
  return state[partName(aggregate, part)] as number
}

/** Whether all nodes are in the same epoch: only then is their sum meaningful. */
function inSameEpoch(global: GlobalState, nodes: readonly number[]): boolean {
  const [first] = nodes
  return nodes.every((node) => {
    const { era, standing } = global.state(node)
    return standing !== 'waiting' && era === global.state(first).era
  })
}

function sumIsKept(aggregate: Aggregate): Property {
  return {
    name: 'the sum is kept',
    says: 'When no message is in flight, the sum of the numbers is that of the start values.',
    when: 'always',
    ...(!aggregate.row && { symmetric: true }),
    broken(global) {
      const nodes = liveNodes(global)
      if (!global.idle || !inSameEpoch(global, nodes)) return null
      for (const part of averagesOf(aggregate)) {
        let [sum, wanted, scale] = [0, 0, 0]
        for (const node of nodes) {
          const start = startOf(aggregate, global, node, part)
          wanted += start
          scale += Math.abs(start)
          sum += heldBy(aggregate, global, node, part)
        }
        if (Math.abs(sum - wanted) > ROUNDING * scale) return `the sum was ${wanted} and is ${sum}`
      }
      return null
    },
  }
}

/** No node invents a value. */
function extremesExist(aggregate: Aggregate): Property {
  return {
    name: 'extremes are held by somebody',
    says: 'The largest or smallest value, as a node knows it, is the value of some node.',
    when: 'always',
    sees: 'single nodes',
    ...(!aggregate.row && { symmetric: true }),
    broken(global) {
      const nodes = Array.from({ length: global.n }, (_, node) => node)
      for (const [part, { rule }] of aggregate.parts.entries()) {
        if (rule.better === undefined) continue
        const starts = new Set(nodes.map((node) => startOf(aggregate, global, node, part)))
        for (const node of liveNodes(global)) {
          const estimate = heldBy(aggregate, global, node, part)
          if (!starts.has(estimate))
            return `node ${global.name(node)} has ${estimate}, which is the value of no node`
        }
      }
      return null
    },
  }
}

/** Rows that nodes must have at all times. */
function rowsAreValid({ invariant }: AggregateRow): readonly Property[] {
  if (invariant === undefined) return []
  return [
    {
      name: invariant.name,
      says: 'It holds for the row of every node at all times.',
      when: 'always',
      sees: 'single nodes',
      symmetric: true,
      broken(global) {
        for (const node of liveNodes(global)) {
          const state = global.state(node)
          if (state.status === 'asleep') continue
          const problem = invariant.broken(state[ROW] as Row, 0)
          if (problem !== null) return `node ${global.name(node)}: ${problem}`
        }
        return null
      },
    },
  ]
}

/**
 * Aggregation: all nodes learn a function of all values. Message loss and crashes change the sum;
 * the properties are checked in any case, to show that.
 */
export function aggregation(aggregate: Aggregate) {
  const averages = averagesOf(aggregate).length > 0
  const extremes = aggregate.parts.some(({ rule }) => rule.better !== undefined)
  return {
    name: 'aggregation',
    properties: [
      ...(averages ? [sumIsKept(aggregate)] : []),
      ...(extremes ? [extremesExist(aggregate)] : []),
      ...(aggregate.row ? rowsAreValid(aggregate.row) : []),
    ],
  } satisfies Problem
}
