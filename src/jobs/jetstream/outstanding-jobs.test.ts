import { describe, expect, it } from 'vitest'
import { isTriedEnough } from './batch-execution.ts'
import { BatchSize, MOST_OUTSTANDING, windowOf } from './batch-size.ts'
import { OutstandingJobs } from './outstanding-jobs.ts'
import type { BatchReport, JobOutcome } from './protocol.ts'

const OUTPUT: JobOutcome = { output: 1 }
const FAILED: JobOutcome = { failed: 'broken' }

/** Jobs a, b, c, which are in one batch. */
function sent(...ids: string[]) {
  const outstanding = new OutstandingJobs()
  const jobs = ids.map((id, i) => outstanding.add(id, null, i)!)
  outstanding.publish('batch', jobs)
  return outstanding
}

function report(batch: string, outcomes: Record<string, JobOutcome>, also = {}): BatchReport {
  const jobs = Object.entries(outcomes).map(([id, outcome]) => ({ id, ms: 1, outcome }))
  return { study: 's', batch, worker: 'w', deliveries: 1, returned: null, jobs, ...also }
}

function endedIn({ ended }: ReturnType<OutstandingJobs['settle']>) {
  return ended.map(({ job, outcome }) => [job.id, outcome])
}

describe('outstanding jobs', () => {
  it('end once, whichever batch brings the result', () => {
    const outstanding = sent('a', 'b')
    expect(endedIn(outstanding.settle(report('earlier', { a: OUTPUT })))).toEqual([['a', OUTPUT]])
    const both = report('batch', { a: OUTPUT, b: OUTPUT })
    expect(endedIn(outstanding.settle(both))).toEqual([['b', OUTPUT]])
    expect(endedIn(outstanding.settle(both))).toEqual([])
    expect([outstanding.size, outstanding.published]).toEqual([0, 0])
  })

  it('that are asked for twice are sent once', () => {
    const outstanding = sent('a')
    expect(outstanding.add('a', null, 7)).toBeNull()
    const [{ job }] = outstanding.settle(report('batch', { a: OUTPUT })).ended
    expect(job.indexes).toEqual([0, 7])
  })

  it('are given up after three failures, with the last reason', () => {
    const outstanding = sent('a', 'b')
    expect(endedIn(outstanding.settle(report('batch', { a: FAILED, b: OUTPUT })))).toEqual([
      ['b', OUTPUT],
    ])
    for (const batch of ['second', 'third']) {
      const [job] = outstanding.repeated(9)
      expect(job.id).toBe('a')
      outstanding.publish(batch, [job])
      const { ended } = outstanding.settle(report(batch, { a: { failed: `in the ${batch}` } }))
      const last = ended.map(({ outcome }) => outcome)
      expect(last).toEqual(batch === 'third' ? [{ failed: 'in the third' }] : [])
    }
    expect(outstanding.repeated(9)).toEqual([])
  })

  it('of a batch that was delivered again go out one by one, with that try', () => {
    const outstanding = sent('a', 'b', 'c')
    const again = report('batch', {}, { returned: 'redelivered', deliveries: 2 })
    expect(outstanding.settle(again)).toEqual({ ended: [], redelivered: 3 })
    expect(outstanding.settle(again).redelivered).toBe(0)
    const batches = ['a', 'b', 'c'].map((id) => outstanding.publish(id, outstanding.repeated(9)))
    expect(batches.map(({ tries }) => tries)).toEqual([1, 1, 1])
    const enough = report('b', {}, { returned: 'redelivered', deliveries: 3 })
    expect(endedIn(outstanding.settle(enough))).toEqual([
      ['b', { failed: 'none of 3 workers that got it answered' }],
    ])
  })

  it('that are handed back have not been tried', () => {
    const outstanding = sent('a', 'b', 'c', 'd')
    outstanding.settle(report('batch', { a: OUTPUT }, { returned: 'handed back' }))
    const again = [outstanding.repeated(2), outstanding.repeated(2)]
    expect(again.map((jobs) => jobs.map(({ id, tries }) => [id, tries]))).toEqual([
      [
        ['b', 0],
        ['c', 0],
      ],
      [['d', 0]],
    ])
  })

  it('that the server gave up have one more try alone, unless they were alone', () => {
    const outstanding = sent('a', 'b')
    expect(endedIn(outstanding.giveUp('batch'))).toEqual([])
    const [[a], [b]] = [outstanding.repeated(9), outstanding.repeated(9)]
    expect([a.tries, b.tries]).toEqual([2, 2])
    outstanding.publish('alone', [a])
    expect(endedIn(outstanding.giveUp('alone'))).toMatchObject([['a', { failed: /answered/ }]])
    expect(endedIn(outstanding.giveUp('alone'))).toEqual([])
  })

  it('of a batch that the server lost go out again, unless their results came', () => {
    const outstanding = sent('a', 'b')
    outstanding.settle(report('other', { a: OUTPUT }))
    outstanding.repeat('batch')
    expect(outstanding.repeated(9)).toMatchObject([{ id: 'b', tries: 0 }])
    expect(outstanding.repeated(9)).toEqual([])
  })
})

describe('a delivered batch', () => {
  it('is executed three times if it has one job, else once', () => {
    const batch = (jobs: number, tries: number) => ({
      ...{ study: 's', batch: 'b', tries, ms: 1000 },
      jobs: Array.from({ length: jobs }, (_, i) => ({ id: String(i), input: null })),
    })
    const tried = (jobs: number, tries: number) =>
      [1, 2, 3].map((deliveries) => isTriedEnough(batch(jobs, tries), deliveries))
    expect(tried(1, 0)).toEqual([false, false, false])
    expect(tried(1, 1)).toEqual([false, false, true])
    expect(tried(5, 0)).toEqual([false, true, true])
  })
})

describe('the size of batches', () => {
  it('grows to about a second of work, step by step', () => {
    const size = new BatchSize()
    expect(size.next(null, 2)).toBe(1)
    const sizes = Array.from({ length: 6 }, () => {
      const next = size.next(null, 2)
      size.measured(next, next * 5)
      return next
    })
    expect(sizes).toEqual([1, 4, 16, 64, 200, 200])
  })

  it('follows jobs that take longer and longer', () => {
    const size = new BatchSize()
    for (let i = 0; i < 10; i++) size.measured(100, 100)
    expect(size.next(null, 2)).toBe(400)
    for (let i = 0; i < 20; i++) size.measured(1, 5000)
    expect(size.next(null, 2)).toBeLessThan(5)
  })

  it('leaves a part for everybody at the end', () => {
    const size = new BatchSize()
    for (let i = 0; i < 10; i++) size.measured(100, 10)
    expect(size.next(100, 10)).toBe(5)
    expect(size.next(1, 10)).toBe(1)
    expect(size.next(1e6, 10)).toBe(400)
  })

  it('has longer batches for very many workers, within the jobs that a caller remembers', () => {
    const [seconds, moments] = [new BatchSize(), new BatchSize()]
    for (let i = 0; i < 10; i++) {
      seconds.measured(100, 99_000)
      moments.measured(100, 1000)
    }
    expect([2, 200, 4000].map((workers) => seconds.next(null, workers))).toEqual([1, 1, 20])
    const most = moments.next(null, 4000)
    expect(most * windowOf(4000)).toBeLessThanOrEqual(MOST_OUTSTANDING)
    expect((most + 1) * windowOf(4000)).toBeGreaterThan(MOST_OUTSTANDING)
  })

  it('stays within a window of batches', () => {
    expect([0, 2, 10, 1e6].map(windowOf)).toEqual([4, 6, 22, 20_000])
  })
})
