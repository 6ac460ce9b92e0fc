import { expect, it } from 'vitest'
import { changRoberts } from '../../../../src/algorithms/ring/chang-roberts.ts'
import { SvgPen } from '../../../../src/diagram/svg-pen.ts'
import { prepare } from '../../../../src/scenario/index.ts'
import { simulationOf } from '../../../../src/sim/index.ts'
import { factsUnder } from '../../engine/world-facts.ts'
import { RunFrame } from '../../recording/frame.ts'
import { ColumnRecorder } from '../../recording/recorder.ts'
import { RunLog } from '../../recording/run-log.ts'
import type { PageTheme } from '../../view/theme.ts'
import { LaneGrid, LaneOrder } from './lanes.ts'
import { paintDiagram } from './live-diagram.ts'

/** Two rings whose first moment is the same, and nothing after it. */
function runOf(crash: string): RunLog {
  const given = { ids: [3, 2, 7, 8, 5, 4, 1, 6], crash, detect: 'off' }
  const { world, conditions, properties } = prepare(given, changRoberts, String)
  const log = new RunLog(factsUnder(world, conditions))
  let simulation: ReturnType<typeof simulationOf>
  const recorder = new ColumnRecorder(() => simulation)
  simulation = simulationOf(world, conditions, properties, {
    trace: (event) => recorder.record(event),
  })
  simulation.finish()
  recorder.closeStep()
  log.append(recorder.take())
  return log
}

const theme = new Proxy({}, { get: (_, name) => (name === 'types' ? ['red', 'blue'] : 'grey') })

function picture(log: RunLog, step: number, secret: boolean): string {
  const span = { from: 0, to: 16 }
  const lanes = new LaneGrid(LaneOrder.ofAll(log.world.n), 800, 400, span)
  const pen = new SvgPen()
  const view = { span, time: 0, step, chosen: null, past: null, secret }
  paintDiagram(pen, new RunFrame(log), view, lanes, theme as PageTheme)
  return pen.picture({ width: 800, height: 400, title: '', paper: 'white' })
}

it('shows nothing of the future where it is to be guessed', () => {
  const [one, other] = [runOf('3@2.5'), runOf('3@5.5')]
  const first = one.stepsUntil(1)
  expect(picture(one, first, true)).toBe(picture(other, first, true))
  expect(picture(one, first, false)).not.toBe(picture(other, first, false))
  expect(picture(one, one.steps, true)).toBe(picture(one, one.steps, false))
})
