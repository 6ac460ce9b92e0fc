import type { Pen } from '../../../../src/diagram/pen.ts'
import { cross, disc, starShape } from '../../../../src/diagram/shapes.ts'
import { STATUSES } from '../../recording/events.ts'
import type { PageTheme } from '../../view/theme.ts'
import { SHADES } from '../estimates.ts'
import { LEADER_SCALE, paintHalos } from '../nodes.ts'
import type { StageScene } from '../scene.ts'
import { DRAWN_NODES_MAX, lookIn, paintRaster } from './raster.ts'

const DEAD = STATUSES.indexOf('dead')
const LEADER = STATUSES.indexOf('leader')
/** The least radius of leaders and crashed nodes, which stay visible among small nodes. */
const CONSPICUOUS = 11
/** More crashed nodes have no crosses of their own; in a raster their colour says it. */
const MOST_CROSSES = 1000

/** The look of each node by number; reused in every frame. */
let paints = new Uint8Array(0)

/** Paints many small nodes, then those that stand out. */
export function paintDenseNodes(pen: Pen, scene: StageScene, colours: PageTheme): void {
  const { n } = scene.frame.log.world
  if (scene.geometry.grid !== null && n > DRAWN_NODES_MAX) paintRaster(pen, scene, colours)
  else paintDiscs(pen, scene, colours)
  paintConspicuous(pen, scene, colours)
}

/** All nodes of one look at once. */
function paintDiscs(pen: Pen, scene: StageScene, colours: PageTheme): void {
  const { frame, geometry, scale } = scene
  const { n } = frame.log.world
  const { x, y, radius } = geometry
  if (paints.length < n) paints = new Uint8Array(n)
  const look = lookIn(scene)
  for (let node = 0; node < n; node++) paints[node] = look(node)
  const statusFills = [...STATUSES.map((status) => colours[status]), colours.surface]
  const fills = scale === null ? statusFills : SHADES
  const edge = scale === null ? colours.edge : colours.line
  for (const [paint, fill] of fills.entries()) {
    const first = paints.subarray(0, n).indexOf(paint)
    if (first < 0) continue
    // Drawing a sprite is several times faster than filling a circle; files need circles.
    const sprite =
      'drawImage' in pen ? spriteOf(pen as CanvasRenderingContext2D, fill, edge, radius) : null
    for (let node = first; node < n; node++)
      if (paints[node] !== paint) continue
      else if (sprite === null) disc(pen, x[node], y[node], radius, fill, edge)
      else sprite.draw(x[node], y[node])
  }
}

/** Leaders, crashed nodes where they are few, and nodes in focus. */
function paintConspicuous(pen: Pen, scene: StageScene, colours: PageTheme): void {
  const { frame, geometry, attention, moving } = scene
  const { x, y, radius } = geometry
  const { status } = frame
  const leading = Math.max(CONSPICUOUS, LEADER_SCALE * radius)
  let dead = 0
  for (let node = 0; node < status.length; node++)
    if (status[node] === DEAD && ++dead <= MOST_CROSSES)
      cross(pen, x[node], y[node], Math.max(radius, 4), colours.danger)
  for (let node = 0; node < status.length; node++)
    if (status[node] === LEADER)
      starShape(pen, x[node], y[node], leading, colours.leader, colours.ink)
  const { acting, hovered, chosen } = attention
  const focused = [...moving.keys(), ...chosen, ...[acting, hovered].filter((one) => one !== null)]
  for (const node of new Set(focused)) paintHalos(pen, scene, node, colours)
}

/** Cached sprites by their look; colours and sizes change rarely. */
const known = new Map<string, HTMLCanvasElement>()
const MOST_KNOWN = 200

/** A prerendered disc that is drawn in many places, on whole pixels. */
class Sprite {
  private readonly half: number

  constructor(
    private readonly pen: CanvasRenderingContext2D,
    private readonly picture: HTMLCanvasElement,
    private readonly ratio: number,
  ) {
    this.half = picture.width / 2
  }

  draw(x: number, y: number): void {
    const { pen, picture, ratio, half } = this
    const left = Math.round(x * ratio - half) / ratio
    const top = Math.round(y * ratio - half) / ratio
    pen.drawImage(picture, left, top, picture.width / ratio, picture.height / ratio)
  }
}

function spriteOf(
  pen: CanvasRenderingContext2D,
  fill: string,
  edge: string,
  radius: number,
): Sprite {
  const ratio = pen.getTransform().a
  const key = `${fill} ${edge} ${radius} ${ratio}`
  const picture = known.get(key) ?? pictureOf(fill, edge, radius, ratio)
  if (known.size > MOST_KNOWN) known.clear()
  known.set(key, picture)
  return new Sprite(pen, picture, ratio)
}

function pictureOf(fill: string, edge: string, radius: number, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 2 * Math.ceil((radius + 1.5) * ratio)
  const pen = canvas.getContext('2d')!
  const middle = canvas.width / 2
  pen.scale(ratio, ratio)
  disc(pen, middle / ratio, middle / ratio, radius, fill, edge)
  return canvas
}
