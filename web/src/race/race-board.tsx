import { useComputed, useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { counted, grouped, momentText } from '../../../src/core/text-format.ts'
import { Chart, type ChartSeries } from '../chart/chart.tsx'
import { Diagram } from '../diagram/diagram.tsx'
import { controlsOf } from '../model/clock.ts'
import { compared, player, run } from '../model/lab.ts'
import type { ShownRun } from '../model/run.ts'
import { nameOf } from './side-by-side.tsx'
import './race.css'
import { numberOf } from '../recording/events.ts'
import type { RunLog } from '../recording/run-log.ts'

/** The runs of a race in numbers: messages over time, costs, leaders and verdicts. */
export function RaceBoard() {
  const runs = useComputed(() => [run.value, ...compared.value])
  const diagram = useSignal<ShownRun | null>(null)
  return (
    <section class="race" aria-label="Race">
      <div class="tools">
        <button
          type="button"
          aria-pressed={diagram.value === null}
          onClick={() => {
            diagram.value = null
          }}
        >
          Messages over time
        </button>
        {runs.value.map((one) => (
          <button
            type="button"
            key={one.serial}
            aria-pressed={diagram.value === one}
            onClick={() => {
              diagram.value = one
            }}
          >
            Diagram: {nameOf(one)}
          </button>
        ))}
      </div>
      {diagram.value !== null && runs.value.includes(diagram.value) ? (
        <RivalDiagram key={diagram.value.serial} run={diagram.value} />
      ) : (
        <div class="race-body">
          <Curves runs={runs.value} />
          <Standings runs={runs.value} />
        </div>
      )}
    </section>
  )
}

function RivalDiagram({ run: one }: { readonly run: ShownRun }) {
  const controls = useMemo(() => controlsOf(one, player), [one])
  return <Diagram run={one} player={controls} />
}

/** Messages so far, run by run, up to the clock. */
function Curves({ runs }: { readonly runs: readonly ShownRun[] }) {
  for (const { known } of runs) known.value
  const logs = runs.map(({ log }) => log.value)
  const sizes = logs.map((log) => log?.at.length ?? 0).join()
  const curves = useMemo(() => logs.map((log) => log && messageCurve(log)), [sizes, runs])
  const now = player.time.value
  const last = Math.max(...logs.map((log) => (log === null ? 0 : log.timeOf(log.steps - 1))))
  const series = curves.flatMap((curve, i): ChartSeries[] => {
    if (curve === null) return []
    const points = curve.times.map((time, at) => [time, curve.totals[at]] as const)
    const past = points.filter(([time]) => time <= now)
    const here = [now, valueAt(curve, now)] as const
    const colour = `var(--type-${i % 8})`
    const kind = 'steps' as const
    return [{ name: nameOf(runs[i]), colour, points: [...past, here], kind }]
  })
  // The whole range is there from the beginning, so that the curves do not shrink as they grow.
  const most = Math.max(1, ...curves.map((curve) => curve?.totals.at(-1) ?? 0))
  return (
    <Chart
      title="Messages sent so far, over time"
      series={series}
      reach={[last, most]}
      x="time"
      y="messages"
      now={now}
    />
  )
}

function Standings({ runs }: { readonly runs: readonly ShownRun[] }) {
  return (
    <table class="standings">
      <caption class="unseen">The runs in numbers</caption>
      <thead>
        <tr>
          {['', 'messages', 'bits', 'elected at', 'leader', 'what must hold'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((one, i) => (
          <tr key={one.serial}>
            <th scope="row" style={{ borderColor: `var(--type-${i % 8})` }}>
              {nameOf(one)}
            </th>
            <Cells run={one} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The numbers of a run at the end, which the clock may not have reached yet. */
function Cells({ run: one }: { readonly run: ShownRun }) {
  const refusal = one.refusal.value
  const result = one.result.value
  const log = one.log.value
  if (refusal !== null) return <td colSpan={5}>cannot run here: {refusal.message}</td>
  if (result === null || log === null) return <td colSpan={5}>is being simulated</td>
  if (player.time.value < log.timeOf(log.steps - 1)) {
    const frame = one.frame(log.stepsUntil(player.time.value))
    return <td colSpan={5}>{counted(frame?.messages ?? 0, 'message')} so far</td>
  }
  const { messages, bits, time, leader, verdict } = result
  const broken = verdict.properties.filter(({ holds }) => holds === false)
  return (
    <>
      <td>{grouped(messages.total)}</td>
      <td>{grouped(bits)}</td>
      <td>{time.elected === null ? 'never' : momentText(time.elected)}</td>
      <td>{leader === null ? 'none' : (leader.id ?? leader.node)}</td>
      <td class={broken.length > 0 ? 'broken' : ''}>
        {broken.length > 0 ? `violated: ${broken[0].name}` : verdict.ok ? 'holds' : 'undecided'}
      </td>
    </>
  )
}

const SEND = numberOf('send')

/** The number of messages sent up to each moment of a run at which some are sent. */
export interface MessageCurve {
  readonly times: readonly number[]
  readonly totals: readonly number[]
}

/** At most this many points: more cannot be seen. */
const POINTS = 600

/** The curve of a run so far. */
export function messageCurve(log: RunLog): MessageCurve {
  const [times, totals]: [number[], number[]] = [[], []]
  let total = 0
  for (let event = 0; event < log.at.length; event++) {
    if (log.kind.at(event) !== SEND) continue
    total++
    const at = log.at.at(event)
    if (times.at(-1) === at) totals[totals.length - 1] = total
    else {
      times.push(at)
      totals.push(total)
    }
  }
  return thinned({ times, totals })
}

/** The value of a curve at a time: a step function, 0 before its first point. */
export function valueAt({ times, totals }: MessageCurve, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle + 1
    else high = middle
  }
  return low === 0 ? 0 : totals[low - 1]
}

function thinned({ times, totals }: MessageCurve): MessageCurve {
  if (times.length <= POINTS) return { times, totals }
  const last = times.length - 1
  const kept = Array.from({ length: POINTS }, (_, i) => Math.round((i * last) / (POINTS - 1)))
  return { times: kept.map((i) => times[i]), totals: kept.map((i) => totals[i]) }
}
