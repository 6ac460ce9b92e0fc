import { quoted } from '../text-format.ts'
import { type CollectedLinks, LinkCollector } from './link-collector.ts'
import { refuse } from './parameter.ts'

/** A network in GraphML; coordinates where all nodes have `x` and `y`. */
export interface GraphmlNetwork extends CollectedLinks {
  readonly coordinates: Float64Array | null
}

const WEIGHT = /^(weight|cost|delay|latency|distance|length|capacity)$/i
const TAG = /<(\/?)(key|node|edge|data|hyperedge)\b([^>]*?)(\/?)>([^<]*)/g
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

export function isGraphml(text: string): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!DOCTYPE[^>]*>\s*)*<graphml\b/.test(text)
}

/** The nodes, links, weights and places of a GraphML file; everything else in it is left out. */
export function graphml(text: string, file: string): GraphmlNetwork {
  // Comments become as many lines, so that line numbers stay right.
  const bare = text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
  const collector = new LinkCollector(file)
  const keys = new Map<string, string>()
  const places = new Map<string, { x?: number; y?: number }>()
  let node: string | null = null
  let edge: { near: string; far: string; weight: number | null; line: number } | null = null
  const lineAt = lineCounter(bare)
  for (const { 1: closing, 2: tag, 3: given, 4: empty, 5: content, index } of bare.matchAll(TAG)) {
    const attributes = attributesIn(given)
    const closed = closing === '/' || empty === '/'
    if (tag === 'hyperedge') {
      refuse(`line ${lineAt(index)} of ${file} has a hyperedge.`, 'Write its links one by one.')
    } else if (tag === 'key' && attributes.id !== undefined) {
      keys.set(attributes.id, attributes['attr.name'] ?? attributes.id)
    } else if (tag === 'node') {
      if (closing === '') {
        node = needed(attributes.id, 'node', 'id', lineAt(index), file)
        collector.node(node)
      }
      if (closed) node = null
    } else if (tag === 'edge') {
      if (closing === '') {
        const line = lineAt(index)
        const near = needed(attributes.source, 'edge', 'source', line, file)
        const far = needed(attributes.target, 'edge', 'target', line, file)
        edge = { near, far, weight: null, line }
      }
      if (closed && edge !== null) {
        collector.link(edge.near, edge.far, edge.weight, edge.line)
        edge = null
      }
    } else if (tag === 'data' && closing === '') {
      const name = keys.get(attributes.key ?? '') ?? attributes.key ?? ''
      const value = content.trim()
      if (edge !== null && WEIGHT.test(name)) {
        edge.weight = number(value, lineAt(index), file, (weight) => weight >= 0)
      } else if (node !== null && (name === 'x' || name === 'y')) {
        places.set(node, {
          ...places.get(node),
          [name]: number(value, lineAt(index), file, () => true),
        })
      }
    }
  }
  const links = collector.finish()
  return { ...links, coordinates: coordinatesOf(links, places) }
}

/** Scaled into the unit square; null unless every node has a place. */
function coordinatesOf(
  { n, labels }: CollectedLinks,
  places: ReadonlyMap<string, { x?: number; y?: number }>,
): Float64Array | null {
  const found = Array.from({ length: n }, (_, node) => places.get(labels?.[node] ?? String(node)))
  const xs = found.map((place) => place?.x ?? Number.NaN)
  const ys = found.map((place) => place?.y ?? Number.NaN)
  if ([...xs, ...ys].some(Number.isNaN)) return null
  const least = (list: readonly number[]) => list.reduce((a, b) => Math.min(a, b))
  const most = (list: readonly number[]) => list.reduce((a, b) => Math.max(a, b))
  const span = Math.max(most(xs) - least(xs), most(ys) - least(ys)) || 1
  const [left, top] = [least(xs), least(ys)]
  return Float64Array.from({ length: 2 * n }, (_, i) =>
    i % 2 === 0 ? (xs[i / 2] - left) / span : (ys[(i - 1) / 2] - top) / span,
  )
}

function attributesIn(text: string): Record<string, string> {
  const pairs = text.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return Object.fromEntries(
    Array.from(pairs, ([, name, double, single]) => [name, unescaped(double ?? single)]),
  )
}

function unescaped(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, kind: string | undefined, name: string) => {
    if (kind === undefined) return ENTITIES[name] ?? whole
    return String.fromCodePoint(Number.parseInt(name, kind === '#x' ? 16 : 10) || 0xfffd)
  })
}

function needed(
  value: string | undefined,
  tag: string,
  attribute: string,
  line: number,
  file: string,
): string {
  return (
    value ??
    refuse(
      `line ${line} of ${file}: <${tag}> has no ${attribute}.`,
      `Write <${tag} ${attribute}="...">.`,
    )
  )
}

function number(
  text: string,
  line: number,
  file: string,
  accepts: (value: number) => boolean,
): number {
  const value = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(value) && accepts(value)) return value
  return refuse(`line ${line} of ${file}: ${quoted(text)} is not a number.`, 'Correct the value.')
}

/** Line numbers of ascending indices, in one pass. */
function lineCounter(text: string): (index: number) => number {
  let line = 1
  let seen = 0
  return (index) => {
    for (; seen < index; seen++) if (text.charCodeAt(seen) === 10) line++
    return line
  }
}
