import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/core/usage-error.ts'
import type { Executor, Jobs, StudyListener, Work } from '../../../src/jobs/executor.ts'

const LONG = process.env.LONG_TESTS === '1'
/** Tiny jobs in one study. */
const MANY = LONG ? 100_000 : 20_000

/** What a study reported. */
interface Outcome<Output> {
  /** By number of the job. */
  readonly outputs: Map<number, Output>
  readonly failed: Map<number, string>
  /** Jobs that were reported more than once. */
  readonly repeated: number[]
}

/** Executes a study to its end. */
export async function executed<Output>(
  executor: Executor,
  work: Work,
  jobs: Jobs<unknown>,
  {
    signal = new AbortController().signal,
    ...also
  }: Partial<StudyListener<Output>> & {
    signal?: AbortSignal
  } = {},
): Promise<Outcome<Output>> {
  const outcome: Outcome<Output> = { outputs: new Map(), failed: new Map(), repeated: [] }
  const listener: StudyListener<Output> = {
    failed: (index, reason) => outcome.failed.set(index, reason),
    ...also,
    done(index, output) {
      if (outcome.outputs.has(index)) outcome.repeated.push(index)
      outcome.outputs.set(index, output)
      also.done?.(index, output)
    },
  }
  await executor.execute(work, jobs, listener, signal)
  return outcome
}

const MULTIPLY: Work = { kind: 'multiply', given: { by: 3 } }

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}

/**
 * What every executor does, wherever the jobs are executed. `make` returns one for the kinds of
 * work in kinds.ts.
 */
export function executorConformance(name: string, make: () => Promise<Executor> | Executor): void {
  describe(`an executor ${name}`, () => {
    let executor: Executor
    beforeEach(async () => {
      executor = await make()
    })
    afterEach(() => executor.close())

    it.each([0, 1, 2, 500])('executes %i jobs, each once', async (count) => {
      const { outputs, repeated } = await executed(executor, MULTIPLY, numbers(count))
      const found = [...outputs].sort(([a], [b]) => a - b)
      expect(found).toEqual(numbers(count).map((i) => [i, 3 * i]))
      expect(repeated).toEqual([])
    })

    it('executes jobs that come one by one, at times of their own', async () => {
      async function* slowly() {
        for (const i of numbers(5)) {
          await new Promise((resolve) => setImmediate(resolve))
          yield i
        }
      }
      const { outputs } = await executed(executor, MULTIPLY, slowly())
      expect(outputs.size).toBe(5)
      expect(outputs.get(4)).toBe(12)
    })

    it('returns large outputs whole', async () => {
      const lengths = [3_000_000, 0, 10, 1_500_000]
      const { outputs } = await executed<{ text: string }>(
        executor,
        { kind: 'text', given: null },
        lengths,
      )
      expect(lengths.map((_, i) => outputs.get(i)?.text.length)).toEqual(lengths)
    })

    it('takes large inputs', async () => {
      const long = 'y'.repeat(1_500_000)
      const given = { kind: 'failing', given: null }
      const { outputs } = await executed<string>(executor, given, [long, 'short'])
      expect([outputs.get(0) === long, outputs.get(1)]).toEqual([true, 'short'])
    })

    it('takes jobs as they are needed, and reports results meanwhile', async () => {
      let [taken, reported, furthest] = [0, 0, 0]
      function* many() {
        for (; taken < MANY; taken++) {
          furthest = Math.max(furthest, taken - reported)
          yield taken
        }
      }
      let sum = 0
      const done = (_: number, output: number) => {
        reported++
        sum += output
      }
      const { signal } = new AbortController()
      await executor.execute(MULTIPLY, many(), { done }, signal)
      expect(reported).toBe(MANY)
      expect(sum).toBe((3 * MANY * (MANY - 1)) / 2)
      expect(furthest).toBeLessThan(MANY)
    })

    it('rejects a study with the UsageError of a job', async () => {
      const jobs = ['one', 'two', 'usage', 'three']
      const study = executed(executor, { kind: 'failing', given: null }, jobs)
      await expect(study).rejects.toThrow(UsageError)
      await expect(study).rejects.toThrow('--here: something is wrong. Correct it.')
    })

    it('rejects a study that cannot be opened', async () => {
      const study = executed(executor, { kind: 'closed', given: null }, numbers(3))
      await expect(study).rejects.toThrow('--there: this cannot be opened.')
    })

    it('rejects a study whose jobs cannot be made', async () => {
      function* broken() {
        yield 1
        throw new UsageError('jobs', 'no more.')
      }
      await expect(executed(executor, MULTIPLY, broken())).rejects.toThrow('jobs: no more.')
    })

    it('rejects a defect of a job, or gives the job up with its reason', async () => {
      const given = { kind: 'failing', given: null }
      const study = executed(executor, given, ['one', 'defect', 'two'])
      const said = await study.then(
        ({ failed, outputs }) => [...failed.values(), `and ${outputs.size} others`].join(),
        (error: Error) => error.message,
      )
      expect(said).toMatch(/^a defect of a job$|a defect of a job.*and 2 others$/s)
    })

    it('rejects a defect of a job where nobody asks which jobs were given up', async () => {
      const { signal } = new AbortController()
      const jobs = ['one', 'defect']
      const study = executor.execute({ kind: 'failing', given: null }, jobs, { done() {} }, signal)
      await expect(study).rejects.toThrow('a defect of a job')
    })

    it('ends when it is aborted: before, at once, in the middle, while a job waits', async () => {
      const before = AbortSignal.abort()
      expect(
        (await executed(executor, MULTIPLY, numbers(9), { signal: before })).outputs.size,
      ).toBe(0)
      const atOnce = new AbortController()
      const study = executed(executor, MULTIPLY, numbers(9), { signal: atOnce.signal })
      atOnce.abort()
      await study
      const middle = new AbortController()
      let reported = 0
      const done = () => {
        if (++reported === 3) middle.abort()
      }
      await executed(executor, MULTIPLY, numbers(5000), { signal: middle.signal, done })
      expect(reported).toBe(3)
      const waiting = new AbortController()
      const forever = { kind: 'wait', given: null }
      const jobs = [1, 0, 0, 0, 0]
      await executed(executor, forever, jobs, {
        signal: waiting.signal,
        done: () => waiting.abort(),
      })
      // It can be used again.
      expect((await executed(executor, MULTIPLY, numbers(9))).outputs.size).toBe(9)
    })

    it('executes two studies at once', async () => {
      const other: Work = { kind: 'multiply', given: { by: 5 } }
      const studies = await Promise.all([
        executed<number>(executor, MULTIPLY, numbers(300)),
        executed<number>(executor, other, numbers(200)),
        executed<number>(executor, { kind: 'wait', given: null }, [1, 2, 3]),
      ])
      const sums = studies.map(({ outputs }) => [...outputs.values()].reduce((a, b) => a + b, 0))
      expect(sums).toEqual([(3 * 300 * 299) / 2, (5 * 200 * 199) / 2, 6])
    })

    it('stops one of two studies and not the other', async () => {
      const stop = new AbortController()
      const forever = executed(executor, { kind: 'wait', given: null }, [1, 0], {
        signal: stop.signal,
        done: () => stop.abort(),
      })
      const [, { outputs }] = await Promise.all([
        forever,
        executed(executor, MULTIPLY, numbers(300)),
      ])
      expect(outputs.size).toBe(300)
    })

    it('ends its studies when it is closed, as often as that may be', async () => {
      const forever = executed(executor, { kind: 'wait', given: null }, [1, 0], {
        done: () => void executor.close(),
      })
      await forever
      await Promise.all([executor.close(), executor.close()])
      await executor.close()
    })
  })
}
