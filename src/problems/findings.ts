import type { AggregateReport, Figures, GlobalState, Property, State } from '../core/index.ts'
import { awakeComponents, components, nodeNames, noLiveNode } from './nodes.ts'

/** Float64s do not add up exactly. */
const ROUNDING = 1e-9

/** What one part of the network has found out, and what is true there. */
export interface ComputedValue {
  readonly nodes: number
  /** Who leads there, if one does. */
  readonly source: number | null
  /** What that node knows. */
  readonly known: Figures | null
  readonly truth: Figures
}

/** Part by part, in the order of their first nodes. */
export function computedValues(
  situation: GlobalState,
  finds: AggregateReport<State>,
): ComputedValue[] {
  const leaders = new Map(situation.leaders.map((node) => [situation.component(node), node]))
  return components(situation).map((part) => {
    const source = leaders.get(situation.component(part[0])) ?? null
    return {
      nodes: part.length,
      source,
      known: source === null ? null : finds.known(situation.state(source)),
      truth: finds.truth(valuesOf(situation, part)),
    }
  })
}

/** All know what is true of the part of the network that they can reach. */
export function allKnowTheResult(finds: AggregateReport<State>): Property {
  return {
    name: 'all know the truth',
    says: 'When the run is quiet every live node knows what is true of all live nodes that it can reach, apart from rounding.',
    when: 'at the end',
    moot: noLiveNode,
    broken(situation) {
      for (const part of awakeComponents(situation)) {
        const values = valuesOf(situation, part)
        const [truth, scale] = [finds.truth(values), finds.scale(values)]
        const ignorant = part.filter((node) => finds.known(situation.state(node)) === null)
        if (ignorant.length > 0) return `${nodeNames(situation, ignorant)} without a result`
        for (const node of part)
          for (const [name, figure] of Object.entries(finds.known(situation.state(node)) ?? {}))
            if (!near(figure, truth[name], scale[name]))
              return `${nodeNames(situation, [node])}: ${name} ${figure}, but it is ${truth[name]}`
      }
      return null
    },
  }
}

/** What is beyond all numbers is near only to itself. */
function near(figure: number, truth: number, scale: number): boolean {
  return Object.is(figure, truth) || Math.abs(figure - truth) <= ROUNDING * scale
}

function valuesOf(situation: GlobalState, nodes: readonly number[]): Float64Array {
  return Float64Array.from(nodes, (node) => situation.state(node).value as number)
}
