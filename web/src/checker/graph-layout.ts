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
const LARGEST = 9
const SMALLEST = 2.5
const BETWEEN_LAYERS = 34
const LEAST_BETWEEN = 18
/** Rounds of ordering; more change little. */
const SWEEPS = 6

/**
 * Places states in layers by their depth, the first on top. Within a layer a state is placed near
 * the mean of its neighbours in the layers beside it, so that few edges cross.
 */
export function layeredGraph(
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
  const radius = Math.min(LARGEST, Math.max(SMALLEST, gap * 0.34))
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
