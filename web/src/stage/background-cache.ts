import type { RunFacts } from '../recording/run-log.ts'
import type { PageTheme } from '../view/theme.ts'
import type { Geometry } from './geometry.ts'
import { paintLinks } from './links.ts'

/** The links of a network as a picture: they are the same in every frame, and may be many. */
export class BackgroundCache {
  private readonly canvas = document.createElement('canvas')
  private painted: readonly unknown[] = []

  lay(pen: CanvasRenderingContext2D, world: RunFacts, geometry: Geometry, theme: PageTheme): void {
    // Links that come and go are no ground.
    if (world.walk !== undefined) return
    const { canvas } = this
    const { width, height } = pen.canvas
    const wanted = [world, geometry, theme, width, height]
    if (wanted.some((it, i) => it !== this.painted[i])) {
      this.painted = wanted
      canvas.width = width
      canvas.height = height
      const own = canvas.getContext('2d')!
      own.setTransform(pen.getTransform())
      paintLinks(own, world, geometry, theme)
    }
    pen.drawImage(canvas, 0, 0, geometry.width, geometry.height)
  }
}
