import { disc } from '../../../../src/diagram/shapes.ts'

/** Cached sprites by their look; colours and sizes change rarely. */
const known = new Map<string, HTMLCanvasElement>()
const MOST_KNOWN = 200

/** A prerendered disc that is drawn in many places, on whole pixels. */
export class Sprite {
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

export function spriteOf(
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
