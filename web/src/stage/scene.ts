import { grouped } from '../../../src/core/text-format.ts'
import type { Pen } from '../../../src/diagram/pen.ts'
import type { RunFrame } from '../recording/frame.ts'
import type { PageTheme } from '../view/theme.ts'
import { paintDenseNodes } from './dense/dense-nodes.ts'
import { paintHistogram } from './dense/histogram.ts'
import type { EstimateScale } from './estimates.ts'
import type { Geometry } from './geometry.ts'
import { paintGroups } from './ideas/groups.ts'
import {
  paintPointers,
  paintRoles,
  paintThinRoles,
  paintWeights,
  rolesOf,
} from './ideas/link-ideas.ts'
import { Labels } from './labels.ts'
import { paintCuts, paintLinks } from './links.ts'
import { type FlyingMessages, paintMeetings, paintMessages } from './messages.ts'
import { FATEFUL, type NodeMotion, nodeMotions, type RecentEvent, recentEvents } from './motion.ts'
import { type Attention, NUMBER_RADIUS_MIN, nodeExtent, paintNodes } from './nodes.ts'

/** The largest networks with areas, pointers and weights, and with the roles of links. */
export const MOST_DISPLAYED = 300
const MOST_WITH_ROLES = 2000
/** Half of the width and of the height of the note below a stage. */
const [NOTE_WIDTH, NOTE_HEIGHT] = [130, 7]

/** What is shown of a run: a frame, the time, what is in focus. */
export interface SceneInput {
  readonly frame: RunFrame
  readonly geometry: Geometry
  readonly time: number
  /**
   * The time of motions, such as that of a message into its receiver: the clock while it runs, or
   * infinity for a picture at rest.
   */
  readonly motion: number
  readonly attention: Attention
  /** The colours of estimates; null for elections. */
  readonly scale: EstimateScale | null
  /** Whether nodes with ids show their positions too. */
  readonly positions: boolean
  /** The height below the nodes for a histogram of estimates, or 0. */
  readonly strip: number
}

/** The same with what has happened a short time ago. */
export interface StageScene extends SceneInput {
  readonly recent: readonly RecentEvent[]
  readonly moving: ReadonlyMap<number, NodeMotion>
}

/**
 * Paints links, nodes and messages, and records where messages are. Where no link has a role, the
 * background has the links.
 */
export function paintScene(
  pen: Pen,
  input: SceneInput,
  colours: PageTheme,
  flying: FlyingMessages,
  paintBackground: () => void,
): void {
  const { frame, geometry, time, motion } = input
  const { log } = frame
  const dense = geometry.radius < NUMBER_RADIUS_MIN
  const { messageTypes, unit } = log.world
  const recent =
    messageTypes === 0 && unit !== 'interaction'
      ? []
      : recentEvents(log, frame.step, time, dense ? FATEFUL : null)
  const scene = { ...input, recent, moving: nodeMotions(log, recent, motion) }
  const labels = new Labels(geometry, nodeExtent(frame, geometry))
  const { height, scale } = geometry
  // The note has its place before its words are known.
  const [wide, high] = [NOTE_WIDTH * scale, NOTE_HEIGHT * scale]
  labels.reserve(wide, height - high, wide, high)
  const displayed = log.world.n <= MOST_DISPLAYED
  if (displayed) paintGroups(pen, frame, geometry, colours)
  const roles = displayed && log.world.display?.edges ? rolesOf(frame) : null
  if (roles === null) paintBackground()
  else paintLinks(pen, log.world, geometry, colours, roles)
  paintCuts(pen, frame, geometry, colours)
  if (!displayed && log.world.n <= MOST_WITH_ROLES) paintThinRoles(pen, frame, geometry, colours)
  if (displayed) {
    if (roles !== null) paintRoles(pen, roles.values(), geometry, colours)
    paintPointers(pen, frame, geometry, colours)
    paintWeights(pen, frame, geometry, colours, labels)
  }
  if (unit === 'interaction') paintMeetings(pen, scene, colours)
  if (dense) paintDenseNodes(pen, scene, colours)
  else paintNodes(pen, scene, colours, labels)
  paintMessages(pen, scene, colours, flying, labels)
  if (input.strip > 0 && input.scale !== null)
    paintHistogram(pen, frame, input.scale, [geometry.width, geometry.height], colours)
  note(pen, noteFor(scene, labels.leftOut), geometry, colours)
}

/** Says what cannot be seen: labels without room, and in which order many nodes stand. */
function noteFor({ frame, geometry }: StageScene, leftOut: number): string {
  const { n } = frame.log.world
  if (geometry.grid !== null) return `${grouped(n)} nodes by position, row by row, to and fro`
  const labels = leftOut === 1 ? 'label' : 'labels'
  return leftOut === 0 ? '' : `${leftOut} ${labels} left out: point at a message to read it`
}

function note(pen: Pen, text: string, { height, scale }: Geometry, colours: PageTheme): void {
  if (text === '') return
  pen.font = `${11 * scale}px system-ui`
  pen.textAlign = 'left'
  pen.textBaseline = 'alphabetic'
  pen.fillStyle = colours.soft
  pen.fillText(text, 8, height - 4)
}
