import { useComputed, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Player } from '../model/player.ts'
import type { Run } from '../model/run.ts'
import { layout } from './layout.ts'
import { paint } from './painter.ts'

/** The network of a run, with what is in flight at the player's time. */
export function Stage({ run, player }: { readonly run: Run; readonly player: Player }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const places = useComputed(() => (run.log.value === null ? null : layout(run.log.value.world)))
  useSignalEffect(() => {
    run.known.value
    const { time, step } = player
    const frame = run.frame(step.value)
    const at = time.value
    const element = canvas.current
    if (frame === null || places.value === null || element === null) return
    const { clientWidth: width, clientHeight: height } = element
    const ratio = devicePixelRatio
    if (element.width !== width * ratio || element.height !== height * ratio) {
      element.width = width * ratio
      element.height = height * ratio
    }
    const context = element.getContext('2d')!
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    paint({ context, width, height }, frame, places.value, at)
  })
  return <canvas class="stage" ref={canvas} aria-label="The network" />
}
