import { useSignal, useSignalEffect } from '@preact/signals'
import type { CanvasHTMLAttributes } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props extends Omit<CanvasHTMLAttributes<HTMLCanvasElement>, 'ref'> {
  /** Called again whenever a signal that it reads changes, or the size of the canvas. */
  readonly draw: (pen: CanvasRenderingContext2D, width: number, height: number) => void
}

/** A canvas in device pixels that fills its element and follows signals. */
export function Canvas({ draw, ...rest }: Props) {
  const element = useRef<HTMLCanvasElement>(null)
  const size = useSignal({ width: 0, height: 0 })
  const latest = useRef(draw)
  latest.current = draw
  useEffect(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      size.value = { width: contentRect.width, height: contentRect.height }
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [size])
  useSignalEffect(() => {
    const { width, height } = size.value
    const canvas = element.current
    if (canvas === null || width === 0 || height === 0) return
    const ratio = devicePixelRatio
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.width !== wide) canvas.width = wide
    if (canvas.height !== high) canvas.height = high
    const pen = canvas.getContext('2d')!
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.clearRect(0, 0, width, height)
    latest.current(pen, width, height)
  })
  return <canvas {...rest} ref={element} />
}
