import {
  type Aggregate,
  aggregateFieldName,
  type GlobalState,
  type Problem,
  type Property,
} from '../core/index.ts'
import { liveNodes } from './nodes.ts'

/** Float64s do not add up exactly. */
const ROUNDING = 1e-9

function startOf({ parts }: Aggregate, situation: GlobalState, node: number, part: number): number {
  const { value, chosen } = situation.state(node)
  return parts[part].start({ value: value as number, chosen: chosen as number })
}

/** A part of a node; while it sleeps the one that it will start with. */
function held(aggregate: Aggregate, situation: GlobalState, node: number, part: number): number {
  const state = situation.state(node)
  if (state.status === 'asleep') return startOf(aggregate, situation, node, part)
  return state[aggregateFieldName(part)] as number
}

/** Whether all are in one epoch: numbers of different ones do not add up to anything. */
function together(situation: GlobalState, nodes: readonly number[]): boolean {
  const [first] = nodes
  return nodes.every((node) => {
    const { era, standing } = situation.state(node)
    return standing !== 'waiting' && era === situation.state(first).era
  })
}

function sumIsKept(aggregate: Aggregate): Property {
  return {
    name: 'the sum is kept',
    says: 'When nothing is in flight the numbers add up to what they were at the beginning.',
    when: 'always',
    broken(situation) {
      const nodes = liveNodes(situation)
      if (!situation.idle || !together(situation, nodes)) return null
      for (const [part, { rule }] of aggregate.parts.entries()) {
        if (rule.change === undefined) continue
        let [sum, wanted, scale] = [0, 0, 0]
        for (const node of nodes) {
          const start = startOf(aggregate, situation, node, part)
          wanted += start
          scale += Math.abs(start)
          sum += held(aggregate, situation, node, part)
        }
        if (Math.abs(sum - wanted) > ROUNDING * scale) return `the sum was ${wanted} and is ${sum}`
      }
      return null
    },
  }
}

/** Nobody invents a value. */
function extremesExist(aggregate: Aggregate): Property {
  return {
    name: 'extremes are held by somebody',
    says: 'What a node takes for the largest or smallest value is the value of some node.',
    when: 'always',
    sees: 'single nodes',
    broken(situation) {
      const nodes = Array.from({ length: situation.n }, (_, node) => node)
      for (const [part, { rule }] of aggregate.parts.entries()) {
        if (rule.better === undefined) continue
        const starts = new Set(nodes.map((node) => startOf(aggregate, situation, node, part)))
        for (const node of liveNodes(situation)) {
          const estimate = held(aggregate, situation, node, part)
          if (!starts.has(estimate))
            return `node ${situation.name(node)} believes in ${estimate}, which nobody has`
        }
      }
      return null
    },
  }
}

/**
 * Everybody learns a function of all values. What gets lost, or dies, takes a share of the sum with
 * it: to see that, it is asked for in any case.
 */
export function aggregation(aggregate: Aggregate): Problem {
  const averages = aggregate.parts.some(({ rule }) => rule.change !== undefined)
  const extremes = aggregate.parts.some(({ rule }) => rule.better !== undefined)
  return {
    name: 'aggregation',
    properties: () => [
      ...(averages ? [sumIsKept(aggregate)] : []),
      ...(extremes ? [extremesExist(aggregate)] : []),
    ],
  }
}
