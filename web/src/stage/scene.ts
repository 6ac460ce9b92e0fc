import type { Frame } from '../engine/frame.ts'
import type { Theme } from '../view/theme.ts'
import { type Geometry, geometryOf } from './geometry.ts'
import type { Places } from './layout.ts'
import { paintLinks } from './links.ts'
import { type Flying, paintMessages } from './messages.ts'
import { type Attention, paintNodes } from './nodes.ts'
import type { Pen } from './pen.ts'

/** What of a run is shown: how it stands, when, and what is looked at. */
export interface Scene {
  readonly frame: Frame
  readonly time: number
  readonly places: Places
  readonly attention: Attention
  readonly hoveredFlight: number | null
}

/** Where the painted things are, for whoever points at them. */
export interface Painted {
  readonly geometry: Geometry
  readonly flying: readonly Flying[]
}

/** Paints the network with all that is in flight. */
export function paintScene(
  pen: Pen,
  { frame, time, places, attention, hoveredFlight }: Scene,
  width: number,
  height: number,
  colours: Theme,
): Painted {
  const geometry = geometryOf(frame.log.world, places, width, height)
  paintLinks(pen, frame, geometry, colours)
  paintNodes(pen, frame, geometry, colours, attention)
  const flying = paintMessages(pen, frame, geometry, colours, time, hoveredFlight)
  return { geometry, flying }
}
