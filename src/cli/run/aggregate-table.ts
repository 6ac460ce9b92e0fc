import type { Figures, State } from '../../core/index.ts'
import { idOf, type World } from '../../core/language/world.ts'
import { type ComputedValue, findingsIn } from '../../problems/findings.ts'
import type { Simulation } from '../../sim/index.ts'
import { type Colours, columns, figure, grouped } from '../terminal/format.ts'

/** More parts of a network than these fill the screen and tell nothing new. */
const SHOWN = 6

/** What nodes have found out about the values of all, beside what is true. */
export interface AggregateRow {
  /** Of all live nodes, whether they can reach each other or not. */
  readonly truth: Figures
  /** What the one leader knows; null if there is none or there are several. */
  readonly known: Figures | null
  /** One for each part of the network whose live nodes can reach each other. */
  readonly components: readonly Component[]
}

interface Component extends Omit<ComputedValue, 'source'> {
  readonly source: { readonly node: number; readonly id: number } | null
}

/** The part of a report that only runs have whose nodes find something out. */
export function aggregateRowsOf({ world, referee, states }: Simulation): AggregateRow | null {
  const { finds } = world.algorithm
  if (finds === null) return null
  const all = states.all()
  const alive = (_: State, node: number) => referee.alive(node)
  const values = all.filter(alive).map(({ value }) => value as number)
  const components = findingsIn(referee, finds).map((finding) => named(finding, all, world))
  const [only] = components.filter(({ source }) => source !== null)
  return {
    truth: finds.truth(Float64Array.from(values)),
    known: referee.leaders.length === 1 ? (only?.known ?? null) : null,
    components,
  }
}

function named(
  { source, ...rest }: ComputedValue,
  states: readonly State[],
  world: World,
): Component {
  const { nodes, known, truth } = rest
  const of = source === null ? null : { node: source, id: idOf(world, states[source].id ?? 0) }
  return { nodes, source: of, known, truth }
}

/** The same for people: a table for each component. */
export function aggregateTable({ components }: AggregateRow, paint: Colours): string[] {
  const left = components.length - SHOWN
  return [
    ...components.slice(0, SHOWN).flatMap((component) => tableOf(component, paint)),
    ...(left > 0 ? ['', `  and ${grouped(left)} more, listed with --json`] : []),
  ]
}

function tableOf({ nodes, source, known, truth }: Component, paint: Colours): string[] {
  const title = `${grouped(nodes)} node${nodes === 1 ? '' : 's'}`
  const from = source === null ? 'no source' : `source id ${source.id} (position ${source.node})`
  const rows = Object.entries(truth).map(([name, value]) => {
    const found = known?.[name]
    const off = found === undefined ? '-' : Number(Math.abs(found - value).toPrecision(2))
    return [name, figure(found ?? null), figure(value), String(off)]
  })
  const [head, ...lines] = columns([[title, 'known', 'truth', 'off by'], ...rows])
  return ['', `  ${paint.bold(head)}  ${paint.dim(from)}`, ...lines.map((line) => `  ${line}`)]
}
