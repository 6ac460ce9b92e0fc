import { grouped } from '../../../src/core/text-format.ts'
import { type Scale, scaleFor } from '../../../src/experiment/figures/scales.ts'
import { FormulaText } from '../formula/formula.tsx'
import './chart.css'

type ChartPoint = readonly [x: number, y: number]

export interface ChartSeries {
  readonly name: string
  /** A colour of the page: `var(--type-0)`. */
  readonly colour: string
  readonly points: readonly ChartPoint[]
  /** line: what is between two points is known; points: it is not. dashed: a proven bound. */
  readonly kind: 'line' | 'points' | 'dashed' | 'steps'
}

interface Props {
  readonly title: string
  readonly series: readonly ChartSeries[]
  readonly x: string
  readonly y: string
  readonly logarithmic?: boolean
  /** A point that the axes reach at least. */
  readonly reach?: ChartPoint
  /** A vertical line, such as the clock. */
  readonly now?: number
}

const [WIDTH, HEIGHT] = [560, 260]
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 14, 12, 40]

/** The height of a line of ticks, and the width of a letter. */
const [LINE, LETTER] = [22, 7]

function widthOf(text: string): number {
  return (text.length + 2) * LETTER
}

/** The place of a value on its axis, from 0 to 1. */
function share({ log, domain: [low, high] }: Scale, value: number): number {
  const at = (one: number) => (log ? Math.log(one) : one)
  return (at(value) - at(low)) / (at(high) - at(low))
}

/** A chart with its axes and a legend. */
export function Chart({ title, series, x, y, logarithmic = false, reach, now }: Props) {
  const points = [...series.flatMap((one) => one.points), ...(reach ? [reach] : [])]
  const all = points.filter(([, value]) => value > 0)
  if (all.length === 0) return null
  const [xs, ys] = [all.map(([one]) => one), all.map(([, one]) => one)]
  const across = scaleFor(xs, logarithmic, { length: WIDTH - LEFT - RIGHT, extent: widthOf })
  const up = scaleFor(ys, logarithmic, { length: HEIGHT - TOP - BOTTOM, extent: () => LINE })
  const left = (value: number) => LEFT + share(across, value) * (WIDTH - LEFT - RIGHT)
  const top = (value: number) => HEIGHT - BOTTOM - share(up, value) * (HEIGHT - TOP - BOTTOM)
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        <Axes across={across} up={up} left={left} top={top} x={x} y={y} />
        {series.map((one) => (
          <Curve key={one.name} {...one} left={left} top={top} />
        ))}
        {now !== undefined && (
          <line class="now" x1={left(now)} x2={left(now)} y1={TOP} y2={HEIGHT - BOTTOM} />
        )}
      </svg>
      <figcaption>
        {series.map(({ name, colour, kind }) => (
          <span key={name}>
            <svg viewBox="0 0 24 8" aria-hidden="true" class={kind} style={{ color: colour }}>
              {kind === 'points' ? <circle cx="12" cy="4" r="4" /> : <path d="M0 4h24" />}
            </svg>
            <FormulaText text={name} />
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

type ToPixels = (value: number) => number

interface AxesProps {
  readonly across: Scale
  readonly up: Scale
  readonly left: ToPixels
  readonly top: ToPixels
  readonly x: string
  readonly y: string
}

function Axes({ across, up, left, top, x, y }: AxesProps) {
  const bottom = HEIGHT - BOTTOM
  return (
    <g class="axes">
      {up.ticks.map((tick) => (
        <g key={tick}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={top(tick)} y2={top(tick)} />
          <text x={LEFT - 6} y={top(tick) + 4} text-anchor="end">
            {up.write(tick)}
          </text>
        </g>
      ))}
      {across.ticks.map((tick) => (
        <text key={tick} x={left(tick)} y={bottom + 16} text-anchor="middle">
          {across.write(tick)}
        </text>
      ))}
      <text x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">
        {x}
      </text>
      <text x={LEFT} y={HEIGHT - 6}>
        {y}, upwards
      </text>
    </g>
  )
}

interface CurveProps extends ChartSeries {
  readonly left: ToPixels
  readonly top: ToPixels
}

function Curve({ name, colour, points, kind, left, top }: CurveProps) {
  const seen = points.filter(([, value]) => value > 0)
  const path = seen
    .map(([at, value], i) => {
      const place = `${left(at).toFixed(1)} ${top(value).toFixed(1)}`
      if (i === 0) return `M${place}`
      return kind === 'steps' ? `H${left(at).toFixed(1)}V${top(value).toFixed(1)}` : `L${place}`
    })
    .join('')
  return (
    <g class={kind} style={{ color: colour }}>
      {kind !== 'points' && <path d={path} />}
      {(kind === 'points' || kind === 'line') &&
        seen.map(([at, value]) => (
          <circle key={at} cx={left(at)} cy={top(value)} r={3.5}>
            <title>{`${name}, ${grouped(at)}: ${grouped(Number(value.toFixed(1)))}`}</title>
          </circle>
        ))}
    </g>
  )
}
