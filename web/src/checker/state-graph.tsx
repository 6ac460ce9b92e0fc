import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { TransitionJson } from '../../../src/check/index.ts'
import { counted } from '../../../src/core/text-format.ts'
import { valueText } from '../../../src/core/trace/event-words.ts'
import type { RunFacts } from '../recording/run-log.ts'
import { labelOf, transitionWords } from './transition-words.ts'
import { follow, graph, graphAsked, here, MOST_DRAWN, seen, taken, walk } from './walk.ts'

/** A state as it is drawn. */
interface PaintedState {
  readonly key: string
  readonly depth: number
  readonly states: readonly Readonly<Record<string, unknown>>[]
  readonly leaders: readonly number[]
  readonly ends: boolean
  readonly violated: string | null
  readonly path: readonly TransitionJson[]
}

interface PaintedGraph {
  readonly states: readonly PaintedState[]
  readonly edges: readonly { readonly from: number; readonly to: number }[]
}

/** All states of a small world in layers, or those that the walk has seen. */
export function StateGraph() {
  const { value } = walk
  const whole = graph.value
  const visited = seen.value
  const painted = useMemo(
    () => (whole === null ? visitedGraph() : wholeGraph(whole)),
    [whole, whole === null ? visited : null],
  )
  if (value === null) return null
  return (
    <section class="state-graph" aria-label="States">
      <h3>States</h3>
      <p class="note">
        {whole !== null
          ? `All ${counted(whole.states.length, 'state')}, the first on top. Click one to go there.`
          : graphAsked.value
            ? `There are more than ${MOST_DRAWN} states: these are the ones that you have visited.`
            : 'The states are being counted.'}
      </p>
      <Picture painted={painted} world={value.world} />
      <p class="graph-legend note">
        <Key kind="leads" /> a leader <Key kind="ends" /> the run may end <Key kind="violates" /> a
        property is violated <Key kind="current" /> here
      </p>
    </section>
  )
}

function Key({ kind }: { readonly kind: string }) {
  return (
    <svg viewBox="-8 -8 16 16" aria-hidden="true">
      <circle r="5" class={`state ${kind}`} />
      {kind === 'current' && <circle r="7" class="ring" />}
    </svg>
  )
}

function wholeGraph({ states, edges }: NonNullable<typeof graph.value>): PaintedGraph {
  const paths: TransitionJson[][] = [[]]
  for (const { from, to, transition } of edges) paths[to] ??= [...paths[from], transition]
  return { states: states.map((state, i) => ({ ...state, path: paths[i] })), edges }
}

/** The tree of visited states: each below the one from which it was first reached. */
function visitedGraph(): PaintedGraph {
  const list = [...seen.value.values()]
  const byPath = new Map(list.map(({ path }, i) => [JSON.stringify(path), i]))
  const edges = list.flatMap(({ path }, to) => {
    const from = byPath.get(JSON.stringify(path.slice(0, -1)))
    return path.length === 0 || from === undefined ? [] : [{ from, to }]
  })
  return {
    states: list.map(({ key, path, walked }) => ({
      key,
      path,
      depth: path.length,
      states: walked.snapshots.at(-1)?.states ?? [],
      leaders: walked.leaders,
      ends: walked.ends,
      violated: walked.violated?.property ?? null,
    })),
    edges,
  }
}

function Picture({ painted, world }: { readonly painted: PaintedGraph; readonly world: RunFacts }) {
  const pointed = useSignal<number | null>(null)
  const { states, edges } = painted
  const { points, width, height, radius } = useMemo(
    () =>
      layeredGraph(
        states.map(({ depth }) => depth),
        edges,
      ),
    [painted],
  )
  const current = here.value?.key
  const onPath = pathKeys()
  const { value: over } = pointed
  const at = states.findIndex(({ key }) => key === current)
  return (
    <div class="graph-picture">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={described(painted, at, world)}
        onPointerMove={(event) => {
          pointed.value = nearest(event, points)
        }}
        onPointerLeave={() => {
          pointed.value = null
        }}
        onPointerUp={(event) => {
          const state = nearest(event, points)
          if (state !== null) void follow(states[state].path)
        }}
      >
        {edges.map(({ from, to }, i) => (
          <path
            key={i}
            d={edgePath(points[from], points[to], radius)}
            class={onPath.has(`${states[from].key}>${states[to].key}`) ? 'edge taken' : 'edge'}
          />
        ))}
        {states.map((state, i) => (
          <circle
            key={state.key}
            cx={points[i].x}
            cy={points[i].y}
            r={i === over ? radius + 2 : radius}
            class={`state ${kindOf(state)}`}
          />
        ))}
        {at >= 0 && <circle cx={points[at].x} cy={points[at].y} r={radius + 3} class="ring" />}
      </svg>
      {over !== null && states[over] !== undefined && (
        <StateCard state={states[over]} world={world} />
      )}
    </div>
  )
}

function kindOf({ violated, ends, leaders }: PaintedState): string {
  const leads = leaders.length > 0 ? ' leads' : ''
  return `${violated !== null ? 'violates' : ''}${ends ? ' ends' : ''}${leads}`
}

/** The graph in words; the list of what can happen next goes through it by keyboard. */
function described({ states }: PaintedGraph, at: number, world: RunFacts): string {
  const broken = states.filter(({ violated }) => violated !== null).length
  const leaders = states[at]?.leaders.map((node) => labelOf(world, node)) ?? []
  const leading = leaders.length === 0 ? 'nobody leads' : `${leaders.join(' and ')} lead`
  const size = `Graph of ${counted(states.length, 'state')}`
  return `${size}, ${broken} of them violate a property; here ${leading}`
}

/** How far from a state the pointer may be, in units of the picture. */
const REACH = 14

/** The state nearest to the pointer. */
function nearest(event: PointerEvent, points: readonly GraphPoint[]): number | null {
  const matrix = (event.currentTarget as SVGSVGElement).getScreenCTM()
  if (matrix === null) return null
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse())
  const far = points.map((point) => Math.hypot(point.x - x, point.y - y))
  const least = Math.min(...far)
  return least <= REACH ? far.indexOf(least) : null
}

/** Edges between layers are straight; those within one, or back, are bent. */
function edgePath(from: GraphPoint, to: GraphPoint, radius: number): string {
  if (from === to)
    return `M${from.x} ${from.y}q${3 * radius} ${-3 * radius} ${3 * radius} 0t${-3 * radius} 0`
  if (to.y > from.y) return `M${from.x} ${from.y}L${to.x} ${to.y}`
  const bend = Math.max(20, Math.abs(from.y - to.y) / 2)
  return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x + bend} ${to.y} ${to.x} ${to.y}`
}

/** The edges of the path that was taken, by the keys of their states. */
function pathKeys(): ReadonlySet<string> {
  const path = taken.value
  const whole = graph.value
  const keys = new Set<string>()
  if (whole === null) return keys
  let state = 0
  for (const transition of path) {
    const text = JSON.stringify(transition)
    const edge = whole.edges.find(
      (one) => one.from === state && JSON.stringify(one.transition) === text,
    )
    if (edge === undefined) break
    keys.add(`${whole.states[edge.from].key}>${whole.states[edge.to].key}`)
    state = edge.to
  }
  return keys
}

/** The states of the nodes, and what led there. */
function StateCard({ state, world }: { readonly state: PaintedState; readonly world: RunFacts }) {
  const last = state.path.at(-1)
  return (
    <div class="state-card">
      <p>
        <strong>After {counted(state.depth, 'event')}</strong>
        {last !== undefined && `: ${transitionWords(last, world)}`}
      </p>
      {state.violated !== null && <p class="broken">Violated: {state.violated}</p>}
      {state.states.length > 0 && (
        <table>
          <tbody>
            {state.states.map((own, node) => (
              <tr key={node}>
                <th scope="row">{labelOf(world, node)}</th>
                <td>{stateText(own)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function stateText(state: Readonly<Record<string, unknown>>): string {
  const { status, id: _, ...fields } = state
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name} ${valueText(value)}`)
  return [status, ...rest].join(', ')
}

/** A point of a drawn graph, by number. */
export interface GraphPoint {
  readonly x: number
  readonly y: number
}

/** A picture of a graph in layers. */
export interface LayeredGraph {
  readonly points: readonly GraphPoint[]
  readonly width: number
  readonly height: number
  readonly radius: number
}

const WIDTH = 360
const RADIUS_MAX = 9
const RADIUS_MIN = 2.5
const BETWEEN_LAYERS = 34
const LEAST_BETWEEN = 18
/** Rounds of ordering; more change little. */
const SWEEPS = 6

/**
 * Places states in layers by their depth, the first on top. Within a layer a state is placed near
 * the mean of its neighbours in the layers beside it, so that few edges cross.
 */
function layeredGraph(
  depths: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): LayeredGraph {
  const layers: number[][] = []
  for (const [state, depth] of depths.entries()) {
    layers[depth] ??= []
    layers[depth].push(state)
  }
  const order = orderedLayers(layers, depths, edges)
  const widest = Math.max(1, ...order.map((layer) => layer.length))
  const gap = WIDTH / widest
  const radius = Math.min(RADIUS_MAX, Math.max(RADIUS_MIN, gap * 0.34))
  const between = Math.max(LEAST_BETWEEN, Math.min(BETWEEN_LAYERS, radius * 4))
  const points = new Array<GraphPoint>(depths.length)
  for (const [depth, layer] of order.entries())
    for (const [place, state] of layer.entries()) {
      const step = Math.min(gap, 6 * radius + 10)
      const x = WIDTH / 2 + (place - (layer.length - 1) / 2) * step
      points[state] = { x, y: depth * between + 2 * radius }
    }
  return { points, width: WIDTH, height: (order.length - 1) * between + 4 * radius, radius }
}

function orderedLayers(
  layers: readonly (readonly number[])[],
  depths: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): number[][] {
  const above = depths.map((): number[] => [])
  const below = depths.map((): number[] => [])
  for (const { from, to } of edges)
    if (depths[to] === depths[from] + 1) {
      above[to].push(from)
      below[from].push(to)
    }
  const order = layers.map((layer) => [...layer])
  const place = new Array<number>(depths.length).fill(0)
  const count = (layer: readonly number[]) => {
    for (const [i, state] of layer.entries()) place[state] = (i + 0.5) / layer.length
  }
  for (const layer of order) count(layer)
  const mean = (states: readonly number[], otherwise: number) =>
    states.length === 0
      ? otherwise
      : states.reduce((sum, state) => sum + place[state], 0) / states.length
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0
    for (const layer of down ? order : order.toReversed()) {
      const wish = new Map(
        layer.map((state) => [state, mean((down ? above : below)[state], place[state])]),
      )
      layer.sort((a, b) => wish.get(a)! - wish.get(b)!)
      count(layer)
    }
  }
  return order
}
