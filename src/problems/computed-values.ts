import type { AggregateReport, Figures, GlobalState, Property, State } from '../core/index.ts'
import { ROUNDING } from '../core/numbers.ts'
import { awakeComponents, liveComponents, namedNodes, noLiveNode } from './nodes.ts'

/** The result of one component, and the exact result. */
export interface ComputedValue {
  readonly nodes: number
  /** The leader of the component, if there is one. */
  readonly source: number | null
  /** The result that the leader knows. */
  readonly known: Figures | null
  readonly truth: Figures
}

/** The results by component, in the order of their first nodes. */
export function computedValues(
  global: GlobalState,
  finds: AggregateReport<State>,
): ComputedValue[] {
  const leaders = new Map(global.leaders.map((node) => [global.component(node), node]))
  return liveComponents(global).map((nodes) => {
    const source = leaders.get(global.component(nodes[0])) ?? null
    return {
      nodes: nodes.length,
      source,
      known: source === null ? null : finds.known(global.state(source)),
      truth: finds.truth(valuesOf(global, nodes)),
    }
  })
}

/** All nodes know the exact result of their component. */
export function allKnowTheResult(finds: AggregateReport<State>): Property {
  return {
    name: 'all know the truth',
    says: 'When the run is quiet, every live node knows the exact result for all live nodes that it can reach, apart from rounding.',
    when: 'at the end',
    moot: noLiveNode,
    broken(global) {
      for (const nodes of awakeComponents(global)) {
        const values = valuesOf(global, nodes)
        const [truth, scale] = [finds.truth(values), finds.scale(values)]
        const ignorant = nodes.filter((node) => finds.known(global.state(node)) === null)
        if (ignorant.length > 0)
          return `${namedNodes(global, ignorant)} ${ignorant.length > 1 ? 'have' : 'has'} no result`
        for (const node of nodes)
          for (const [name, figure] of Object.entries(finds.known(global.state(node)) ?? {}))
            if (!near(figure, truth[name], scale[name]))
              return `${namedNodes(global, [node])}: ${name} ${figure}, but it is ${truth[name]}`
      }
      return null
    },
  }
}

/** Infinities and NaN are equal only to themselves. */
function near(figure: number, truth: number, scale: number): boolean {
  return Object.is(figure, truth) || Math.abs(figure - truth) <= ROUNDING * scale
}

function valuesOf(global: GlobalState, nodes: readonly number[]): Float64Array {
  return Float64Array.from(nodes, (node) => global.state(node).value as number)
}
