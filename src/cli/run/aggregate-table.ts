import { counted, grouped } from '../../core/text-format.ts'
import type { AggregateFindings, ComponentFindings } from '../../scenario/election/election-run.ts'
import { type Colours, columns, figure } from '../terminal/format.ts'

/** More parts of a network than these fill the screen and tell nothing new. */
const SHOWN = 6

/** What nodes have found out, for people: a table for each component. */
export function aggregateTable({ components }: AggregateFindings, paint: Colours): string[] {
  const left = components.length - SHOWN
  return [
    ...components.slice(0, SHOWN).flatMap((component) => tableOf(component, paint)),
    ...(left > 0 ? ['', `  and ${grouped(left)} more, listed with --json`] : []),
  ]
}

function tableOf({ nodes, source, known, truth }: ComponentFindings, paint: Colours): string[] {
  const title = counted(nodes, 'node')
  const from = source === null ? 'no source' : `source id ${source.id} (position ${source.node})`
  const rows = Object.entries(truth).map(([name, value]) => {
    const found = known?.[name]
    const off = found === undefined ? '-' : Number(Math.abs(found - value).toPrecision(2))
    return [name, figure(found ?? null), figure(value), String(off)]
  })
  const [head, ...lines] = columns([[title, 'known', 'truth', 'off by'], ...rows])
  return ['', `  ${paint.bold(head)}  ${paint.dim(from)}`, ...lines.map((line) => `  ${line}`)]
}
