import type { Pen } from '../../../../src/diagram/pen.ts'
import { STATUSES } from '../../recording/events.ts'
import type { PageTheme } from '../../view/theme.ts'
import { SHADES, shadeOf } from '../estimates.ts'
import type { Geometry } from '../geometry.ts'
import { mixed } from '../ideas/groups.ts'
import { flightPicture } from '../motion.ts'
import { columnOf } from '../places.ts'
import type { StageScene } from '../scene.ts'

/** More nodes than this are pixels of a picture, which is drawn as a whole. */
export const DRAWN_NODES_MAX = 4000
/** Half of the width of a message, in pixels. */
const DOT = 1
/** How much of its colour a node has. */
const PALENESS = 0.45
const DEAD = STATUSES.indexOf('dead')
const LEADER = STATUSES.indexOf('leader')

/** A picture in memory whose pixels are set one by one, reused in every frame. */
class PixelBuffer {
  private readonly canvas = document.createElement('canvas')
  private readonly pen = this.canvas.getContext('2d')!
  private data = this.pen.createImageData(1, 1)
  pixels = new Uint32Array(this.data.data.buffer)
  width = 1
  height = 1

  /** An empty picture of this size. */
  reset(width: number, height: number): void {
    if (width === this.width && height === this.height) {
      this.pixels.fill(0)
      return
    }
    this.width = this.canvas.width = width
    this.height = this.canvas.height = height
    this.data = this.pen.createImageData(width, height)
    this.pixels = new Uint32Array(this.data.data.buffer)
  }

  /** Draws the picture enlarged to a size, without smoothing. */
  draw(on: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
    this.pen.putImageData(this.data, 0, 0)
    on.imageSmoothingEnabled = false
    on.drawImage(this.canvas, x, y, width, height)
    on.imageSmoothingEnabled = true
  }
}

let nodes: PixelBuffer | null = null
let messages: PixelBuffer | null = null

/** A colour such as rgb(1, 2, 3) as a pixel. */
function pixelOf(colour: string): number {
  const [red, green, blue] = (colour.match(/\d+/g) ?? [0, 0, 0]).map(Number)
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/** All nodes as one picture with a pixel for each, in the order of the grid. */
export function paintRaster(pen: Pen, scene: StageScene, colours: PageTheme): void {
  const { frame, geometry, scale } = scene
  const { n } = frame.log.world
  const grid = geometry.grid!
  const { columns, rows, cell, left, top } = grid
  const fills = scale === null ? statusFills(colours) : SHADES
  const look = lookIn(scene)
  if (!('drawImage' in pen)) {
    paintCells(pen, n, geometry, fills, look)
    return
  }
  nodes ??= new PixelBuffer()
  nodes.reset(columns, rows)
  const pixels = fills.map(pixelOf)
  for (let node = 0; node < n; node++)
    nodes.pixels[Math.floor(node / columns) * columns + columnOf(node, grid)] = pixels[look(node)]
  const context = pen as CanvasRenderingContext2D
  nodes.draw(context, left, top, columns * cell, rows * cell)
}

/** Pale colours, on which messages can be seen; the last is for nodes that are passive. */
function statusFills(colours: PageTheme): string[] {
  const pale = STATUSES.map((status) => mixed(colours[status], colours.surface, PALENESS))
  pale[DEAD] = colours.danger
  pale[LEADER] = colours.leader
  return [...pale, mixed(colours.unknown, colours.surface, PALENESS / 3)]
}

/** The same for files: one path for each colour. */
function paintCells(
  pen: Pen,
  n: number,
  { x, y, grid }: Geometry,
  fills: readonly string[],
  look: (node: number) => number,
): void {
  const { cell } = grid!
  for (const [number, fill] of fills.entries()) {
    pen.fillStyle = fill
    pen.beginPath()
    for (let node = 0; node < n; node++)
      if (look(node) === number) pen.rect(x[node] - cell / 2, y[node] - cell / 2, cell, cell)
    pen.fill()
  }
}

/** Very many messages as pixels of one picture. */
export function paintMessagePixels(
  pen: CanvasRenderingContext2D,
  { frame: { log, open }, geometry: { x, y, width, height }, time }: StageScene,
  colours: PageTheme,
): void {
  messages ??= new PixelBuffer()
  messages.reset(Math.ceil(width), Math.ceil(height))
  const { pixels, width: wide, height: high } = messages
  const inks = colours.types.map(pixelOf)
  for (const flight of open) {
    const sending = log.sending.at(flight)
    const [from, to] = [log.node.at(sending), log.peer.at(sending)]
    const { share } = flightPicture(log, flight, time)
    const left = Math.round(x[from] + (x[to] - x[from]) * share)
    const top = Math.round(y[from] + (y[to] - y[from]) * share)
    if (left < DOT || top < DOT || left >= wide - DOT || top >= high - DOT) continue
    const ink = inks[log.type.at(sending) % inks.length]
    for (let row = top - DOT; row < top + DOT; row++)
      pixels.fill(ink, row * wide + left - DOT, row * wide + left + DOT)
  }
  messages.draw(pen, 0, 0, messages.width, messages.height)
}

const UNKNOWN = STATUSES.indexOf('unknown')
/** After all statuses: an undecided node that does not compete any more. */
const PASSIVE_LOOK = STATUSES.length

/** The look of each node by number: its status or PASSIVE_LOOK, or the shade of its estimate. */
export function lookIn({ frame, scale }: StageScene): (node: number) => number {
  const { status, estimate, log } = frame
  if (scale !== null) return (node) => shadeOf(estimate[node], scale)
  if (!log.world.display?.passive) return (node) => status[node]
  return (node) =>
    status[node] === UNKNOWN && frame.display(node)?.passive ? PASSIVE_LOOK : status[node]
}
