import type { RunFacts } from '../recording/run-log.ts'

/** Where nodes are drawn, from -1 to 1: x at 2 * node, y at 2 * node + 1. */
export type Places = Float64Array

const known = new WeakMap<RunFacts, Places>()

/** The same network always lies in the same way. */
export function layout(world: RunFacts): Places {
  const former = known.get(world)
  if (former) return former
  const { places, n } = world
  const found = places ? Float64Array.from(places, (place) => 2 * place - 1) : circle(n)
  known.set(world, found)
  return found
}

function circle(n: number): Places {
  const places = new Float64Array(2 * n)
  for (let node = 0; node < n; node++) {
    const angle = (2 * Math.PI * node) / n - Math.PI / 2
    places[2 * node] = Math.cos(angle)
    places[2 * node + 1] = Math.sin(angle)
  }
  return places
}
