import { quoted } from '../text-format.ts'
import { type CollectedLinks, LinkCollector } from './link-collector.ts'
import { refuse } from './parameter.ts'

/** Where the ends and the weight of a link stand in a row. */
interface TableColumns {
  readonly near: number
  readonly far: number
  /** -1 where there is none. */
  readonly weight: number
}

const UNNAMED: TableColumns = { near: 0, far: 1, weight: 2 }

type Splitter = (line: string) => string[]

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const NEAR = /^(source|from|src|tail|u|node1|node_1|id1|fromnodeid|from_node|start)$/i
const FAR = /^(target|to|dst|dest|destination|head|v|node2|node_2|id2|tonodeid|to_node|end)$/i
const WEIGHT = /^(weight|w|cost|delay|latency|distance|length|capacity)$/i
/** Attributes as NetworkX writes them behind a link: `{}`, `{'weight': 3.5}`. */
const ATTRIBUTES = /[\s,;]*(\{[^{}]*\})\s*$/
const ATTRIBUTE_WEIGHT =
  /['"](?:weight|cost|delay|latency|distance|length|capacity)['"]\s*:\s*['"]?([^,'"}\s]+)/i

/**
 * One link a line, as SNAP, NetworkX and spreadsheets write them: two labels, separated by spaces,
 * tabs, commas or semicolons, and perhaps a weight. `#` and `%` start comments. A first line of
 * names may say which columns to read.
 */
export function linkTable(text: string, file: string): CollectedLinks {
  const collector = new LinkCollector(file)
  const lines = text.split('\n')
  let split: Splitter | null = null
  let columns: TableColumns | null = null
  for (let i = 0; i < lines.length; i++) {
    const line = withoutComment(lines[i])
    if (line === '') continue
    const attributes = ATTRIBUTES.exec(line)
    const links = attributes === null ? line : line.slice(0, attributes.index)
    split ??= splitterFor(links)
    const cells = split(links)
    if (columns === null) {
      columns = columnsOf(cells, nextCells(lines, i + 1, split))
      if (columns !== null) continue
      columns = UNNAMED
    }
    if (columns === UNNAMED && cells.length > 3) refuseRow(cells.length, i + 1, file)
    const [near, far] = [cells[columns.near] ?? '', cells[columns.far] ?? '']
    if (near === '' || far === '') refuseRow(cells.length, i + 1, file)
    const inside = attributes && ATTRIBUTE_WEIGHT.exec(attributes[1])
    const weight = inside?.[1] ?? cells[columns.weight] ?? ''
    collector.link(near, far, weight === '' ? null : weightIn(weight, i + 1, file), i + 1)
  }
  return collector.finish()
}

function withoutComment(line: string): string {
  const bare = line.trim()
  if (bare === '' || bare[0] === '#' || bare[0] === '%') return ''
  return bare.includes('#') ? bare.replace(/\s#.*$/, '').trim() : bare
}

/** The separator of the first line is that of the file. */
function splitterFor(line: string): Splitter {
  const separator = [',', ';', '\t'].find((one) => line.includes(one))
  if (separator === undefined) return (row) => row.split(/\s+/)
  return (row) => cellsOf(row, separator)
}

/** Cells may stand in quotation marks, which are doubled within. */
function cellsOf(row: string, separator: string): string[] {
  if (!row.includes('"')) return row.split(separator).map((cell) => cell.trim())
  const cells: string[] = []
  let cell = ''
  let inside = false
  for (let i = 0; i < row.length; i++) {
    if (row[i] === '"' && inside && row[i + 1] === '"') cell += row[++i]
    else if (row[i] === '"') inside = !inside
    else if (row[i] === separator && !inside) {
      cells.push(cell.trim())
      cell = ''
    } else cell += row[i]
  }
  return [...cells, cell.trim()]
}

function nextCells(lines: readonly string[], from: number, split: Splitter): string[] | null {
  for (let i = from; i < lines.length; i++) {
    const line = withoutComment(lines[i])
    if (line !== '') return split(line.replace(ATTRIBUTES, ''))
  }
  return null
}

/** The columns that a first line names; null if it is a link already. */
function columnsOf(cells: readonly string[], next: readonly string[] | null): TableColumns | null {
  const near = cells.findIndex((cell) => NEAR.test(cell))
  const far = cells.findIndex((cell) => FAR.test(cell))
  const weight = cells.findIndex((cell) => WEIGHT.test(cell))
  if (near >= 0 && far >= 0) return { near, far, weight }
  // Words above numbers are names too, of whatever kind.
  const words = cells.length > 1 && cells.every((cell) => !NUMBER.test(cell))
  const numbers =
    (next?.slice(0, 2).every((cell) => NUMBER.test(cell)) ?? false) ||
    (weight > 1 && NUMBER.test(next?.[weight] ?? ''))
  return words && numbers ? { near: 0, far: 1, weight: cells.length === 3 ? 2 : weight } : null
}

function weightIn(text: string, line: number, file: string): number {
  const weight = NUMBER.test(text) ? Number(text) : Number.NaN
  if (weight >= 0 && Number.isFinite(weight)) return weight
  return refuse(
    `line ${line} of ${file}: the weight ${quoted(text)} is not a number from 0 on.`,
    'Write two nodes and, if links have weights, a number.',
  )
}

function refuseRow(cells: number, line: number, file: string): never {
  return refuse(
    `line ${line} of ${file} has ${cells === 1 ? 'one column' : `${cells} columns`}; a link is two nodes and perhaps a weight.`,
    'Write for example 0 1 or 0,1,2.5, or name the columns in the first line: source,target,weight.',
  )
}
