import { describe, expect, it } from 'vitest'
import { executeBatch, type JobRunner } from './batch-execution.ts'

const STUDY = { study: 's', work: { kind: 'k', given: null }, code: null }

function batchOf(inputs: readonly unknown[], ms = 60_000) {
  const jobs = inputs.map((input, i) => ({ id: `j${i}`, input }))
  return { study: 's', batch: 'b', tries: 0, ms, jobs }
}

const limits = { jobMs: 60_000, abort: new AbortController().signal }
const staying = { ...limits, leaving: () => false }

/** Doubles numbers, at most three at once; the texts say what becomes of their jobs. */
function runner(seen: (readonly unknown[])[] = []): JobRunner {
  return {
    async run(_, inputs, signal) {
      seen.push(inputs)
      const outputs: number[] = []
      for (const input of inputs.slice(0, 3)) {
        if (input === 'usage') return { outputs, ms: 1, error: ['here', 'it is wrong.'] }
        if (input === 'dies') throw new Error('the thread is gone')
        if (input === 'loops')
          await new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')))
          })
        outputs.push(2 * Number(input))
      }
      return { outputs, ms: outputs.length, error: null }
    },
    async close() {},
  }
}

const outcomes = async (execution: ReturnType<typeof executeBatch>) => {
  const { returned, jobs } = await execution
  return [returned, jobs.map(({ id, outcome }) => [id, ...Object.values(outcome)])]
}

describe('the jobs of a batch', () => {
  it('are executed in several steps', async () => {
    const seen: (readonly unknown[])[] = []
    const batch = batchOf([1, 2, 3, 4])
    expect(await outcomes(executeBatch(runner(seen), STUDY, batch, staying))).toEqual([
      null,
      [...[2, 4, 6, 8].map((output, i) => [`j${i}`, output])],
    ])
    expect(seen).toEqual([[1, 2, 3, 4], [4]])
  })

  it('do not suffer from one that ends its thread, or from a mistake of the user', async () => {
    const batch = batchOf([1, 'dies', 'usage', 4])
    expect(await outcomes(executeBatch(runner(), STUDY, batch, staying))).toEqual([
      null,
      [
        ['j0', 2],
        ['j1', 'the thread is gone'],
        ['j2', ['here', 'it is wrong.', '']],
        ['j3', 8],
      ],
    ])
  })

  it('are stopped when one takes too long', async () => {
    const batch = batchOf([1, 'loops', 3])
    const short = { ...staying, jobMs: 20 }
    expect(await outcomes(executeBatch(runner(), STUDY, batch, short))).toEqual([
      null,
      [
        ['j0', 2],
        ['j1', 'it took longer than 0.02 s'],
        ['j2', 6],
      ],
    ])
  })

  it('go back when the worker leaves, when they are too many, or when it must end', async () => {
    const leaving = executeBatch(runner(), STUDY, batchOf([1]), { ...limits, leaving: () => true })
    expect(await outcomes(leaving)).toEqual(['handed back', []])
    const late = executeBatch(runner(), STUDY, batchOf([1, 2, 3, 4], -1), staying)
    expect((await late).jobs).toHaveLength(3)
    const stop = new AbortController()
    const batch = batchOf([1, 2, 3, 'loops'])
    const running = executeBatch(runner(), STUDY, batch, { ...staying, abort: stop.signal })
    stop.abort()
    expect((await running).returned).toBe('handed back')
  })
})
