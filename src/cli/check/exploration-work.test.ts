import { expect, it } from 'vitest'
import type { Executor } from '../../jobs/executor.ts'
import type { ExecutionReport } from '../jobs/execution-report.ts'
import { walkerOn, walksWork } from './exploration-work.ts'

const NAME = 'chang-roberts'
const OPTIONS = { n: '4', losses: '1', states: '3', walk: '200', memory: '1000' }
const report = { show() {}, event() {}, clear() {} } as unknown as ExecutionReport

/** Executes some jobs, and reports them in this order. */
function reporting(order: readonly number[]): Executor {
  return {
    async execute(work, jobs, listener, signal) {
      const execute = await walksWork.open(work.given as never, { parallel: 1 })
      const inputs = [...(jobs as Iterable<never>)]
      const outputs = await Promise.all(inputs.map((input) => execute(input, {})))
      for (const index of order) if (!signal.aborted) listener.done(index, outputs[index] as never)
    },
    async close() {},
  }
}

it('walks that come early do not hide the first violation', async () => {
  const given = { name: NAME, options: OPTIONS as never, texts: {} }
  const made = (order: number[]) =>
    walkerOn({ given, executor: reporting(order), report })(200, null)
  const first = await made([0])
  expect(first?.violating).toBe(0)
  for (const order of [
    [1, 0],
    [2, 1, 0],
    [2, 0, 1],
  ])
    expect(await made(order)).toEqual(first)
})
