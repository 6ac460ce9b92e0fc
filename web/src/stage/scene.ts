import type { Pen } from '../../../src/diagram/pen.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { paintDenseNodes } from './dense-nodes.ts'
import type { Geometry } from './geometry.ts'
import { Labels } from './labels.ts'
import { paintCuts } from './links.ts'
import { paintMessages } from './messages.ts'
import type { FlyingMessages } from './messages-in-flight.ts'
import { type Attention, NUMBERED, paintNodes, reachOf } from './nodes.ts'

/** What the stage shows: a frame of a run, the time, and the nodes in focus. */
export interface StageScene {
  readonly frame: RunFrame
  readonly geometry: Geometry
  readonly time: number
  readonly attention: Attention
  readonly hoveredFlight: number | null
}

/** Paints nodes and messages over the links, and records where messages are. */
export function paintScene(
  pen: Pen,
  { frame, geometry, time, attention, hoveredFlight }: StageScene,
  colours: PageTheme,
  flying: FlyingMessages,
): void {
  const labels = new Labels(geometry, reachOf(frame, geometry))
  paintCuts(pen, frame, geometry, colours)
  if (geometry.radius < NUMBERED) paintDenseNodes(pen, frame, geometry, colours, attention)
  else paintNodes(pen, frame, geometry, colours, attention, labels)
  paintMessages(pen, frame, geometry, colours, time, hoveredFlight, flying, labels)
}
